// Mouse and fingers on the board: what was tapped, what was dragged and where it was let go.

// A finger that moves less than so many pixels taps.
const STILL = 7;
// A second click of a double click means nothing more.
const DOUBLE = 250;

/**
 * @param {HTMLElement} field where the squares lie
 * @param {{
 *   squareAt: (event: PointerEvent) => number|null,
 *   lift: (square: number) => boolean,
 *   carry: (dx: number, dy: number) => void,
 *   release: (square: number|null) => void,
 *   tap: (square: number, taps: "once"|"twice") => void,
 *   hover: (square: number|null) => void,
 *   asksTwice: () => boolean,
 * }} board lift: take a piece in hand, and tell whether there was one to take; dx, dy: pixels from where it was lifted.
 */
export function listen(field, board) {
  /** @type {{id: number, x: number, y: number, square: number, isCarried: boolean, wasTaken: boolean}|null} */
  let held = null;
  let lastTap = -Infinity;
  let kind = "mouse";
  // The click that follows a drag is none.
  let isDragEnd = false;

  field.addEventListener("pointerdown", (event) => {
    kind = event.pointerType;
    isDragEnd = false;
    const square = board.squareAt(event);
    if (square === null || event.button !== 0 || held) return;
    const wasTaken = field.dataset.selected === String(square);
    if (!board.lift(square)) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, square, isCarried: false, wasTaken };
  });

  field.addEventListener("pointermove", (event) => {
    if (!held) {
      if (event.pointerType === "mouse") board.hover(board.squareAt(event));
      return;
    }
    if (event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.isCarried && Math.hypot(dx, dy) < STILL) return;
    if (!held.isCarried) field.setPointerCapture(held.id);
    held.isCarried = true;
    board.carry(dx, dy);
  });

  field.addEventListener("pointerleave", () => board.hover(null));

  field.addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (!held.isCarried) return;
    held = null;
    isDragEnd = true;
    board.release(board.squareAt(event));
  });

  field.addEventListener("pointercancel", () => {
    if (held?.isCarried) board.release(null);
    held = null;
  });

  // A screen reader's click has no place and no pointer before it.
  field.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-square]");
    const pressed = held;
    held = null;
    const square = event.detail === 0 && cell ? Number(cell.dataset.square) : board.squareAt(event);
    const isRepeated = event.detail > 1 && event.timeStamp - lastTap < DOUBLE && kind === "mouse";
    if (square === null || isRepeated || (isDragEnd && event.detail !== 0)) return;
    lastTap = event.timeStamp;
    // The press has taken the piece already.
    if (pressed && pressed.square === square && !pressed.wasTaken) return;
    const isTouch = event.detail !== 0 && kind !== "mouse";
    board.tap(square, isTouch && board.asksTwice() ? "twice" : "once");
  });
}
