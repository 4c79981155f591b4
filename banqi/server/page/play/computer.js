// A game against the computer. On the server it is made with the first tap, so that who only looks makes none.

import { t } from "../languages/index.js";
import { Position, ruleSet } from "../rules/index.js";
import { post } from "./ask.js";
import { firstState } from "./first.js";
import { OnlineGame } from "./online.js";
import { keepSeat } from "./vault.js";

/**
 * @typedef {object} Wanted
 * @property {string} rules canonical text
 * @property {"easy" | "medium" | "hard"} level
 * @property {0 | 1 | "random"} seat the person's
 * @property {string} name
 * @property {number | null} [clock] in milliseconds
 * @property {number} [increment]
 * @property {string} [fen] a start of its own
 */

/** A source whose game is made when it is needed; from then on an online game. An event `made` tells of it. */
export class ComputerGame extends OnlineGame {
  /** @type {Promise<void> | null} */
  #making = null;

  /** @param {Wanted} wanted */
  constructor(wanted) {
    super();
    this.wanted = wanted;
    const seat = wanted.seat === 1 ? 1 : 0;
    this.seats = [seat];
    const rules = ruleSet(wanted.rules);
    const position = wanted.fen === undefined ? Position.start(rules) : Position.parse(rules, wanted.fen);
    this.start = position.fen;
    const seats = [0, 1].map((place) => (place === seat
      ? { name: wanted.name, player: "human", level: null }
      : { name: t("play.computer"), player: "computer", level: wanted.level }));
    this.state = firstState(position, wanted, seats);
  }

  /** Make the game on the server. @returns {Promise<void>} when it can be played */
  make() {
    this.#making ??= this.#made().catch((error) => {
      this.#making = null;
      throw error;
    });
    return this.#making;
  }

  async #made() {
    const { level, ...wanted } = this.wanted;
    const { game, seat, token, commitment } = await post("/api/games", {
      ...wanted, computer: { level }, chances: true,
    });
    keepSeat(game, { seat, token, commitment });
    const begun = new Promise((resolve) => {
      this.addEventListener("change", () => { if (this.state.stage !== "waiting") resolve(); });
    });
    this.open(game);
    this.dispatchEvent(new Event("made"));
    await begun;
  }

  /** @param {string} move */
  async act(move) {
    if (this.game === undefined) await this.make();
    await super.act(move);
  }

  async resign() {
    if (this.game !== undefined) await super.resign();
  }

  /** Whether nothing has been played, so that nobody minds if it is left. */
  get untouched() {
    return this.game === undefined;
  }
}
