// One task as it is tried: the position, the moves that are offered, what a try comes to.

import { Position } from "../rules/index.js";

/**
 * @typedef {{move: string, before: Position, after: Position}} Turn
 * @typedef {{done: boolean, key: string, letter: string | null}} Answer
 * key: of the text that answers. letter: what was turned up.
 */

/** A task, tried until it is done. It needs the tables of the rules. */
export class Lesson {
  /** @param {import("./lessons.js").Task} task */
  constructor(task) {
    this.task = task;
    this.start = Position.parse(task.rules ?? "taiwan", task.fen);
    this.position = this.start;
    this.done = false;
  }

  /** What is offered: what the rules allow on the ranks that are shown, and the tries. @returns {string[]} */
  get offered() {
    if (this.done) return [];
    const { files } = this.position.rules.geometry;
    const shown = files * this.task.ranks;
    const legal = this.position.legal().filter((move) => this.position.target(move) < shown);
    return [...legal, ...Object.keys(this.task.tries ?? {})];
  }

  /** The position's text for a board of the ranks that are shown. @returns {string} */
  get fen() {
    const [placement, ...rest] = this.position.fen.split(" ");
    return [placement.split("/").slice(-this.task.ranks).join("/"), ...rest].join(" ");
  }

  /** The board. @returns {{files: number, ranks: number, junqi: boolean}} */
  get shape() {
    const { geometry, game } = this.position.rules;
    return { files: geometry.files, ranks: this.task.ranks, junqi: game === "junqi" };
  }

  /**
   * Try one of the moves that are offered. What misses the goal leaves the position as it was.
   *
   * @param {string} move
   * @param {(count: number) => number} draw a random number from 0 below `count`
   * @returns {Answer}
   */
  act(move, draw) {
    const reason = this.task.tries?.[move];
    if (reason !== undefined) return { done: false, key: `tutorial.wrong.${reason}`, letter: null };
    const before = this.position;
    const identities = before.reveals(move).flatMap(({ letter, count }) => Array(count).fill(letter));
    const letter = identities.length === 0 ? null : identities[draw(identities.length)];
    const after = before.play(move, letter);
    if (!this.task.goal({ move, before, after })) {
      return { done: false, key: `tutorial.wrong.${this.task.miss}`, letter: null };
    }
    this.position = after;
    this.done = true;
    return { done: true, key: `tutorial.${this.task.name}.done`, letter };
  }

  /** Begin again. */
  reset() {
    this.position = this.start;
    this.done = false;
  }
}
