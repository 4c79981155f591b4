// The review of a game that is over: values ply by ply, best lines, the fan of each flip, luck and skill.

import { html } from "../board/dom.js";
import { changes, t } from "../languages/index.js";
import { Unreachable, stream } from "../play/ask.js";
import { settings } from "../play/settings.js";
import { sideWord } from "../play/sentences.js";
import { words } from "../play/words.js";
import { fanElement, linesElement } from "./lines.js";
import { luckAndSkill } from "./luck.js";
import { curve, valueFor } from "./values.js";

const ATTEMPTS = 5;

/** An action as the report of luck and skill takes it. @param {import("./values.js").Reviewed} found */
function weighed({ seat, best, played, after }) {
  const turnsUp = played.reveals.length > 0;
  return { seat, best, played: played.value, mean: turnsUp ? played.value : null, after: turnsUp ? after : null };
}

/** The panel beside the table. It follows the ply that the table shows. */
export class Review {
  /** @type {import("./values.js").Reviewed[]} */
  reviewed = [];
  #asking = new AbortController();
  #state = null;

  /** @param {import("../play/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.root = table.part("review");
    this.progress = html("p", { class: "quiet", role: "status" });
    this.graph = html("banqi-graph");
    this.bar = html("banqi-bar");
    this.luck = html("banqi-luck");
    this.detail = html("div", { class: "detail" });
    this.title = html("h2");
    this.luckTitle = html("h3");
    this.luckText = html("p", { class: "quiet" });
    this.root.replaceChildren(this.title, this.progress, this.bar, this.graph, this.detail,
      this.luckTitle, this.luckText, this.luck);
    this.graph.addEventListener("goto", ({ detail }) => this.table.goTo(detail.ply));
    table.addEventListener("ply", () => this.draw());
    table.addEventListener("shown", () => this.close());
    settings.addEventListener("change", () => this.draw());
    changes.addEventListener("change", () => this.draw());
  }

  /** Review the game on the table. */
  async open() {
    const { source } = this.table;
    const { state } = source;
    this.root.hidden = false;
    this.root.scrollIntoView({ block: "nearest" });
    if (this.#state?.opening === state.opening && this.#state?.moves.join() === state.moves.join()) return;
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#state = state;
    this.reviewed = [];
    this.draw();
    try {
      await this.#ask(source, state, signal);
    } catch (error) {
      if (error.name !== "AbortError") this.progress.textContent = error.message;
    }
  }

  close() {
    this.#asking.abort();
    this.#state = null;
    this.root.hidden = true;
  }

  /** Ask for what is missing until it is there; a stream may be cut off. */
  async #ask(source, state, signal) {
    for (let attempt = 0; attempt < ATTEMPTS && this.reviewed.length < state.moves.length; attempt += 1) {
      const game = { rules: state.rules, fen: source.start, moves: state.moves };
      const query = { ...game, first: this.reviewed.length, lines: 3 };
      try {
        for await (const found of stream("/api/review", query, signal)) {
          this.reviewed.push(found);
          this.draw();
        }
      } catch (error) {
        if (!(error instanceof Unreachable) || attempt === ATTEMPTS - 1) throw error;
        await new Promise((resolve) => { setTimeout(resolve, 1000 * (attempt + 1)); });
      }
    }
    this.draw();
  }

  /** The seat whose expected result is shown: red's. */
  get #seat() {
    return this.#state.seats[1].colour === "r" ? 1 : 0;
  }

  draw() {
    const state = this.#state;
    if (state === null || this.root.hidden) return;
    const { table, reviewed } = this;
    const rules = table.history.positions[0].rules;
    const whole = reviewed.length === state.moves.length;
    this.title.textContent = t("review.title");
    this.progress.textContent = whole ? "" : t("review.progress", { done: reviewed.length, all: state.moves.length });
    const values = curve(reviewed, state).map((value) => valueFor(value, 0, this.#seat));
    const ply = table.shownPly;
    const junqi = rules.game === "junqi";
    Object.assign(this.graph, { words, junqi, values, length: state.moves.length, ply });
    Object.assign(this.bar, { words, junqi, value: values[ply] ?? null });
    this.#drawDetail(ply, rules);
    const report = whole ? luckAndSkill(reviewed.map(weighed)) : null;
    this.luckTitle.textContent = t("review.luck");
    this.luckText.textContent = report === null ? t("review.luck.later") : t("review.luck.text");
    this.luck.hidden = report === null;
    if (report !== null) {
      const sides = [0, 1].map((seat) => sideWord(state.seats[seat].colour, rules));
      const { luck, loss } = report.series;
      const sums = [0, 1].map((seat) => ({ luck: [0, ...luck[seat]], loss: [0, ...loss[seat]] }));
      Object.assign(this.luck, {
        words, junqi, report: sums, sides, colours: state.seats.map(({ colour }) => colour),
      });
    }
  }

  /** What the review tells of the action that follows the board that is shown. */
  #drawDetail(ply, rules) {
    const found = this.reviewed[ply];
    if (found === undefined) {
      this.detail.replaceChildren();
      return;
    }
    const lost = found.best - found.played.value;
    const children = [
      html("h3", {}, t("review.played", { move: found.move })),
      html("p", {}, lost < 0.005 ? t("review.best_played") : t("review.lost", { loss: lost.toFixed(2) })),
      html("h3", {}, t("review.lines")),
      linesElement(found.lines),
    ];
    if (found.played.reveals.length > 0) {
      const turned = /\((.)\)$/.exec(found.move)?.[1] ?? null;
      children.push(fanElement(found.played, rules, turned));
    }
    this.detail.replaceChildren(...children);
  }
}
