// The kinds of both games in canonical order, and the signs on their discs. Junqi's men look the same on both sides.

const KINDS = {
  banqi: {
    K: { count: 1, traditional: ["帥", "將"], simplified: ["帅", "将"] },
    G: { count: 2, traditional: ["仕", "士"], simplified: ["仕", "士"] },
    M: { count: 2, traditional: ["相", "象"], simplified: ["相", "象"] },
    R: { count: 2, traditional: ["俥", "車"], simplified: ["车", "车"] },
    N: { count: 2, traditional: ["傌", "馬"], simplified: ["马", "马"] },
    C: { count: 2, traditional: ["炮", "包"], simplified: ["炮", "炮"] },
    P: { count: 5, traditional: ["兵", "卒"], simplified: ["兵", "卒"] },
  },
  junqi: {
    M: { count: 1, traditional: ["司令", "司令"], simplified: ["司令", "司令"] },
    G: { count: 1, traditional: ["軍長", "軍長"], simplified: ["军长", "军长"] },
    D: { count: 2, traditional: ["師長", "師長"], simplified: ["师长", "师长"] },
    B: { count: 2, traditional: ["旅長", "旅長"], simplified: ["旅长", "旅长"] },
    R: { count: 2, traditional: ["團長", "團長"], simplified: ["团长", "团长"] },
    T: { count: 2, traditional: ["營長", "營長"], simplified: ["营长", "营长"] },
    C: { count: 3, traditional: ["連長", "連長"], simplified: ["连长", "连长"] },
    P: { count: 3, traditional: ["排長", "排長"], simplified: ["排长", "排长"] },
    E: { count: 3, traditional: ["工兵", "工兵"], simplified: ["工兵", "工兵"] },
    O: { count: 2, traditional: ["炸彈", "炸彈"], simplified: ["炸弹", "炸弹"] },
    L: { count: 3, traditional: ["地雷", "地雷"], simplified: ["地雷", "地雷"] },
    F: { count: 1, traditional: ["軍旗", "軍旗"], simplified: ["军旗", "军旗"] },
  },
};

/** @typedef {"banqi"|"junqi"} Game */

/** @param {boolean} junqi @returns {Game} */
export function gameOf(junqi) {
  return junqi ? "junqi" : "banqi";
}

/** The letters of a game's kinds in canonical order, which is also how trays are sorted. @param {Game} game */
export function kindsOf(game) {
  return Object.keys(KINDS[game]);
}

/** How many of a kind one set has for each side. */
export function countOf(game, kind) {
  return KINDS[game][kind].count;
}

/** The Chinese sign of a piece. script: "traditional" or "simplified". */
export function signOf(game, kind, colour, script) {
  return KINDS[game][kind][script][colour === "r" ? 0 : 1];
}

/** One character of a sign for where there is little room: of a mine and a flag the second, which no other sign has. */
export function shortSignOf(game, kind, colour, script) {
  const sign = signOf(game, kind, colour, script);
  return game === "junqi" && "LF".includes(kind) ? sign[1] : sign[0];
}

/** The colour that a side is drawn in. @returns {"red"|"black"|"blue"} */
export function hueOf(game, colour) {
  if (colour === "r") return "red";
  return game === "junqi" ? "blue" : "black";
}

/** @typedef {(key: string, values?: Record<string, string | number>) => string} Words */

/** What a piece is called, with its colour. @param {Words} words @returns {string} */
export function pieceName({ kind, colour, down }, game, words) {
  if (down) return words("board.down");
  // One text for both, since a piece's colour agrees with its name in many languages.
  return words(`piece.${game}.${colour}.${kind}`);
}

/** Letters of a pool or a tray, sorted: red first, in canonical order. @param {Iterable<string>} letters */
export function sorted(game, letters) {
  const order = kindsOf(game).join("") + kindsOf(game).join("").toLowerCase();
  return [...letters].sort((one, other) => order.indexOf(one) - order.indexOf(other));
}
