// One drawing a kind, in a box of 48 x 48 whose middle is 24, 24. Filled shapes; holes by the even-odd rule.

const star = (x, y, r) => {
  const points = Array.from({ length: 10 }, (_, n) => {
    const [angle, size] = [-Math.PI / 2 + (n * Math.PI) / 5, n % 2 ? r * 0.42 : r];
    return `${(x + size * Math.cos(angle)).toFixed(1)} ${(y + size * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
};
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const bar = (y) => `M10 ${y}h28v5h-28z`;
const spoke = (turn) => {
  const angle = (turn * Math.PI) / 3;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const at = (along, aside) => `${(24 + along * c - aside * s).toFixed(1)} ${(24 + along * s + aside * c).toFixed(1)}`;
  return `M${at(5, -1.6)}L${at(14, -1.6)}L${at(14, 1.6)}L${at(5, 1.6)}Z`;
};

const GENERAL = "M6 15l9 8 9-15 9 15 9-8-4 20h-28zM10 38h28v4h-28z";
const SHIELD = "M24 5l16 5v12c0 10-6 17-16 21-10-4-16-11-16-21v-12zM24 10l-11 3.600v8.400c0 7 4 12 11 15.500z";
const ELEPHANT = "M18 8c8-3 18 0 20 8 2 6 1 11 4 16 1 3-1 6-4 5-3-1-4-4-4-7-2 2-3 3-3 6v6h-7v-8c-2 1-5 1-7 0v8h-7v-14"
  + "c-3-8 1-17 8-20zM30 15a2.2 2.2 0 1 0 .1 0zM19 13c-4 1-5 5-4 9 3 1 6 0 8-2-1-3-2-5-4-7z";
const WHEEL = circle(24, 24, 18) + circle(24, 24, 14) + circle(24, 24, 4.5) + [0, 1, 2, 3, 4, 5].map(spoke).join("");
const HORSE = "M20 6l4 4c9 1 15 8 15 19v13h-24c0-8 6-10 8-15-4 3-7 2-9 4l-3 3-5-4 5-14c2-4 5-6 9-6z"
  + "M19 16a2 2 0 1 0 .1 0z";
const CANNON = "M5 17l29-8 3 10-13 4a9 9 0 1 1-13 4l-5 1zM37 8l4-1 3 12-4 1z" + circle(19, 31, 3.5);
const SOLDIER = circle(18, 12, 6) + "M9 42c0-12 2-22 9-22s9 10 9 22zM34 18h3v24h-3zM35.5 4l5 9-5 6-5-6z";

const BATON = star(24, 18, 13) + "M8 26c1 9 7 15 14 17l-1-4c-5-2-9-6-10-13zM40 26c-1 9-7 15-14 17l1-4c5-2 9-6 10-13z";
const ENGINEER = "M10 8c6-3 16-2 24 5l3-3 5 5-3 3c6 8 7 16 4 23-2-9-6-14-10-18l-19 20-6-6 20-19c-5-4-10-7-18-10z";
const BOMB = circle(21, 29, 13) + "M29 12l5 5-3 3-5-5zM33 12c1-5 6-7 10-4l-2 3c-2-2-4-1-5 2z" + circle(16.5, 25, 3);
const MINE = circle(24, 25, 11) + "M22 5h4v8h-4zM4 23h8v4h-8zM36 23h8v4h-8zM22 37h4v7h-4zM10 8l6 6-3 3-6-6z"
  + "M38 8l-6 6 3 3 6-6zM16 36l-6 6-3-3 6-6zM32 36l6 6 3-3-6-6z" + circle(24, 25, 4);
const FLAG = "M10 5h4v38h-4zM16 7c8-4 14 4 24 0v18c-10 4-16-4-24 0z";

const DRAWINGS = {
  banqi: { K: GENERAL, G: SHIELD, M: ELEPHANT, R: WHEEL, N: HORSE, C: CANNON, P: SOLDIER },
  junqi: {
    M: BATON,
    G: star(24, 13, 9.5) + star(13, 32, 9.5) + star(35, 32, 9.5),
    D: star(13, 24, 10.5) + star(35, 24, 10.5),
    B: star(24, 24, 14),
    R: bar(12) + bar(22) + bar(32),
    T: bar(16) + bar(28),
    C: bar(22),
    P: "M8 30l16-14 16 14v7l-16-14-16 14z",
    E: ENGINEER,
    O: BOMB,
    L: MINE,
    F: FLAG,
  },
};

/** The path of a kind's drawing. @param {import("./pieces.js").Game} game @param {string} kind @returns {string} */
export function pictogram(game, kind) {
  return DRAWINGS[game][kind];
}
