// The lessons: small positions, what is to be done in each, and which tries are worth an answer.

/**
 * @typedef {object} Task
 * @property {string} name its texts are tutorial.NAME.text and tutorial.NAME.done
 * @property {string} [rules] a rule set, `taiwan` without it
 * @property {string} fen
 * @property {number} ranks how many ranks are shown, from the first
 * @property {(turn: import("./lesson.js").Turn) => boolean} goal whether a legal move does what is asked
 * @property {string} [miss] why another legal move does not, if there is any: tutorial.wrong.MISS
 * @property {Record<string, string>} [tries] moves that the rules forbid, offered all the same: tutorial.wrong.REASON
 */

const isFlip = ({ move }) => !move.includes("-");
const isCapture = ({ before, after }) => total(after.captured) > total(before.captured);
const isStep = (turn) => !isFlip(turn) && !isCapture(turn);
const wins = ({ before, after }) => after.outcome()?.winner === before.side;

/** @param {Map<string, number>} counts */
function total(counts) {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** @type {{name: string, tasks: Task[]}[]} A lesson's title is tutorial.NAME.title. */
export const LESSONS = [
  {
    name: "flip",
    tasks: [
      {
        name: "first_flip",
        fen: "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0",
        ranks: 8,
        goal: isFlip,
      },
    ],
  },
  {
    name: "step",
    tasks: [
      {
        name: "first_step",
        fen: "4/4/4/4/4/x3/1N2/3x r Pp - 0",
        ranks: 4,
        goal: isStep,
        miss: "no_step",
        tries: { "b2-c3": "diagonal", "b2-b4": "far", "b2-d2": "far" },
      },
    ],
  },
  {
    name: "ladder",
    tasks: [
      {
        name: "lower",
        fen: "4/4/4/4/4/1n2/gRr1/1x2 r P - 0",
        ranks: 4,
        goal: isCapture,
        miss: "no_capture",
        tries: { "b2-a2": "higher", "b2-b1": "face_down" },
      },
      {
        name: "soldier",
        fen: "4/4/4/4/4/1k2/nP2/4 r - - 0",
        ranks: 4,
        goal: isCapture,
        miss: "no_capture",
        tries: { "b2-a2": "higher" },
      },
      {
        name: "general",
        fen: "4/4/4/4/4/1p2/cK2/4 r - - 0",
        ranks: 4,
        goal: isCapture,
        miss: "no_capture",
        tries: { "b2-b3": "general_soldier" },
      },
    ],
  },
  {
    name: "cannon",
    tasks: [
      {
        name: "jump",
        fen: "4/4/4/4/1g2/4/1x2/pC1n r P - 0",
        ranks: 4,
        goal: isCapture,
        miss: "no_jump",
        tries: { "b1-a1": "beside", "b1-d1": "no_screen", "b1-b2": "beside" },
      },
    ],
  },
  {
    name: "end",
    tasks: [
      { name: "last_piece", fen: "4/4/4/4/4/1p2/1R2/4 r - - 0", ranks: 4, goal: wins, miss: "escapes" },
      // The soldier can take neither: both are above it, and a cannon is taken by no soldier.
      {
        name: "stuck",
        fen: "4/4/4/4/4/G3/4/pC2 r - - 0",
        ranks: 4,
        goal: wins,
        miss: "escapes",
        tries: { "b1-a1": "beside" },
      },
    ],
  },
  {
    name: "junqi",
    tasks: [
      {
        name: "flag",
        rules: "junqi",
        fen: "4p/5/5/4f/5/5/3l1/5/5/E4/5/1F3 r - - 0",
        ranks: 12,
        goal: wins,
        miss: "flag_left",
      },
    ],
  },
];
