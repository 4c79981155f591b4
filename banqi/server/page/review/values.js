// A game's values for one side, out of what the server's review tells for the seat that acts.

/**
 * @typedef {object} Reviewed
 * @property {number} action
 * @property {string} move
 * @property {0 | 1} seat
 * @property {number} best
 * @property {number} after
 * @property {any} played a line
 * @property {any[]} lines
 */

/** The expected result for a seat. @param {number} value for the other @param {number} seat @param {number} for_ */
export function valueFor(value, seat, for_) {
  return seat === for_ ? value : -value;
}

/**
 * The expected results for the first seat: before each action that has been reviewed, and at last the result itself if
 * the whole game has been.
 *
 * @param {Reviewed[]} reviewed
 * @param {{winner: 0 | 1 | null, moves: string[]}} state
 * @returns {number[]}
 */
export function curve(reviewed, state) {
  const values = reviewed.map(({ best, seat }) => valueFor(best, seat, 0));
  if (reviewed.length === state.moves.length) {
    values.push(state.winner === null ? 0 : valueFor(1, state.winner, 0));
  }
  return values;
}
