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
  "board.label": "Board",
  "board.piece": "{colour} {kind}",
  "board.down": "face down",
  "board.empty": "empty",
  "board.camp": "camp",
  "board.headquarters": "headquarters",
  "board.selected": "selected",
  "board.canEnd": "Enter here ends the chain",
  "board.canFlip": "can be flipped",
  "board.canMove": "can move",
  "board.can.step": "the selected piece can step here",
  "board.can.takes": "the selected piece can take this",
  "board.can.both": "attack: both pieces would go",
  "board.can.loses": "attack: the selected piece would be lost",
  "board.can.attempt": "the selected piece can try to take this",
  "board.again": "once more to do it",
  "board.turn": "to move",
  "board.tray": "Taken: {pieces}",
  "board.noTray": "Nothing taken",
  "board.pool": "Still face down",
  "board.chances": "Chances of a face-down piece",
  "board.together": "Together {count}",
  "board.quiet": "Until a draw: {quiet} of {limit} quiet turns",
  "board.seen": { one: "Position seen {count} time", other: "Position seen {count} times" },
  "board.moves": "Moves",
  "board.start": "Start",
  "board.end": "end of the chain",
  "board.flip": "flip",
  "board.attempt": "attempt",
  "board.capture": "capture",
  "board.expected": "Expected result for {colour}",
  "board.after": "After {ply}: {value}",
  "board.fan": "What may turn up; the mean is {mean}",
  "board.kind": "Piece",
  "board.chance": "Chance",
  "board.value": "Value",
  "board.turned": "turned up",
  "board.luck": "Luck",
  "board.loss": "Given away",

  // play: choosing a game, playing it, messages, settings

  // review: after the end, analysis, luck and skill, verification of the deal

  // tutorial

  // rules: the rule sets and their switches

};
