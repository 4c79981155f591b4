// The board as the page shows it before any script has run: its markup stands in index.html, where
// `tests/first_view.py` puts it.

import { disc } from "../board/disc.js";
import { svg } from "../board/dom.js";
import { coordinates, ground } from "../board/ground.js";
import { Layout } from "../board/layout.js";

const DOWN = { kind: null, colour: null, down: true };

/**
 * The start of Banqi as a drawing.
 *
 * @param {"lying" | "standing"} way
 * @returns {SVGElement}
 */
export function firstBoard(way) {
  const shape = { files: 4, ranks: 8, junqi: false };
  const layout = new Layout(shape, { lying: way === "lying", coordinates: true });
  const id = `down-${way}`;
  const back = disc(DOWN, { radius: layout.radius, glyphs: "letters", junqi: false });
  back.setAttribute("id", id);
  return svg("svg", { class: `first ${way}`, viewBox: `0 0 ${layout.width} ${layout.height}`, "aria-hidden": "true" },
    svg("defs", {}, back), ground(layout), coordinates(layout),
    ...layout.places.map(({ x, y }) => svg("use", { href: `#${id}`, x, y })));
}
