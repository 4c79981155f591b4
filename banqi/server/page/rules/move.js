// Actions as texts, in both columns of the rules: `a1`, `a1(K)`, `a1-b1`, `a1-b1(k)`, `end`; on a wire `a1a1`, `a1a1K`,
// `a1b1`, `a1b1k`, `0000`.

import { RulesFault, shown } from "./fault.js";

const PEOPLE = /^([a-z][1-9][0-9]?)(?:-([a-z][1-9][0-9]?))?(?:\(([A-Za-z])\))?$/;
const WIRE = /^([a-z][1-9][0-9]?)([a-z][1-9][0-9]?)([A-Za-z])?$/;

/**
 * Read an action.
 *
 * @returns {{action: number, letter: string | null}} the action's number, and what it says that was turned up
 * @throws {RulesFault} the text is no action on the board
 */
export function readMove(rules, text) {
  const { geometry } = rules;
  if (text === "end" || text === "0000") {
    return { action: geometry.squares ** 2, letter: null };
  }
  const people = PEOPLE.exec(text);
  const match = people ?? WIRE.exec(text);
  if (match === null || (people !== null && people[2] === people[1])) {
    throw new RulesFault(`${shown(text)} is no move: moves are written a1, a1-b1 or end.`);
  }
  const [from, to] = [geometry.index(match[1]), geometry.index(match[2] ?? match[1])];
  if (from < 0 || to < 0) {
    throw new RulesFault(`${shown(text)} leaves the board.`);
  }
  const letter = match[3] ?? null;
  if (letter !== null && !rules.letters.includes(letter)) {
    throw new RulesFault(`${shown(text)} reveals ${letter}, which is no piece.`);
  }
  return { action: from * geometry.squares + to, letter };
}

/** An action for people and records. letter: what it has turned up, null in a request. */
export function moveText(rules, action, letter = null) {
  const { names, squares } = rules.geometry;
  if (action === squares ** 2) {
    return "end";
  }
  const [from, to] = [names[Math.floor(action / squares)], names[action % squares]];
  return `${from}${from === to ? "" : `-${to}`}${letter === null ? "" : `(${letter})`}`;
}

/** An action as it goes over a wire. */
export function wireText(rules, action, letter = null) {
  const { names, squares } = rules.geometry;
  if (action === squares ** 2) {
    return "0000";
  }
  return `${names[Math.floor(action / squares)]}${names[action % squares]}${letter ?? ""}`;
}
