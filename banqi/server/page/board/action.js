// Actions as text, in both columns of the notation: `a1`, `a1-b1(k)`, `end`, and `a1a1`, `a1b1k`, `0000`.

import { squareOf } from "./squares.js";

const FORM = /^([a-h]\d{1,2})(?:-?([a-h]\d{1,2}))?(?:\(([A-Za-z])\)|([A-Za-z]))?$/;

/**
 * @typedef {{text: string, from: number|null, to: number|null, reveal: string|null}} Action
 * A flip has `from` equal to `to`; the end of a chain has neither.
 */

/**
 * @param {string} text
 * @param {import("./squares.js").Shape} shape
 * @returns {Action|null} null if the text is no action.
 */
export function parseAction(text, shape) {
  if (text === "end" || text === "0000") return { text, from: null, to: null, reveal: null };
  const found = FORM.exec(text);
  if (!found) return null;
  const from = squareOf(found[1], shape);
  return { text, from, to: found[2] ? squareOf(found[2], shape) : from, reveal: found[3] ?? found[4] ?? null };
}
