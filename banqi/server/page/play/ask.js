// The server's answers to single questions: JSON in, JSON out, or one JSON after the other as they are found.

import { t } from "../languages/index.js";

/** The server cannot be reached, or does not serve now. */
export class Unreachable extends Error {}

/** The server refuses; the message is a sentence of its own. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Response>} an answer that is no error
 */
async function answered(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable(t("play.unreachable"));
  }
  if (answer.ok) return answer;
  let detail = "";
  try {
    detail = (await answer.json()).detail;
  } catch {
    // What stands between here and the server has answered.
  }
  if (answer.status === 429) throw new Refused(429, t("play.too_often"));
  if (answer.status >= 500) throw new Unreachable(t("play.unreachable"));
  throw new Refused(answer.status, detail || t("play.refused"));
}

/** @param {any} body @param {AbortSignal} [signal] @returns {RequestInit} */
function posted(body, signal) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
}

/**
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  return (await answered(path, posted(body, signal))).json();
}

/** @param {string} path @returns {Promise<string>} */
export async function text(path) {
  return (await answered(path, {})).text();
}

/**
 * The answers of a long request, each as soon as it is there.
 *
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>}
 */
export async function* stream(path, body, signal) {
  const answer = await answered(path, posted(body, signal));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    while (true) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable(t("play.unreachable"));
  } finally {
    reader.releaseLock();
  }
}
