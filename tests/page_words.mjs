// Writes as JSON what the page says and teaches: the texts of every language, the languages that browsers' preferences
// lead to, and for every lesson what each move that is offered comes to. The rules' tables come from stdin.

import { readFileSync } from "node:fs";

import { choose, language, languages, preferred, t } from "../banqi/server/page/languages/index.js";
import { loadTables } from "../banqi/server/page/rules/index.js";
import { Lesson } from "../banqi/server/page/tutorial/lesson.js";
import { LESSONS } from "../banqi/server/page/tutorial/lessons.js";

const { preferences, spoken } = JSON.parse(process.argv[2]);
loadTables(readFileSync(0, "utf8"));

const texts = {};
for (const { code } of languages) texts[code] = (await import(`../banqi/server/page/languages/${code}.js`)).texts;

const told = [];
for (const [code, key, values] of spoken) {
  await choose(code);
  told.push([language(), t(key, values)]);
}

const tasks = LESSONS.flatMap((lesson) => lesson.tasks.map((task) => {
  const { offered, fen, start } = new Lesson(task);
  const answers = Object.fromEntries(offered.map((move) => {
    const tried = new Lesson(task);
    return [move, { ...tried.act(move, () => 0), after: tried.position.fen, offered: tried.offered }];
  }));
  return {
    lesson: lesson.name, name: task.name, rules: task.rules ?? "taiwan", fen: start.fen, shown: fen,
    tries: task.tries ?? {}, answers,
  };
}));

console.log(JSON.stringify({ languages, texts, preferred: preferences.map(preferred), told, tasks }));
