// A game of two people on one device, with no server and no layout.

import { drawn } from "./chance.js";
import { Clock } from "./clock.js";
import { RulesFault } from "./fault.js";
import { Position } from "./position.js";
import { recordText } from "./record.js";
import { HIDDEN, ruleSet } from "./rule_set.js";

const VERSION = 1;
const LONGEST_NAME = 40;

/**
 * A game and the source of its state: `state` is what the page shows of any game, `change` is dispatched when it has
 * changed, and every method is a promise that is refused with a sentence.
 *
 * Nothing lies under a face-down piece until it is turned up: what it is, is drawn at that moment from the pool, each
 * hidden piece as likely as any other. Undo cannot draw anew: the game remembers what it has shown on a square, and
 * shows it there again, whatever was played instead in between. A square that has not been looked at is drawn from the
 * pool without what other squares are known to hold. So all is as if the pieces had lain there from the start; and a
 * game in which a ply was taken back is marked `assisted`.
 */
export class LocalGame extends EventTarget {
  #position;
  #names;
  #time;
  #now;
  #fill;
  #clock = null;
  #timer = null;
  // By the number of a square what was shown there before it was taken back.
  #shown = new Map();
  #ending = null;
  #offer = null;
  #assisted = false;
  #number = 0;

  /** The seats that this device plays. */
  seats = [0, 1];

  /**
   * Begin a game.
   *
   * @param {object} [settings]
   * @param {string} [settings.rules]
   * @param {string | null} [settings.fen] a position to begin from
   * @param {[string | null, string | null]} [settings.names] of the first seat and the second
   * @param {number | null} [settings.clock] milliseconds for each seat; the first seat's clock starts at once
   * @param {number} [settings.increment] milliseconds after each ply
   * @param {() => number} [settings.now] the time in milliseconds
   * @param {(words: Uint32Array) => void} [settings.fill] fills an array with random numbers
   * @throws {RulesFault} there is no such rule set or position, or a clock starts at 0
   */
  constructor({ rules = "taiwan", fen = null, names = [null, null], clock = null, increment = 0, now, fill } = {}) {
    super();
    const set = ruleSet(rules);
    this.#names = names.map((name) => (name === null ? null : String(name).slice(0, LONGEST_NAME)));
    this.#now = now ?? (() => performance.now());
    this.#fill = fill;
    this.#time = clock === null ? null : { clock: checkedTime(clock, 1), increment: checkedTime(increment, 0) };
    this.#begin(fen === null ? Position.start(set) : Position.parse(set, fen));
  }

