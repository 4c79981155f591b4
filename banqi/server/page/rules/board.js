// What stands where and who is to move, as the rules change it.

/**
 * A position without its history.
 *
 * cells: by square. pool: by identity, how many lie face down. side: 0 red, 1 black, 2 before the first flip. chain:
 * the square whose piece may capture on, or -1. left: by colour, how much is left of what a side must not lose: in
 * Banqi its pieces, in Junqi its flag.
 */
export class Board {
  constructor(cells, pool, side, chain, quiet, left) {
    this.cells = cells;
    this.pool = pool;
    this.side = side;
    this.chain = chain;
    this.quiet = quiet;
    this.left = left;
  }

  /** A board whose cells may be changed; pool and left are shared, and replaced when they change. */
  copy() {
    return new Board(this.cells.slice(), this.pool, this.side, this.chain, this.quiet, this.left);
  }

  /** One piece less lies face down. */
  turnUp(identity) {
    this.pool = this.pool.slice();
    this.pool[identity] -= 1;
  }

  /** A side has one less of what it must not lose. */
  lose(side) {
    this.left = side === 0 ? [this.left[0] - 1, this.left[1]] : [this.left[0], this.left[1] - 1];
  }

  /** Whether it is the same position, whatever `quiet` says. */
  equals(other) {
    return (
      this.side === other.side &&
      this.chain === other.chain &&
      this.cells.every((cell, square) => cell === other.cells[square]) &&
      this.pool.every((count, identity) => count === other.pool[identity])
    );
  }

  /** Whether a side has lost what it must not lose. */
  get decided() {
    return this.left[0] === 0 || this.left[1] === 0;
  }

  /** Gives the turn to the other side. */
  pass(quiet) {
    this.side = 1 - this.side;
    this.chain = -1;
    this.quiet = quiet;
    return this;
  }
}

/** By colour, what is left of what a side must not lose. */
export function leftOf(rules, cells, pool) {
  const left = [0, 0];
  const counts = pool.slice();
  for (const cell of cells) {
    if (rules.colourOf[cell] < 2) {
      counts[cell - 2] += 1;
    }
  }
  counts.forEach((count, identity) => {
    if (rules.vital < 0 || identity % rules.kinds === rules.vital) {
      left[identity < rules.kinds ? 0 : 1] += count;
    }
  });
  return left;
}
