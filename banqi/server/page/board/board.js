// The board: a drawing, and over it a grid of squares for fingers, keys and screen readers.

import { parseAction } from "./action.js";
import { attackOf } from "./attack.js";
import { Choice } from "./choice.js";
import { disc } from "./disc.js";
import { html, svg } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { coordinates, ground } from "./ground.js";
import { listen as listenToHands } from "./hands.js";
import { listen as listenToKeys } from "./keys.js";
import { squareLabel } from "./labels.js";
import { Layout } from "./layout.js";
import * as mark from "./marks.js";
import { animate, moves } from "./motion.js";
import { gameOf, kindsOf } from "./pieces.js";
import { placementOf } from "./placement.js";
import { t } from "../languages/index.js";

const DEFAULTS = {
  /** @type {import("./squares.js").Shape} */
  shape: { files: 4, ranks: 8, junqi: false },
  /** A position's text. */
  fen: null,
  /** @type {string[]} the texts of legal actions */
  legal: [],
  /** The text of the last action. */
  last: null,
  /** Whether the user may act now. */
  mine: false,
  /** Whether a board of 4 x 8 lies. */
  lying: false,
  /** @type {import("./disc.js").Glyphs} */
  glyphs: "traditional",
  coordinates: true,
  /** Whether a flip asks for a second tap of a finger. */
  confirmFlip: true,
  /** @type {string|null} the text of an action to be shown */
  hint: null,
  /** @type {number[]} squares of pieces to be marked as threatened */
  threatened: [],
  /** @type {import("./pieces.js").Words} */
  words: t,
};

// How long a piece lies where it was dragged, in milliseconds, until the position says so.
const PATIENCE = 3000;

/**
 * `<banqi-board>`. Its properties are those of DEFAULTS.
 * Events, which bubble: `act` {move}, the text of a legal action; `look` {square}, the number of a face-down square
 * whose chances are wanted, null when they are no longer.
 */
export class BanqiBoard extends Drawn {
  static defaults = DEFAULTS;

  #choice = new Choice();
  #layout = new Layout(DEFAULTS.shape, { lying: false, coordinates: true });
  /** @type {import("./placement.js").Placement} */
  #placement = { cells: [], side: null, pool: "", chain: null };
  /** @type {(SVGElement|null)[]} */
  #discs = [];
  /** @type {HTMLElement[]} */
  #cells = [];
  #focused = null;
  #looked = null;
  /** @type {number|null} where the piece of an action was let go */
  #dropped = null;
  #back = 0;

  constructor() {
    super();
    this.under = svg("g");
    this.discs = svg("g");
    this.over = svg("g", { class: "marks" });
    this.base = svg("g");
    this.drawing = svg("svg", { "aria-hidden": "true", focusable: "false" },
      this.base, this.under, this.discs, this.over);
    this.field = html("div", { class: "field", role: "grid" });
    this.stage = html("div", { class: "stage" }, this.drawing, this.field);
    listenToHands(this.field, {
      squareAt: (event) => this.#squareAt(event),
      lift: (square) => this.#lift(square),
      carry: (dx, dy) => this.#carry(dx, dy),
      release: (square) => this.#release(square),
      tap: (square, taps) => this.#tap(square, taps),
      hover: (square) => this.#look(square),
      asksTwice: () => this.confirmFlip,
    });
    listenToKeys(this.field, {
      grid: () => this.#layout.grid(),
      focus: (square) => this.#focus(square),
      tap: (square, taps) => this.#tap(square, taps),
      flip: (square) => this.#flip(square),
      drop: () => this.#drop(),
      own: (digit) => this.#own(digit),
    });
  }

