// What becomes of an attack in Junqi, as both players can see before it: both pieces lie face up.

import { kindsOf } from "./pieces.js";

/**
 * @param {string} attacker a kind
 * @param {string} defender a kind
 * @returns {"takes"|"both"|"loses"}
 */
export function attackOf(attacker, defender) {
  if (defender === "F") return "takes";
  if (attacker === "O" || defender === "O") return "both";
  if (defender === "L") return attacker === "E" ? "takes" : "loses";
  const order = kindsOf("junqi");
  const lead = order.indexOf(defender) - order.indexOf(attacker);
  return lead > 0 ? "takes" : lead < 0 ? "loses" : "both";
}
