// Rule sets: reading and writing `name(option, option=value)`, and what the rules ask of one.

import { RulesFault, shown } from "./fault.js";
import { Geometry } from "./geometry.js";
import { tables } from "./tables.js";

const TEXT = /^([^()]*)(?:\(([^()]*)\))?$/;
const NUMBER = /^(?:0|[1-9][0-9]{0,8})$/;

const sets = new Map();
const geometries = new Map();

/**
 * What a rule set's text stands for. Two texts that mean the same give the same object.
 *
 * @param {string | RuleSet} text
 * @returns {RuleSet}
 * @throws {RulesFault} the text is no rule set
 */
export function ruleSet(text) {
  if (text instanceof RuleSet) {
    return text;
  }
  const key = String(text);
  if (!sets.has(key)) {
    const fields = readFields(key);
    const canonical = canonicalText(fields);
    if (!sets.has(canonical)) {
      sets.set(canonical, new RuleSet(canonical, fields));
    }
    sets.set(key, sets.get(canonical));
  }
  return sets.get(key);
}

/**
 * What a game is played by.
 *
 * text: canonical, as records and deals name it. fields: what it means, by the names that the package gives them.
 * letters: the identities in canonical order, red first; their numbers are their places here. kinds: how many of them
 * a colour has. takes, losses: by kind and kind, whether an attack removes the other, whether it is lost. jumper: the
 * number of the kind that jumps, -1 if none does. A cell of a board is EMPTY, HIDDEN or FIRST plus an identity;
 * colourOf and kindOf are by cell.
 */
export class RuleSet {
  constructor(text, fields) {
    const all = tables();
    const board = all.boards[fields.board];
    const game = all.games[board.game];
    this.text = text;
    this.fields = Object.freeze({ ...fields });
    this.game = board.game;
    this.colours = game.colours;
    this.letters = game.letters + game.letters.toLowerCase();
    this.kinds = game.letters.length;
    this.counts = [...game.letters, ...game.letters].map((kind) => board.counts[kind]);
    this.start = board.start;
    this.board = board;
    this.geometry = geometryOf(fields.board);
    this.colourOf = [2, 2, ...[...this.letters].map((_, identity) => (identity < this.kinds ? 0 : 1))];
    this.kindOf = [-1, -1, ...[...this.letters].map((_, identity) => identity % this.kinds)];
    const row = all.captures.find((captures) =>
      ["ranking", "cannon_jumps", "cannon_adjacent"].every((field) => captures[field] === fields[field]),
    );
    this.takes = matrix(row.takes, game.letters);
    this.losses = matrix(row.losses, game.letters);
    this.jumper = fields.cannon_jumps ? game.letters.indexOf(all.special.jumper) : -1;
    const chaining = { none: "", any: game.letters, cannon: all.special.jumper }[fields.chain];
    this.chains = [...game.letters].map((kind) => chaining.includes(kind));
    const junqi = this.game === "junqi";
    this.vital = junqi ? game.letters.indexOf(all.special.vital) : -1;
    this.engineer = junqi ? game.letters.indexOf(all.special.engineer) : -1;
    this.rooted = [...game.letters].map((kind) => junqi && all.special.rooted.includes(kind));
  }

  toString() {
    return this.text;
  }
}

/** What a square holds, as boards keep it. */
export const EMPTY = 0;
export const HIDDEN = 1;
export const FIRST = 2;

function geometryOf(board) {
  if (!geometries.has(board)) {
    geometries.set(board, new Geometry(tables().boards[board]));
  }
  return geometries.get(board);
}

function matrix(table, letters) {
  return [...letters].map((kind) => [...letters].map((other) => table[kind].includes(other)));
}

// ---- reading -------------------------------------------------------------------------------------------------------

function readFields(text) {
  const match = TEXT.exec(text);
  if (match === null) {
    throw new RulesFault(`${shown(text)} is not written as name or name(option, option=value).`);
  }
  const [, name, options] = match;
  const all = tables();
  if (!Object.hasOwn(all.rule_sets, name)) {
    throw new RulesFault(`Unknown rule set ${shown(name)}; there are ${Object.keys(all.rule_sets).join(", ")}.`);
  }
  const given = readOptions(options, name);
  const fields = { ...withRanking(all.rule_sets[name].fields, given.ranking), ...given };
  refuse(fields);
  return fields;
}

