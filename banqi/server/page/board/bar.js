// The expected result as a bar around the middle: red's share to the right, the other side's to the left.

import { html } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { signed } from "./figures.js";
import { gameOf, hueOf } from "./pieces.js";
import { t } from "../languages/index.js";

/** `<banqi-bar>`. value: red's expected result in [-1, 1]; null where it is not known. */
export class BanqiBar extends Drawn {
  static defaults = {
    /** @type {number|null} */
    value: null,
    junqi: false,
    words: t,
  };

  draw() {
    const { words, junqi, value } = this;
    const other = hueOf(gameOf(junqi), "b");
    const ahead = (value ?? 0) < 0 ? other : "red";
    const fill = html("span", { class: `fill ${ahead}` });
    const size = Math.min(1, Math.abs(value ?? 0)) * 50;
    fill.style.inlineSize = `${size}%`;
    fill.style.insetInlineStart = `${ahead === "red" ? 50 : 50 - size}%`;
    const figure = value === null ? "–" : signed(value);
    this.replaceChildren(
      html("span", { class: "end" }, words(`colour.${other}`)),
      html("span", {
        class: "track", role: "meter", "aria-label": words("board.expected", { colour: words("colour.red") }),
        "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": value ?? 0, "aria-valuetext": figure,
      }, fill),
      html("span", { class: "end" }, words("colour.red")),
      html("span", { class: "figure", "aria-hidden": "true" }, figure));
  }
}

define("banqi-bar", BanqiBar);
