// Numbers as people read them, and letters of pieces in words.

import { gameOf, pieceName, sorted } from "./pieces.js";
import { pieceOf } from "./placement.js";

/** An expected result, with its sign. @param {number} value */
export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? "0.00" : `${value < 0 ? "−" : "+"}${text}`;
}

/** A chance in percent. @param {number} chance in [0, 1] */
export function percent(chance) {
  const figure = chance * 100;
  return `${figure > 0 && figure < 9.95 ? figure.toFixed(1) : figure.toFixed(0)} %`;
}

/** Minutes and seconds of a clock, tenths below ten seconds. @param {number} milliseconds */
export function clockText(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Pieces with how many of each, such as "Red soldier × 2, Red horse". */
export function inWords(letters, junqi, words) {
  const counts = new Map();
  for (const letter of sorted(gameOf(junqi), letters)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].map(([letter, count]) => {
    const name = pieceName(pieceOf(letter), gameOf(junqi), words);
    return count === 1 ? name : `${name} × ${count}`;
  }).join(", ");
}
