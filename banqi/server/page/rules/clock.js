// Two clocks of which at most one runs.

/** left: milliseconds of both seats, as they were when the clock was read. */
export class Clock {
  /**
   * @param {[number, number]} left
   * @param {number} increment what a seat gets after each of its plies, in milliseconds
   * @param {() => number} now the time in milliseconds
   */
  constructor(left, increment, now) {
    this.left = [...left];
    this.increment = increment;
    this.now = now;
    this.last = now();
  }

  /** Charge the seat whose clock runs (null if none does) with the time since the last reading. */
  read(running) {
    const now = Math.max(this.last, this.now());
    if (running !== null) {
      this.left[running] -= now - this.last;
    }
    this.last = now;
  }

  /** What a seat has left, in whole milliseconds. */
  shown(seat) {
    return Math.max(0, Math.ceil(this.left[seat]));
  }
}
