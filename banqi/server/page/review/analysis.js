// The analysis board: any position set up or played on, and what the engine finds of it while it thinks.

import { disc } from "../board/disc.js";
import { html, svg } from "../board/dom.js";
import { pieceOf } from "../board/placement.js";
import { faultText } from "../languages/fault.js";
import { changes, t } from "../languages/index.js";
import { stream } from "../play/ask.js";
import { nameOf, RULES } from "../play/chooser.js";
import { History } from "../play/history.js";
import { sideWord } from "../play/sentences.js";
import { settings } from "../play/settings.js";
import { words } from "../play/words.js";
import { Position, ruleSet } from "../rules/index.js";
import { fanElement, linesElement } from "./lines.js";
import { Setup } from "./setup.js";

const LINES = 5;
const PLAY = "play";
const WIDE = "(min-width: 56rem)";
const PARTS = ["tools", "turned", "side", "pool", "lines", "fan", "controls"];

/** The view. The tool in hand is "play", or what a tap puts on a square: a letter, "x", ".". */
export class Analysis {
  #tool = PLAY;
  #asking = new AbortController();
  #history = new History();
  #found = null;
  #told = "";
  /** @type {string | null} a flip whose result has to be chosen */
  #turning = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.board = html("banqi-board");
    this.board.addEventListener("act", ({ detail }) => this.#tap(detail.move));
    this.parts = Object.fromEntries(PARTS.map((name) => [name, html("div", { class: `analysis-${name}` })]));
    this.bar = html("banqi-bar");
    this.fen = html("input", { name: "fen", spellcheck: "false", autocomplete: "off" });
    this.fen.addEventListener("change", () => this.#read(this.fen.value));
    this.title = html("h1", { class: "unseen" });
    this.message = html("p", { class: "message", role: "status" });
    this.fault = html("p", { class: "fault", role: "alert", hidden: true });
    root.replaceChildren(this.title,
      html("div", { class: "middle" }, this.message, html("div", { class: "frame" }, this.board), this.parts.turned,
        this.parts.controls, this.parts.tools),
      html("div", { class: "side" },
        html("div", { class: "panel found" }, this.bar, this.parts.lines, this.parts.fan),
        html("div", { class: "panel setup" }, this.parts.side, this.fault, this.parts.pool)));
    settings.addEventListener("change", () => this.draw());
    changes.addEventListener("change", () => this.draw());
    matchMedia(WIDE).addEventListener("change", () => this.draw());
    addEventListener("hashchange", () => { if (root.hidden) this.#asking.abort(); });
  }

  /**
   * Analyse a position.
   *
   * @param {string} rules
   * @param {string | null} fen the start without one
   * @param {string[]} moves since then
   */
  show(rules, fen, moves) {
    try {
      const set = ruleSet(rules);
      const start = fen === null ? Position.start(set) : Position.parse(set, fen);
      this.#history = new History();
      this.#begin(start, moves);
    } catch (error) {
      this.#begin(Position.start("taiwan"), []);
      this.#complain(faultText(error));
    }
  }

  /** @param {import("../rules/index.js").Position} start @param {string[]} moves */
  #begin(start, moves) {
    this.start = start.fen;
    this.rules = start.rules;
    this.moves = moves;
    this.#history.follow(this.rules.text, this.start, moves);
    this.#turning = null;
    this.#complain("");
    this.setup = new Setup(this.position);
    this.draw();
    this.#think();
  }

  get position() {
    return this.#history.positions.at(-1);
  }

  // ---- what people do ----------------------------------------------------------------------------------------------

  /** @param {string} move an action, or with a tool in hand a square */
  #tap(move) {
    if (this.#tool === PLAY) {
      if (this.position.reveals(move).length > 0) {
        this.#turning = move;
        this.draw();
      } else this.#play(move);
      return;
    }
    this.setup.put(this.rules.geometry.index(move.split("-")[0]), this.#tool);
    this.#use();
  }

  /** @param {string} move with what it turns up */
  #play(move) {
    this.#begin(Position.parse(this.rules, this.start), [...this.moves, move]);
  }

  /** Take what has been set up for the position, if it is one. */
  #use() {
    this.#turning = null;
    this.#asking.abort();
    try {
      this.#begin(this.setup.position, []);
    } catch (error) {
      this.#found = null;
      this.draw();
      this.#complain(faultText(error));
    }
  }

