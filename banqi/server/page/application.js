// What the page shows: the table with a game, the analysis board, the tutorial; and how one leads to the other.

import { t } from "./languages/index.js";
import { asked, become, linkOf } from "./play/address.js";
import { post, Refused } from "./play/ask.js";
import { Chooser, gameOf, nameOf } from "./play/chooser.js";
import { ComputerGame } from "./play/computer.js";
import { LocalSource } from "./play/local.js";
import { OnlineGame } from "./play/online.js";
import { sure } from "./play/question.js";
import { copied, hand } from "./play/share.js";
import { Table } from "./play/table.js";
import { keepSeat, randomText, seatOf } from "./play/vault.js";

const VIEWS = ["table", "analysis", "learn"];

/** The whole page. */
export class Application {
  /** @type {string | null} the fragment that the page has gone to by itself */
  #own = null;

  /** @param {import("./play/settings.js").settings} settings */
  constructor(settings) {
    this.settings = settings;
    this.chooser = new Chooser(document.querySelector("#chooser"));
    this.table = new Table(document.querySelector("#table"));
    this.chooser.addEventListener("change", () => this.#tryChoice());
    this.chooser.addEventListener("choose", () => this.#begin());
    this.table.addEventListener("review", () => this.#review());
    this.table.addEventListener("verify", () => this.#verify());
    this.table.addEventListener("next", () => this.#next());
    this.#prepareInvitation();
    this.#prepareTyping();
    addEventListener("hashchange", () => this.#go());
  }

  /** Show what the address asks for. */
  start() {
    this.#go();
  }

  #go() {
    const { view, game, invitation, rest } = asked();
    this.#show({ analysis: "analysis", learn: "learn" }[view] ?? "table");
    if (view === "game") {
      if (this.table.source?.game !== game || invitation !== null) this.#open(game, invitation);
    } else if (view === "two") this.#playHere(LocalSource.resumed());
    else if (view === "analysis") this.#analyse(rest);
    else if (view === "learn") this.#learn();
    else if (this.table.source === null || this.table.source.game !== undefined) this.#fresh();
  }

  /** @param {string} view */
  #show(view) {
    for (const name of VIEWS) document.getElementById(name).hidden = name !== view;
  }

  // ---- games -------------------------------------------------------------------------------------------------------

  /** A board that is ready for the first tap, as the chooser stands. */
  #fresh() {
    const { choice } = this.chooser;
    if (choice === null || choice.mode === "friend") return;
    this.#playComputer(choice.mode === "computer" ? choice : { ...choice, mode: "computer" });
  }

  /** While nothing is under way, let the board follow the chooser at once. */
  #tryChoice() {
    const { source } = this.table;
    if (!(source instanceof ComputerGame) || !source.untouched) return;
    const { choice } = this.chooser;
    if (choice === null) return;
    this.#playComputer({ ...choice, seat: choice.mode === "computer" ? choice.seat : 0 });
  }

  /** Begin what the chooser says. */
  async #begin() {
    const { choice } = this.chooser;
    const { source } = this.table;
    const underWay = source?.state?.stage === "playing" && source.seats.length > 0 && source.state.moves.length > 0;
    if (underWay && !(await sure(t("play.leave.sure"), t("play.leave")))) return;
    if (choice.mode === "two") this.#playHere(LocalSource.begun(choice));
    else if (choice.mode === "friend") await this.table.try(() => this.#invite(choice));
    else {
      this.#playComputer(choice);
      if (choice.seat !== 0) await this.table.try(() => this.table.source.make());
    }
    scrollTo(0, 0);
  }

  /** @param {import("./play/chooser.js").Choice} choice */
  #playComputer({ rules, level, seat, clock, increment }) {
    become("");
    const source = new ComputerGame({ rules, level, seat, clock, increment, name: this.settings.name });
    source.addEventListener("made", () => become(`game=${source.game}`));
    this.#put(source);
  }

  /** @param {LocalSource} source */
  #playHere(source) {
    become("two");
    this.#put(source);
  }

