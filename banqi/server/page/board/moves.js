// The actions of a game as a list that can be walked.

import { html } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { t } from "../languages/index.js";

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
const SIGNS = { flip: "◐", attempt: "?", capture: "×", step: "" };

/**
 * `<banqi-moves>`. moves: texts, or {move, capture} where it is known whether something was taken. ply: after how many
 * actions the board is shown; null for all. Event `goto` {ply}.
 */
export class BanqiMoves extends Drawn {
  static defaults = {
    /** @type {(string|{move: string, capture: boolean})[]} */
    moves: [],
    /** @type {number|null} */
    ply: null,
    junqi: false,
    words: t,
  };

  constructor() {
    super();
    this.list = html("ol", {});
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.tell("goto", { ply: Number(button.dataset.ply) });
    });
    this.list.addEventListener("keydown", (event) => this.#walk(event));
  }

  connectedCallback() {
    if (!this.list.isConnected) this.append(this.list);
    super.connectedCallback();
  }

  get #shown() {
    return Math.min(this.ply ?? this.moves.length, this.moves.length);
  }

  /** @param {Set<string>} stale */
  draw(stale) {
    const { words } = this;
    this.list.setAttribute("aria-label", words("board.moves"));
    if (stale.has("moves") || stale.has("words")) {
      const hadFocus = this.list.contains(document.activeElement);
      this.list.replaceChildren(
        html("li", {}, html("button", { type: "button", "data-ply": 0 }, words("board.start"))),
        ...this.moves.map((move, n) => this.#item(move, n + 1)));
      if (hadFocus) this.#buttons[this.#shown].focus({ preventScroll: true });
    }
    this.#buttons.forEach((button, ply) => {
      button.tabIndex = ply === this.#shown ? 0 : -1;
      if (ply === this.#shown) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.#reveal(this.#buttons[this.#shown]);
  }

  get #buttons() {
    return [...this.list.querySelectorAll("button")];
  }

  #item(given, ply) {
    const { words } = this;
    const { move, capture } = typeof given === "string" ? { move: given, capture: false } : given;
    const kind = kindOf(move, capture);
    return html("li", {}, html("button", { type: "button", "data-ply": ply },
      html("span", { class: "number" }, `${ply}`),
      html("span", { class: "text" }, move === "end" ? words("board.end") : move),
      html("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]),
      kind === "step" ? "" : html("span", { class: "unseen" }, ` ${words(`board.${kind}`)}`)));
  }

  /** Scroll the list, and never the page. */
  #reveal(button) {
    const [box, frame] = [button.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box.top < frame.top) this.list.scrollTop -= frame.top - box.top;
    else if (box.bottom > frame.bottom) this.list.scrollTop += box.bottom - frame.bottom;
  }

  #walk(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const from = Number(event.target.closest("button")?.dataset.ply ?? this.#shown);
    const ply = Math.max(0, Math.min(this.moves.length, from + step));
    this.#buttons[ply].focus({ preventScroll: true });
    this.#reveal(this.#buttons[ply]);
    this.tell("goto", { ply });
  }
}

function kindOf(move, capture) {
  if (move === "end") return "step";
  const target = move.includes("-");
  if (!target) return "flip";
  if (capture) return "capture";
  return move.includes("(") ? "attempt" : "step";
}

define("banqi-moves", BanqiMoves);
