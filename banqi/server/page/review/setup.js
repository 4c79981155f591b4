// A position that is being set up: what stands where, what lies face down, whose turn. It may be none yet.

import { Position } from "../rules/index.js";

const EMPTY = ".";
const DOWN = "x";

/** Squares by number, a1 b1 ... first, and the pool, which follows the face-down pieces as far as it can. */
export class Setup {
  /** @param {import("../rules/index.js").Position} position */
  constructor(position) {
    this.rules = position.rules;
    this.cells = position.squares.map((piece) => (piece === null ? EMPTY : piece.down ? DOWN : piece.letter));
    this.pool = position.pool;
    this.side = position.side;
    this.quiet = position.quiet;
  }

  /** An empty board, everything captured. */
  clear() {
    this.cells.fill(EMPTY);
    for (const letter of this.pool.keys()) this.pool.set(letter, 0);
    this.side ??= "r";
    this.quiet = 0;
  }

  /** How many of a kind the set holds. @param {string} letter */
  whole(letter) {
    return this.rules.counts[[...this.rules.letters].indexOf(letter)];
  }

  /** How many of a kind are neither on the board nor in the pool. @param {string} letter */
  missing(letter) {
    return this.whole(letter) - this.pool.get(letter) - this.cells.filter((cell) => cell === letter).length;
  }

  /**
   * Put something on a square. What is face down there leaves the pool, what comes face down joins it.
   *
   * @param {number} square
   * @param {string} sign a letter, "x" for a face-down piece, "." for nothing
   */
  put(square, sign) {
    const before = this.cells[square];
    if (before === sign) return;
    this.cells[square] = sign;
    if (before === DOWN) this.#takeFromPool(sign);
    if (sign === DOWN) this.#addToPool(before);
    if (this.side === null && sign !== DOWN) this.side = "r";
  }

  #takeFromPool(wanted) {
    const most = [...this.pool].reduce((best, other) => (other[1] > best[1] ? other : best))[0];
    const letter = this.pool.get(wanted) > 0 ? wanted : most;
    if (this.pool.get(letter) > 0) this.pool.set(letter, this.pool.get(letter) - 1);
  }

  #addToPool(wanted) {
    const free = [...this.pool.keys()].find((letter) => this.missing(letter) > 0);
    const letter = this.pool.has(wanted) && this.missing(wanted) > 0 ? wanted : free;
    if (letter !== undefined) this.pool.set(letter, this.pool.get(letter) + 1);
  }

  /** @param {string} letter @param {1 | -1} step */
  changePool(letter, step) {
    const count = this.pool.get(letter) + step;
    if (count >= 0 && count <= this.whole(letter)) this.pool.set(letter, count);
  }

  /** How many face-down pieces there are more than the pool has. */
  get excess() {
    return this.cells.filter((cell) => cell === DOWN).length - [...this.pool.values()].reduce((sum, n) => sum + n, 0);
  }

  /** The position text, whether it makes sense or not. */
  get fen() {
    const { files, ranks } = this.rules.geometry;
    const rows = Array.from({ length: ranks }, (_, row) =>
      this.cells.slice(row * files, (row + 1) * files).join("").replace(/\.+/g, (run) => run.length));
    const pool = [...this.pool].map(([letter, count]) => letter.repeat(count)).join("") || "-";
    return `${rows.reverse().join("/")} ${this.side ?? "?"} ${pool} - ${this.quiet}`;
  }

  /** @returns {import("../rules/index.js").Position} @throws {Error} it is no position; the message says why */
  get position() {
    return Position.parse(this.rules, this.fen);
  }
}
