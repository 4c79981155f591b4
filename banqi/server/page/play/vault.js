// What this browser keeps: settings, and the seats of its games. Where storage is forbidden it lasts as long as the
// page.

const PREFIX = "banqi.";
const MOST_GAMES = 100;

/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @param {string} name
 * @returns {any} what was kept, null if nothing was or it is damaged
 */
export function kept(name) {
  let text = memory.get(name) ?? null;
  try {
    text = localStorage.getItem(PREFIX + name) ?? text;
  } catch {
    // Storage is forbidden.
  }
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {any} value null to forget it
 */
export function keep(name, value) {
  const text = JSON.stringify(value);
  memory.set(name, text);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // Forbidden or full.
  }
}

/**
 * @typedef {object} Seat
 * @property {string} [token] opens the seat; without one the browser watches
 * @property {0 | 1} [seat]
 * @property {string} [nonce] the player's share in the layout, with the key of the request that gives it
 * @property {string} [nonceKey]
 * @property {string} [joinKey] so that joining again answers the same
 * @property {string} [invitation] what a friend joins with
 * @property {string} [commitment] as it was when the game was first seen
 * @property {number} [used] when, to forget the oldest
 */

/** @param {string} game @returns {Seat} what is kept of a game */
export function seatOf(game) {
  return kept("games")?.[game] ?? {};
}

/**
 * Keep more of a game.
 *
 * @param {string} game
 * @param {Seat} more
 * @returns {Seat} all that is kept of it
 */
export function keepSeat(game, more) {
  const games = kept("games") ?? {};
  games[game] = { ...games[game], ...more, used: Date.now() };
  const names = Object.keys(games).sort((a, b) => games[b].used - games[a].used);
  for (const name of names.slice(MOST_GAMES)) delete games[name];
  keep("games", games);
  return games[game];
}

/** @returns {string} a text that nobody guesses: 128 bits in letters and digits */
export function randomText() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
