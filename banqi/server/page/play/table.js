// The table at which a game is played: the board, what stands beside it, and the buttons. It shows a source, and asks
// it for what people want.

import { pieceName } from "../board/pieces.js";
import { pieceOf } from "../board/placement.js";
import { faultText } from "../languages/fault.js";
import { changes, t } from "../languages/index.js";
import { Position } from "../rules/index.js";
import { soundOf, Sound } from "../sound.js";
import { Actions } from "./actions.js";
import { History } from "./history.js";
import { outcomeText, sideWord } from "./sentences.js";
import { settings } from "./settings.js";
import { words } from "./words.js";

const WIDE = "(min-width: 56rem)";

// On the board the arrows move the focus; elsewhere they walk through the game.
const WALKING = { ArrowLeft: ",", ArrowRight: "." };

/** Events: `over` when the game that is shown has ended while it was watched; `ply` when another ply is looked at. */
export class Table extends EventTarget {
  /** @type {any} */
  source = null;
  history = new History();
  /** @type {number | null} the action after which the board is shown; null for how the game stands */
  ply = null;
  #following = new AbortController();
  #stage = "";
  #number = 0;
  #heard = 0;
  #isActing = false;
  #note = "";

  /** @param {HTMLElement} root */
  constructor(root) {
    super();
    this.root = root;
    this.board = root.querySelector("banqi-board");
    this.actions = new Actions(this);
    this.sound = new Sound();
    this.board.addEventListener("act", ({ detail }) => this.act(detail.move));
    this.board.addEventListener("look", ({ detail }) => this.#look(detail.square));
    this.part("moves").addEventListener("goto", ({ detail }) => {
      this.goTo(detail.ply);
      // Below the board on a narrow screen, where one would not see what was asked for.
      if (!matchMedia(WIDE).matches) this.root.scrollIntoView();
    });
    this.part("back").addEventListener("click", () => this.goTo(null));
    this.part("earlier").addEventListener("click", () => this.goTo(this.shownPly - 1));
    this.part("later").addEventListener("click", () => this.goTo(this.shownPly + 1));
    document.addEventListener("keydown", (event) => this.#key(event));
    settings.addEventListener("change", () => this.draw());
    changes.addEventListener("change", () => this.draw());
    matchMedia(WIDE).addEventListener("change", () => this.draw());
  }

  /** @param {string} name @returns {any} */
  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  /** Show a game. @param {any} source */
  show(source) {
    this.#following.abort();
    this.#following = new AbortController();
    const { signal } = this.#following;
    if (this.source !== source) this.source?.close?.();
    this.source = source;
    this.ply = null;
    this.#isActing = false;
    this.#heard = source.state?.moves.length ?? Infinity;
    this.#note = "";
    this.#stage = source.state?.stage ?? "";
    this.dispatchEvent(new Event("shown"));
    source.addEventListener("change", () => this.#changed(), { signal });
    source.addEventListener("link", () => this.#linked(), { signal });
    this.draw();
  }

  #changed() {
    const { stage, number } = this.source.state;
    const ended = stage === "over" && this.#stage === "playing";
    this.#stage = stage;
    if (number !== this.#number) {
      this.#note = "";
      this.part("pool").square = null;
    }
    this.#number = number;
    this.draw();
    this.#sound(ended);
    if (ended) this.dispatchEvent(new Event("over"));
  }

  /** Let the action be heard that has come since, or the end. @param {boolean} ended */
  #sound(ended) {
    const played = written(this.history.positions);
    const isNew = played.length > this.#heard;
    this.#heard = played.length;
    this.sound.on = settings.get("sound");
    if (ended) this.sound.play("end");
    else if (isNew) this.sound.play(soundOf(played.at(-1).move, { captures: played.at(-1).capture }));
  }

  #linked() {
    const { link, gone } = this.source;
    if (link === "lost") this.say(t("play.lost"));
    if (link === "open" && this.#note === t("play.lost")) this.say(t("play.found"));
    if (link === "gone") this.say(gone);
    this.actions.draw();
  }

  // ---- what people do ----------------------------------------------------------------------------------------------

  /** Whether the person at this device is to act now, on the board as it stands; not while an action is under way. */
  get mine() {
    const { source } = this;
    const { state } = source;
    return this.ply === null && !this.#isActing && state?.stage === "playing" && source.seats.includes(state.to_act);
  }

  /** @param {string} move */
  async act(move) {
    if (!this.mine) return;
    const { source } = this;
    this.#isActing = true;
    this.draw();
    await this.try(() => source.act(move));
    if (source !== this.source) return;
    this.#isActing = false;
    this.draw();
  }

  /** Do what may be refused; then the reason is shown. @param {() => Promise<any>} action @returns {Promise<any>} */
  async try(action) {
    const { source } = this;
    try {
      return await action();
    } catch (error) {
      // What a game that was left says is nobody's business any more.
      if (source !== this.source) return undefined;
      this.say(faultText(error));
      this.draw();
      return undefined;
    }
  }

  /** Look at the board after an action, or at how it stands. @param {number | null} ply */
  goTo(ply) {
    const last = this.source.state?.moves.length ?? 0;
    this.ply = ply === null || ply >= last ? null : Math.max(0, ply);
    this.draw();
    this.dispatchEvent(new Event("ply"));
  }

  /** The number of the action after which the board is shown. */
  get shownPly() {
    return this.ply ?? this.source.state?.moves.length ?? 0;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.root.hidden || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    const onBoard = this.board.contains(event.target);
    const key = onBoard ? event.key.toLowerCase() : WALKING[event.key] ?? event.key.toLowerCase();
    if (key === "u") this.actions.press("undo");
    else if (key === "h") this.actions.press("hint");
    else if (key === "," || key === "<") this.goTo(this.shownPly - 1);
    else if (key === "." || key === ">") this.goTo(this.shownPly + 1);
    else return;
    event.preventDefault();
  }

  /** Tell the chances of a face-down square: known to both where both have agreed. @param {number} square */
  #look(square) {
    const { state } = this.source;
    if (!state?.chances) return;
    this.part("pool").square = square;
    // The table of chances is out of sight there.
    if (square !== null && !matchMedia(WIDE).matches) this.part("message").textContent = chancesText(this.position);
  }

  /** Say something near the board until the game goes on. @param {string} text "" for nothing */
  say(text) {
    if (text === "") return;
    this.#note = text;
    this.part("message").textContent = text;
  }

  // ---- what is seen ------------------------------------------------------------------------------------------------

  /** Draw everything as the source and the settings are now. */
  draw() {
    const { source } = this;
    const state = source?.state;
    this.root.classList.toggle("waits", state === null || state === undefined);
    if (!state || source.start === undefined) {
      if (source?.gone) this.say(source.gone);
      return;
    }
    const positions = this.history.follow(state.rules, source.start, state.moves);
    const position = positions[this.shownPly];
    this.position = position;
    this.#drawBoard(position, state);
    this.#drawPlayers(position, state);
    this.#drawPanels(position, state);
    this.part("looking").hidden = this.ply === null;
    for (const name of ["earlier", "later"]) this.part(name).setAttribute("aria-label", t(`play.${name}`));
    this.part("message").textContent = this.#note || this.#sentence(state);
    this.actions.draw();
  }

  /** Which seat sits below: one's own, the first where nobody or both are one's own. */
  get #below() {
    const { seats } = this.source;
    return seats.length === 1 ? seats[0] : 0;
  }

