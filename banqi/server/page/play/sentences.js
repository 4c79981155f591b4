// What has happened, in sentences for people.

import { t } from "../languages/index.js";

/**
 * A side's colour in words: upper case is red, lower case black, in Junqi blue.
 *
 * @param {"r" | "b" | null} colour
 * @param {{game: string}} rules
 * @returns {string} "" while it is not known
 */
export function sideWord(colour, rules) {
  if (colour === null) return "";
  return t(colour === "r" ? "colour.red" : rules.game === "junqi" ? "colour.blue" : "colour.black");
}

/**
 * How a game has ended.
 *
 * @param {any} state
 * @param {{game: string, fields: {quiet_limit: number}}} rules
 * @returns {string}
 */
export function outcomeText(state, rules) {
  const { winner, termination } = state;
  if (winner === null) return t(`end.draw.${termination}`, { count: rules.fields.quiet_limit });
  const [won, lost] = [winner, 1 - winner].map((seat) =>
    sideWord(state.seats[seat].colour, rules) || state.seats[seat].name || t(`play.seat.${seat}`));
  return t(`end.win.${termination}`, { winner: won, loser: lost });
}
