// Lines that a search has found, as a list; and the fan of what a flip may turn up.

import { html } from "../board/dom.js";
import { t } from "../languages/index.js";
import { settings } from "../play/settings.js";
import { words } from "../play/words.js";

/** An expected result for people: its sign always shown. @param {number} value @returns {string} */
export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  return value < 0 ? `−${text}` : `+${text}`;
}

/** @param {any} line @returns {string} its value in words */
function valueOf(line) {
  if (!line.proven) return signed(line.value);
  const key = line.value > 0 ? "review.wins" : line.value < 0 ? "review.loses" : "review.draws";
  return line.plies === null ? t(key) : `${t(key)} (${t("review.plies", { count: Math.round(line.plies) })})`;
}

/**
 * @param {any[]} lines best first
 * @param {(line: any) => void} [choose] called with the line that is pressed
 * @returns {HTMLElement}
 */
export function linesElement(lines, choose) {
  return html("ol", { class: "lines" }, ...lines.map((line) => {
    const pv = html("span", { class: "pv" }, line.pv.join(" "));
    const text = [html("span", { class: "value" }, valueOf(line)), " ", pv];
    if (choose === undefined) return html("li", {}, ...text);
    const button = html("button", { type: "button" }, ...text);
    button.addEventListener("click", () => choose(line));
    return html("li", {}, button);
  }));
}

/**
 * @param {any} line with reveals
 * @param {{game: string}} rules
 * @param {string | null} turned what was turned up in the game
 * @returns {HTMLElement}
 */
export function fanElement(line, rules, turned) {
  const fan = html("banqi-fan");
  Object.assign(fan, {
    words, glyphs: settings.get("glyphs"), junqi: rules.game === "junqi",
    mean: line.value, reveals: line.reveals, turned,
  });
  return fan;
}
