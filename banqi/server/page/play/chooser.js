// The choice of a game beside the board: against whom, which game, by which rules. Its form stands in index.html, so
// that it is there with the first sight of the page.

import { html } from "../board/dom.js";
import { faultText } from "../languages/fault.js";
import { changes, t } from "../languages/index.js";
import { ruleSet } from "../rules/index.js";

/** The named rule sets of each game, the usual one first. */
export const RULES = Object.freeze({
  banqi: ["taiwan", "hongkong", "mainland", "cannon-adjacent", "dark-capture", "children", "cannon-chain"],
  double: ["double"],
  junqi: ["junqi"],
});

/** The switches in the order in which they are shown; which ones a rule set takes, the rules tell. */
const SWITCHES = [
  ["ranking", ["taiwan", "hongkong", "mainland"]],
  ["cannon", ["jump", "step"]],
  ["cannon_adjacent", null],
  ["dark_capture", null],
  ["chain", ["none", "any", "cannon"]],
  ["screens", ["any", "faceup"]],
  ["repetition", ["2", "3", "4", "5", "cycle", "none"]],
  ["perpetual", ["draw", "loses"]],
  ["quiet_limit", ["40", "50", "60", "80", "100", "120", "180"]],
];

/** Minutes for the whole game, and seconds more for each turn. */
const CLOCKS = [null, [3, 2], [5, 3], [10, 5], [15, 10], [30, 20], [60, 30]];

/**
 * @typedef {object} Choice
 * @property {"computer" | "two" | "friend"} mode
 * @property {string} rules canonical text
 * @property {"easy" | "medium" | "hard"} level
 * @property {0 | 1 | "random"} seat
 * @property {number | null} clock in milliseconds
 * @property {number} increment
 * @property {boolean} chances
 */

/** Events: `change` when another game is chosen; `choose` when it shall begin. */
export class Chooser extends EventTarget {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    super();
    this.form = form;
    this.#fillRules();
    this.#fillClocks();
    this.#fillSwitches();
    this.#explain();
    changes.addEventListener("change", () => {
      this.#fillRules();
      this.#fillClocks();
      this.#fillSwitches();
      this.#explain();
    });
    form.addEventListener("change", ({ target }) => {
      if (target.name === "game") this.#fillRules();
      if (target.name === "game" || target.name === "rules") this.#fillSwitches();
      this.#explain();
      this.dispatchEvent(new Event("change"));
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#explain()) this.dispatchEvent(new Event("choose"));
    });
  }

  /** @param {string} part */
  #part(part) {
    return this.form.querySelector(`[data-part="${part}"]`);
  }

  /** What stands in a field of the form. @param {string} name */
  #value(name) {
    return this.form.elements.namedItem(name).value;
  }

  /** @returns {Choice | null} null while the switches do not go together */
  get choice() {
    let rules;
    try {
      rules = ruleSet(this.#text());
    } catch {
      return null;
    }
    const clock = CLOCKS[Number(this.#value("clock"))];
    const seat = this.#value("seat");
    return {
      mode: this.#value("mode"),
      rules: rules.text,
      level: this.#value("level"),
      seat: seat === "random" ? seat : Number(seat),
      clock: clock === null ? null : clock[0] * 60_000,
      increment: clock === null ? 0 : clock[1] * 1000,
      chances: this.form.elements.namedItem("chances").checked,
    };
  }

  /** Set a field as a person would. @param {string} name @param {string} value */
  set(name, value) {
    const field = this.form.elements.namedItem(name);
    field.value = value;
    const one = field instanceof RadioNodeList ? [...field].find((radio) => radio.checked) : field;
    one.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** The rule set as text: its name, and the switches that were turned. */
  #text() {
    const turned = [...this.#part("switches").querySelectorAll("select")]
      .filter((select) => select.value !== "")
      .map((select) => (select.value === "yes" ? select.name : `${select.name}=${select.value}`));
    const name = this.#value("rules");
    return turned.length === 0 ? name : `${name}(${turned.join(", ")})`;
  }

  #fillRules() {
    const select = this.form.elements.namedItem("rules");
    const names = RULES[this.#value("game")];
    const chosen = names.includes(select.value) ? select.value : names[0];
    select.replaceChildren(...names.map((name) =>
      html("option", { value: name, selected: name === chosen }, t(`rules.${name}.name`))));
    select.closest("label").hidden = names.length === 1;
  }

  #fillClocks() {
    const select = this.form.elements.namedItem("clock");
    const chosen = select.value;
    select.replaceChildren(...CLOCKS.map((clock, number) => {
      const values = { minutes: clock?.[0], seconds: clock?.[1] };
      const text = t(clock === null ? "play.clock.none" : "play.clock.some", values);
      return html("option", { value: number, selected: String(number) === chosen }, text);
    }));
  }

  /** Offer the switches that the rule set takes: those with which it is still one. */
  #fillSwitches() {
    const name = this.#value("rules");
    const rows = [];
    for (const [option, words] of SWITCHES) {
      const values = words ?? ["yes"];
      const allowed = values.filter((value) => isRuleSet(`${name}(${words === null ? option : `${option}=${value}`})`));
      const usual = ruleSet(name).text;
      const turning = allowed.filter((value) =>
        ruleSet(`${name}(${words === null ? option : `${option}=${value}`})`).text !== usual);
      if (turning.length === 0) continue;
      const select = html("select", { name: option }, html("option", { value: "" }, t("play.usual")),
        ...turning.map((value) => html("option", { value }, wordOf(option, value))));
      rows.push(html("label", { class: "row" }, html("span", {}, t(`rules.${option}.name`)), select));
    }
    this.#part("switches").replaceChildren(...rows);
    this.#part("house").hidden = rows.length === 0;
  }

  /** Tell what the choice means, and show the fields that matter for it. @returns {boolean} whether it is one */
  #explain() {
    const mode = this.#value("mode");
    for (const field of this.form.querySelectorAll("[data-for]")) {
      field.hidden = !field.dataset.for.split(" ").includes(mode);
    }
    this.#part("start").textContent = t(mode === "friend" ? "play.make_link" : "play.start");
    const name = this.#value("rules");
    let fault = "";
    try {
      ruleSet(this.#text());
    } catch (error) {
      fault = faultText(error);
    }
    this.#part("explanation").textContent = t(`rules.${name}.text`);
    this.#part("fault").textContent = fault;
    this.#part("fault").hidden = fault === "";
    this.#part("start").disabled = fault !== "";
    return fault === "";
  }
}

function isRuleSet(text) {
  try {
    ruleSet(text);
    return true;
  } catch {
    return false;
  }
}

function wordOf(option, value) {
  if (/^[0-9]+$/.test(value)) return value;
  return value === "yes" ? t("play.yes") : t(`rules.${option}.${value}`);
}

/** The name by which a rule set is known to people. @param {string} text canonical @returns {string} */
export function nameOf(text) {
  const [, name, options] = /^([^(]*)(?:\((.*)\))?$/.exec(text);
  const turned = (options ?? "").split(", ").filter((option) => option !== "").map((option) => {
    const [switched, value] = option.split("=");
    const word = t(`rules.${switched}.name`);
    return value === undefined ? word : `${word}: ${wordOf(switched, value)}`;
  });
  return [t(`rules.${name}.name`), ...turned].join(", ");
}

/** @param {string} rules @returns {"banqi" | "double" | "junqi"} the game in which it is chosen */
export function gameOf(rules) {
  const name = rules.split("(")[0];
  return name === "double" || name === "junqi" ? name : "banqi";
}
