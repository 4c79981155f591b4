// Positions: public knowledge only, with the moves that led there.

import { FIRST, HIDDEN, EMPTY, ruleSet } from "./rule_set.js";
import { RulesFault } from "./fault.js";
import { moveText, readMove, wireText } from "./move.js";
import { capturedOf, formatFen, parseFen, startBoard } from "./notation.js";
import { actions, after, leaves, reveals } from "./play.js";
import { occurrences, perpetualAttacker, repeated } from "./repetition.js";

const SIDES = ["r", "b", null];

/**
 * A position and how it came about. It never changes: a move makes another one.
 *
 * rules: a RuleSet. previous: the position before the last action, null where the game was set up. action: its number.
 * letter: what it turned up, or null.
 */
export class Position {
  constructor(rules, board, previous = null, action = -1, letter = null) {
    this.rules = rules;
    this.board = board;
    this.previous = previous;
    this.action = action;
    this.letter = letter;
    this.plies = previous === null ? 0 : previous.plies + 1;
    this.first = previous === null ? board.side : firstColour(previous, board);
  }

  /** The start of a game. @param {string | import("./rule_set.js").RuleSet} rules */
  static start(rules) {
    const set = ruleSet(rules);
    return new Position(set, startBoard(set));
  }

  /**
   * Read a position text.
   *
   * @param {string | import("./rule_set.js").RuleSet} rules
   * @param {string} fen
   * @throws {RulesFault} it is no position; `names` tell everything that is wrong
   */
  static parse(rules, fen) {
    const set = ruleSet(rules);
    return new Position(set, parseFen(set, fen));
  }

  // ---- what it is --------------------------------------------------------------------------------------------------

  /** The position text. */
  get fen() {
    return formatFen(this.rules, this.board);
  }

  /** The colour to move, "r" or "b"; null before the first flip. */
  get side() {
    return SIDES[this.board.side];
  }

  /** Who is to act: 0 for the player who was to move in the position that was set up, 1 for the other. */
  get seat() {
    return this.previous === null || this.board.side === this.first ? 0 : 1;
  }

  /** The colour of a seat, "r" or "b"; null before the first flip. */
  colour(seat) {
    return this.first === 2 ? null : SIDES[seat === 0 ? this.first : 1 - this.first];
  }

  /** The name of the square whose piece may capture on, or null. */
  get chain() {
    return this.board.chain < 0 ? null : this.rules.geometry.names[this.board.chain];
  }

  /** What stands on each square, a1 b1 ... first: null, or {letter, colour, down}; face down the first two are null. */
  get squares() {
    return this.board.cells.map((cell) => {
      if (cell === EMPTY) {
        return null;
      }
      if (cell === HIDDEN) {
        return { letter: null, colour: null, down: true };
      }
      return { letter: this.rules.letters[cell - FIRST], colour: SIDES[this.rules.colourOf[cell]], down: false };
    });
  }

  /** How many of each identity lie face down, all letters in canonical order. @returns {Map<string, number>} */
  get pool() {
    return new Map([...this.rules.letters].map((letter, identity) => [letter, this.board.pool[identity]]));
  }

  /** How many of each identity were captured, all letters in canonical order. @returns {Map<string, number>} */
  get captured() {
    const counts = capturedOf(this.rules, this.board.cells, this.board.pool);
    return new Map([...this.rules.letters].map((letter, identity) => [letter, counts[identity]]));
  }

  /** Plies in a row without a reveal and without a capture. */
  get quiet() {
    return this.board.quiet;
  }

  /** How often the position has stood so far, this time included. */
  get repetitions() {
    return occurrences(this);
  }

  /** The last action with what it turned up, as people write it; null where the game was set up. */
  get last() {
    return this.previous === null ? null : moveText(this.rules, this.action, this.letter);
  }

  /** All actions since the position was set up, as they go over a wire, with their reveals. */
  get moves() {
    return this.#history().map((position) => wireText(this.rules, position.action, position.letter));
  }