  #drawBoard(position, state) {
    const { rules } = position;
    const junqi = rules.game === "junqi";
    const { files, ranks } = rules.geometry;
    const lying = !junqi && files < ranks && matchMedia(WIDE).matches;
    for (const first of this.root.querySelectorAll(".first")) first.remove();
    this.root.dataset.shape = junqi ? "junqi" : files === ranks ? "square" : lying ? "lying" : "standing";
    Object.assign(this.board, {
      shape: { files, ranks, junqi },
      lying,
      glyphs: settings.get("glyphs"),
      coordinates: settings.get("coordinates"),
      confirmFlip: settings.get("confirmFlip"),
      threatened: settings.get("threatened") && this.mine ? threatened(position) : [],
      words,
      fen: position.fen,
      legal: this.mine ? state.legal : [],
      last: position.last,
      hint: null,
      mine: this.mine,
    });
  }

  #drawPlayers(position, state) {
    const below = this.#below;
    for (const [name, seat] of [["theirs", 1 - below], ["mine", below]]) {
      const { colour: known, clock, ...who } = state.seats[seat];
      const colour = position.colour(seat) ?? null;
      Object.assign(this.part(name), {
        words,
        glyphs: settings.get("glyphs"),
        junqi: position.rules.game === "junqi",
        name: this.source.kind === "local" ? t(`play.seat.${seat}`) : nameIn(who),
        colour,
        clock: clock === null ? null : this.#left(state, seat),
        running: clock !== null && state.stage === "playing" && state.to_act === seat && this.ply === null,
        turn: state.stage === "playing" && state.to_act === seat,
        captured: captured(position, colour),
      });
    }
  }

  /** What a clock shows now. */
  #left(state, seat) {
    const { clock } = state.seats[seat];
    if (state.stage !== "playing" || state.to_act !== seat || state.time === null) return clock;
    return Math.max(0, clock - (Date.now() + (this.source.ahead ?? 0) - state.time));
  }

  #drawPanels(position, state) {
    const junqi = position.rules.game === "junqi";
    Object.assign(this.part("pool"), {
      words, glyphs: settings.get("glyphs"), junqi, pool: position.pool, chances: state.chances,
    });
    Object.assign(this.part("quiet"), {
      words, quiet: position.quiet, limit: position.rules.fields.quiet_limit, repetitions: position.repetitions,
    });
    Object.assign(this.part("moves"), { words, junqi, moves: written(this.history.positions), ply: this.shownPly });
  }

  #sentence(state) {
    const { source } = this;
    if (state.stage === "waiting") return t(source.againstComputer ? "play.begins" : "play.waiting");
    if (state.stage === "over") return outcomeText(state, this.position.rules);
    const { to_act: seat } = state;
    const colour = sideWord(state.seats[seat].colour, this.position.rules);
    if (source.kind === "local") {
      return colour === "" ? t("play.two.first") : t("play.two.turn", { colour });
    }
    if (source.seats.includes(seat)) {
      if (state.moves.length === 0) return t("play.your_first_turn");
      return colour === "" ? t("play.your_turn") : t("play.your_turn_as", { colour });
    }
    if (state.seats[seat].player === "computer") return t("play.computer_thinks");
    return t("play.their_turn", { name: nameIn(state.seats[seat]) });
  }
}