  /** @param {string} fen */
  #read(fen) {
    try {
      this.#begin(Position.parse(this.rules, fen.trim()), []);
    } catch (error) {
      this.#complain(faultText(error));
    }
  }

  /** @param {string} text "" if all is well */
  #complain(text) {
    this.fault.textContent = text;
    this.fault.hidden = text === "";
  }

  /** Ask for ever deeper lines until the position changes. */
  async #think() {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#found = null;
    this.#told = t("review.thinks");
    this.#drawFound();
    const query = { rules: this.rules.text, fen: this.start, moves: this.moves, lines: LINES };
    try {
      for await (const found of stream("/api/deepening", query, signal)) {
        if (signal.aborted) return;
        this.#found = found;
        this.#drawFound();
      }
      this.#told = "";
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#told = error.message;
    }
    if (!signal.aborted) this.#drawFound();
  }

  // ---- what is seen ------------------------------------------------------------------------------------------------

  draw() {
    if (this.setup === undefined) return;
    const { rules, setup } = this;
    const junqi = rules.game === "junqi";
    const { files, ranks } = rules.geometry;
    const lying = !junqi && files < ranks && matchMedia(WIDE).matches;
    const editing = this.#tool !== PLAY;
    this.root.dataset.shape = junqi ? "junqi" : files === ranks ? "square" : lying ? "lying" : "standing";
    this.title.textContent = t("play.analysis");
    Object.assign(this.board, {
      shape: { files, ranks, junqi }, lying, glyphs: settings.get("glyphs"), coordinates: settings.get("coordinates"),
      confirmFlip: false, words, fen: setup.fen, last: editing ? null : this.position.last, mine: true,
      legal: editing ? rules.geometry.names : this.position.outcome() === null ? this.position.legal() : [],
    });
    this.#drawTurned();
    this.#drawControls();
    this.#drawTools();
    this.#drawSetup();
    this.#drawFound();
  }

  /** The identities that a flip may turn up, to choose from. */
  #drawTurned() {
    const box = this.parts.turned;
    if (this.#turning === null) {
      box.replaceChildren();
      return;
    }
    const move = this.#turning;
    const buttons = this.position.reveals(move).map(({ letter, count }) => {
      const label = `${pieceWord(letter, this.rules)} × ${count}`;
      const often = html("span", { class: "count" }, `× ${count}`);
      const button = pieceButton(letter, this.rules, { "aria-label": label }, often);
      button.addEventListener("click", () => this.#play(`${move}(${letter})`));
      return button;
    });
    const question = html("p", {}, t("review.turns_up", { move }));
    box.replaceChildren(question, html("div", { class: "buttons tools" }, ...buttons));
    box.scrollIntoView({ block: "nearest" });
  }

  #drawControls() {
    const button = (key, press, disabled = false) => {
      const made = html("button", { type: "button", disabled }, t(key));
      made.addEventListener("click", press);
      return made;
    };
    this.parts.controls.replaceChildren(html("div", { class: "buttons tools" },
      button("review.undo", () => this.#begin(Position.parse(this.rules, this.start), this.moves.slice(0, -1)),
        this.moves.length === 0),
      button("review.start", () => this.#begin(Position.start(this.rules), [])),
      button("review.clear", () => { this.setup.clear(); this.#use(); })));
  }

  /** What a tap does: play, turn face down, take away, or put a piece there. */
  #drawTools() {
    const tools = [[PLAY, t("review.tool.play")], ["x", t("review.tool.down")], [".", t("review.tool.empty")]];
    const { letters, kinds } = this.rules;
    const row = (...buttons) => html("div", { class: "buttons tools" }, ...buttons);
    const pieces = (all) => row(...[...all].map((letter) => this.#tooled(letter, pieceButton(letter, this.rules, {}))));
    this.parts.tools.replaceChildren(html("p", { class: "quiet", id: "tools-title" }, t("review.tools")),
      html("div", { class: "rows", role: "group", "aria-labelledby": "tools-title" },
        row(...tools.map(([tool, word]) => this.#tooled(tool, html("button", { type: "button" }, word)))),
        pieces(letters.slice(0, kinds)), pieces(letters.slice(kinds))));
  }

  /** A button that takes a tool. @param {string} tool @param {HTMLElement} button */
  #tooled(tool, button) {
    button.setAttribute("aria-pressed", String(tool === this.#tool));
    button.addEventListener("click", () => {
      this.#tool = tool;
      this.#turning = null;
      this.draw();
    });
    return button;
  }

  #drawSetup() {
    if (this.parts.side.contains(document.activeElement) && this.parts.side.childElementCount > 0) {
      // A field that is being typed into stays the same one.
      this.fen.value = this.setup.fen;
      return;
    }
    const sets = html("select", { name: "rules" }, ...Object.values(RULES).flat().map((name) =>
      html("option", { value: name, selected: name === this.rules.text }, nameOf(name))));
    if (!Object.values(RULES).flat().includes(this.rules.text)) {
      sets.prepend(html("option", { value: this.rules.text, selected: true }, nameOf(this.rules.text)));
    }
    sets.addEventListener("change", () => {
      sets.blur();
      this.show(sets.value, null, []);
    });
    const side = html("select", { name: "side" }, ...["r", "b", null].map((colour) => {
      const word = sideWord(colour, this.rules) || t("review.side.none");
      return html("option", { value: colour ?? "", selected: this.setup.side === colour }, word);
    }));
    side.addEventListener("change", () => {
      this.setup.side = side.value || null;
      side.blur();
      this.#use();
    });
    const quiet = html("input", { type: "number", name: "quiet", min: 0, max: 999, value: this.setup.quiet });
    quiet.addEventListener("change", () => {
      this.setup.quiet = Math.max(0, Math.trunc(Number(quiet.value)) || 0);
      this.#use();
    });
    this.fen.value = this.setup.fen;
    this.parts.side.replaceChildren(
      html("h2", {}, t("review.setup")),
      html("label", { class: "row" }, html("span", {}, t("play.rules")), sets),
      html("label", { class: "row" }, html("span", {}, t("review.side")), side),
      html("label", { class: "row" }, html("span", {}, t("review.quiet")), quiet),
      html("label", { class: "fen" }, html("span", {}, t("review.fen")), this.fen));
    this.#drawPool();
  }

  #drawPool() {
    const rows = [...this.setup.pool].map(([letter, count]) => {
      const word = pieceWord(letter, this.rules);
      const step = (sign, by, disabled) => {
        const button = html("button", { type: "button", disabled, "aria-label": `${word} ${sign}` }, sign);
        button.addEventListener("click", () => {
          this.setup.changePool(letter, by);
          this.#use();
        });
        return button;
      };
      return html("div", { class: "row count" }, html("span", {}, word),
        html("span", { class: "stepper" }, step("−", -1, count === 0), html("output", {}, String(count)),
          step("+", 1, count === this.setup.whole(letter))));
    });
    const open = this.parts.pool.querySelector("details")?.open ?? this.setup.excess !== 0;
    this.parts.pool.replaceChildren(html("details", { open }, html("summary", {}, t("review.pool")),
      html("div", { class: "counts" }, ...rows)));
  }

  #drawFound() {
    const found = this.#found;
    const outcome = found?.outcome ?? null;
    const lines = found?.lines ?? [];
    const side = this.position.side;
    const value = lines.length === 0 ? null : side === "b" ? -lines[0].value : lines[0].value;
    Object.assign(this.bar, { words, junqi: this.rules.game === "junqi", value });
    const depth = lines.length === 0 ? "" : t("review.depth", { depth: lines[0].depth });
    this.message.textContent = outcome === null
      ? [toMove(side, this.rules), depth, this.#told].filter((text) => text !== "").join(" · ")
      : t("review.over");
    this.parts.lines.replaceChildren(html("h2", {}, t("review.lines")), linesElement(lines, (line) => {
      if (line.reveals.length > 0) {
        this.#turning = line.move;
        this.draw();
      } else this.#play(line.move);
    }));
    const flip = lines.find((line) => line.reveals.length > 0);
    this.parts.fan.replaceChildren(...(flip === undefined ? [] : [
      html("h3", {}, t("review.fan_of", { move: flip.move })), fanElement(flip, this.rules, null)]));
  }
}

/** Whose turn it is, in words. */
function toMove(side, rules) {
  return side === null ? "" : t("review.to_move", { colour: sideWord(side, rules) });
}

/** A button that shows a piece. */
function pieceButton(letter, rules, attributes, ...more) {
  const junqi = rules.game === "junqi";
  const drawn = svg("svg", { viewBox: "-22 -22 44 44", "aria-hidden": "true" },
    disc(pieceOf(letter), { radius: 20, glyphs: settings.get("glyphs"), junqi }));
  const word = pieceWord(letter, rules);
  return html("button", { type: "button", title: word, "aria-label": word, ...attributes }, drawn, ...more);
}

/** A piece in words, with its colour. */
function pieceWord(letter, rules) {
  const kind = letter.toUpperCase();
  return t(`piece.${rules.game}.${letter === kind ? "r" : "b"}.${kind}`);
}
