// A game on the server: its events over a WebSocket that is opened again whenever it is lost, and requests that are
// sent until they are answered.

import { t } from "../languages/index.js";
import { text } from "./ask.js";
import { movesOf } from "./events.js";
import { keepSeat, randomText, seatOf } from "./vault.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
// A request that has no answer after so long was lost with a connection that looks alive.
const PATIENCE = 8_000;
// A page that was hidden for so long may have slept.
const SLEEP = 20_000;
const GONE = new Map([[4403, "play.not_your_seat"], [4404, "play.no_such_game"]]);

/**
 * @typedef {"connecting" | "open" | "lost" | "gone"} Link
 * @typedef {{message: any, resolve: (number: number) => void, reject: (error: Error) => void, sent: number}} Waiting
 * A request without an answer; `sent` is when it went out on the present connection, 0 if it has not.
 */

/**
 * A source: `state` with `moves`, `seats`, and what a seat may do. Besides, events `link` when the connection is lost
 * (`link` is "lost"), found again ("open"), or opens nothing ("gone").
 */
export class OnlineGame extends EventTarget {
  kind = "online";
  /** @type {any} */
  state = null;
  /** @type {any[]} */
  events = [];
  /** @type {number[]} */
  seats = [];
  /** @type {Link} */
  link = "connecting";
  /** The server's clock minus this device's, in milliseconds. */
  ahead = 0;

  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Waiting>} */
  #unanswered = new Map();
  #wait = FIRST_WAIT;
  #timer = 0;
  #watch = 0;
  #hiddenAt = 0;
  #closed = false;
  #listening = new AbortController();

  /** @param {string} [game] its id; without one `open` is called later */
  constructor(game) {
    super();
    if (game !== undefined) this.open(game);
  }

  /** Connect to a game, with the seat that this browser has in it. @param {string} game */
  open(game) {
    this.game = game;
    const { token, seat } = seatOf(game);
    this.token = token ?? null;
    this.seats = token === undefined ? [] : [seat];
    const { signal } = this.#listening;
    addEventListener("online", () => this.#again(), { signal });
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    this.#watch = setInterval(() => this.#check(), 1_000);
    this.#connect();
  }

  /** End the connection for good. */
  close() {
    this.#closed = true;
    this.#listening.abort();
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#socket?.close();
    for (const { reject } of this.#unanswered.values()) reject(new Error(t("play.left")));
    this.#unanswered.clear();
  }

  // ---- the connection ----------------------------------------------------------------------------------------------

  #connect() {
    if (this.#closed || this.link === "gone") return;
    clearTimeout(this.#timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.game}/socket`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "hello", token: this.token, after: this.events.length }));
      for (const waiting of this.#unanswered.values()) this.#send(waiting);
    });
    socket.addEventListener("message", ({ data }) => { if (socket === this.#socket) this.#take(JSON.parse(data)); });
    socket.addEventListener("close", ({ code }) => { if (socket === this.#socket) this.#lost(code); });
  }

  /** @param {number} code */
  #lost(code) {
    this.#socket = null;
    if (this.#closed) return;
    const gone = GONE.get(code);
    if (gone !== undefined) {
      for (const { reject } of this.#unanswered.values()) reject(new Error(t(gone)));
      this.#unanswered.clear();
      this.gone = t(gone);
      this.#tell("gone");
      return;
    }
    this.#tell("lost");
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** Try at once: there is reason to believe that it works now. */
  #again() {
    if (this.#closed || this.link === "gone") return;
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#wait = FIRST_WAIT;
    this.#connect();
  }

  #seen() {
    if (document.hidden) this.#hiddenAt = Date.now();
    else if (this.#socket === null || Date.now() - this.#hiddenAt > SLEEP) this.#again();
  }

  #check() {
    const late = Date.now() - PATIENCE;
    const isLate = [...this.#unanswered.values()].some(({ sent }) => sent !== 0 && sent < late);
    if (isLate && this.#socket?.readyState === WebSocket.OPEN) {
      for (const waiting of this.#unanswered.values()) waiting.sent = 0;
      this.#tell("lost");
      this.#again();
    }
  }

  /** @param {Link} link */
  #tell(link) {
    if (this.link === link) return;
    this.link = link;
    this.dispatchEvent(new Event("link"));
  }

  // ---- messages ----------------------------------------------------------------------------------------------------

  /** @param {any} message */
  #take(message) {
    if (message.type === "events") {
      this.#wait = FIRST_WAIT;
      this.#follow(message);
      return;
    }
    const waiting = this.#unanswered.get(message.key);
    if (waiting === undefined) return;
    this.#unanswered.delete(message.key);
    if (message.type === "accepted") waiting.resolve(message.number);
    else waiting.reject(new Error(message.reason));
  }

  #follow({ first, events, state, now }) {
    if (first > this.events.length + 1) {
      this.#again();
      return;
    }
    this.events.splice(first - 1, Infinity, ...events);
    this.ahead = now - Date.now();
    this.start = this.events[0].fen;
    this.state = { ...state, moves: movesOf(this.events), time: this.events.at(-1).time, increment: this.#increment() };
    const own = seatOf(this.game);
    if (own.commitment === undefined) keepSeat(this.game, { commitment: state.commitment });
    this.#tell("open");
    this.#giveNonce();
    this.dispatchEvent(new Event("change"));
  }

  #increment() {
    return this.events[0].increment;
  }

  /** Give this player's share in the layout, once; it is kept for the verification after the end. */
  #giveNonce() {
    const [seat] = this.seats;
    if (seat === undefined || this.state.stage !== "waiting" || this.state.seats[seat].nonce !== null) return;
    let own = seatOf(this.game);
    if (own.nonce === undefined) own = keepSeat(this.game, { nonce: randomText(), nonceKey: randomText() });
    if (this.#unanswered.has(own.nonceKey)) return;
    // Refused only where another page of the same player was faster.
    this.#ask({ type: "nonce", nonce: own.nonce, key: own.nonceKey }).catch(() => {});
  }

  /** @param {any} message @returns {Promise<number>} the number of its event */
  #ask(message) {
    return new Promise((resolve, reject) => {
      const waiting = { message: { key: randomText(), ...message }, resolve, reject, sent: 0 };
      this.#unanswered.set(waiting.message.key, waiting);
      this.#send(waiting);
    });
  }

  #send(waiting) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    waiting.sent = Date.now();
    this.#socket.send(JSON.stringify(waiting.message));
  }

  // ---- what a seat may do ------------------------------------------------------------------------------------------

  /** Whether the other seat is the computer's. */
  get againstComputer() {
    return this.state?.seats.some((seat) => seat.player === "computer") ?? false;
  }

  /** @param {string} move as in `state.legal` */
  async act(move) {
    await this.#ask({ type: "move", move, after: this.state.number });
  }

  async resign() {
    await this.#ask({ type: "resign" });
  }

  /** Take the last own ply back, with the answer to it; a computer allows it at once, a person is asked. */
  async undo() {
    await this.#ask({ type: "ask_takeback", after: this.state.number });
  }

  async acceptUndo() {
    await this.#ask({ type: "accept_takeback", after: this.state.number });
  }

  async declineUndo() {
    await this.#ask({ type: "decline_takeback", after: this.state.number });
  }

  async offerDraw() {
    await this.#ask({ type: "offer_draw", after: this.state.number });
  }

  async acceptDraw() {
    await this.#ask({ type: "accept_draw", after: this.state.number });
  }

  async declineDraw() {
    await this.#ask({ type: "decline_draw", after: this.state.number });
  }

  async rematch() {
    await this.#ask({ type: "rematch" });
  }

  /** @returns {Promise<string>} the record as text */
  async record() {
    return text(`/api/games/${this.game}/record`);
  }
}
