// What the events of an online game add up to for a page: the actions that stand, with what they turned up.

/**
 * @param {{event: string, seat?: number, move?: string, plies?: number}[]} events
 * @returns {string[]} the actions that were not taken back; a ply is all actions of one seat in a row
 */
export function movesOf(events) {
  /** @type {{seat: number, move: string}[]} */
  const played = [];
  for (const event of events) {
    if (event.event === "moved") played.push({ seat: event.seat, move: event.move });
    if (event.event !== "taken_back") continue;
    for (let ply = 0; ply < event.plies; ply += 1) {
      const seat = played.at(-1)?.seat;
      while (played.length > 0 && played.at(-1).seat === seat) played.pop();
    }
  }
  return played.map(({ move }) => move);
}
