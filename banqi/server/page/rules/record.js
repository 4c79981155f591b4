// Records: a game as text, which `banqi verify` and every other reader of the package accepts.

const WIDTH = 80;
const ORDER = [
  "Event", "Date", "First", "Second", "Rules", "FirstColour", "Result", "Termination", "Commitment", "Opening", "FEN",
];
const COLOURS = { r: "red", b: "black" };
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u2028\u2029\u{d800}-\u{dfff}]/gu;

/**
 * A game as text, with a new line at its end.
 *
 * @param {import("./position.js").Position} position with its history
 * @param {{winner: 0 | 1 | null, termination: string} | null} ending the seat that has won, or null while it goes on
 * @param {Object<string, string>} [tags] what else is told, such as First and Second; control characters become blanks
 * @returns {string}
 */
export function recordText(position, ending, tags = {}) {
  const { root, rules } = position;
  const result = ending === null ? "*" : ending.winner === null ? "1/2-1/2" : ["1-0", "0-1"][ending.winner];
  const colour = position.colour(0);
  const all = {
    ...tags,
    Rules: rules.text,
    ...(colour === null ? {} : { FirstColour: COLOURS[colour] }),
    Result: result,
    ...(ending === null ? {} : { Termination: ending.termination }),
    ...(isStart(root) ? {} : { FEN: root.fen }),
  };
  const names = [...ORDER.filter((name) => name in all), ...Object.keys(tags).filter((name) => !ORDER.includes(name))];
  const section = names.map((name) => `[${name} "${tagValue(all[name])}"]\n`).join("");
  return `${section}\n${moveLines([...numbered(position.written), result])}`;
}

function isStart(position) {
  return position.board.side === 2 && position.board.quiet === 0;
}

function tagValue(value) {
  return value.replace(UNPRINTABLE, " ").replace(/["\\]/g, "\\$&");
}

/** The moves, a number before each ply of the first seat. */
function numbered(plies) {
  return plies.flatMap((moves, ply) =>
    moves.map((move, place) => (ply % 2 === 0 && place === 0 ? `${ply / 2 + 1}. ${move}` : move)),
  );
}

function moveLines(words) {
  const lines = [words[0]];
  for (const word of words.slice(1)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= WIDTH) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}
