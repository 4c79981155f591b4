// The page's address: everything stands in the fragment, which no server sees.

/**
 * What is to be shown.
 *
 * @returns {{view: string, game: string | null, invitation: string | null, rest: URLSearchParams}}
 */
export function asked() {
  const rest = new URLSearchParams(location.hash.slice(1));
  const game = rest.get("game");
  const view = game !== null ? "game" : ["analysis", "learn", "two"].find((name) => rest.has(name)) ?? "first";
  return { view, game, invitation: rest.get("invitation"), rest };
}

/** Change the address without a step in the history. @param {string} fragment */
export function become(fragment) {
  history.replaceState(null, "", fragment === "" ? location.pathname : `#${fragment}`);
}

/** @param {string} game @param {string} [invitation] @returns {string} a link that opens it */
export function linkOf(game, invitation) {
  const fragment = new URLSearchParams(invitation === undefined ? { game } : { game, invitation });
  return `${location.origin}/#${fragment}`;
}
