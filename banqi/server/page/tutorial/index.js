// How to play: an element that leads through the lessons, each played on a board.

import { html } from "../board/dom.js";
import { signOf } from "../board/pieces.js";
import { changes, language, t } from "../languages/index.js";
import { loadTables } from "../rules/index.js";
import { Lesson } from "./lesson.js";
import { LESSONS } from "./lessons.js";

const TASKS = LESSONS.flatMap((lesson, index) => lesson.tasks.map((task) => ({ lesson, index, task })));

const STYLE = "/page/tutorial/tutorial.css";

/** Wait for the style of the lessons, which the rest of the page does without. @returns {Promise<void>} */
function styled() {
  if (document.querySelector(`link[href="${STYLE}"]`) !== null) return Promise.resolve();
  const link = html("link", { rel: "stylesheet", href: STYLE });
  return new Promise((done) => {
    link.addEventListener("load", () => done());
    link.addEventListener("error", () => done());
    document.head.append(link);
  });
}

/** @param {number} count @returns {number} a random number from 0 below `count`, all about equally likely */
function draw(count) {
  return crypto.getRandomValues(new Uint32Array(1))[0] % count;
}

/**
 * The lessons. `look` holds properties for the board, such as its glyphs. Event `leave`: the person wants to play.
 */
export class Tutorial extends HTMLElement {
  #begun = false;
  #number = 0;
  /** @type {Lesson | null} */
  #lesson = null;
  /** What the last try came to. @type {import("./lesson.js").Answer | null} */
  #answer = null;
  #speak = () => this.#tell();

  look = {};

  async connectedCallback() {
    changes.addEventListener("change", this.#speak);
    if (this.#begun) return;
    this.#begun = true;
    await Promise.all([loadTables(), styled()]);
    this.#build();
    this.#open(0);
  }

  disconnectedCallback() {
    changes.removeEventListener("change", this.#speak);
  }

  #build() {
    this.heading = html("h2", { tabindex: "-1" });
    this.progress = html("p", { class: "tutorial-progress" });
    this.text = html("p", { class: "tutorial-text" });
    this.board = document.createElement("banqi-board");
    this.board.addEventListener("act", (event) => this.#act(event.detail.move));
    this.frame = html("div", { class: "tutorial-board" }, this.board);
    this.legend = html("p", { class: "tutorial-legend" });
    this.told = html("p", { class: "tutorial-answer", role: "status" });
    this.back = this.#button(() => this.#open(this.#number - 1));
    this.again = this.#button(() => this.#reset());
    this.next = this.#button(() => this.#go());
    this.replaceChildren(
      this.progress, this.heading, this.text,
      this.frame,
      this.legend,
      this.told,
      html("div", { class: "tutorial-buttons" }, this.back, this.again, this.next),
    );
  }

  #button(act) {
    const button = html("button", { type: "button" });
    button.addEventListener("click", act);
    return button;
  }

  #open(number) {
    this.#number = number;
    this.#lesson = new Lesson(TASKS[number].task);
    this.#answer = null;
    this.frame.dataset.tall = String(this.#lesson.shape.ranks > 4);
    Object.assign(this.board, this.look, { shape: this.#lesson.shape, words: t, last: null, confirmFlip: false });
    this.#show();
    this.#tell();
    if (number > 0 || this.contains(document.activeElement)) this.heading.focus({ preventScroll: true });
  }

  #reset() {
    this.#lesson.reset();
    this.#answer = null;
    this.board.last = null;
    this.#show();
    this.#tell();
  }

  #go() {
    if (this.#number + 1 < TASKS.length) this.#open(this.#number + 1);
    else this.dispatchEvent(new CustomEvent("leave", { bubbles: true }));
  }

  #act(move) {
    this.#answer = this.#lesson.act(move, draw);
    if (this.#answer.done) this.board.last = this.#lesson.position.last;
    this.#show();
    this.#tell();
  }

  #show() {
    this.board.fen = this.#lesson.fen;
    this.board.legal = this.#lesson.offered;
    this.board.mine = !this.#lesson.done;
  }

  /** Put everything into words. */
  #tell() {
    if (this.#lesson === null) return;
    const { lesson, index, task } = TASKS[this.#number];
    this.heading.textContent = t(`tutorial.${lesson.name}.title`);
    this.progress.textContent = t("tutorial.progress", { number: index + 1, total: LESSONS.length });
    this.text.textContent = t(`tutorial.${task.name}.text`);
    this.legend.textContent = this.#legend();
    this.told.textContent = this.#answer === null ? "" : t(this.#answer.key, this.#values());
    this.told.dataset.done = String(this.#lesson.done);
    this.back.textContent = t("tutorial.back");
    this.back.disabled = this.#number === 0;
    this.again.textContent = t("tutorial.again");
    this.again.disabled = this.#answer === null;
    this.next.textContent = t(this.#number + 1 < TASKS.length ? "tutorial.next" : "tutorial.leave");
    this.next.classList.toggle("primary", this.#lesson.done);
    this.board.words = t;
  }

  /** What the signs on the discs mean, for those who do not read them. */
  #legend() {
    const { squares, rules } = this.#lesson.position;
    const glyphs = this.look.glyphs ?? "traditional";
    if (glyphs === "pictograms" || (glyphs !== "letters" && language().startsWith("zh"))) return "";
    const letters = new Set(squares.filter((piece) => piece?.letter).map((piece) => piece.letter));
    return [...letters].map((letter) => {
      const kind = letter.toUpperCase();
      const side = letter === kind ? "r" : "b";
      const sign = glyphs === "letters" ? letter : signOf(rules.game, kind, side, glyphs);
      return `${sign} ${t(`piece.${rules.game}.${side}.${kind}`)}`;
    }).join(" · ");
  }

  #values() {
    const { letter } = this.#answer;
    if (letter === null) return {};
    const kind = letter.toUpperCase();
    const red = letter === kind;
    return {
      piece: t(`piece.${this.#lesson.position.rules.game}.${red ? "r" : "b"}.${kind}`),
      colour: t(red ? "colour.red" : "colour.black"),
    };
  }
}

customElements.define("banqi-tutorial", Tutorial);

/**
 * Show the lessons in an element that is empty or shows them already.
 *
 * @param {HTMLElement} root
 * @param {Record<string, any>} [look] properties for the board
 * @returns {Tutorial}
 */
export function showTutorial(root, look = {}) {
  const shown = root.querySelector("banqi-tutorial") ?? new Tutorial();
  shown.look = look;
  if (!shown.isConnected) root.replaceChildren(shown);
  return shown;
}
