// A player: colour, name, clock, and the pieces that were taken from him.

import { disc } from "./disc.js";
import { html, svg } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { clockText, inWords } from "./figures.js";
import { gameOf, hueOf, sorted } from "./pieces.js";
import { pieceOf } from "./placement.js";
import { t } from "../languages/index.js";

// A tray in units of its drawing: a disc, how far the next of its kind and of another kind lies.
const RADIUS = 42;
const SAME = 30;
const OTHER = 90;
const TICK = 100;
const SHORT = 20_000;

/**
 * `<banqi-player>`. name: from people, shown as text. colour: "r", "b", or null before it is known. clock: milliseconds
 * left when it was set, null without one; `running` lets it run down here. captured: letters, in any order.
 */
export class BanqiPlayer extends Drawn {
  static defaults = {
    name: "",
    /** @type {"r"|"b"|null} */
    colour: null,
    /** @type {number|null} */
    clock: null,
    running: false,
    turn: false,
    captured: "",
    junqi: false,
    glyphs: "traditional",
    words: t,
  };

  #since = 0;
  #ticking = 0;

  constructor() {
    super();
    this.badge = svg("svg", { class: "badge", viewBox: "-22 -22 44 44", "aria-hidden": "true" });
    this.called = html("span", { class: "name", dir: "auto" });
    this.side = html("span", { class: "side-word" });
    this.state = html("span", { class: "unseen" });
    this.time = html("span", { class: "clock", role: "timer" });
    this.tray = html("div", { class: "tray" });
  }

  connectedCallback() {
    if (!this.called.isConnected) this.append(this.badge, this.called, this.side, this.state, this.time, this.tray);
    super.connectedCallback();
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  /** @param {Set<string>} stale */
  draw(stale) {
    const { words, colour, junqi, turn } = this;
    const hue = colour === null ? null : hueOf(gameOf(junqi), colour);
    this.classList.toggle("turn", turn);
    this.called.textContent = this.name;
    this.side.textContent = hue === null ? "" : words(`colour.${hue}`);
    this.state.textContent = turn ? words("board.turn") : "";
    this.badge.replaceChildren(...badge(hue));
    if (stale.has("captured") || stale.has("glyphs") || stale.has("words") || stale.has("junqi")) this.#drawTray();
    if (stale.has("clock") || stale.has("running")) this.#since = performance.now();
    clearInterval(this.#ticking);
    if (this.running && this.clock !== null) this.#ticking = setInterval(() => this.#drawClock(), TICK);
    this.#drawClock();
  }

  #drawClock() {
    this.time.hidden = this.clock === null;
    if (this.clock === null) return;
    const left = this.clock - (this.running ? performance.now() - this.#since : 0);
    this.time.classList.toggle("short", left < SHORT);
    this.time.textContent = clockText(left);
  }

  #drawTray() {
    const { junqi, words, glyphs } = this;
    const letters = sorted(gameOf(junqi), this.captured);
    let x = 0;
    const places = letters.map((letter, n) => {
      if (n > 0) x += letter === letters[n - 1] ? SAME : OTHER;
      return x;
    });
    const drawings = letters.map((letter, n) => {
      const drawn = disc(pieceOf(letter), { radius: RADIUS, glyphs, junqi, size: "small" });
      return svg("g", { transform: `translate(${places[n] + RADIUS + 1} ${RADIUS + 1})` }, drawn);
    });
    const width = letters.length ? x + 2 * RADIUS + 2 : 1;
    const pieces = inWords(letters, junqi, words);
    const label = letters.length ? words("board.tray", { pieces }) : words("board.noTray");
    this.tray.replaceChildren(svg("svg", {
      viewBox: `0 0 ${width} ${2 * RADIUS + 2}`, role: "img", "aria-label": label, preserveAspectRatio: "xMinYMid",
    }, ...drawings));
  }
}

/** The rim of a side's discs without a sign; a question before the colour is known. */
function badge(hue) {
  if (hue === null) {
    return [svg("circle", { class: "unknown", r: 18 }), svg("text", { y: 8, "font-size": 22 }, "?")];
  }
  const stroke = (2 * Math.PI * 14) / 9;
  const dashes = hue === "red" ? null : `${stroke * 0.6} ${stroke * 0.4}`;
  return [svg("g", { class: `disc ${hue}` },
    svg("circle", { class: "body", r: 20 }),
    svg("circle", { class: "ring", r: 14, "stroke-dasharray": dashes }),
  )];
}

define("banqi-player", BanqiPlayer);
