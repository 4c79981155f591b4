// What pieces of Banqi can do, and what a capture or an attempt makes. An action is from * squares + to.

import { EMPTY, FIRST, HIDDEN } from "./rule_set.js";

/** Where a jump along a line lands, -1 if nowhere: on the second piece, past a screen. */
function jumpTarget(rules, cells, line, side) {
  let screened = false;
  for (const square of line) {
    const cell = cells[square];
    if (cell === EMPTY) {
      continue;
    }
    const faceUpOnly = rules.fields.screens === "faceup";
    if (screened) {
      const attempted = cell === HIDDEN && rules.fields.dark_capture && !faceUpOnly;
      return attempted || (cell !== HIDDEN && rules.colourOf[cell] !== side) ? square : -1;
    }
    if (cell === HIDDEN && faceUpOnly) {
      return -1;
    }
    screened = true;
  }
  return -1;
}

/** Adds what the face-up piece on a square could capture or attempt on its side's turn. */
export function addCaptures(rules, board, from, found) {
  const { cells } = board;
  const side = rules.colourOf[cells[from]];
  const kind = rules.kindOf[cells[from]];
  const jumps = kind === rules.jumper;
  const base = from * cells.length;
  for (const line of rules.geometry.lines[from]) {
    const there = cells[line[0]];
    if (there === HIDDEN) {
      if (rules.fields.dark_capture && (!jumps || rules.fields.cannon_adjacent)) {
        found.push(base + line[0]);
      }
    } else if (there !== EMPTY && rules.colourOf[there] !== side && rules.takes[kind][rules.kindOf[there]]) {
      found.push(base + line[0]);
    }
    if (jumps) {
      const target = jumpTarget(rules, cells, line, side);
      if (target >= 0) {
        found.push(base + target);
      }
    }
  }
}

/** Adds everything that the face-up piece on a square could do on its side's turn, outside a chain. */
export function addActions(rules, board, from, found) {
  const { cells } = board;
  for (const to of rules.geometry.neighbours[from]) {
    if (cells[to] === EMPTY) {
      found.push(from * cells.length + to);
    }
  }
  addCaptures(rules, board, from, found);
}

/** Whether the piece on a square may go on capturing there. */
export function capturesOn(rules, board, square) {
  const found = [];
  if (rules.chains[rules.kindOf[board.cells[square]]]) {
    addCaptures(rules, board, square, found);
  }
  return found.length > 0;
}

/** Whether an attempt captures what it turns up: by a jump any enemy, from a neighbouring square as the table says. */
function succeeds(rules, board, from, to, shown) {
  if (rules.colourOf[shown] === board.side) {
    return false;
  }
  const adjacent = rules.geometry.neighbours[from].includes(to);
  return !adjacent || rules.takes[rules.kindOf[board.cells[from]]][rules.kindOf[shown]];
}

/** The board after a capture, or an attempt that shows an identity (-1 for a capture). */
export function attack(rules, board, from, to, identity) {
  const after = board.copy();
  if (identity >= 0) {
    after.turnUp(identity);
    after.cells[to] = FIRST + identity;
    if (!succeeds(rules, board, from, to, after.cells[to])) {
      return after.pass(0);
    }
  }
  after.lose(1 - board.side);
  after.cells[to] = board.cells[from];
  after.cells[from] = EMPTY;
  if (!capturesOn(rules, after, to)) {
    return after.pass(0);
  }
  after.chain = to;
  after.quiet = 0;
  return after;
}
