// Luck and skill: what the reveals gave each side, and what its choices gave away. README.md of the page defines both.

/**
 * What is known of an action, in expected results from -1 to 1 for the seat that acted.
 *
 * @typedef {object} Weighed
 * @property {0 | 1} seat who acted
 * @property {number} best the value of the best move there
 * @property {number} played the value of the move that was played, before chance
 * @property {number | null} mean the mean over what could be turned up; null if nothing could
 * @property {number | null} after the value when it was turned up; null if nothing was
 */

/**
 * @typedef {object} Report
 * @property {{seat: 0 | 1, luck: number, loss: number}[]} plies of each action
 * @property {[number, number]} luck the sum for each seat
 * @property {[number, number]} loss the sum for each seat
 * @property {{luck: [number[], number[]], loss: [number[], number[]]}} series for each seat the sum after each action
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
    luck: mean === null ? 0 : after - mean,
    // A search that is cut short may value what was played above what it calls best.
    loss: Math.max(0, best - played),
  }));
  const series = { luck: sums(plies, "luck"), loss: sums(plies, "loss") };
  return {
    plies,
    luck: series.luck.map((line) => line.at(-1) ?? 0),
    loss: series.loss.map((line) => line.at(-1) ?? 0),
    series,
  };
}

function sums(plies, name) {
  return [0, 1].map((seat) => {
    let sum = 0;
    return plies.map((ply) => (sum += ply.seat === seat ? ply[name] : 0));
  });
}
