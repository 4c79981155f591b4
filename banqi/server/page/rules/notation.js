// Position text: reading, writing, and everything that can be wrong with it.

import { capturesOn } from "./banqi.js";
import { Board, leftOf } from "./board.js";
import { RulesFault, shown } from "./fault.js";
import { EMPTY, FIRST, HIDDEN } from "./rule_set.js";
import { tables } from "./tables.js";

const NUMBER = /^(?:0|[1-9][0-9]*)$/;
const NEGATIVE = /^-[1-9][0-9]*$/;
// A quiet counter beyond this many digits is above every limit.
const LONGEST_NUMBER = 9;

/** The board at the start of a game. */
export function startBoard(rules) {
  const cells = new Array(rules.geometry.squares).fill(EMPTY);
  for (const square of rules.start) {
    cells[square] = HIDDEN;
  }
  const pool = rules.counts.slice();
  return new Board(cells, pool, 2, -1, 0, leftOf(rules, cells, pool));
}

/** The position text of a board, always with five fields. */
export function formatFen(rules, board) {
  const { text } = tables();
  const { files, names } = rules.geometry;
  const letters = board.cells.map((cell) =>
    cell === EMPTY ? "." : cell === HIDDEN ? text.face_down : rules.letters[cell - FIRST],
  );
  const ranks = [];
  for (let first = 0; first < letters.length; first += files) {
    const rank = letters.slice(first, first + files).join("");
    ranks.unshift(rank.replace(/\.+/g, (run) => String(run.length)));
  }
  const side = [text.red, text.black, text.unknown][board.side];
  const pool = poolText(rules, board.pool) || text.nothing;
  const chain = board.chain < 0 ? text.nothing : names[board.chain];
  return `${ranks.join("/")} ${side} ${pool} ${chain} ${board.quiet}`;
}

/** The hidden identities as letters in canonical order. */
export function poolText(rules, pool) {
  return pool.map((count, identity) => rules.letters[identity].repeat(count)).join("");
}

/**
 * Read a position text.
 *
 * @returns {Board}
 * @throws {RulesFault} it is no position; the message and `names` tell everything that is wrong
 */
export function parseFen(rules, fen) {
  const { board, names } = new Reader(rules).read(fen);
  if (board === null) {
    const sentences = names.map((name) => tables().faults[name]);
    throw new RulesFault(`The position ${shown(fen)} is wrong: ${sentences.join("; ")}.`, names);
  }
  return board;
}

/** The names of everything that is wrong with a position text, in their order; an empty list if nothing is. */
export function faults(rules, fen) {
  return new Reader(rules).read(fen).names;
}

/** Reads one text and collects its faults. */
class Reader {
  #found = new Set();

  constructor(rules) {
    this.rules = rules;
  }

  read(fen) {
    if (typeof fen !== "string") {
      return { board: null, names: ["NO_TEXT"] };
    }
    const { nothing } = tables().text;
    let fields = fen.split(" ");
    if (fen !== "" && fields.includes("")) {
      this.#found.add("SPACING");
      fields = fields.filter((field) => field !== "");
    }
    if (fields.length !== 3 && fields.length !== 5) {
      this.#found.add("FIELD_COUNT");
    }
    // What is there is judged, whatever is missing.
    const [placement, side, pool, chain = nothing, quiet = "0"] = fields;
    const cells = this.#placement(placement);
    const colour = side === undefined ? undefined : this.#side(side);
    const counts = pool === undefined ? null : this.#pool(pool);
    const plies = this.#quiet(quiet);
    if (counts !== null) {
      this.#judgeMaterial(cells, colour, counts);
    }
    if (colour === 2 && plies > 0) {
      this.#found.add("UNKNOWN_SIDE_QUIET");
    }
    const square = chain === nothing ? -1 : this.#chain(chain, cells, colour, plies);
    let board = null;
    if (this.#found.size === 0) {
      board = new Board(cells, counts, colour, square, plies, leftOf(this.rules, cells, counts));
      if (square >= 0 && !capturesOn(this.rules, board, square)) {
        this.#found.add("CHAIN_NOTHING");
        board = null;
      }
    }
    return { board, names: Object.keys(tables().faults).filter((name) => this.#found.has(name)) };
  }

  /** The cells, a1 first; of the wrong number if the text is wrong, with null for what is no piece. */
  #placement(text) {
    const { files, ranks } = this.rules.geometry;
    const rows = text.split("/");
    if (rows.length !== ranks) {
      this.#found.add("RANK_COUNT");
    }
    const cells = [];
    for (const rank of rows.reverse()) {
      const row = [...rank].flatMap((character) => this.#cells(character));
      if (row.length !== files) {
        this.#found.add("RANK_LENGTH");
      }
      if (/[0-9]{2}/.test(rank)) {
        this.#found.add("ADJACENT_DIGITS");
      }
      cells.push(...row);
    }
    return cells;
  }

  #cells(character) {
    if (/^[0-9]$/.test(character)) {
      const run = Number(character);
      if (run < 1 || run > this.rules.geometry.files) {
        this.#found.add("BAD_DIGIT");
      }
      return new Array(run).fill(EMPTY);
    }
    if (character === tables().text.face_down) {
      return [HIDDEN];
    }
    const identity = this.rules.letters.indexOf(character);
    if (identity < 0) {
      this.#found.add("BAD_LETTER");
      return [null];
    }
    return [FIRST + identity];
  }

  #side(text) {
    const { red, black, unknown } = tables().text;
    const side = [red, black, unknown].indexOf(text);
    if (side < 0) {
      this.#found.add("BAD_SIDE");
      return undefined;
    }
    return side;
  }

