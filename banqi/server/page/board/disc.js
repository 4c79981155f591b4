// A piece as it looks: a disc around 0, 0. Red has a full ring, the other side a broken one; face down is a lattice.

import { svg } from "./dom.js";
import { pictogram } from "./pictograms.js";
import { gameOf, hueOf, shortSignOf, signOf } from "./pieces.js";

/** @typedef {"traditional"|"simplified"|"letters"|"pictograms"} Glyphs */

/** @type {Glyphs[]} */
export const GLYPHS = ["traditional", "simplified", "letters", "pictograms"];

// Rings are broken into so many strokes, whatever their size.
const STROKES = 12;

/**
 * @param {import("./placement.js").Piece} piece
 * @param {{radius: number, glyphs: Glyphs, junqi: boolean, size?: "large"|"small"}} look
 *   size: a small disc has a sign of one character.
 * @returns {SVGElement}
 */
export function disc(piece, { radius, glyphs, junqi, size = "large" }) {
  if (piece.down) return back(radius);
  const game = gameOf(junqi);
  const hue = hueOf(game, piece.colour);
  const ring = radius - 4.5;
  const stroke = (2 * Math.PI * ring) / STROKES;
  return svg("g", { class: `disc ${hue}` },
    svg("circle", { class: "body", r: radius }),
    svg("circle", {
      class: "ring", r: ring, "stroke-dasharray": hue === "red" ? null : `${stroke * 0.62} ${stroke * 0.38}`,
    }),
    glyph(piece, { radius, glyphs, game, size }));
}

/**
 * A piece in a picture of its own, for tables and lists; the words beside it name it.
 * @param {import("./placement.js").Piece} piece
 * @param {{glyphs: Glyphs, junqi: boolean}} look
 * @returns {SVGElement}
 */
export function smallDisc(piece, { glyphs, junqi }) {
  return svg("svg", { class: "piece", viewBox: "-44 -44 88 88", "aria-hidden": "true" },
    disc(piece, { radius: 42, glyphs, junqi, size: "small" }));
}

function back(radius) {
  // Three chords each way, cut off where the rim begins.
  const inner = radius - 5;
  const chords = [-1, 0, 1].flatMap((n) => {
    const away = n * inner * 0.56;
    const half = Math.sqrt(inner * inner - away * away);
    const [near, far] = [(away - half) * Math.SQRT1_2, (away + half) * Math.SQRT1_2];
    return [`M${near} ${far}L${far} ${near}`, `M${-near} ${far}L${-far} ${near}`];
  });
  return svg("g", { class: "disc back" },
    svg("circle", { class: "body", r: radius }),
    svg("path", { class: "lattice", d: chords.join("") }),
    svg("circle", { class: "rim", r: radius - 4.5 }));
}

function glyph(piece, { radius, glyphs, game, size }) {
  if (glyphs === "pictograms") {
    return svg("path", {
      class: "pictogram", d: pictogram(game, piece.kind), "fill-rule": "evenodd",
      transform: `scale(${radius / 33}) translate(-24 -24)`,
    });
  }
  const isLetter = glyphs === "letters";
  const sign = isLetter
    ? piece.colour === "r" ? piece.kind : piece.kind.toLowerCase()
    : (size === "small" ? shortSignOf : signOf)(game, piece.kind, piece.colour, glyphs);
  const height = radius * (isLetter ? 1.15 : sign.length > 1 ? 0.76 : 1.24);
  // The signs of the font fill their square, whose middle is 0.38 of their size above the line they stand on.
  const down = height * (isLetter ? 0.35 : 0.38);
  return svg("text", { class: `glyph ${glyphs}`, y: down, "font-size": height }, sign);
}
