// What a person has set, kept in this browser; and the dialog that sets it.

import { html } from "../board/dom.js";
import { choose, language, languages, t } from "../languages/index.js";
import { keep, kept } from "./vault.js";

export const DEFAULTS = Object.freeze({
  name: "",
  theme: "system",
  glyphs: "traditional",
  coordinates: true,
  confirmFlip: true,
  threatened: false,
  sound: true,
});

const CHOICES = {
  theme: ["system", "light", "dark"],
  glyphs: ["traditional", "simplified", "letters", "pictograms"],
};

/** The settings by name; an event `change` tells of any that is changed, here or in another tab. */
class Settings extends EventTarget {
  #values = { ...DEFAULTS, ...kept("settings") };

  constructor() {
    super();
    addEventListener("storage", ({ key }) => {
      if (key !== null && !key.endsWith(".settings")) return;
      this.#values = { ...DEFAULTS, ...kept("settings") };
      this.dispatchEvent(new Event("change"));
    });
  }

  /** @param {keyof typeof DEFAULTS} name @returns {any} */
  get(name) {
    return this.#values[name];
  }

  /** @param {keyof typeof DEFAULTS} name @param {any} value */
  set(name, value) {
    this.#values[name] = value;
    keep("settings", this.#values);
    this.dispatchEvent(new Event("change"));
  }

  /** The name that others see: the person's own, or one that says nothing. */
  get name() {
    return this.get("name").trim() || t("play.guest");
  }
}

export const settings = new Settings();

/** Let the whole page follow the theme. */
export function followTheme() {
  const set = () => {
    const theme = settings.get("theme");
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  settings.addEventListener("change", set);
  set();
}

function selection(name) {
  const select = html("select", { name }, ...CHOICES[name].map((value) =>
    html("option", { value, selected: settings.get(name) === value }, t(`play.${name}.${value}`))));
  select.addEventListener("change", () => settings.set(name, select.value));
  return html("label", { class: "row" }, html("span", {}, t(`play.${name}`)), select);
}

function switched(name) {
  const box = html("input", { type: "checkbox", name, checked: settings.get(name) });
  box.addEventListener("change", () => settings.set(name, box.checked));
  return html("label", { class: "row" }, html("span", {}, t(`play.setting.${name}`)), box);
}

function named() {
  const input = html("input", {
    type: "text", name: "name", maxlength: 40, autocomplete: "nickname",
    value: settings.get("name"), placeholder: t("play.guest"),
  });
  input.addEventListener("change", () => settings.set("name", input.value));
  return html("label", { class: "row" }, html("span", {}, t("play.name")), input);
}

function spoken(redraw) {
  const select = html("select", { name: "language" }, ...languages.map(({ code, name }) =>
    html("option", { value: code, lang: code, selected: code === language() }, name)));
  select.addEventListener("change", async () => {
    await choose(select.value);
    redraw();
  });
  return html("label", { class: "row" }, html("span", {}, t("play.language")), select);
}

/** Ask for the settings in a dialog. @param {HTMLDialogElement} dialog */
export function showSettings(dialog) {
  const draw = () => {
    const done = html("button", { type: "button", class: "primary" }, t("play.done"));
    done.addEventListener("click", () => dialog.close());
    dialog.setAttribute("aria-label", t("play.settings"));
    dialog.replaceChildren(html("h2", {}, t("play.settings")),
      spoken(draw), named(), selection("glyphs"), selection("theme"),
      ...["coordinates", "confirmFlip", "threatened", "sound"].map(switched),
      html("div", { class: "buttons" }, done));
  };
  draw();
  dialog.showModal();
}
