// How pieces turn and slide. Nothing moves for people who have asked their system for less motion.

import { disc } from "./disc.js";
import { pieceOf } from "./placement.js";
import { svg } from "./dom.js";

export const TURN = 200;
const SLIDE = 180;

/** Whether motion is wanted. */
export function moves() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Show how one placement became the next by an action, if that is what has happened.
 * @param {{layer: SVGElement, layout: any, look: any, discs: (SVGElement|null)[], action: any,
 *   before: any[], after: any[], wasCarried: boolean}} change
 *   discs: what has been drawn of `after`; wasCarried: whether the piece lies at its target already.
 */
export function animate({ layer, layout, look, discs, action, before, after, wasCarried }) {
  const same = (one, other) => one?.kind === other?.kind && one?.colour === other?.colour && one?.down === other?.down;
  const changed = after.flatMap((piece, square) => (same(piece, before[square]) ? [] : [square]));
  const { from, to } = action;
  if (from === null || changed.length === 0 || changed.some((square) => square !== from && square !== to)) return;
  const ghost = (piece, square) => {
    const { x, y } = layout.places[square];
    const inner = disc(piece, look);
    const outer = svg("g", { class: "ghost", transform: `translate(${x} ${y})` }, inner);
    layer.append(outer);
    return inner;
  };
  const vanish = (piece, square, delay) => {
    const gone = ghost(piece, square);
    play(gone, [{ opacity: 1, transform: "scale(1)" }, { opacity: 0, transform: "scale(0.6)" }], 120, delay)
      .addEventListener("finish", () => gone.parentNode.remove());
    return gone;
  };
  const turn = (square, shown) => {
    const back = ghost({ down: true }, square);
    play(back, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], TURN / 2, 0)
      .addEventListener("finish", () => back.parentNode.remove());
    play(shown, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], TURN / 2, TURN / 2);
  };

  if (from === to || same(before[from], after[from])) {
    if (discs[to] && before[to]?.down) turn(to, discs[to]);
    return;
  }
  const victim = before[to];
  const stays = victim && same(victim, after[to]);
  const wait = victim?.down ? TURN + 80 : 0;
  if (victim && !stays) {
    const shown = victim.down && action.reveal ? pieceOf(action.reveal) : victim;
    const gone = vanish(shown, to, wait + SLIDE - 60);
    if (victim.down) turn(to, gone);
  }
  const arrived = same(before[from], after[to]) && !stays;
  const mover = arrived ? discs[to] : vanish(before[from], from, SLIDE);
  const [start, end] = [layout.places[wasCarried ? to : from], layout.places[to]];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  if (arrived) layer.append(mover.parentNode);
  const carrier = arrived ? mover : mover.parentNode;
  const way = arrived
    ? [{ transform: `translate(${-dx}px, ${-dy}px)` }, { transform: "translate(0, 0)" }]
    : [{ transform: `translate(${start.x}px, ${start.y}px)` }, { transform: `translate(${end.x}px, ${end.y}px)` }];
  play(carrier, way, SLIDE, wait, arrived ? "backwards" : "both");
}

function play(element, frames, duration, delay, fill = "both") {
  return element.animate(frames, { duration, delay, fill, easing: "ease-out" });
}
