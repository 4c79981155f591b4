// A game of two people at this device, kept in the browser, so that it is there again after a reload.

import { LocalGame } from "../rules/index.js";
import { keep, kept } from "./vault.js";

const KEPT = "two";

/** A source around a LocalGame. */
export class LocalSource extends EventTarget {
  kind = "local";
  link = "open";

  /** @param {LocalGame} game */
  constructor(game) {
    super();
    this.local = game;
    this.start = game.position.root.fen;
    game.addEventListener("change", () => {
      keep(KEPT, game.toJSON());
      this.dispatchEvent(new Event("change"));
    });
  }

  /** @param {{rules: string, clock?: number | null, increment?: number}} wanted @returns {LocalSource} */
  static begun({ rules, clock = null, increment = 0 }) {
    const source = new LocalSource(new LocalGame({ rules, clock, increment }));
    keep(KEPT, source.local.toJSON());
    return source;
  }

  /** The game that was left, or a new one. @returns {LocalSource} */
  static resumed() {
    const json = kept(KEPT);
    if (json !== null) {
      try {
        return new LocalSource(LocalGame.from(json));
      } catch {
        // It was kept by another version.
      }
    }
    return LocalSource.begun({ rules: "taiwan" });
  }

  get state() {
    return { ...this.local.state, chances: true, time: null, increment: 0 };
  }

  get seats() {
    return this.local.seats;
  }

  /** Clocks run on only while the game is shown. */
  close() {
    keep(KEPT, this.local.toJSON());
    this.local.close();
  }

  async act(move) {
    await this.local.act(move);
  }

  async undo() {
    await this.local.undo();
  }

  async resign() {
    await this.local.resign();
  }

  async offerDraw() {
    await this.local.offerDraw();
  }

  async acceptDraw() {
    await this.local.acceptDraw();
  }

  async declineDraw() {
    await this.local.declineDraw();
  }

  async rematch() {
    await this.local.rematch();
  }

  async record() {
    return this.local.record();
  }
}
