// What the rules refuse, in the language in use.

import { has, t } from "./index.js";

/**
 * An error in words for people. One of the rules tells by names what is wrong; any other has its message.
 *
 * @param {Error & {names?: string[]}} error
 * @returns {string}
 */
export function faultText(error) {
  const keys = (error.names ?? []).map((name) => `fault.${name.toLowerCase()}`);
  return keys.length > 0 && keys.every(has) ? keys.map((key) => t(key)).join(" ") : error.message;
}
