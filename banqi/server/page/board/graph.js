// Red's expected result over the plies, as a line on which one point can be chosen.

import { html, svg } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { signed } from "./figures.js";
import { gameOf, hueOf } from "./pieces.js";
import { t } from "../languages/index.js";

// In units of the drawing, which is stretched to its box.
const WIDTH = 320;
const HEIGHT = 120;
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

/**
 * `<banqi-graph>`. values: after each number of actions, from 0 on, as far as they are known. length: how many actions
 * the game has. ply: the one that is shown. Event `goto` {ply}.
 */
export class BanqiGraph extends Drawn {
  static defaults = {
    /** @type {number[]} */
    values: [],
    length: 0,
    ply: 0,
    junqi: false,
    words: t,
  };

  constructor() {
    super();
    const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
    this.drawing = svg("svg", { ...frame, "aria-hidden": "true" });
    this.above = html("span", { class: "above", "aria-hidden": "true" });
    this.below = html("span", { class: "below", "aria-hidden": "true" });
    this.figure = html("span", { class: "figure", "aria-hidden": "true" });
    this.plot = html("div", { class: "plot", role: "slider", tabindex: "0", "aria-orientation": "horizontal" },
      this.drawing, this.above, this.below);
    this.plot.addEventListener("pointerdown", (event) => {
      this.plot.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.plot.addEventListener("pointermove", (event) => {
      if (event.buttons & 1 && this.plot.hasPointerCapture(event.pointerId)) this.#point(event);
    });
    this.plot.addEventListener("keydown", (event) => this.#key(event));
  }

  connectedCallback() {
    if (!this.plot.isConnected) this.append(this.plot, this.figure);
    super.connectedCallback();
  }

  get #plies() {
    return Math.max(1, this.length, this.values.length - 1);
  }

  draw() {
    const { words, junqi, values, ply } = this;
    const x = (n) => (n / this.#plies) * WIDTH;
    const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - 4);
    const line = values.map((value, n) => `${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const end = x(values.length - 1).toFixed(1);
    const parts = [svg("path", { class: "zero", d: `M0 ${HEIGHT / 2}H${WIDTH}` })];
    if (values.length) {
      parts.push(svg("path", { class: "area", d: `M0 ${HEIGHT / 2}L${line}L${end} ${HEIGHT / 2}Z` }));
      parts.push(svg("path", { class: "line", d: `M${line}` }));
    }
    parts.push(svg("path", { class: "cursor", d: `M${x(ply)} 0V${HEIGHT}` }));
    this.drawing.replaceChildren(...parts);
    this.above.textContent = words("colour.red");
    this.below.textContent = words(`colour.${hueOf(gameOf(junqi), "b")}`);
    const value = values[ply] === undefined ? "–" : signed(values[ply]);
    const text = words("board.after", { ply, value });
    this.figure.textContent = text;
    const { plot } = this;
    plot.setAttribute("aria-label", words("board.expected", { colour: words("colour.red") }));
    plot.setAttribute("aria-valuemin", "0");
    plot.setAttribute("aria-valuemax", String(this.#plies));
    plot.setAttribute("aria-valuenow", String(ply));
    plot.setAttribute("aria-valuetext", text);
  }

  #go(ply) {
    const next = Math.max(0, Math.min(this.#plies, ply));
    if (next !== this.ply) this.tell("goto", { ply: next });
  }

  #point(event) {
    const box = this.plot.getBoundingClientRect();
    this.#go(Math.round(((event.clientX - box.left) / box.width) * this.#plies));
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Home") this.#go(0);
    else if (event.key === "End") this.#go(this.#plies);
    else if (event.key in STEPS) this.#go(this.ply + STEPS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

define("banqi-graph", BanqiGraph);
