// The start of the page: its texts and tables, the table, and what the address asks for.

import { Application } from "./application.js";
import "./board/index.js";
import { changes, choose, t } from "./languages/index.js";
import { followTheme, settings, showSettings } from "./play/settings.js";
import { loadTables } from "./rules/index.js";

/** Put the texts of the language in use where the markup asks for them. */
function translate() {
  for (const element of document.querySelectorAll("[data-t]")) {
    const text = t(element.dataset.t);
    if (element.textContent !== text) element.textContent = text;
  }
}

followTheme();
document.querySelector("#settings").addEventListener("click", () => showSettings(document.querySelector("#dialog")));
changes.addEventListener("change", translate);
await Promise.all([loadTables(), choose()]);
translate();
new Application(settings).start();
// Where a browser has no such thing, or forbids it, the page needs the server.
navigator.serviceWorker?.register("/sw.js").catch(() => {});
