// Answers questions about the page's rules. The first line of stdin holds the tables; every other one is a question,
// [name, argument, ...], and gets a line with the answer, or {"error": message}.

import { createInterface } from "node:readline";

import { faults, loadTables, perft, Position, ruleSet } from "../banqi/server/page/rules/index.js";

function snapshot(position) {
  return {
    fen: position.fen,
    legal: position.legal().sort(),
    outcome: position.outcome(),
    quiet: position.quiet,
    repetitions: position.repetitions,
    seat: position.seat,
    side: position.side,
    last: position.last,
    captured: Object.fromEntries(position.captured),
  };
}

const answers = {
  perft: (rules, fen, depth) => perft(Position.parse(rules, fen), depth),
  rules: (text) => ruleSet(text).text,
  faults: (rules, fen) => faults(ruleSet(rules), fen),
  game: (rules, fen, moves) => {
    let position = fen === null ? Position.start(rules) : Position.parse(rules, fen);
    const seen = [snapshot(position)];
    for (const move of moves) {
      position = position.play(move);
      seen.push(snapshot(position));
    }
    return { seen, moves: position.moves };
  },
  reveals: (rules, fen, move) => Position.parse(rules, fen).reveals(move),
  play: (rules, fen, move, letter) => Position.parse(rules, fen).play(move, letter).fen,
};

let loaded = false;
for await (const line of createInterface({ input: process.stdin })) {
  if (!loaded) {
    await loadTables(line);
    loaded = true;
    continue;
  }
  const [name, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = await answers[name](...given);
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
