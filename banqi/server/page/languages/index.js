// The languages of the page: which there are, the one in use, and its texts by key.

import { texts as english } from "./en.js";

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Text A text, or one for each plural form. */

/** The languages by code, each by its own name. */
export const languages = Object.freeze([
  { code: "en", name: "English" },
  { code: "it", name: "Italiano" },
  { code: "fr", name: "Français" },
  { code: "ru", name: "Русский" },
  { code: "zh-Hans", name: "简体中文" },
  { code: "zh-Hant", name: "繁體中文" },
]);

const STORED = "banqi.language";

/** Where a change of language is told: an event `change`, after which `t` speaks the new one. */
export const changes = new EventTarget();

let current = "en";
/** @type {Record<string, Text>} */
let texts = english;
let plural = new Intl.PluralRules("en");
let asked = 0;

/** @returns {string} the code of the language in use */
export function language() {
  return current;
}

/**
 * The first language of a list that the page speaks; Chinese is told apart by its script (zh-TW is zh-Hant).
 *
 * @param {readonly string[]} wanted codes such as `navigator.languages`
 * @returns {string} a code of `languages`
 */
export function preferred(wanted) {
  for (const code of wanted) {
    const found = spoken(code);
    if (found !== null) return found;
  }
  return "en";
}

/** @param {string} code @returns {string | null} */
function spoken(code) {
  let locale;
  try {
    locale = new Intl.Locale(code).maximize();
  } catch {
    return null; // a code that is none
  }
  const name = locale.language === "zh" ? `zh-${locale.script}` : locale.language;
  return languages.some((one) => one.code === name) ? name : null;
}

/**
 * Speak a language from now on: load its texts, remember it, tell the document and whoever listens to `changes`.
 *
 * @param {string} [code] without it the one remembered, or else what the browser prefers
 * @returns {Promise<string>} the code of the language that is spoken
 */
export async function choose(code) {
  const chosen = preferred(code === undefined ? [remembered(), ...(globalThis.navigator?.languages ?? [])] : [code]);
  const turn = ++asked;
  const loaded = chosen === "en" ? english : (await import(`./${chosen}.js`)).texts;
  if (turn !== asked) return current; // a later choice was faster
  current = chosen;
  texts = loaded;
  plural = new Intl.PluralRules(chosen);
  if (code !== undefined) remember(chosen);
  if (globalThis.document) document.documentElement.lang = chosen;
  changes.dispatchEvent(new Event("change"));
  return current;
}

/** @returns {string} what was chosen before, "" if nothing was or nothing can be kept */
function remembered() {
  try {
    return globalThis.localStorage?.getItem(STORED) ?? "";
  } catch {
    return ""; // storage is forbidden
  }
}

/** @param {string} code */
function remember(code) {
  try {
    globalThis.localStorage?.setItem(STORED, code);
  } catch {
    // storage is forbidden: the choice lasts as long as the page
  }
}

/**
 * A text in the language in use: in English where it has none, the key itself where nobody has.
 *
 * A text with plural forms is chosen by the value `count`. The result is plain text: it goes into the page by
 * `textContent` only.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values] what stands for {name} in the text
 * @returns {string}
 */
export function t(key, values = {}) {
  const own = Object.hasOwn(texts, key);
  if (!own && !Object.hasOwn(english, key)) return key;
  const text = own ? texts[key] : english[key];
  const forms = own ? plural : new Intl.PluralRules("en");
  const form = typeof text === "string" ? text : (text[forms.select(Number(values.count))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

/** @param {string} key @returns {boolean} whether there is a text */
export function has(key) {
  return Object.hasOwn(texts, key) || Object.hasOwn(english, key);
}
