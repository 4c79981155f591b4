// What lies where, read from a position's text. It shows public knowledge only: a face-down piece has no kind.

import { squareOf } from "./squares.js";

/**
 * @typedef {{kind: string|null, colour: "r"|"b"|null, down: boolean}} Piece
 * kind: the upper case letter; null, as the colour is, for a piece that lies face down.
 * @typedef {{cells: (Piece|null)[], side: "r"|"b"|null, pool: string, chain: number|null}} Placement
 */

/** @param {string} letter of a position's text @returns {Piece} */
export function pieceOf(letter) {
  if (letter === "x") return { kind: null, colour: null, down: true };
  const kind = letter.toUpperCase();
  return { kind, colour: letter === kind ? "r" : "b", down: false };
}

/**
 * @param {string} fen
 * @param {import("./squares.js").Shape} shape
 * @returns {Placement}
 */
export function placementOf(fen, shape) {
  const [ranks, side, pool = "-", chain = "-"] = fen.split(" ");
  const cells = ranks.split("/").reverse().flatMap((rank) =>
    [...rank].flatMap((sign) => (/\d/.test(sign) ? Array(Number(sign)).fill(null) : [pieceOf(sign)])));
  if (cells.length !== shape.files * shape.ranks) throw new Error(`a position of ${cells.length} squares`);
  return {
    cells,
    side: side === "?" ? null : side,
    pool: pool === "-" ? "" : pool,
    chain: chain === "-" ? null : squareOf(chain, shape),
  };
}
