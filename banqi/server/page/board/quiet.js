// How far the game is from a draw: quiet plies of their limit, and how often the position has stood.

import { html } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { t } from "../languages/index.js";

/** `<banqi-quiet>`. quiet, limit: plies. repetitions: how often the position has stood, 1 at first. */
export class BanqiQuiet extends Drawn {
  static defaults = { quiet: 0, limit: 180, repetitions: 1, words: t };

  draw() {
    const { words, quiet, limit, repetitions } = this;
    const text = words("board.quiet", { quiet, limit });
    const fill = html("span", { class: "fill" });
    fill.style.inlineSize = `${Math.min(1, quiet / limit) * 100}%`;
    this.replaceChildren(
      html("span", { class: "words" }, text),
      html("span", { class: "seen" }, repetitions > 1 ? words("board.seen", { count: repetitions }) : ""),
      html("span", {
        class: "track", role: "meter", "aria-label": text, "aria-valuemin": 0, "aria-valuemax": limit,
        "aria-valuenow": quiet,
      }, fill));
  }
}

define("banqi-quiet", BanqiQuiet);
