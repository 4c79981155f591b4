// The buttons under the board, and what they do: they ask the game's source, and a person before what has no way back.

import { html } from "../board/dom.js";
import { t } from "../languages/index.js";
import { linkOf } from "./address.js";
import { post } from "./ask.js";
import { sure } from "./question.js";
import { hand, save } from "./share.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * Each button: when it is there, and what it does.
 *
 * @type {Record<string, {when: (game: Game) => boolean, press: (table: Table) => Promise<any>}>}
 */
const BUTTONS = {
  undo: {
    when: ({ playing, player, state, person }) =>
      playing && player && state.moves.length > 0 && state.takeback === null && !(person && state.to_act === null),
    press: (table) => table.source.undo(),
  },
  hint: {
    when: ({ playing, player, person }) => playing && player && !person,
    press: hint,
  },
  draw: {
    when: ({ playing, player, state, computer }) => playing && player && !computer && state.draw_offer === null,
    press: (table) => table.source.offerDraw(),
  },
  resign: {
    when: ({ playing, player, source }) => playing && player && !source.untouched,
    press: async (table) => {
      if (await sure(t("play.resign.sure"), t("play.resign"))) await table.source.resign();
    },
  },
  rematch: {
    when: ({ over, player, state, source }) =>
      over && (state.rematch !== null || (player && !source.seats.includes(state.rematch_offer))),
    press: async (table) => {
      if (table.source.state.rematch === null) await table.source.rematch();
      else table.dispatchEvent(new Event("next"));
    },
  },
  review: {
    when: ({ over, state }) => over && state.moves.length > 0,
    press: async (table) => { table.dispatchEvent(new Event("review")); },
  },
  analyse: {
    when: ({ over, state, source }) => (over || source.kind === "local") && state.moves.length > 0,
    press: async ({ source, shownPly }) => {
      const { rules, moves } = source.state;
      location.hash = new URLSearchParams({
        analysis: "", rules, fen: source.start, moves: moves.slice(0, shownPly).join(" "),
      });
    },
  },
  verify: {
    when: ({ over, state }) => over && state.opening !== null,
    press: async (table) => { table.dispatchEvent(new Event("verify")); },
  },
  export: {
    when: ({ state }) => state.moves.length > 0,
    press: async (table) => save("banqi.txt", await table.source.record()),
  },
  share: {
    when: ({ over, source }) => over && source.game !== undefined,
    press: async (table) => table.say(await hand(linkOf(table.source.game))),
  },
};

/**
 * @typedef {object} Game
 * @property {any} source
 * @property {any} state
 * @property {boolean} playing
 * @property {boolean} over
 * @property {boolean} player whether somebody at this device plays
 * @property {boolean} computer
 * @property {boolean} person whether the other is a person elsewhere
 */

/** The row of buttons of a table. */
export class Actions {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    for (const name of Object.keys(BUTTONS)) {
      const button = html("button", { type: "button", "data-action": name, hidden: true });
      button.addEventListener("click", () => this.press(name));
      this.#buttons.set(name, button);
    }
    this.row = table.part("actions");
    this.row.replaceChildren(...this.#buttons.values());
  }

  /** @returns {Game | null} */
  #game() {
    const { source } = this.table;
    const state = source?.state;
    if (!state) return null;
    const computer = state.seats.some((seat) => seat.player === "computer");
    return {
      source, state, computer,
      playing: state.stage === "playing",
      over: state.stage === "over",
      player: source.seats.length > 0,
      person: source.kind === "online" && !computer,
    };
  }

  /** Do what a button does, if it is there. @param {string} name */
  press(name) {
    const game = this.#game();
    if (game !== null && BUTTONS[name].when(game)) this.table.try(() => BUTTONS[name].press(this.table));
  }

  /** Show the buttons that make sense now, and the question that the other player asks. */
  draw() {
    const game = this.#game();
    for (const [name, button] of this.#buttons) {
      button.hidden = game === null || !BUTTONS[name].when(game);
      const asks = name === "undo" && game?.person;
      button.textContent = t(asks ? "play.ask_undo" : `play.${name}`);
    }
    this.#drawOffer(game);
  }

  /** @param {Game | null} game */
  #drawOffer(game) {
    const box = this.table.part("offer");
    const offer = game === null ? null : offerIn(game);
    box.hidden = offer === null;
    if (offer === null) {
      box.replaceChildren();
      delete box.dataset.offer;
      return;
    }
    // The buttons stay the same ones while the question is: a second draw must not take them from under a finger.
    if (box.dataset.offer === offer.text) return;
    box.dataset.offer = offer.text;
    const buttons = offer.answers.map(([key, answer]) => {
      const button = html("button", { type: "button" }, t(key));
      button.addEventListener("click", () => this.table.try(answer));
      return button;
    });
    box.replaceChildren(html("p", {}, offer.text), html("div", { class: "buttons" }, ...buttons));
  }
}

/**
 * An offer that stands: its sentence, and the answers that the person here may give.
 *
 * @param {Game} game
 * @returns {{text: string, answers: [string, () => Promise<any>][]} | null}
 */
function offerIn({ state, source, player }) {
  /** @type {[string, number | null, [string, () => Promise<any>][]][]} */
  const offers = [
    ["draw", state.draw_offer, [
      ["play.accept", () => source.acceptDraw()], ["play.decline", () => source.declineDraw()]]],
    ["takeback", state.takeback, [
      ["play.accept", () => source.acceptUndo()], ["play.decline", () => source.declineUndo()]]],
    ["rematch", state.rematch_offer, [["play.accept", () => source.rematch()]]],
  ];
  for (const [name, seat, answers] of offers) {
    if (seat === null || seat === undefined) continue;
    const own = source.kind !== "local" && source.seats.includes(seat);
    const values = { name: state.seats[seat].name ?? "" };
    return {
      text: t(own ? `play.offer.${name}.own` : `play.offer.${name}`, values),
      answers: own || !player ? [] : answers,
    };
  }
  return null;
}

/** Show the move that the engine would play. @param {Table} table */
async function hint(table) {
  const { source } = table;
  const { state } = source;
  table.say(t("play.hint.thinks"));
  const { move } = await post("/api/bestmove", {
    rules: state.rules, fen: source.start, moves: state.moves, time: 1,
  });
  if (source !== table.source || state !== source.state || move === null) return;
  table.say(t("play.hint.is", { move }));
  table.board.hint = move;
}
