// The state of a game that nobody has begun, in the shape that every source has.

/**
 * @param {import("../rules/index.js").Position} position
 * @param {{rules: string, clock?: number | null, increment?: number}} wanted
 * @param {{name: string, player: string, level: string | null}[]} seats
 * @returns {any}
 */
export function firstState(position, { rules, clock = null, increment = 0 }, seats) {
  return {
    number: 0,
    stage: "playing",
    rules,
    fen: position.fen,
    commitment: null,
    seats: seats.map((seat) => ({ ...seat, nonce: null, colour: null, clock })),
    to_act: position.seat,
    legal: position.legal(),
    last: null,
    quiet: position.quiet,
    repetitions: 1,
    chances: true,
    draw_offer: null,
    takeback: null,
    rematch_offer: null,
    assisted: false,
    winner: null,
    termination: null,
    opening: null,
    rematch: null,
    moves: [],
    time: null,
    increment,
  };
}
