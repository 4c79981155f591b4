// Repetition: how often a position has stood, whether that ends the game, and who attacked all the while.

import { EMPTY } from "./rule_set.js";
import { attacked } from "./play.js";

/** How often a position has stood, this time included. Nothing before the last reveal or capture can. */
export function occurrences(position) {
  let seen = 1;
  for (const [, other] of before(position)) {
    seen += other.board.equals(position.board) ? 1 : 0;
  }
  return seen;
}

/**
 * How many plies ago the span begins that a repetition is judged by, 0 if none ends the game: since the occurrence
 * before the deciding one, or the last copy of a cycle.
 */
export function repeated(position) {
  const { repetition } = position.rules.fields;
  if (repetition === "cycle") {
    return cycle(position);
  }
  if (repetition === null || occurrences(position) < repetition) {
    return 0;
  }
  for (const [plies, other] of before(position)) {
    if (other.board.equals(position.board)) {
      return plies;
    }
  }
  return 0;
}

/** The only side that attacked one and the same enemy piece after each of its last plies; -1 if none or both did. */
export function perpetualAttacker(position, plies) {
  const span = [...before(position)].slice(0, plies).reverse();
  const boards = [...span.map(([, other]) => other.board), position.board];
  const actions = [...span.slice(1).map(([, other]) => other.action), position.action];
  const attackers = [0, 1].filter((side) => attacks(position.rules, side, boards, actions));
  return attackers.length === 1 ? attackers[0] : -1;
}

function attacks(rules, side, boards, actions) {
  // The squares of the pieces that were attacked so far, followed as they move.
  let victims = new Set();
  boards[0].cells.forEach((cell, square) => {
    if (cell !== EMPTY && rules.colourOf[cell] === 1 - side) {
      victims.add(square);
    }
  });
  actions.forEach((action, number) => {
    const squares = boards[number].cells.length;
    if (victims.delete(Math.floor(action / squares))) {
      victims.add(action % squares);
    }
    if (boards[number].side === side) {
      const under = attacked(rules, boards[number + 1], side);
      victims = new Set([...victims].filter((square) => under.has(square)));
    }
  });
  return victims.size > 0;
}

/** The positions since the last reveal or capture, latest first, each with how many plies ago it stood. */
function* before(position) {
  let other = position.previous;
  for (let plies = 1; other !== null && plies <= position.board.quiet; plies += 1) {
    yield [plies, other];
    other = other.previous;
  }
}

/** The length of a cycle of steps whose three copies are the last actions, or 0. */
function cycle(position) {
  const steps = [];
  let other = position;
  while (other.previous !== null && steps.length < position.board.quiet) {
    steps.push(other.action);
    other = other.previous;
  }
  for (let length = 2; length <= Math.floor(steps.length / 3); length += 2) {
    if (steps.slice(0, 2 * length).every((action, place) => action === steps[place + length])) {
      return length;
    }
  }
  return 0;
}
