// What pieces of Junqi can do, and what an attack makes. An action is from * squares + to.

import { EMPTY, HIDDEN } from "./rule_set.js";

/** Whether a piece of a side may stand or attack on a square, once it gets there. */
function mayEnter(rules, cells, to, side) {
  const there = cells[to];
  return there === EMPTY || (there !== HIDDEN && rules.colourOf[there] !== side && !rules.geometry.camps.has(to));
}

/** The squares along straight railway up to the first piece, that included. */
function alongRailway(geometry, cells, from, reached) {
  for (const line of geometry.railLines[from]) {
    for (const to of line) {
      reached.add(to);
      if (cells[to] !== EMPTY) {
        break;
      }
    }
  }
}

/** The squares along railway with any turns up to the first pieces, these included. */
function acrossRailway(geometry, cells, from, reached) {
  const seen = new Set([from]);
  const waiting = [from];
  while (waiting.length > 0) {
    for (const to of geometry.rails[waiting.pop()]) {
      if (!seen.has(to)) {
        seen.add(to);
        reached.add(to);
        if (cells[to] === EMPTY) {
          waiting.push(to);
        }
      }
    }
  }
}

/** Adds everything that the face-up piece on a square could do on its side's turn. */
export function addActions(rules, board, from, found) {
  const { cells } = board;
  const { geometry } = rules;
  const side = rules.colourOf[cells[from]];
  const kind = rules.kindOf[cells[from]];
  if (rules.rooted[kind]) {
    return;
  }
  const reached = new Set(geometry.neighbours[from]);
  (kind === rules.engineer ? acrossRailway : alongRailway)(geometry, cells, from, reached);
  for (const to of reached) {
    if (mayEnter(rules, cells, to, side)) {
      found.push(from * cells.length + to);
    }
  }
}

/** The board after an attack. */
export function attack(rules, board, from, to) {
  const after = board.copy();
  const [attacker, defender] = [board.cells[from], board.cells[to]];
  const [kind, other] = [rules.kindOf[attacker], rules.kindOf[defender]];
  const [removed, lost] = [rules.takes[kind][other], rules.losses[kind][other]];
  after.cells[from] = EMPTY;
  if (removed) {
    after.cells[to] = lost ? EMPTY : attacker;
    if (other === rules.vital) {
      after.lose(1 - board.side);
    }
  }
  return after.pass(0);
}
