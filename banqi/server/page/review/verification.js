// "Verify this deal": what was published before the game and after it, computed again in this browser.

import { html } from "../board/dom.js";
import { t } from "../languages/index.js";
import { seatOf } from "../play/vault.js";
import { verifyDeal } from "../rules/index.js";

/** The nonces in the order in which the deal has taken them. @param {any[]} events @returns {string[]} */
function noncesOf(events) {
  return events.filter(({ event }) => event === "nonce").map(({ nonce }) => nonce);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {import("../play/online.js").OnlineGame} source a game that is over
 */
export async function showVerification(dialog, source) {
  const { state, events, start } = source;
  const own = seatOf(source.game);
  const nonces = noncesOf(events);
  // What this browser saw at first counts, not what it is told now.
  const commitment = own.commitment ?? state.commitment;
  const verdict = await verifyDeal({
    rules: state.rules, commitment, opening: state.opening, moves: state.moves, fen: start, nonces,
  });
  const isOwn = own.nonce === undefined || verdict.nonces.includes(own.nonce);
  const holds = verdict.holds && isOwn;
  const close = html("button", { type: "button", class: "primary" }, t("review.close"));
  close.addEventListener("click", () => dialog.close());
  const facts = [["review.verify.commitment", commitment], ["review.verify.secret", state.opening.split(".")[1]],
    ["review.verify.nonces", verdict.nonces.join(", ")]];
  dialog.setAttribute("aria-label", t("review.verify"));
  dialog.replaceChildren(
    html("h2", {}, t("review.verify")),
    html("p", { class: `verdict ${holds ? "good" : "bad"}` },
      html("span", { "aria-hidden": "true" }, holds ? "✓ " : "✗ "), sentence(verdict, isOwn)),
    html("p", {}, t("review.verify.text")),
    ...(own.nonce !== undefined && isOwn ? [html("p", {}, t("review.verify.own"))] : []),
    html("details", {}, html("summary", {}, t("review.verify.numbers")),
      html("dl", {}, ...facts.flatMap(([key, value]) => [html("dt", {}, t(key)), html("dd", {}, value)]))),
    html("div", { class: "buttons" }, close));
  if (!dialog.open) dialog.showModal();
}

/** @param {Awaited<ReturnType<typeof verifyDeal>>} verdict @param {boolean} isOwn @returns {string} */
function sentence(verdict, isOwn) {
  if (verdict.differs !== null) return t("review.verify.bad", verdict.differs);
  if (verdict.fault !== null) return t("review.verify.fault", { reason: verdict.fault });
  if (!isOwn || verdict.nonces_agree === false) return t("review.verify.other_nonce");
  return t("review.verify.good", { count: verdict.reveals });
}