/** The fields of a named set if its ranking is another one. */
function withRanking(fields, ranking) {
  if (ranking === undefined || ranking === fields.ranking) {
    return fields;
  }
  return { ...fields, ranking, cannon_jumps: tables().rankings[ranking].cannon_jumps };
}

function readOptions(text, name) {
  const fields = {};
  if (text === undefined) {
    return fields;
  }
  const all = tables();
  for (const [number, item] of text.split(",").entries()) {
    const [word, ...values] = (number > 0 && item.startsWith(" ") ? item.slice(1) : item).split("=");
    const option = all.options.find((other) => other.name === word);
    if (option === undefined) {
      throw new RulesFault(`Unknown option ${shown(word)}; there are ${all.options.map((o) => o.name).join(", ")}.`);
    }
    if (option.field in fields) {
      throw new RulesFault(`The option ${word} is given twice.`);
    }
    if (!all.rule_sets[name].accepts.includes(word)) {
      throw new RulesFault(`The option ${word} does not go with ${name}.`);
    }
    fields[option.field] = readValue(option, values.length > 0 ? values.join("=") : null);
  }
  return fields;
}

function isFlag(option) {
  return Object.keys(option.words).length === 0 && option.smallest === null;
}

function readValue(option, word) {
  if (isFlag(option)) {
    if (word !== null) {
      throw new RulesFault(`The option ${option.name} takes no value.`);
    }
    return true;
  }
  if (word !== null && Object.hasOwn(option.words, word)) {
    return option.words[word];
  }
  const largest = tables().largest_limit;
  if (option.smallest !== null && word !== null && NUMBER.test(word)) {
    const number = Number(word);
    if (number >= option.smallest && number <= largest) {
      return number;
    }
  }
  const kinds = Object.keys(option.words);
  if (option.smallest !== null) {
    kinds.push(`a whole number from ${option.smallest} to ${largest}`);
  }
  throw new RulesFault(`The option ${option.name} takes ${kinds.join(" or ")}, not ${shown(word ?? "nothing")}.`);
}

/** Refuse what does not go together. */
function refuse(fields) {
  for (const { pair, reason } of tables().refusals) {
    if (pair.every(([field, value]) => kindOfValue(fields[field]) === value)) {
      throw new RulesFault(`${reason}.`, [pair.map(([field]) => field).join(".")]);
    }
  }
}

function kindOfValue(value) {
  return typeof value === "number" ? "number" : value;
}

// ---- writing -------------------------------------------------------------------------------------------------------

/** The name that needs the fewest options, the earliest of equals; options in their order, defaults left out. */
function canonicalText(fields) {
  const texts = Object.entries(tables().rule_sets)
    .map(([name, set]) => [name, optionsBeyond(name, set, fields)])
    .filter(([, options]) => options !== null);
  const [name, options] = texts.reduce((best, other) => (other[1].length < best[1].length ? other : best));
  return options.length > 0 ? `${name}(${options.join(", ")})` : name;
}

/** The options that make fields from a named set, null if none can. */
function optionsBeyond(name, set, fields) {
  if (set.fields.board !== fields.board) {
    return null;
  }
  const options = [];
  if (set.fields.ranking !== fields.ranking) {
    if (!set.accepts.includes("ranking")) {
      return null;
    }
    options.push(`ranking=${fields.ranking}`);
  }
  const named = withRanking(set.fields, fields.ranking);
  for (const option of tables().options) {
    const value = fields[option.field];
    if (value === named[option.field]) {
      continue;
    }
    if (isFlag(option) && !value) {
      return null;
    }
    options.push(optionText(option, value));
  }
  return options;
}

function optionText(option, value) {
  if (isFlag(option)) {
    return option.name;
  }
  const found = Object.entries(option.words).find(([, meaning]) => meaning === value);
  return `${option.name}=${found === undefined ? value : found[0]}`;
}
