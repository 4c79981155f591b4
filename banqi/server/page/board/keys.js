// The keyboard on the board: arrows walk, Enter acts, Escape drops, F flips, digits jump among one's own pieces.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @param {HTMLElement} field
 * @param {{
 *   grid: () => number[][],
 *   focus: (square: number) => void,
 *   tap: (square: number, taps: "once") => void,
 *   flip: (square: number) => void,
 *   drop: () => void,
 *   own: (digit: number) => number[],
 * }} board own: the squares of one's own pieces of the kind with this number.
 */
export function listen(field, board) {
  field.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-square]");
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (obey(event, Number(cell.dataset.square))) {
      event.preventDefault();
      event.stopPropagation();
    }
  });

  function obey({ key, repeat }, square) {
    if (key in STEPS) walk(square, STEPS[key]);
    else if (key === "Home" || key === "End") toEnd(square, key);
    else if ((key === "Enter" || key === " ") && !repeat) board.tap(square, "once");
    else if (key === "Escape") board.drop();
    else if (key.toLowerCase() === "f" && !repeat) board.flip(square);
    else if (/^[1-9]$/.test(key)) jump(square, Number(key));
    else return key === "Enter" || key === " ";
    return true;
  }

  function walk(square, [down, right]) {
    const grid = board.grid();
    const row = grid.findIndex((squares) => squares.includes(square));
    const next = grid[row + down]?.[grid[row].indexOf(square) + right];
    if (next !== undefined) board.focus(next);
  }

  function toEnd(square, key) {
    const row = board.grid().find((squares) => squares.includes(square));
    board.focus(row.at(key === "Home" ? 0 : -1));
  }

  function jump(square, digit) {
    const squares = board.own(digit);
    const next = squares.find((other) => other > square) ?? squares[0];
    if (next !== undefined) board.focus(next);
  }
}
