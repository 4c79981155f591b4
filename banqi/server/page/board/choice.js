// What a player has in hand, and what a tap means. No screen: squares go in, an intention comes out.

/**
 * @typedef {{act: string}|{look: number}|null} Intention
 * act: the text of a legal action; look: a face-down square whose chances are wanted.
 */

/** The selected piece, the square that waits for a second tap, and the actions that are legal. */
export class Choice {
  /** @type {import("./action.js").Action[]} */
  #actions = [];
  #chain = null;
  #isDown = () => false;
  /** @type {number|null} */
  selected = null;
  /** @type {number|null} */
  armed = null;

  /**
   * A new position, or new rights in the same one: nothing is in hand but the piece of a chain.
   * @param {import("./action.js").Action[]} actions
   * @param {number|null} chain
   * @param {(square: number) => boolean} isDown
   */
  reset(actions, chain, isDown) {
    this.#actions = actions;
    this.#chain = chain;
    this.#isDown = isDown;
    this.drop();
  }

  /** Put down what is in hand. */
  drop() {
    this.armed = null;
    this.selected = this.#chain !== null && this.#actions.length > 0 ? this.#chain : null;
  }

  /** Whether the piece on a square can do anything but be flipped. */
  canMove(square) {
    return this.#actions.some((action) => action.from === square && action.to !== square);
  }

  /** The text of the flip of a square, or null. */
  flip(square) {
    return this.#actions.find((action) => action.from === square && action.to === square)?.text ?? null;
  }

  /** The text of ending a chain, if the piece on the square is the one that goes on and may stop. */
  end(square) {
    if (square !== this.#chain) return null;
    return this.#actions.find((action) => action.from === null)?.text ?? null;
  }

  /** The squares that the selected piece can go to. @returns {number[]} */
  targets() {
    if (this.selected === null) return [];
    return this.#actions.filter(({ from, to }) => from === this.selected && to !== from).map(({ to }) => to);
  }

  /** The text of the selected piece's action on a square, or null. */
  move(square) {
    const found = this.#actions.find(({ from, to }) => from === this.selected && to === square && to !== from);
    return found?.text ?? null;
  }

  /** Take a piece that can move. @returns {boolean} whether it can. */
  select(square) {
    if (!this.canMove(square)) return false;
    if (this.selected !== square) this.armed = null;
    this.selected = square;
    return true;
  }

  /**
   * What cannot be taken back (a flip, an attempt, the end of a chain) asks for a second tap with `twice`.
   * A face-down square that is tapped while another piece is in hand is not flipped: that piece is put down first.
   * @param {number} square
   * @param {"once"|"twice"} taps
   * @returns {Intention}
   */
  tap(square, taps) {
    const move = this.selected === null ? null : this.move(square);
    if (move !== null) return this.#isDown(square) ? this.#surely(square, move, taps) : { act: move };
    if (square === this.selected) {
      const end = this.end(square);
      if (end !== null) return this.#surely(square, end, taps);
      this.drop();
      return null;
    }
    if (this.select(square)) return null;
    const flip = this.flip(square);
    if (flip !== null && (this.selected === null || taps === "twice")) {
      this.selected = null;
      return this.#surely(square, flip, taps);
    }
    this.drop();
    return this.#isDown(square) ? { look: square } : null;
  }

  #surely(square, act, taps) {
    if (taps === "once" || this.armed === square) return { act };
    this.armed = square;
    return this.#isDown(square) ? { look: square } : null;
  }
}
