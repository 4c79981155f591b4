// The board under the pieces: Banqi's squares; Junqi's roads, railways, camps, headquarters and mountains.

import { svg } from "./dom.js";
import { CAMPS, EDGES, HEADQUARTERS, MOUNTAINS } from "./roads.js";

/** @param {import("./layout.js").Layout} layout @returns {SVGElement} */
export function ground(layout) {
  const { x, y, width, height } = layout.inner;
  const board = svg("rect", { class: "board", x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: 10 });
  const parts = layout.shape.junqi ? junqi(layout) : banqi(layout);
  return svg("g", { class: "ground" }, board, ...parts);
}

function banqi({ inner: { x, y, width, height }, columns, rows }) {
  const lines = [];
  for (let n = 0; n <= columns; n += 1) lines.push(`M${x + n * 100} ${y}v${height}`);
  for (let n = 0; n <= rows; n += 1) lines.push(`M${x} ${y + n * 100}h${width}`);
  return [svg("path", { class: "line", d: lines.join("") })];
}

function junqi({ places }) {
  const lines = { road: "", railway: "" };
  for (const { one, other, railway } of EDGES) {
    const [from, to] = [places[one], places[other]];
    lines[railway ? "railway" : "road"] += `M${from.x} ${from.y}L${to.x} ${to.y}`;
  }
  const posts = places.map(({ x, y }, square) => {
    if (CAMPS.has(square)) return svg("circle", { class: "camp", cx: x, cy: y, r: 33 });
    if (HEADQUARTERS.has(square)) return headquarters(x, y);
    return svg("rect", { class: "post", x: x - 24, y: y - 15, width: 48, height: 30, rx: 4 });
  });
  const mountains = MOUNTAINS.map(([south, north]) => {
    const [x, y] = [places[south].x, (places[south].y + places[north].y) / 2];
    return svg("path", { class: "mountain", d: `M${x - 36} ${y + 16}l20-28 13 17 13-21 26 32z` });
  });
  return [
    svg("path", { class: "road", d: lines.road }),
    svg("path", { class: "railway", d: lines.railway }),
    svg("path", { class: "sleepers", d: lines.railway }),
    ...posts,
    ...mountains,
  ];
}

function headquarters(x, y) {
  const roof = `M${x - 36} ${y - 12}L${x} ${y - 36}L${x + 36} ${y - 12}`;
  return svg("path", { class: "headquarters", d: `${roof}V${y + 34}H${x - 36}Z` });
}

/** The names of files and ranks at two edges. @param {import("./layout.js").Layout} layout @returns {SVGElement} */
export function coordinates(layout) {
  const { shape, lying, places, inner, margin } = layout;
  const below = inner.y + inner.height + margin / 2;
  const files = Array.from({ length: shape.files }, (_, file) => {
    const place = places[file];
    const name = String.fromCharCode(97 + file);
    return lying ? text(margin / 2 - 2, place.y, name) : text(place.x, below, name);
  });
  const ranks = Array.from({ length: shape.ranks }, (_, rank) => {
    const place = places[rank * shape.files];
    return lying ? text(place.x, below, rank + 1) : text(margin / 2 - 2, place.y, rank + 1);
  });
  // The more a drawing is scaled down to its place, the larger its letters.
  const size = shape.junqi ? 26 : layout.columns > 4 ? 18 : 22;
  return svg("g", { class: "coordinates", "font-size": size }, ...files, ...ranks);
}

function text(x, y, content) {
  return svg("text", { x, y }, String(content));
}