  /** The same, as people write them, ply by ply: a chain of captures is one ply. @returns {string[][]} */
  get written() {
    const plies = [];
    let mover = null;
    for (const position of this.#history()) {
      const { side } = position.previous.board;
      if (side !== mover || plies.length === 0) {
        plies.push([]);
        mover = side;
      }
      plies.at(-1).push(position.last);
    }
    return plies;
  }

  /** The positions after each action, earliest first. */
  #history() {
    const found = [];
    for (let position = this; position.previous !== null; position = position.previous) {
      found.push(position);
    }
    return found.reverse();
  }

  /** The position that was set up. */
  get root() {
    let position = this;
    while (position.previous !== null) {
      position = position.previous;
    }
    return position;
  }

  // ---- what can be done --------------------------------------------------------------------------------------------

  /** The legal moves as requests. A repetition and the quiet limit, which end the game, take none away. */
  legal() {
    return actions(this.rules, this.board).map((action) => moveText(this.rules, action));
  }

  /**
   * The number of the square that a move goes to; of the square itself, for a flip.
   *
   * @throws {RulesFault} the text is no move
   */
  target(text) {
    return readMove(this.rules, text).action % this.rules.geometry.squares;
  }

  /**
   * What a legal request can turn up, [] if it turns nothing up.
   *
   * @param {string} text
   * @returns {{letter: string, count: number}[]} the identities of the pool, each with how often it is there
   * @throws {RulesFault} the request is illegal
   */
  reveals(text) {
    const { action } = this.#read(text);
    if (!reveals(this.board, action)) {
      return [];
    }
    return [...this.pool].filter(([, count]) => count > 0).map(([letter, count]) => ({ letter, count }));
  }

  /**
   * Make a move.
   *
   * @param {string} text in either column of the rules; it may hold what was turned up
   * @param {string | null} [letter] what was turned up
   * @returns {Position}
   * @throws {RulesFault} the move is illegal, lacks what it turned up, or that is not in the pool
   */
  play(text, letter = null) {
    const move = this.#read(text);
    const told = letter ?? move.letter;
    const identity = told === null ? -1 : this.rules.letters.indexOf(told);
    if (reveals(this.board, move.action) !== (told !== null) || (told !== null && !(this.board.pool[identity] > 0))) {
      throw new RulesFault(`${text} cannot turn up ${told ?? "nothing"}.`);
    }
    return new Position(this.rules, after(this.rules, this.board, move.action, identity), this, move.action, told);
  }

  #read(text) {
    const move = readMove(this.rules, text);
    if (!actions(this.rules, this.board).includes(move.action)) {
      throw new RulesFault(`${text} is not allowed here.`);
    }
    return move;
  }

  // ---- the end -----------------------------------------------------------------------------------------------------

  /**
   * How the game is over by the rules, null while it goes on. The tests come in the order of the rules.
   *
   * @returns {{winner: "r" | "b" | null, termination: string} | null} the colour that has won, null for a draw
   */
  outcome() {
    const { rules, board } = this;
    if (board.decided) {
      return won(board.left[0] === 0 ? 1 : 0, rules.game === "junqi" ? "flag" : "all_captured");
    }
    if (actions(rules, board).length === 0) {
      return won(1 - board.side, "no_moves");
    }
    const plies = repeated(this);
    if (plies > 0) {
      const attacker = rules.fields.perpetual === "loses" ? perpetualAttacker(this, plies) : -1;
      return attacker < 0 ? drawn("repetition") : won(1 - attacker, "perpetual_attack");
    }
    return board.quiet >= rules.fields.quiet_limit ? drawn("quiet_limit") : null;
  }
}

function won(side, termination) {
  return { winner: SIDES[side], termination };
}

function drawn(termination) {
  return { winner: null, termination };
}

/** The first seat's colour: as it was, or after the first flip the one that was turned up. */
function firstColour(previous, board) {
  return previous.first === 2 ? 1 - board.side : previous.first;
}

/** How many leaves lie after `depth` actions; one that reveals counts once for each different identity in the pool. */
export function perft(position, depth) {
  return leaves(position.rules, position.board, depth);
}
