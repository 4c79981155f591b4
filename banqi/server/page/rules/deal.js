// Whether a game's deal was what it was said to be. How a layout follows from a secret is told in `banqi/deal.py`.

import { HIDDEN, ruleSet } from "./rule_set.js";
import { Position } from "./position.js";
import { poolText } from "./notation.js";
import { RulesFault } from "./fault.js";

const VERSION = "1";
const SECRET_DIGITS = 64;
const CHECK_DIGITS = 16;
const LONGEST_NONCE = 64;
const MOST_NONCES = 16;
const COMMITMENT = /^[0-9a-f]{64}$/;
const NONCES = `((?:\\.(?:[0-9a-f]{2})+){0,${MOST_NONCES}})`;
const OPENING = new RegExp(
  `^${VERSION}\\.([0-9a-f]{${SECRET_DIGITS}})${NONCES}\\.([0-9a-f]{${CHECK_DIGITS}})$`,
);
// What the package does not call printable.
const UNPRINTABLE = /\p{C}|(?! )\p{Z}/u;
const encoder = new TextEncoder();

/**
 * What was found out of a deal.
 *
 * @typedef {object} Verdict
 * @property {boolean} holds whether nothing speaks against the deal
 * @property {string | null} fault a sentence, if the opening or the commitment is misshapen, they do not belong
 *   together, or the opening is damaged; then there is no layout
 * @property {boolean} committed whether the opening belongs to the commitment, the rule set and the start
 * @property {string[]} nonces what the opening says that the players have added, in this order
 * @property {boolean | null} nonces_agree whether these are the nonces given; null if none were given
 * @property {Map<string, string> | null} layout by the name of each square that was face down, what lay there
 * @property {number} reveals how many moves turned up what lay there
 * @property {{square: string, shown: string, lay: string, move: number} | null} differs the first move, counted from 0,
 *   that turned up something else
 */

/**
 * Recompute a deal from what its dealer has published, and compare it with the game.
 *
 * The nonces matter: a dealer could make one up afterwards. Whoever gave one compares it, by `nonces`.
 *
 * @param {object} deal
 * @param {string} deal.rules
 * @param {string} deal.commitment as it was published before the game
 * @param {string} deal.opening as it was published after it
 * @param {string[]} [deal.moves] the actions of the game with their reveals, in either column
 * @param {string | null} [deal.fen] the position text that the game began from, if not the usual start
 * @param {string[] | null} [deal.nonces] all that the players gave, in their order
 * @returns {Promise<Verdict>}
 * @throws {RulesFault} the page may not compute here, or the rules, the start or a move are none
 */
export async function verifyDeal({ rules, commitment, opening, moves = [], fen = null, nonces = null }) {
  if (globalThis.crypto?.subtle === undefined) {
    throw new RulesFault(
      "This browser lets a page compute checksums only over https or on this device itself. " +
        "Open the page by an https address, or export the game and check it with `banqi verify`.",
    );
  }
  const set = ruleSet(rules);
  const start = fen === null ? Position.start(set) : Position.parse(set, fen);
  const verdict = {
    holds: false,
    fault: null,
    committed: false,
    nonces: [],
    nonces_agree: null,
    layout: null,
    reveals: 0,
    differs: null,
  };
  const opened = readOpening(opening);
  if (opened === null) {
    return { ...verdict, fault: "The opening is misshapen." };
  }
  if (typeof commitment !== "string" || !COMMITMENT.test(commitment)) {
    return { ...verdict, fault: "The commitment is misshapen." };
  }
  const { secret, held, check } = opened;
  verdict.nonces = held;
  verdict.committed = (await commitmentOf(set, start, secret)) === commitment;
  if (!verdict.committed) {
    return { ...verdict, fault: "The opening does not belong to the commitment, the rules and the start." };
  }
  if ((await checkOf(commitment, secret, held)) !== check) {
    return { ...verdict, fault: "The opening is damaged: its check does not fit its nonces." };
  }
  if (nonces !== null) {
    verdict.nonces_agree = held.length === nonces.length && held.every((nonce, place) => nonce === nonces[place]);
  }
  const layout = await layoutOf(set, start, secret, held);
  const { names } = set.geometry;
  verdict.layout = new Map([...layout].map(([square, letter]) => [names[square], letter]));
  Object.assign(verdict, compared(start, layout, moves));
  verdict.holds = verdict.differs === null && verdict.nonces_agree !== false;
  return verdict;
}

/** How many reveals agree with a layout, and the first one that does not. */
function compared(start, layout, moves) {
  let position = start;
  let reveals = 0;
  for (const [move, text] of moves.entries()) {
    const square = position.target(text);
    position = position.play(text);
    if (position.letter === null) {
      continue;
    }
    // A face-down piece never moves, so it lay here from the beginning.
    const lay = layout.get(square);
    if (lay !== position.letter) {
      return { reveals, differs: { square: start.rules.geometry.names[square], shown: position.letter, lay, move } };
    }
    reveals += 1;
  }
  return { reveals, differs: null };
}

/** What an opening says, null if it is none. */
function readOpening(opening) {
  const match = typeof opening === "string" ? OPENING.exec(opening) : null;
  if (match === null) {
    return null;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const held = [];
  for (const digits of match[2].split(".").slice(1)) {
    try {
      held.push(decoder.decode(bytesOf(digits)));
    } catch {
      return null;
    }
    if (digits.length > 2 * LONGEST_NONCE || UNPRINTABLE.test(held.at(-1))) {
      return null;
    }
  }
  return { secret: bytesOf(match[1]), held, check: match[3] };
}

// ---- what Deal computes --------------------------------------------------------------------------------------------

function commitmentOf(rules, start, secret) {
  return digest(["banqi deal commitment", VERSION, rules.text, start.fen, secret]);
}

async function checkOf(commitment, secret, nonces) {
  const whole = await digest(["banqi deal opening", VERSION, commitment, secret, ...nonces]);
  return whole.slice(0, CHECK_DIGITS);
}

/** The letter under each face-down square: the pool, shuffled. */
async function layoutOf(rules, start, secret, nonces) {
  const pieces = [...poolText(rules, start.board.pool)];
  const stream = bytesFrom(secret, ["banqi deal layout", VERSION, rules.text, start.fen], nonces);
  for (let i = pieces.length - 1; i > 0; i -= 1) {
    const j = await draw(stream, i + 1);
    [pieces[i], pieces[j]] = [pieces[j], pieces[i]];
  }
  const squares = start.board.cells.flatMap((cell, square) => (cell === HIDDEN ? [square] : []));
  return new Map(squares.map((square, place) => [square, pieces[place]]));
}

/** A number below n: what is left over above the last whole multiple would make small numbers likelier. */
async function draw(stream, n) {
  for (;;) {
    const { value } = await stream.next();
    if (value < 256 - (256 % n)) {
      return value % n;
    }
  }
}

async function* bytesFrom(secret, before, nonces) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let number = 0; ; number += 1) {
    const message = fieldsOf([...before, String(number), ...nonces]);
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  }
}

async function digest(items) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", fieldsOf(items)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Each item after its length in bytes, as 4 bytes with the most significant first. */
function fieldsOf(items) {
  const parts = items.map((item) => (typeof item === "string" ? encoder.encode(item) : item));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const part of parts) {
    view.setUint32(offset, part.length);
    bytes.set(part, offset + 4);
    offset += 4 + part.length;
  }
  return bytes;
}

function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));
}
