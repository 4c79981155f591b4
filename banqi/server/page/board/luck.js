// Luck and skill: what reveals have given each side, and what its choices have given away, summed over the plies.

import { html, svg } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { signed } from "./figures.js";
import { gameOf, hueOf } from "./pieces.js";
import { t } from "../languages/index.js";

const WIDTH = 320;
const HEIGHT = 140;

/**
 * `<banqi-luck>`. report: by seat {luck, loss}, running sums after each ply, beginning with 0. colours: by seat, "r" or
 * "b". sides: what the seats are called.
 */
export class BanqiLuck extends Drawn {
  static defaults = {
    /** @type {{luck: number[], loss: number[]}[]} */
    report: [],
    /** @type {("r"|"b"|null)[]} */
    colours: ["r", "b"],
    /** @type {string[]} */
    sides: [],
    junqi: false,
    words: t,
  };

  draw() {
    const { report, words } = this;
    if (report.length === 0) {
      this.replaceChildren();
      return;
    }
    const all = report.flatMap(({ luck, loss }) => [...luck, ...loss.map((value) => -value)]);
    const reach = Math.max(0.1, ...all.map(Math.abs));
    const plies = Math.max(1, ...report.map(({ luck }) => luck.length - 1));
    const line = (values, name) => svg("path", {
      class: name,
      d: `M${values.map((value, n) => `${((n / plies) * WIDTH).toFixed(1)} ${this.#y(value, reach)}`).join("L")}`,
    });
    const lines = report.flatMap(({ luck, loss }, seat) => [
      line(luck, `luck ${this.#hue(seat)}`), line(loss.map((value) => -value), `loss ${this.#hue(seat)}`),
    ]);
    const plot = svg("svg", {
      class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true",
    }, svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` }), ...lines);
    const columns = ["board.luck", "board.loss"].map((key) => html("th", { scope: "col" }, words(key)));
    this.replaceChildren(plot, html("table", {},
      html("thead", {}, html("tr", {}, html("td"), ...columns)),
      html("tbody", {}, ...report.map((sums, seat) => this.#row(sums, seat)))));
  }

  #hue(seat) {
    return hueOf(gameOf(this.junqi), this.colours[seat] ?? (seat === 0 ? "r" : "b"));
  }

  #y(value, reach) {
    return (HEIGHT / 2 - (value / reach) * (HEIGHT / 2 - 6)).toFixed(1);
  }

  #row({ luck, loss }, seat) {
    const hue = this.#hue(seat);
    const figure = (value, name) => html("td", { class: "figure" },
      svg("svg", { class: "key", viewBox: "0 0 36 8", "aria-hidden": "true" },
        svg("path", { class: `${name} ${hue}`, d: "M0 4H36" })),
      signed(value));
    const name = this.sides[seat] || this.words(`colour.${hue}`);
    const head = html("th", { scope: "row" }, name);
    return html("tr", {}, head, figure(luck.at(-1), "luck"), figure(-loss.at(-1), "loss"));
  }
}

define("banqi-luck", BanqiLuck);
