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

  // tutorial: the lessons, what is asked, what a try comes to
  "tutorial.progress": "Step {number} of {total}",
  "tutorial.back": "Back",
  "tutorial.again": "Again",
  "tutorial.next": "Next",
  "tutorial.leave": "Play",
  "tutorial.flip.title": "Turn a piece up",
  "tutorial.first_flip.text":
    "All pieces lie face down, shuffled: nobody knows which is which. A turn is to turn one up or to move one of " +
    "yours. Turn any piece up.",
  "tutorial.first_flip.done":
    "A {piece}. Whoever turns up the first piece plays its colour: you play {colour}, your opponent the other " +
    "colour.",
  "tutorial.step.title": "Take a step",
  "tutorial.first_step.text":
    "You play red. Every piece steps alike: one square up, down, left or right, onto an empty square. Step with " +
    "your horse.",
  "tutorial.first_step.done": "That was a step. Then it is your opponent's turn.",
  "tutorial.ladder.title": "Who takes whom",
  "tutorial.lower.text":
    "The ladder goes general, advisor, elephant, chariot, horse, soldier. A piece takes its own rank and every " +
    "lower one on a neighbouring square. Take something with your chariot.",
  "tutorial.lower.done": "Taken: the horse is below the chariot, and equals take each other, too.",
  "tutorial.soldier.text": "The ladder is a ring: the soldier, the lowest, takes the general. Take it.",
  "tutorial.soldier.done": "Taken. So every army has something to be afraid of.",
  "tutorial.general.text":
    "The general takes everything below it but soldiers. The cannon stands outside the ladder and is taken by all " +
    "but soldiers and cannons. Take something with your general.",
  "tutorial.general.done": "Taken. Keep your general away from their soldiers.",
  "tutorial.cannon.title": "The cannon jumps",
  "tutorial.jump.text":
    "A cannon takes by jumping along a row or column over exactly one piece, of either side, face up or face down. " +
    "It takes anything that way, and nothing beside it. Take the advisor with your cannon.",
  "tutorial.jump.done": "Taken. Without anything to jump over a cannon only steps, like all others.",
  "tutorial.end.title": "How it ends",
  "tutorial.last_piece.text": "A side without a piece has lost. Take black's last one.",
  "tutorial.last_piece.done": "You win.",
  "tutorial.stuck.text":
    "A side that cannot do anything in its turn has lost, too. Shut the soldier in with your advisor.",
  "tutorial.stuck.done":
    "You win: the soldier can neither step nor take. It is a draw when a position stands for the third time, or " +
    "after many turns without a flip and without a capture.",
  "tutorial.junqi.title": "And Junqi?",
  "tutorial.flag.text":
    "In Junqi, army chess, pieces lie face down as well. On free railway, the thick lines, they go any distance " +
    "straight on, and the engineer (E) turns corners, too. Whoever takes the flag wins. Take it with your engineer.",
  "tutorial.flag.done": "You win. Now you know enough to play.",
  "tutorial.wrong.no_step": "That would turn a piece up, which is a turn as well. But now step with your horse.",
  "tutorial.wrong.diagonal": "Nobody steps across a corner: up, down, left or right only.",
  "tutorial.wrong.far": "That is too far: one square only.",
  "tutorial.wrong.no_capture": "That takes nothing. Move onto an opposing piece.",
  "tutorial.wrong.higher": "That piece is higher on the ladder than yours, and cannot be taken by it.",
  "tutorial.wrong.face_down": "What lies face down cannot be taken: turn it up first.",
  "tutorial.wrong.general_soldier": "Of all pieces, the general cannot take a soldier.",
  "tutorial.wrong.no_jump": "That takes nothing. Jump over the face-down piece.",
  "tutorial.wrong.beside": "A cannon takes nothing on a neighbouring square.",
  "tutorial.wrong.no_screen": "There is nothing to jump over on the way.",
  "tutorial.wrong.escapes": "That does not end the game. Try again.",
  "tutorial.wrong.flag_left":
    "The flag is still there. Go along the railway: left side, across the middle, right side.",

  // rules: the rule sets, their switches, and the words that a switch takes
  "rules.taiwan.name": "Taiwan",
  "rules.taiwan.text":
    "The most common rules. A piece takes its own rank and every lower one: general, advisor, elephant, chariot, " +
    "horse, soldier. But the soldier takes the general, and the general never takes a soldier. The cannon takes " +
    "anything by jumping over exactly one piece, and nothing beside it; all but soldiers and cannons take it.",
  "rules.hongkong.name": "Hong Kong",
  "rules.hongkong.text":
    "The order is general, chariot, horse, cannon, advisor, elephant, soldier. A piece takes its own rank and " +
    "every lower one on a neighbouring square, the cannon as well: it does not jump. The soldier takes the " +
    "general, and the general does not take a soldier.",
  "rules.mainland.name": "Mainland China",
  "rules.mainland.text":
    "The order is general, advisor, elephant, chariot, horse, cannon, soldier. A piece takes its own rank and " +
    "every lower one on a neighbouring square, the cannon as well: it does not jump. General and soldier take each " +
    "other: whoever is to move takes.",
  "rules.cannon-adjacent.name": "Taiwan, cannons take neighbours",
  "rules.cannon-adjacent.text":
    "The Taiwan rules, and besides its jumps a cannon takes soldiers and cannons on neighbouring squares.",
  "rules.dark-capture.name": "Taiwan, captures in the dark",
  "rules.dark-capture.text":
    "The Taiwan rules, and a piece may attack one that lies face down. It is turned up: if your piece could take " +
    "it, it is taken; if not, it stays face up, yours stays where it was, and the turn ends.",
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
    "Army chess, turned over: 50 pieces lie face down. Turn one up or move one of yours: one step along a road, or " +
    "any distance along free railway in a straight line; the engineer turns corners there. The higher rank takes " +
    "the lower, equals both go, a bomb takes anything along with it, only the engineer clears a landmine, and " +
    "nothing in a camp can be attacked. Whoever takes the flag wins, and whoever cannot move has lost.",
  "rules.ranking.name": "Ranking",
  "rules.ranking.text": "Who takes whom on a neighbouring square.",
  "rules.ranking.taiwan": "Taiwan",
  "rules.ranking.hongkong": "Hong Kong",
  "rules.ranking.mainland": "Mainland China",
  "rules.cannon.name": "Cannon",
  "rules.cannon.text":
    "How a cannon captures: by jumping over one piece, or on a neighbouring square as all others do.",
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
  "rules.quiet_limit.text":
    "So many turns in a row, both sides together, without a flip and without a capture are a draw.",
  "rules.perpetual.name": "Perpetual attack",
  "rules.perpetual.text": "What a repetition is if one side alone kept attacking the same piece.",
  "rules.perpetual.draw": "a draw",
  "rules.perpetual.loses": "the attacker loses",
};

export default texts;
