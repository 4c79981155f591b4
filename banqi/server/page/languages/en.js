// English: the source of all keys. A text is plain, with {values}, or an object by plural form ("one", "other"), which
// the value {count} chooses. A key is its room, a dot, and a noun; the other languages have the same keys.

/** @type {Record<string, import("./index.js").Text>} */
export const texts = {
  // Words of the games: colours, pieces by letter, ends by their name in records.
  "colour.red": "Red",
  "colour.black": "Black",
  "colour.blue": "Blue",
  "piece.banqi.K": "general",
  "piece.banqi.G": "advisor",
  "piece.banqi.M": "elephant",
  "piece.banqi.R": "chariot",
  "piece.banqi.N": "horse",
  "piece.banqi.C": "cannon",
  "piece.banqi.P": "soldier",
  "piece.junqi.M": "marshal",
  "piece.junqi.G": "general",
  "piece.junqi.D": "division commander",
  "piece.junqi.B": "brigade commander",
  "piece.junqi.R": "regiment commander",
  "piece.junqi.T": "battalion commander",
  "piece.junqi.C": "company commander",
  "piece.junqi.P": "platoon commander",
  "piece.junqi.E": "engineer",
  "piece.junqi.O": "bomb",
  "piece.junqi.L": "landmine",
  "piece.junqi.F": "flag",
  "piece.banqi.r.K": "red general",
  "piece.banqi.r.G": "red advisor",
  "piece.banqi.r.M": "red elephant",
  "piece.banqi.r.R": "red chariot",
  "piece.banqi.r.N": "red horse",
  "piece.banqi.r.C": "red cannon",
  "piece.banqi.r.P": "red soldier",
  "piece.banqi.b.K": "black general",
  "piece.banqi.b.G": "black advisor",
  "piece.banqi.b.M": "black elephant",
  "piece.banqi.b.R": "black chariot",
  "piece.banqi.b.N": "black horse",
  "piece.banqi.b.C": "black cannon",
  "piece.banqi.b.P": "black soldier",
  "piece.junqi.r.M": "red marshal",
  "piece.junqi.r.G": "red general",
  "piece.junqi.r.D": "red division commander",
  "piece.junqi.r.B": "red brigade commander",
  "piece.junqi.r.R": "red regiment commander",
  "piece.junqi.r.T": "red battalion commander",
  "piece.junqi.r.C": "red company commander",
  "piece.junqi.r.P": "red platoon commander",
  "piece.junqi.r.E": "red engineer",
  "piece.junqi.r.O": "red bomb",
  "piece.junqi.r.L": "red landmine",
  "piece.junqi.r.F": "red flag",
  "piece.junqi.b.M": "blue marshal",
  "piece.junqi.b.G": "blue general",
  "piece.junqi.b.D": "blue division commander",
  "piece.junqi.b.B": "blue brigade commander",
  "piece.junqi.b.R": "blue regiment commander",
  "piece.junqi.b.T": "blue battalion commander",
  "piece.junqi.b.C": "blue company commander",
  "piece.junqi.b.P": "blue platoon commander",
  "piece.junqi.b.E": "blue engineer",
  "piece.junqi.b.O": "blue bomb",
  "piece.junqi.b.L": "blue landmine",
  "piece.junqi.b.F": "blue flag",
  "end.win.all_captured": "{winner} wins: {loser} has no piece left.",
  "end.win.no_moves": "{winner} wins: {loser} cannot move.",
  "end.win.perpetual_attack": "{winner} wins: {loser} kept attacking the same piece.",
  "end.win.flag": "{winner} wins: the flag is taken.",
  "end.win.resign": "{winner} wins: {loser} resigned.",
  "end.win.time": "{winner} wins: {loser} ran out of time.",
  "end.draw.repetition": "Draw: the position has repeated.",
  "end.draw.quiet_limit": { one: "Draw: {count} quiet turn.", other: "Draw: {count} quiet turns." },
  "end.draw.agreement": "Draw by agreement.",

  // board: the squares, the marks, the panels beside it

  // play: choosing a game, playing it, messages, settings

  // review: after the end, analysis, luck and skill, verification of the deal

  // tutorial

  // rules: the rule sets, their switches, and the words that a switch takes
  "rules.taiwan.name": "Taiwan",
  "rules.taiwan.text":
    "The most common rules. A piece takes its own rank and every lower one: general, advisor, elephant, chariot, " +
    "horse, soldier. But the soldier takes the general, and the general never takes a soldier. The cannon takes " +
    "anything by jumping over exactly one piece, and nothing beside it; all but soldiers and cannons take it.",
  "rules.hongkong.name": "Hong Kong",
  "rules.hongkong.text":
    "The order is general, chariot, horse, cannon, advisor, elephant, soldier. A piece takes its own rank and every " +
    "lower one on a neighbouring square, the cannon as well: it does not jump. The soldier takes the general, and the " +
    "general does not take a soldier.",
  "rules.mainland.name": "Mainland China",
  "rules.mainland.text":
    "The order is general, advisor, elephant, chariot, horse, cannon, soldier. A piece takes its own rank and every " +
    "lower one on a neighbouring square, the cannon as well: it does not jump. General and soldier take each other: " +
    "whoever is to move takes.",
  "rules.cannon-adjacent.name": "Taiwan, cannons take neighbours",
  "rules.cannon-adjacent.text":
    "The Taiwan rules, and besides its jumps a cannon takes soldiers and cannons on neighbouring squares.",
  "rules.dark-capture.name": "Taiwan, captures in the dark",
  "rules.dark-capture.text":
    "The Taiwan rules, and a piece may attack one that lies face down. It is turned up: if your piece could take it, " +
    "it is taken; if not, it stays face up, yours stays where it was, and the turn ends.",
  "rules.children.name": "Children's rules",
  "rules.children.text":
    "Captures in the dark, and in chains: after a capture the same piece may capture on in any direction, or stop.",
  "rules.cannon-chain.name": "Chains of the cannon",
  "rules.cannon-chain.text":
    "The Taiwan rules, but a cannon jumps over face-up pieces only, and after a capture it may capture on.",
  "rules.double.name": "Two sets on 8 x 8",
  "rules.double.text":
    "Two sets, 64 pieces, face down on 8 x 8 squares. Each side has a double army; all else is as in Banqi.",
  "rules.junqi.name": "Flip Junqi",
  "rules.junqi.text":
    "Army chess, turned over: 50 pieces lie face down. Turn one up or move one of yours: one step along a road, or any " +
    "distance along free railway in a straight line; the engineer turns corners there. The higher rank takes the " +
    "lower, equals both go, a bomb takes anything along with it, only the engineer clears a landmine, and nothing in " +
    "a camp can be attacked. Whoever takes the flag wins, and whoever cannot move has lost.",
  "rules.ranking.name": "Ranking",
  "rules.ranking.text": "Who takes whom on a neighbouring square.",
  "rules.ranking.taiwan": "Taiwan",
  "rules.ranking.hongkong": "Hong Kong",
  "rules.ranking.mainland": "Mainland China",
  "rules.cannon.name": "Cannon",
  "rules.cannon.text": "How a cannon captures: by jumping over one piece, or on a neighbouring square as all others do.",
  "rules.cannon.jump": "jumps",
  "rules.cannon.step": "steps",
  "rules.cannon_adjacent.name": "Cannons take neighbours",
  "rules.cannon_adjacent.text": "A jumping cannon also takes soldiers and cannons on neighbouring squares.",
  "rules.dark_capture.name": "Captures in the dark",
  "rules.dark_capture.text": "A piece may attack one that lies face down; what it turns out to be decides.",
  "rules.chain.name": "Chains of captures",
  "rules.chain.text": "After a capture the same piece may capture on in the same turn, or stop.",
  "rules.chain.none": "none",
  "rules.chain.any": "every piece",
  "rules.chain.cannon": "cannons only",
  "rules.screens.name": "A cannon jumps over",
  "rules.screens.text": "Whether a piece that lies face down serves a cannon to jump over, or blocks its line.",
  "rules.screens.any": "any piece",
  "rules.screens.faceup": "face-up pieces only",
  "rules.repetition.name": "Repetition",
  "rules.repetition.text": "How often a position may stand before the game is drawn.",
  "rules.repetition.cycle": "a cycle of moves three times in a row",
  "rules.repetition.none": "never ends the game",
  "rules.quiet_limit.name": "Quiet turns until a draw",
  "rules.quiet_limit.text": "So many turns in a row, both sides together, without a flip and without a capture are a draw.",
  "rules.perpetual.name": "Perpetual attack",
  "rules.perpetual.text": "What a repetition is if one side alone kept attacking the same piece.",
  "rules.perpetual.draw": "a draw",
  "rules.perpetual.loses": "the attacker loses",
};

export default texts;
