// What a screen reader says of a square: its name, what lies there, what can be done.

import { CAMPS, HEADQUARTERS } from "./roads.js";
import { gameOf, pieceName } from "./pieces.js";
import { nameOf } from "./squares.js";

/**
 * @param {number} square
 * @param {{shape: import("./squares.js").Shape, cells: any[], choice: import("./choice.js").Choice,
 *   words: import("./pieces.js").Words, attack: (square: number) => string}} board
 * @returns {string}
 */
export function squareLabel(square, { shape, cells, choice, words, attack }) {
  const piece = cells[square];
  const parts = [nameOf(square, shape), piece ? pieceName(piece, gameOf(shape.junqi), words) : words("board.empty")];
  if (shape.junqi && CAMPS.has(square)) parts.push(words("board.camp"));
  if (shape.junqi && HEADQUARTERS.has(square)) parts.push(words("board.headquarters"));
  parts.push(...abilities(square, { piece, choice, attack }).map((key) => words(key)));
  return parts.join(", ");
}

function abilities(square, { piece, choice, attack }) {
  if (choice.selected === square) {
    return choice.end(square) === null ? ["board.selected"] : ["board.selected", "board.canEnd"];
  }
  const can = [];
  if (choice.move(square) !== null) can.push(piece ? `board.can.${attack(square)}` : "board.can.step");
  if (choice.flip(square) !== null) can.push("board.canFlip");
  if (choice.canMove(square)) can.push("board.canMove");
  if (choice.armed === square) can.push("board.again");
  return can;
}
