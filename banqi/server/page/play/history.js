// The positions of a game, one before each action and one after the last.

import { Position, ruleSet } from "../rules/index.js";

/** Keeps what it has replayed, as a game mostly grows at its end. */
export class History {
  /** @type {Position[]} */
  positions = [];
  #rules = "";
  #start = "";
  /** @type {string[]} */
  #moves = [];

  /**
   * @param {string} rules
   * @param {string} start position text
   * @param {string[]} moves with what they turned up
   * @returns {Position[]}
   */
  follow(rules, start, moves) {
    if (rules !== this.#rules || start !== this.#start) {
      this.positions = [Position.parse(ruleSet(rules), start)];
      this.#moves = [];
    }
    let same = 0;
    while (same < moves.length && moves[same] === this.#moves[same]) same += 1;
    this.positions.length = same + 1;
    for (const move of moves.slice(same)) this.positions.push(this.positions.at(-1).play(move));
    [this.#rules, this.#start, this.#moves] = [rules, start, [...moves]];
    return this.positions;
  }
}
