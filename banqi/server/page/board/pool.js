// What is still face down: how many of each kind and colour, and the chances of one face-down piece.

import { smallDisc } from "./disc.js";
import { html } from "./dom.js";
import { Drawn, define } from "./drawn.js";
import { percent } from "./figures.js";
import { gameOf, hueOf, kindsOf } from "./pieces.js";
import { pieceOf } from "./placement.js";
import { t } from "../languages/index.js";

/**
 * `<banqi-pool>`. pool: a Map or an object from letters to counts. With `chances` a `square` that is not null shows
 * what may lie there; the chances are the same for every face-down square.
 */
export class BanqiPool extends Drawn {
  static defaults = {
    /** @type {Map<string, number>|Record<string, number>} */
    pool: {},
    chances: false,
    /** @type {number|null} */
    square: null,
    junqi: false,
    glyphs: "traditional",
    words: t,
  };

  draw() {
    const { words, junqi, glyphs } = this;
    const counts = this.pool instanceof Map ? this.pool : new Map(Object.entries(this.pool));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const game = gameOf(junqi);
    const shows = this.chances && this.square !== null && total > 0;
    const figure = (letter) => {
      const count = counts.get(letter) ?? 0;
      const parts = [smallDisc(pieceOf(letter), { glyphs, junqi }), html("span", { class: "count" }, String(count))];
      if (shows) parts.push(" ", html("span", { class: "chance" }, percent(count / total)));
      return html("td", { class: count ? "" : "none" }, ...parts);
    };
    const sum = (colour) => kindsOf(game).reduce((all, kind) => all + (counts.get(letterOf(kind, colour)) ?? 0), 0);
    const head = ["r", "b"].map((colour) => html("th", { scope: "col" }, words(`colour.${hueOf(game, colour)}`)));
    const rows = kindsOf(game).map((kind) => html("tr", {},
      html("th", { scope: "row" }, words(`piece.${game}.${kind}`)), figure(kind), figure(kind.toLowerCase())));
    this.replaceChildren(html("table", { class: junqi ? "many" : "" },
      html("caption", {}, words(shows ? "board.chances" : "board.pool")),
      html("thead", {}, html("tr", {}, html("td"), ...head)),
      html("tbody", {}, ...rows),
      html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, words("board.together", { count: total })),
        ...["r", "b"].map((colour) => html("td", {}, html("span", { class: "count" }, String(sum(colour)))))))));
  }
}

function letterOf(kind, colour) {
  return colour === "r" ? kind : kind.toLowerCase();
}

define("banqi-pool", BanqiPool);
