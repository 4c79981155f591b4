// The rules of the page: everything that is true without a screen.

export { RulesFault } from "./fault.js";
export { verifyDeal } from "./deal.js";
export { LocalGame } from "./local_game.js";
export { faults } from "./notation.js";
export { perft, Position } from "./position.js";
export { recordText } from "./record.js";
export { ruleSet } from "./rule_set.js";
export { loadTables, tables } from "./tables.js";