  /** Make a game that a friend joins by a link. */
  async #invite({ rules, seat, clock, increment, chances }) {
    const made = await post("/api/games", { name: this.settings.name, rules, seat, clock, increment, chances });
    keepSeat(made.game, {
      token: made.token, seat: made.seat, invitation: made.invitation, commitment: made.commitment,
    });
    become(`game=${made.game}`);
    this.#put(new OnlineGame(made.game));
  }

  /** Open a game by its link: as its player, by its invitation, or to watch. */
  async #open(game, invitation) {
    if (invitation !== null && seatOf(game).token === undefined) await this.#join(game, invitation);
    become(`game=${game}`);
    this.#put(new OnlineGame(game));
  }

  async #join(game, invitation) {
    const joinKey = seatOf(game).joinKey ?? randomText();
    keepSeat(game, { joinKey });
    try {
      const joined = await post(`/api/games/${game}/join`, { invitation, key: joinKey, name: this.settings.name });
      keepSeat(game, { token: joined.token, seat: joined.seat, commitment: joined.commitment });
    } catch (error) {
      // The seat is another's: the game can be watched.
      this.joinFault = error instanceof Refused && error.status === 409 ? t("play.seat_taken") : error.message;
    }
  }

  /** @param {any} source */
  #put(source) {
    this.table.show(source);
    source.addEventListener("change", () => this.#follow());
    source.addEventListener("link", () => this.#follow());
    if (this.joinFault) this.table.say(this.joinFault);
    this.joinFault = "";
    this.#follow();
  }

  /** What the table does not show itself: the invitation, the facts, the next game. */
  #follow() {
    const { source } = this.table;
    const { state } = source;
    const own = source.game === undefined ? {} : seatOf(source.game);
    const isFree = state?.seats.some((seat) => seat.player === null) ?? false;
    const waits = state?.stage === "waiting" && own.invitation !== undefined && isFree;
    this.table.part("invite").hidden = !waits;
    if (waits) {
      this.table.part("invitation").value = linkOf(source.game, own.invitation);
      this.table.part("watching").value = linkOf(source.game);
    }
    const stage = source.untouched ? "fresh" : state?.stage ?? "waiting";
    if (this.table.root.dataset.stage !== stage) {
      // Beside a game that goes on the choice of another one is folded.
      this.table.part("begin").open = stage === "fresh";
      this.table.root.dataset.stage = stage;
    }
    this.table.part("facts").textContent = state ? this.#facts(source, state) : "";
    // Who comes to a game later looks at this one; the button leads on.
    if (state && source.kind === "online" && source.live === undefined) source.live = state.rematch === null;
    if (state?.rematch && source.live) this.#next();
  }

  #facts(source, state) {
    const facts = [t(`play.game.${gameOf(state.rules)}`), nameOf(state.rules)];
    if (source.kind === "online" && !source.againstComputer) {
      facts.push(t(state.chances ? "play.chances.both" : "play.chances.none"));
      if (source.seats.length === 0) facts.push(t("play.watching"));
    }
    return facts.join(" · ");
  }

  /** Go on to the next game, seats swapped, with the same token. */
  #next() {
    const { source } = this.table;
    const game = source.state.rematch;
    const { token, seat } = seatOf(source.game);
    if (token !== undefined && seatOf(game).token === undefined) keepSeat(game, { token, seat: 1 - seat });
    become(`game=${game}`);
    this.#put(new OnlineGame(game));
  }

  #prepareInvitation() {
    const link = this.table.part("invitation");
    for (const name of ["invitation", "watching"]) {
      this.table.part(name).addEventListener("focus", ({ target }) => target.select());
    }
    this.table.part("copy").addEventListener("click", async () => this.table.say(await copied(link.value)));
    this.table.part("hand").hidden = navigator.share === undefined;
    this.table.part("hand").addEventListener("click", async () => this.table.say(await hand(link.value)));
  }

  #prepareTyping() {
    this.table.part("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = event.target.elements.move;
      const move = field.value.trim();
      if (!this.table.source.state?.legal.includes(move)) this.table.say(t("play.typed.illegal", { move }));
      else this.table.act(move);
      field.value = "";
    });
  }

  // ---- after the end and beside games ------------------------------------------------------------------------------

  async #review() {
    const { Review } = await import("./review/review.js");
    this.review ??= new Review(this.table);
    this.review.open();
  }

  async #verify() {
    const { showVerification } = await import("./review/verification.js");
    await this.table.try(() => showVerification(document.querySelector("#dialog"), this.table.source));
  }

  /** @param {URLSearchParams} rest */
  async #analyse(rest) {
    const { Analysis } = await import("./review/analysis.js");
    this.analysis ??= new Analysis(document.querySelector("#analysis"));
    const moves = (rest.get("moves") ?? "").split(" ").filter((move) => move !== "");
    this.analysis.show(rest.get("rules") ?? "taiwan", rest.get("fen"), moves);
  }

  async #learn() {
    const root = document.querySelector("#learn");
    const { showTutorial } = await import("./tutorial/index.js");
    if (root.childElementCount === 0) {
      root.addEventListener("leave", () => { location.hash = ""; });
    }
    showTutorial(root, { glyphs: this.settings.get("glyphs"), coordinates: this.settings.get("coordinates") });
  }
}
