// The fan of a flip: a row for each identity, its chance, and the value after it as a bar from the mean.

import { smallDisc } from "./disc.js";
import { html, svg } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { percent, signed } from "./figures.js";
import { gameOf, pieceName } from "./pieces.js";
import { pieceOf } from "./placement.js";
import { t } from "../languages/index.js";

const WIDTH = 100;
// Bars of this length, at least, reach the edge: small differences look small.
const LEAST = 0.1;

/**
 * `<banqi-fan>`. mean: the value before the flip. reveals: {identity, chance, value}, as the server tells them. turned:
 * the letter that did turn up, or null.
 */
export class BanqiFan extends Drawn {
  static defaults = {
    mean: 0,
    /** @type {{identity: string, chance: number, value: number}[]} */
    reveals: [],
    /** @type {string|null} */
    turned: null,
    junqi: false,
    glyphs: "traditional",
    words: t,
  };

  draw() {
    const { words } = this;
    const reach = Math.max(LEAST, ...this.reveals.map(({ value }) => Math.abs(value - this.mean)));
    const rows = [...this.reveals].sort((one, other) => other.value - one.value).map((reveal) => this.#row(reveal, reach));
    const columns = ["kind", "chance", "value"].map((key) => html("th", { scope: "col" }, words(`board.${key}`)));
    this.replaceChildren(html("table", {},
      html("caption", {}, words("board.fan", { mean: signed(this.mean) })),
      html("thead", {}, html("tr", {}, ...columns, html("td", { "aria-hidden": "true" }))),
      html("tbody", {}, ...rows)));
  }

  #row({ identity, chance, value }, reach) {
    const { words, junqi, glyphs, mean } = this;
    const piece = pieceOf(identity);
    const isTurned = identity === this.turned;
    const at = (WIDTH / 2) * (1 + (value - mean) / reach);
    const [from, to] = [Math.min(at, WIDTH / 2), Math.max(at, WIDTH / 2)];
    const bar = svg("svg", { viewBox: `0 0 ${WIDTH} 16`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: WIDTH, height: 16 }),
      svg("rect", { class: value < mean ? "worse" : "better", x: from, y: 3, width: to - from, height: 10 }),
      svg("path", { class: "mean", d: `M${WIDTH / 2} 0v16` }));
    const name = html("span", {}, pieceName(piece, gameOf(junqi), words));
    const told = isTurned ? [html("span", { class: "told" }, words("board.turned"))] : [];
    return html("tr", { class: isTurned ? "turned" : "" },
      html("th", { scope: "row" }, html("span", { class: "cell" }, smallDisc(piece, { glyphs, junqi }), name, ...told)),
      html("td", { class: "figure" }, percent(chance)),
      html("td", { class: "figure" }, signed(value)),
      html("td", { class: "bar", "aria-hidden": "true" }, bar));
  }
}

define("banqi-fan", BanqiFan);
