// What can be done on a board and what it becomes, in either game.

import * as banqi from "./banqi.js";
import * as junqi from "./junqi.js";
import { EMPTY, FIRST, HIDDEN } from "./rule_set.js";

/**
 * The legal actions: from * squares + to, a flip with from equal to to, squares * squares for the end of a chain.
 *
 * @returns {number[]}
 */
export function actions(rules, board) {
  const { cells, side, chain } = board;
  const found = [];
  if (board.decided) {
    return found;
  }
  if (chain >= 0) {
    banqi.addCaptures(rules, board, chain, found);
    found.push(cells.length * cells.length);
    return found;
  }
  const add = rules.game === "junqi" ? junqi.addActions : banqi.addActions;
  for (let square = 0; square < cells.length; square += 1) {
    const cell = cells[square];
    if (cell === HIDDEN) {
      found.push(square * (cells.length + 1));
    } else if (cell !== EMPTY && rules.colourOf[cell] === side) {
      add(rules, board, square, found);
    }
  }
  return found;
}

/** Whether an action turns a piece up. */
export function reveals(board, action) {
  return board.cells[action % board.cells.length] === HIDDEN && action < board.cells.length ** 2;
}

/** The board that a legal action makes. identity: what it turns up, -1 if it turns up nothing. */
export function after(rules, board, action, identity) {
  const squares = board.cells.length;
  if (action === squares * squares) {
    return board.copy().pass(board.quiet);
  }
  const [from, to] = [Math.floor(action / squares), action % squares];
  if (from !== to && board.cells[to] !== EMPTY) {
    return (rules.game === "junqi" ? junqi : banqi).attack(rules, board, from, to, identity);
  }
  const made = board.copy();
  if (from === to) {
    made.cells[to] = FIRST + identity;
    made.turnUp(identity);
    if (made.side === 2) {
      made.side = rules.colourOf[made.cells[to]];
    }
    return made.pass(0);
  }
  made.cells[to] = board.cells[from];
  made.cells[from] = EMPTY;
  return made.pass(board.quiet + 1);
}

/** The face-up pieces that a side could capture if it were to move, as a set of squares. */
export function attacked(rules, board, side) {
  const found = [];
  board.cells.forEach((cell, square) => {
    if (rules.colourOf[cell] === side) {
      banqi.addCaptures(rules, board, square, found);
    }
  });
  const targets = found.map((action) => action % board.cells.length);
  return new Set(targets.filter((square) => board.cells[square] !== HIDDEN));
}

/** How many leaves lie after `depth` actions; one that reveals counts once for each different identity in the pool. */
export function leaves(rules, board, depth) {
  if (depth === 0) {
    return 1;
  }
  const found = actions(rules, board);
  const hidden = [];
  for (let identity = 0; identity < board.pool.length; identity += 1) {
    if (board.pool[identity] > 0) {
      hidden.push(identity);
    }
  }
  let sum = 0;
  for (const action of found) {
    if (!reveals(board, action)) {
      sum += depth === 1 ? 1 : leaves(rules, after(rules, board, action, -1), depth - 1);
    } else if (depth === 1) {
      sum += hidden.length;
    } else {
      for (const identity of hidden) {
        sum += leaves(rules, after(rules, board, action, identity), depth - 1);
      }
    }
  }
  return sum;
}
