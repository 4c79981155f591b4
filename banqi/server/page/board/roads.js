// Junqi's board: camps, headquarters, mountains, roads and railways, made from the sentences of the rules.

import { nameOf, squareOf } from "./squares.js";

/** @type {import("./squares.js").Shape} */
export const JUNQI = { files: 5, ranks: 12, junqi: true };

const numbers = (names) => new Set(names.split(" ").map((name) => squareOf(name, JUNQI)));

export const CAMPS = numbers("b3 d3 c4 b5 d5 b8 d8 c9 b10 d10");
export const HEADQUARTERS = numbers("b1 d1 b12 d12");
/** Pairs of squares between which no road leads. */
export const MOUNTAINS = [["b6", "b7"], ["d6", "d7"]].map((pair) => pair.map((name) => squareOf(name, JUNQI)));

function isRailway(one, other) {
  const [from, to] = [nameOf(one, JUNQI), nameOf(other, JUNQI)];
  const [rank, next] = [Number(from.slice(1)), Number(to.slice(1))];
  if (rank === next) return [2, 6, 7, 11].includes(rank);
  if (from[0] === "c") return rank === 6 && next === 7;
  return "ae".includes(from[0]) && rank >= 2 && next <= 11;
}

function madeEdges() {
  const edges = [];
  for (let one = 0; one < 60; one += 1) {
    const [rank, file] = [Math.floor(one / 5), one % 5];
    for (const [up, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      const other = one + 5 * up + right;
      if (rank + up > 11 || file + right < 0 || file + right > 4) continue;
      if (up && right && !CAMPS.has(one) && !CAMPS.has(other)) continue;
      if (MOUNTAINS.some(([south, north]) => south === one && north === other)) continue;
      edges.push({ one, other, railway: !(up && right) && isRailway(one, other) });
    }
  }
  return edges;
}

/** @type {{one: number, other: number, railway: boolean}[]} one < other */
export const EDGES = madeEdges();

/**
 * The shortest way of a move: by one road, or along railways between empty squares.
 * @param {number} from
 * @param {number} to
 * @param {(square: number) => boolean} isEmpty
 * @returns {number[]} the squares passed, both ends included; the ends alone if there is no such way.
 */
export function wayBetween(from, to, isEmpty) {
  const joined = (one, other) => EDGES.find((edge) =>
    (edge.one === one && edge.other === other) || (edge.one === other && edge.other === one));
  if (joined(from, to)) return [from, to];
  const before = new Map([[from, null]]);
  for (const square of before.keys()) {
    for (const edge of EDGES) {
      if (!edge.railway || (edge.one !== square && edge.other !== square)) continue;
      const next = edge.one === square ? edge.other : edge.one;
      if (before.has(next) || (next !== to && !isEmpty(next))) continue;
      before.set(next, square);
    }
    if (before.has(to)) break;
  }
  if (!before.has(to)) return [from, to];
  const way = [];
  for (let square = to; square !== null; square = before.get(square)) way.unshift(square);
  return way;
}
