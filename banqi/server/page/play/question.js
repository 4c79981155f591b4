// A question before what has no way back.

import { html } from "../board/dom.js";
import { t } from "../languages/index.js";

/**
 * @param {string} text
 * @param {string} yes what the button that goes ahead says
 * @returns {Promise<boolean>}
 */
export function sure(text, yes) {
  return new Promise((resolve) => {
    const go = html("button", { type: "button", class: "primary", value: "yes" }, yes);
    const stay = html("button", { type: "button", value: "no", autofocus: true }, t("play.cancel"));
    const dialog = html("dialog", { class: "question", "aria-label": text },
      html("p", {}, text), html("div", { class: "buttons" }, stay, go));
    for (const button of [go, stay]) button.addEventListener("click", () => dialog.close(button.value));
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