  connectedCallback() {
    if (!this.stage.isConnected) this.append(this.stage);
    super.connectedCallback();
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  /** @param {Set<string>} stale */
  draw(stale) {
    const any = (...names) => names.some((name) => stale.has(name));
    if (any("shape", "lying", "coordinates")) this.#drawGround();
    if (any("shape", "lying", "coordinates", "glyphs", "fen")) this.#drawPieces(stale);
    if (any("shape", "fen", "legal", "mine")) this.#renew();
    this.#drawMarks();
  }

  #drawGround() {
    const layout = new Layout(this.shape, { lying: this.lying, coordinates: this.coordinates });
    this.#layout = layout;
    this.drawing.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    this.stage.style.setProperty("--board-shape", `${layout.width / layout.height}`);
    this.base.replaceChildren(ground(layout), ...(this.coordinates ? [coordinates(layout)] : []));
    const hadFocus = this.field.contains(document.activeElement);
    this.#cells = [];
    this.field.replaceChildren(...layout.grid().map((squares) =>
      html("div", { role: "row" }, ...squares.map((square) => this.#cell(square)))));
    if (this.#focused === null || this.#focused >= this.#cells.length) this.#focused = layout.grid()[0][0];
    this.#cells[this.#focused].tabIndex = 0;
    if (hadFocus) this.#cells[this.#focused].focus();
  }

  #cell(square) {
    const layout = this.#layout;
    const { x, y, row, column } = layout.places[square];
    const cell = html("div", { role: "gridcell", tabindex: "-1", "data-square": square, "aria-colindex": column + 1 });
    cell.style.left = `${((x - layout.cell.width / 2) / layout.width) * 100}%`;
    cell.style.top = `${((y - layout.cell.height / 2) / layout.height) * 100}%`;
    cell.style.width = `${(layout.cell.width / layout.width) * 100}%`;
    cell.style.height = `${(layout.cell.height / layout.height) * 100}%`;
    cell.dataset.row = row;
    cell.addEventListener("focus", () => this.#focusCame(square));
    this.#cells[square] = cell;
    return cell;
  }

  #drawPieces(stale) {
    const before = stale.has("shape") || stale.has("lying") ? [] : this.#placement.cells;
    const { files, ranks } = this.shape;
    this.#placement = this.fen === null
      ? { cells: Array(files * ranks).fill(null), side: null, pool: "", chain: null }
      : placementOf(this.fen, this.shape);
    const look = { radius: this.#layout.radius, glyphs: this.glyphs, junqi: this.shape.junqi };
    this.#discs = this.#placement.cells.map((piece) => piece && disc(piece, look));
    this.discs.replaceChildren(...this.#discs.flatMap((drawn, square) => {
      if (!drawn) return [];
      const { x, y } = this.#layout.places[square];
      return [svg("g", { class: "piece", transform: `translate(${x} ${y})` }, drawn)];
    }));
    const action = this.last === null ? null : parseAction(this.last, this.shape);
    if (action && before.length > 0 && stale.has("last") && stale.has("fen") && moves()) {
      animate({
        layer: this.discs, layout: this.#layout, look, discs: this.#discs, action,
        before, after: this.#placement.cells, wasCarried: this.#dropped === action.to,
      });
    }
    this.#dropped = null;
    clearTimeout(this.#back);
  }

  #renew() {
    const actions = this.mine ? this.legal.map((text) => parseAction(text, this.shape)).filter(Boolean) : [];
    const isDown = (square) => this.#placement.cells[square]?.down ?? false;
    this.#choice.reset(actions, this.#placement.chain, isDown);
  }

  #drawMarks() {
    const layout = this.#layout;
    const { shape } = this;
    const choice = this.#choice;
    const isEmpty = (square) => this.#placement.cells[square] === null;
    const last = this.last === null ? null : parseAction(this.last, shape);
    this.under.replaceChildren(...(last ? mark.lastMarks(layout, last, isEmpty) : []));
    const over = [];
    over.push(...this.threatened.map((square) => mark.threatMark(layout, square)));
    if (choice.selected !== null) over.push(mark.selectedMark(layout, choice.selected));
    for (const target of choice.targets()) {
      const screen = mark.screenOf(shape, choice.selected, target, isEmpty);
      if (screen !== null) over.push(mark.bridgeMark(layout, screen, target));
      const isFree = isEmpty(target);
      over.push(isFree ? mark.stepMark(layout, target) : mark.attackMark(layout, target, this.#attack(target)));
    }
    if (choice.selected !== null && choice.end(choice.selected) !== null) {
      over.push(mark.chainMark(layout, choice.selected));
    }
    if (choice.armed !== null) over.push(mark.armedMark(layout, choice.armed));
    const hint = this.hint === null ? null : parseAction(this.hint, shape);
    if (hint) over.push(mark.hintMark(layout, hint));
    this.over.replaceChildren(...over);
    this.#label();
  }

  /** What an attack of the piece in hand on a square is. @returns {"takes"|"both"|"loses"|"attempt"} */
  #attack(square) {
    const { cells } = this.#placement;
    if (cells[square]?.down) return "attempt";
    return this.shape.junqi ? attackOf(cells[this.#choice.selected].kind, cells[square].kind) : "takes";
  }

  #label() {
    const { shape, words } = this;
    const choice = this.#choice;
    const attack = (square) => this.#attack(square);
    this.field.setAttribute("aria-label", words("board.label"));
    this.field.dataset.selected = choice.selected ?? "";
    this.#cells.forEach((cell, square) => {
      const label = squareLabel(square, { shape, cells: this.#placement.cells, choice, words, attack });
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(choice.selected === square));
      cell.classList.toggle("movable", choice.canMove(square));
      cell.classList.toggle("active", choice.canMove(square) || choice.flip(square) !== null
        || (choice.selected !== null && choice.move(square) !== null));
    });
  }

  // ---- hands -------------------------------------------------------------------------------------------------------

  #squareAt(event) {
    const box = this.drawing.getBoundingClientRect();
    const scale = this.#layout.width / box.width;
    return this.#layout.at((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  }

  #lift(square) {
    const choice = this.#choice;
    if (choice.selected !== null && choice.move(square) !== null) return false;
    if (!choice.select(square)) return false;
    this.#drawMarks();
    return true;
  }

  #carry(dx, dy) {
    const piece = this.#discs[this.#choice.selected].parentNode;
    const scale = this.#layout.width / this.drawing.getBoundingClientRect().width;
    const { x, y } = this.#layout.places[this.#choice.selected];
    if (piece !== this.discs.lastChild) this.discs.append(piece);
    piece.classList.add("carried");
    piece.setAttribute("transform", `translate(${x + dx * scale} ${y + dy * scale})`);
  }

  #release(square) {
    const choice = this.#choice;
    const from = choice.selected;
    const move = square === null || square === from ? null : choice.move(square);
    const piece = this.#discs[from].parentNode;
    piece.classList.remove("carried");
    const place = this.#layout.places[move === null ? from : square];
    piece.setAttribute("transform", `translate(${place.x} ${place.y})`);
    if (move === null) {
      if (square !== from) this.#drop();
      return;
    }
    this.#dropped = square;
    const home = this.#layout.places[from];
    // An action that is not taken changes nothing: then the piece goes back.
    this.#back = setTimeout(() => piece.setAttribute("transform", `translate(${home.x} ${home.y})`), PATIENCE);
    this.#act(move);
  }

