// Luck and skill: what the reveals gave each side, and what its choices gave away. README.md of the page defines both.

/**
 * What is known of an action, in expected results from -1 to 1 for the seat that acted.
 *
 * @typedef {object} Weighed
 * @property {0 | 1} seat who acted
 * @property {number | null} best the value of the best move there; null if nobody has looked
 * @property {number | null} played the value of the move that was played, before chance
 * @property {number | null} mean the mean over what could be turned up; null if nothing could
 * @property {number | null} after the value when it was turned up; null if nothing was
 */

/**
 * @typedef {object} Report
 * @property {{seat: 0 | 1, luck: number, loss: number}[]} plies of each action
 * @property {[number, number]} luck the sum for each seat
 * @property {[number, number]} loss the sum for each seat
 * @property {{luck: [number[], number[]], loss: [number[], number[]]}} series for each seat the sum after each action
 * @property {number} missing how many actions nobody has looked at; they count as 0
 */

/**
 * Sum up a game.
 *
 * @param {Weighed[]} actions in the order in which they were played
 * @returns {Report}
 */
export function luckAndSkill(actions) {
  const plies = actions.map(({ seat, best, played, mean, after }) => ({
    seat,
    luck: difference(after, mean),
    // A search that is cut short may value what was played above what it calls best.
    loss: Math.max(0, difference(best, played)),
  }));
  const series = { luck: sums(plies, "luck"), loss: sums(plies, "loss") };
  return {
    plies,
    luck: series.luck.map((line) => line.at(-1) ?? 0),
    loss: series.loss.map((line) => line.at(-1) ?? 0),
    series,
    missing: actions.filter(({ best, played }) => (best ?? null) === null || (played ?? null) === null).length,
  };
}

function difference(value, other) {
  return (value ?? null) === null || (other ?? null) === null ? 0 : value - other;
}

function sums(plies, name) {
  return [0, 1].map((seat) => {
    let sum = 0;
    return plies.map((ply) => (sum += ply.seat === seat ? ply[name] : 0));
  });
}

/**
 * What a search before an action tells of it.
 *
 * @param {0 | 1} seat who acted
 * @param {{move: string, value: number, reveals: {identity: string, chance: number, value: number}[]}[]} lines what
 *   `/api/analysis` has found there, best first
 * @param {string} move the request that was played
 * @param {string | null} letter what it turned up
 * @returns {Weighed} with nothing known if the move is not among the lines
 */
export function weighed(seat, lines, move, letter = null) {
  const line = lines.find((other) => other.move === move);
  if (line === undefined) {
    return { seat, best: null, played: null, mean: null, after: null };
  }
  const shown = line.reveals.find((reveal) => reveal.identity === letter);
  return {
    seat,
    best: lines[0].value,
    played: line.value,
    mean: shown === undefined ? null : meanOf(line.reveals),
    after: shown === undefined ? null : shown.value,
  };
}

/** The mean over reveals, whose chances may not add up to 1 if a search has not come to all of them. */
function meanOf(reveals) {
  const chances = reveals.reduce((sum, { chance }) => sum + chance, 0);
  return reveals.reduce((sum, { chance, value }) => sum + chance * value, 0) / chances;
}
