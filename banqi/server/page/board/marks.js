// What is drawn over and under the pieces: each mark has a shape of its own, so that none is told by hue alone.

import { svg } from "./dom.js";
import { wayBetween } from "./roads.js";

/** The square that a piece has left, and the one where it is now. @returns {SVGElement[]} */
export function lastMarks(layout, action, isEmpty) {
  if (action.from === null) return [];
  const marks = [corners(layout, action.to, "last")];
  if (action.from !== action.to) {
    const { x, y } = layout.places[action.from];
    marks.unshift(svg("circle", { class: "left", cx: x, cy: y, r: 12 }));
    if (layout.shape.junqi) marks.unshift(way(layout, action, isEmpty, "way"));
  }
  return marks;
}

/** Along roads and railways, as the piece went. */
function way(layout, { from, to }, isEmpty, name) {
  const points = wayBetween(from, to, isEmpty).map((square) => layout.places[square]);
  return svg("path", { class: name, d: `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}` });
}

/** Four corners around a square. */
export function corners(layout, square, name) {
  const { x, y } = layout.places[square];
  const [w, h] = [layout.cell.width / 2 - 4, layout.cell.height / 2 - (layout.shape.junqi ? 0 : 4)];
  const [left, right, top, bottom, arm] = [x - w, x + w, y - h, y + h, 17];
  return svg("path", {
    class: name,
    d: `M${left} ${top + arm}v${-arm}h${arm}M${right - arm} ${top}h${arm}v${arm}`
      + `M${right} ${bottom - arm}v${arm}h${-arm}M${left + arm} ${bottom}h${-arm}v${-arm}`,
  });
}

/** Around the piece in hand. */
export function selectedMark(layout, square) {
  const { x, y } = layout.places[square];
  return svg("circle", { class: "selected", cx: x, cy: y, r: layout.radius + 2 });
}

/** A dot where the piece can step. */
export function stepMark(layout, square) {
  const { x, y } = layout.places[square];
  return svg("circle", { class: "step", cx: x, cy: y, r: 13 });
}

/**
 * A ring around what can be attacked. kind: "takes", a ring with four strokes; "both" go, a broken one; "loses", a ring with a bar;
 * "attempt", a ring of dots around a face-down piece.
 */
export function attackMark(layout, square, kind) {
  const { x, y } = layout.places[square];
  const r = layout.radius + 1;
  const ring = svg("circle", { class: `attack ${kind}`, cx: x, cy: y, r });
  const [near, far] = [r * Math.SQRT1_2, (r + 15) * Math.SQRT1_2];
  if (kind === "takes") return svg("g", {}, ring, svg("path", { class: "aim", d: aim(x, y, near, far) }));
  if (kind !== "loses") return ring;
  return svg("g", {}, ring, svg("path", {
    class: "bar", d: `M${x - near} ${y + near}L${x + near} ${y - near}`,
  }));
}

/** Four strokes outwards: the piece in hand has a ring too, and must not look like what it can take. */
function aim(x, y, near, far) {
  return [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([right, down]) =>
    `M${x + right * near} ${y + down * near}L${x + right * far} ${y + down * far}`).join("");
}

/** A bridge over the screen that a cannon jumps. */
export function bridgeMark(layout, screen, target) {
  const [over, to] = [layout.places[screen], layout.places[target]];
  const [dx, dy] = [Math.sign(to.x - over.x), Math.sign(to.y - over.y)];
  const half = layout.radius + 7;
  // An arch rises to the side, and beside a line that runs upwards to the right.
  const [rise, aside] = dx ? [-half * 1.1, 0] : [0, half * 1.1];
  const [from, end] = [[over.x - dx * half, over.y - dy * half], [over.x + dx * half, over.y + dy * half]];
  const d = `M${from.join(" ")}Q${over.x + aside} ${over.y + rise} ${end.join(" ")}`;
  return svg("g", { class: "bridge" }, svg("path", { class: "under", d }), svg("path", { d }));
}

/** A question at the square that waits for a second tap. */
export function armedMark(layout, square) {
  const { x, y } = layout.places[square];
  return svg("g", { class: "armed" },
    svg("circle", { cx: x, cy: y, r: layout.radius + 2 }),
    badge(x, y, "?"));
}

/** The sign that a chain may be stopped here. */
export function chainMark(layout, square) {
  const { x, y } = layout.places[square];
  const [cx, cy] = [x + layout.radius * 0.72, y + layout.radius * 0.72];
  return svg("g", { class: "stop" },
    svg("circle", { cx, cy, r: 17 }),
    svg("rect", { x: cx - 6.5, y: cy - 6.5, width: 13, height: 13, rx: 1.5 }));
}

function badge(x, y, text) {
  return svg("g", {},
    svg("circle", { class: "badge", cx: x, cy: y, r: 18 }),
    svg("text", { x, y: y + 9, "font-size": 26 }, text));
}

/** A piece that the other side could take. */
export function threatMark(layout, square) {
  const { x, y } = layout.places[square];
  const top = y - layout.radius - 2;
  return svg("path", { class: "threat", d: `M${x - 12} ${top}h24l-12 17z` });
}

/** An action that is shown: an arrow, or a frame around a square to be flipped. */
export function hintMark(layout, { from, to }) {
  if (from === null) return svg("g");
  const [start, end] = [layout.places[from], layout.places[to]];
  if (from === to) return svg("circle", { class: "hint", cx: end.x, cy: end.y, r: layout.radius - 12 });
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const [tipX, tipY] = [end.x - dx * 8, end.y - dy * 8];
  const wing = (side) => `${tipX - dx * 24 + side * dy * 17} ${tipY - dy * 24 - side * dx * 17}`;
  return svg("g", { class: "hint" },
    svg("path", { class: "under", d: `M${start.x} ${start.y}L${tipX - dx * 14} ${tipY - dy * 14}` }),
    svg("path", { class: "shaft", d: `M${start.x} ${start.y}L${tipX - dx * 14} ${tipY - dy * 14}` }),
    svg("path", { class: "head", d: `M${tipX} ${tipY}L${wing(1)}L${wing(-1)}Z` }));
}

/** The square between that is not empty, if the action jumps over one. @returns {number|null} */
export function screenOf(shape, from, to, isEmpty) {
  if (shape.junqi) return null;
  const { files } = shape;
  const [dRank, dFile] = [Math.floor(to / files) - Math.floor(from / files), (to % files) - (from % files)];
  const distance = Math.abs(dRank) + Math.abs(dFile);
  const step = Math.sign(dRank) * files + Math.sign(dFile);
  for (let n = 1; n < distance; n += 1) {
    if (!isEmpty(from + n * step)) return from + n * step;
  }
  return null;
}
