// Answers questions about the page's rules. The first line of stdin holds the tables; every other one is a question,
// [name, argument, ...], and gets a line with the answer, or {"error": message}.

import { createInterface } from "node:readline";

import { luckAndSkill } from "../banqi/server/page/review/luck.js";
import {
  faults,
  LocalGame,
  loadTables,
  perft,
  Position,
  ruleSet,
  verifyDeal,
} from "../banqi/server/page/rules/index.js";

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

/** Fills with the words that are given, then with 0. */
function scripted(words) {
  return (array) => {
    array[0] = words.length > 0 ? words.shift() : 0;
  };
}

/**
 * A game on one device, by steps [method, ...]: act, actAnyhow (a number chooses among the legal moves), wait
 * (milliseconds), keep (write to JSON and read it back), and every other method. Tells the state after each step, or
 * how it was refused, at the end the record and what is kept, and how often `change` was dispatched.
 */
async function local(settings, steps) {
  let time = 0;
  const now = () => time;
  const fill = settings.words && scripted(settings.words);
  let game = new LocalGame({ ...settings, now, fill });
  let changes = 0;
  game.addEventListener("change", () => (changes += 1));
  const seen = [game.state];
  for (const [method, ...given] of steps) {
    try {
      if (method === "wait") {
        time += given[0];
      } else if (method === "keep") {
        const kept = JSON.stringify(game);
        game.close();
        game = LocalGame.from(kept, { now, fill });
      } else if (method === "actAnyhow") {
        const { legal } = game.state;
        await game.act(legal[given[0] % legal.length]);
      } else {
        await game[method](...given);
      }
      seen.push(game.state);
    } catch (error) {
      seen.push({ error: error.message });
    }
  }
  game.close();
  return { seen, record: await game.record(), kept: game.toJSON(), changes };
}

/** How often each letter was turned up on a square of new games. */
async function flips(rules, square, count) {
  const counts = {};
  for (let number = 0; number < count; number += 1) {
    const letter = (await new LocalGame({ rules }).act(square)).at(-2);
    counts[letter] = (counts[letter] ?? 0) + 1;
  }
  return counts;
}

/** What can be read of a kept game that was changed. */
function restored(kept) {
  return LocalGame.from(kept).state;
}

async function deal(given) {
  const verdict = await verifyDeal(given);
  return { ...verdict, layout: verdict.layout && Object.fromEntries(verdict.layout) };
}

/** The same where the browser has no subtle crypto. */
async function insecure(given) {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    return await verifyDeal(given);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
}

Object.assign(answers, { deal, insecure, luckAndSkill, local, flips, restored });

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