/** The likeliest identities of a face-down piece, in words. */
function chancesText({ pool, rules }) {
  const all = [...pool.values()].reduce((sum, count) => sum + count, 0);
  const likely = [...pool].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one).slice(0, 4);
  const told = likely.map(([letter, count]) =>
    `${pieceName(pieceOf(letter), rules.game, t)} ${Math.round((100 * count) / all)} %`);
  return `${told.join(", ")} …`;
}

/** The squares of the pieces of the side to move that the other side could take if it were to move. */
function threatened(position) {
  const { side, rules } = position;
  if (side === null) return [];
  const [placement, , pool, , quiet] = position.fen.split(" ");
  let other;
  try {
    other = Position.parse(rules, `${placement} ${side === "r" ? "b" : "r"} ${pool} - ${quiet}`);
  } catch {
    return []; // The other side has nothing on the board.
  }
  const targets = other.legal().map((move) => rules.geometry.index(/-([a-z][0-9]+)/.exec(move)?.[1] ?? ""));
  return [...new Set(targets)].filter((square) => position.squares[square]?.colour === side);
}

function nameIn(seat) {
  if (seat.player === "computer") return t("play.computer_level", { level: t(`play.level.${seat.level}`) });
  return seat.name ?? t("play.nobody_yet");
}

/** The actions as people write them, each with whether something was taken. */
function written(positions) {
  const pieces = positions.map(({ squares }) => squares.filter((piece) => piece !== null).length);
  return positions.slice(1).map(({ last }, ply) => ({ move: last, capture: pieces[ply + 1] < pieces[ply] }));
}

/** What a side has lost, as letters in rank order. */
function captured(position, colour) {
  if (colour === null) return "";
  return [...position.captured]
    .filter(([letter]) => (letter === letter.toUpperCase()) === (colour === "r"))
    .map(([letter, count]) => letter.repeat(count))
    .join("");
}