  #pool(text) {
    const letters = text === tables().text.nothing ? [] : [...text];
    if (letters.some((letter) => !this.rules.letters.includes(letter))) {
      this.#found.add("BAD_POOL");
    }
    return [...this.rules.letters].map((letter) => letters.filter((other) => other === letter).length);
  }

  #quiet(text) {
    const limit = this.rules.fields.quiet_limit;
    if (NEGATIVE.test(text)) {
      this.#found.add("NEGATIVE_QUIET");
    } else if (!NUMBER.test(text)) {
      this.#found.add("BAD_QUIET");
    } else if (text.length > LONGEST_NUMBER || Number(text) > limit) {
      this.#found.add("QUIET_ABOVE_LIMIT");
      return limit;
    } else {
      return Number(text);
    }
    return 0;
  }

  /** Find what is wrong with the pieces taken together. */
  #judgeMaterial(cells, side, pool) {
    const { rules } = this;
    const captured = capturedOf(rules, cells, pool);
    const faceUp = cells.some((cell) => cell >= FIRST);
    const hidden = cells.filter((cell) => cell === HIDDEN).length;
    const held = pool.reduce((sum, count) => sum + count, 0);
    const isCaptured = captured.some((count) => count > 0);
    if (captured.some((count) => count < 0)) {
      this.#found.add("TOO_MANY");
    }
    if (hidden !== held) {
      this.#found.add("POOL_MISMATCH");
    }
    if (side === 2) {
      if (faceUp) {
        this.#found.add("UNKNOWN_SIDE_FACE_UP");
      }
      if (isCaptured) {
        this.#found.add("UNKNOWN_SIDE_CAPTURED");
      }
    } else if (side !== undefined && !faceUp && !isCaptured) {
      this.#found.add("NOTHING_SHOWN");
    }
    if (!faceUp && held === 0 && hidden === 0) {
      this.#found.add("NO_PIECES");
    }
    if (rules.game === "junqi") {
      this.#judgeJunqi(cells, pool);
    }
  }

  /** Find what is wrong with where pieces of Junqi stand, and with their flags. */
  #judgeJunqi(cells, pool) {
    const { rules } = this;
    for (const square of rules.geometry.camps) {
      const cell = cells[square];
      if (cell === HIDDEN || (cell >= FIRST && rules.rooted[rules.kindOf[cell]])) {
        this.#found.add("IN_CAMP");
      }
    }
    const left = leftOf(rules, cells.filter((cell) => cell !== null), pool);
    if (left[0] === 0 && left[1] === 0) {
      this.#found.add("NO_FLAGS");
    }
  }

  /** The square of a chain; whether the chain can go on is asked when all else is right. */
  #chain(name, cells, side, quiet) {
    const { rules } = this;
    const square = rules.geometry.index(name);
    if (square < 0) {
      this.#found.add("BAD_CHAIN");
      return -1;
    }
    const cell = cells[square];
    const faceUp = cell >= FIRST;
    if (side !== undefined && cell !== undefined && !(faceUp && rules.colourOf[cell] === side)) {
      this.#found.add("CHAIN_NOT_OWN");
    }
    const { chain } = rules.fields;
    if (chain === "none" || (chain !== "any" && !(faceUp && rules.chains[rules.kindOf[cell]]))) {
      this.#found.add("CHAIN_NOT_ALLOWED");
    }
    if (quiet > 0) {
      this.#found.add("CHAIN_QUIET");
    }
    return square;
  }
}

/** By identity, how many have left the board. */
export function capturedOf(rules, cells, pool) {
  const captured = rules.counts.map((count, identity) => count - pool[identity]);
  for (const cell of cells) {
    if (cell >= FIRST) {
      captured[cell - FIRST] -= 1;
    }
  }
  return captured;
}