  #tap(square, taps) {
    const intention = this.#choice.tap(square, taps);
    this.#focus(square);
    if (intention && "act" in intention) this.#act(intention.act);
    else this.#drawMarks();
    if (intention && "look" in intention) this.tell("look", { square: intention.look });
  }

  #flip(square) {
    const flip = this.#choice.flip(square);
    if (flip !== null) this.#act(flip);
  }

  #drop() {
    this.#choice.drop();
    this.#drawMarks();
  }

  #act(move) {
    this.#choice.drop();
    this.#drawMarks();
    this.tell("act", { move });
  }

  #own(digit) {
    const kind = kindsOf(gameOf(this.shape.junqi))[digit - 1];
    return this.#placement.cells.flatMap((piece, square) =>
      (piece?.kind === kind && piece.colour === this.#placement.side ? [square] : []));
  }

  #focus(square) {
    this.#cells[square].focus({ preventScroll: true });
  }

  #focusCame(square) {
    this.#cells[this.#focused].tabIndex = -1;
    this.#focused = square;
    this.#cells[square].tabIndex = 0;
    this.#look(square);
  }

  /** Tell which face-down square is looked at, each once. */
  #look(square) {
    const looked = square !== null && this.#placement.cells[square]?.down ? square : null;
    if (looked === this.#looked) return;
    this.#looked = looked;
    this.tell("look", { square: looked });
  }
}

define("banqi-board", BanqiBoard);
