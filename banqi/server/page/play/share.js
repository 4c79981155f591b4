// What leaves the page by a person's will: files, links.

import { t } from "../languages/index.js";

/** Let the browser keep a text as a file. @param {string} name @param {string} text */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} text @returns {Promise<boolean>} whether it is in the clipboard now */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Hand a link to what the device shares with, or to the clipboard.
 *
 * @param {string} url
 * @returns {Promise<string>} what is to be said of it, "" for nothing
 */
export async function hand(url) {
  if (navigator.share === undefined) return copied(url);
  try {
    await navigator.share({ title: "banqi", url });
    return "";
  } catch (error) {
    // Whoever thinks better of it wants nothing else either.
    return error.name === "AbortError" ? "" : copied(url);
  }
}

/** Put a link into the clipboard. @param {string} url @returns {Promise<string>} what is to be said of it */
export async function copied(url) {
  return t((await copy(url)) ? "play.copied" : "play.copy_yourself", { url });
}