  #begin(position) {
    this.#position = position;
    this.#shown = new Map();
    this.#ending = null;
    this.#offer = null;
    this.#assisted = false;
    this.#setClock(this.#time === null ? null : [this.#time.clock, this.#time.clock]);
    this.#judge();
  }

  // ---- what it is --------------------------------------------------------------------------------------------------

  /** The position with its history. @returns {Position} */
  get position() {
    return this.#position;
  }

  /** The game as the page shows any game; `clock` is what is left now, in milliseconds. */
  get state() {
    this.#lookAtClock();
    const position = this.#position;
    const playing = this.#ending === null;
    return {
      number: this.#number,
      stage: playing ? "playing" : "over",
      rules: position.rules.text,
      fen: position.fen,
      commitment: null,
      seats: [0, 1].map((seat) => this.#seat(seat)),
      to_act: playing ? position.seat : null,
      legal: playing ? position.legal() : [],
      last: position.last,
      moves: position.moves,
      quiet: position.quiet,
      repetitions: position.repetitions,
      draw_offer: this.#offer,
      takeback: null,
      rematch_offer: null,
      assisted: this.#assisted,
      winner: this.#ending?.winner ?? null,
      termination: this.#ending?.termination ?? null,
      opening: null,
      rematch: null,
    };
  }

  #seat(seat) {
    return {
      name: this.#names[seat],
      player: "human",
      level: null,
      nonce: null,
      colour: this.#position.colour(seat),
      clock: this.#clock === null ? null : this.#clock.shown(seat),
    };
  }

  /** The game as text. @param {Object<string, string>} [tags] what else is told, such as Event and Date */
  async record(tags = {}) {
    const own = this.#assisted ? { Assisted: "yes" } : {};
    for (const [seat, name] of ["First", "Second"].entries()) {
      if (this.#names[seat] !== null) {
        own[name] = this.#names[seat];
      }
    }
    return recordText(this.#position, this.#ending, { ...tags, ...own });
  }

  // ---- playing -----------------------------------------------------------------------------------------------------

  /**
   * Make a move, given as a request.
   *
   * @param {string} text
   * @returns {Promise<string>} the move with what it turned up
   */
  async act(text) {
    this.#checkOn();
    const before = this.#position;
    const letter = before.reveals(text).length > 0 ? this.#revealed(before, text) : null;
    this.#position = before.play(text, letter);
    const mover = before.seat;
    if (this.#offer === 1 - mover) {
      this.#offer = null;
    }
    if (this.#clock !== null && this.#position.seat !== mover) {
      this.#clock.left[mover] += this.#clock.increment;
    }
    this.#judge();
    this.#changed();
    return this.#position.last;
  }

  /** What a request turns up. */
  #revealed(position, text) {
    const square = position.target(text);
    if (!this.#shown.has(square)) {
      this.#shown.set(square, drawn(this.#unseen(), this.#fill));
    }
    return this.#shown.get(square);
  }

  /** The pool without what face-down squares are known to hold. */
  #unseen() {
    const pool = this.#position.pool;
    for (const [square, letter] of this.#shown) {
      if (this.#position.board.cells[square] === HIDDEN) {
        pool.set(letter, pool.get(letter) - 1);
      }
    }
    return pool;
  }

  /** Take the last ply back, all actions of a chain at once; also the ply that has ended the game by the rules. */
  async undo() {
    this.#lookAtClock();
    if (this.#ending !== null && this.#position.outcome() === null) {
      throw new RulesFault("The game is over.", ["game.over"]);
    }
    if (this.#position.previous === null) {
      throw new RulesFault("There is nothing to take back.", ["game.nothing_back"]);
    }
    const { side } = this.#position.previous.board;
    while (this.#position.previous?.board.side === side) {
      this.#position = this.#position.previous;
    }
    this.#ending = null;
    this.#offer = null;
    this.#assisted = true;
    this.#changed();
  }

  // ---- the end -----------------------------------------------------------------------------------------------------

  /** Let a seat lose. @param {0 | 1} [seat] by default the one to act */
  async resign(seat = this.#position.seat) {
    this.#checkOn();
    this.#end(1 - seat, "resign");
    this.#changed();
  }

  /** Offer a draw; if the other seat offers one, this accepts it. @param {0 | 1} [seat] by default the one to act */
  async offerDraw(seat = this.#position.seat) {
    this.#checkOn();
    if (this.#offer === seat) {
      throw new RulesFault("The draw is offered already.", ["game.offered"]);
    }
    if (this.#offer === null) {
      this.#offer = seat;
    } else {
      this.#end(null, "agreement");
    }
    this.#changed();
  }

  /** Accept the draw that is offered. */
  async acceptDraw() {
    this.#checkOffer();
    this.#end(null, "agreement");
    this.#changed();
  }

  /** Decline the draw that is offered. */
  async declineDraw() {
    this.#checkOffer();
    this.#offer = null;
    this.#changed();
  }

  /** Begin anew with the seats swapped, from where this game began. */
  async rematch() {
    if (this.#ending === null) {
      throw new RulesFault("The game goes on.", ["game.on"]);
    }
    this.#names.reverse();
    this.#begin(this.#position.root);
    this.#changed();
  }

  #checkOn() {
    this.#lookAtClock();
    if (this.#ending !== null) {
      throw new RulesFault("The game is over.", ["game.over"]);
    }
  }

  #checkOffer() {
    this.#checkOn();
    if (this.#offer === null) {
      throw new RulesFault("No draw is offered.", ["game.no_offer"]);
    }
  }

  #judge() {
    const outcome = this.#position.outcome();
    if (outcome !== null) {
      const { winner, termination } = outcome;
      this.#end(winner === null ? null : winner === this.#position.colour(0) ? 0 : 1, termination);
    }
  }

  #end(winner, termination) {
    this.#ending ??= { winner, termination };
    this.#offer = null;
  }

  #changed() {
    this.#number += 1;
    this.#waitForFlag();
    this.dispatchEvent(new Event("change"));
  }

  // ---- clocks ------------------------------------------------------------------------------------------------------

  #setClock(left) {
    this.#clock = left === null ? null : new Clock(left, this.#time.increment, this.#now);
    this.#waitForFlag();
  }

  /** Charge the running clock, and let its flag fall if its time has come. */
  #lookAtClock() {
    if (this.#clock === null) {
      return;
    }
    const running = this.#ending === null ? this.#position.seat : null;
    this.#clock.read(running);
    if (running !== null && this.#clock.left[running] <= 0) {
      this.#ending = { winner: 1 - running, termination: "time" };
      this.#offer = null;
    }
  }

  #waitForFlag() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#clock !== null && this.#ending === null) {
      const left = Math.max(0, this.#clock.left[this.#position.seat]);
      this.#timer = setTimeout(() => {
        this.#lookAtClock();
        if (this.#ending === null) {
          this.#waitForFlag();
        } else {
          this.#changed();
        }
      }, Math.min(left + 1, 2 ** 31 - 1));
    }
  }

  /** Let go of the clock's timer, when the game is no longer shown. */
  close() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  // ---- keeping it --------------------------------------------------------------------------------------------------

  /** What `LocalGame.from` makes the same game of; clocks stand still in between. It holds what was taken back. */
  toJSON() {
    this.#lookAtClock();
    const { rules, root, moves } = this.#position;
    return {
      version: VERSION,
      rules: rules.text,
      fen: root.fen,
      moves,
      names: this.#names,
      shown: [...this.#shown].map(([square, letter]) => [rules.geometry.names[square], letter]),
      ending: this.#ending,
      draw_offer: this.#offer,
      assisted: this.#assisted,
      number: this.#number,
      time: this.#time,
      clocks: this.#clock === null ? null : this.#clock.left,
    };
  }

  /**
   * The game that was kept.
   *
   * @param {string | object} json
   * @param {{now?: () => number, fill?: (words: Uint32Array) => void}} [settings]
   * @returns {LocalGame}
   * @throws {Error} it is no kept game
   */
  static from(json, { now, fill } = {}) {
    const kept = typeof json === "string" ? JSON.parse(json) : json;
    if (kept?.version !== VERSION) {
      throw new RulesFault("This is no game that was kept.");
    }
    const game = new LocalGame({ rules: kept.rules, fen: kept.fen, names: kept.names, now, fill });
    for (const move of kept.moves) {
      game.#position = game.#position.play(move);
    }
    game.#shown = new Map(kept.shown.map(([name, letter]) => [game.#position.rules.geometry.index(name), letter]));
    if ([...game.#unseen().values()].some((count) => !(count >= 0))) {
      throw new RulesFault("The game that was kept has been changed.");
    }
    game.#ending = kept.ending;
    game.#judge();
    game.#offer = kept.draw_offer;
    game.#assisted = kept.assisted;
    game.#number = kept.number;
    game.#time = kept.time;
    game.#setClock(kept.clocks);
    return game;
  }
}

function checkedTime(milliseconds, least) {
  if (!Number.isFinite(milliseconds) || milliseconds < least) {
    throw new RulesFault(`A clock takes ${least} milliseconds or more.`);
  }
  return milliseconds;
}
