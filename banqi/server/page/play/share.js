// What leaves the page by a person's will: files, links.

import { t } from "../languages/index.js";
import { linkOf } from "./address.js";

/** Let the browser keep a text as a file. @param {string} name @param {string} text */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} text @returns {Promise<boolean>} whether it is in the clipboard now */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Hand the link of a game to what the device shares with, or to the clipboard. @param {string} game */
export async function share(game) {
  await hand(linkOf(game));
}

/**
 * @param {string} url
 * @throws {Error} neither works; the message has the link
 */
export async function hand(url) {
  if (navigator.share !== undefined) {
    try {
      await navigator.share({ title: "banqi", url });
      return;
    } catch (error) {
      // The person has thought better of it.
      if (error.name === "AbortError") return;
    }
  }
  throw new Error(t((await copy(url)) ? "play.copied" : "play.copy_yourself", { url }));
}
