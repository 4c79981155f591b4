// Where the squares of a board are drawn, in units of the drawing: a cell of Banqi is 100 wide.

// Beside and below the board, where coordinates stand, and on the other sides. Without coordinates it is the same room,
// so that nothing moves when they are switched.
const MARGIN = { coordinates: [40, 10], bare: [25, 25] };
// Between Junqi's halves, where the mountains stand.
const FRONTIER = 36;

/**
 * @typedef {{x: number, y: number, row: number, column: number}} Place
 * x, y: of the middle; row, column: as they are seen, from the top left.
 */

/** A board's measures: standing, with rank 1 at the bottom; or lying, turned clockwise, with rank 1 on the left. */
export class Layout {
  /**
   * @param {import("./squares.js").Shape} shape
   * @param {{lying: boolean, coordinates: boolean}} options
   */
  constructor(shape, { lying, coordinates }) {
    this.shape = shape;
    this.lying = lying && !shape.junqi;
    const [margin, bare] = coordinates ? MARGIN.coordinates : MARGIN.bare;
    this.margin = margin;
    this.cell = { width: 100, height: shape.junqi ? 76 : 100 };
    this.radius = shape.junqi ? 34 : 42;
    this.columns = this.lying ? shape.ranks : shape.files;
    this.rows = this.lying ? shape.files : shape.ranks;
    this.frontier = shape.junqi ? FRONTIER : 0;
    this.inner = {
      x: this.margin,
      y: bare,
      width: this.columns * this.cell.width,
      height: this.rows * this.cell.height + this.frontier,
    };
    this.width = this.inner.width + margin + bare;
    this.height = this.inner.height + margin + bare;
    /** @type {Place[]} */
    this.places = Array.from({ length: shape.files * shape.ranks }, (_, square) => this.#place(square));
  }

  #place(square) {
    const { files, ranks } = this.shape;
    const [rank, file] = [Math.floor(square / files), square % files];
    const [row, column] = this.lying ? [file, rank] : [ranks - 1 - rank, file];
    const gap = row >= this.rows / 2 ? this.frontier : 0;
    return {
      x: this.inner.x + (column + 0.5) * this.cell.width,
      y: this.inner.y + (row + 0.5) * this.cell.height + gap,
      row,
      column,
    };
  }

  /** The squares as rows that are seen, from the top left. @returns {number[][]} */
  grid() {
    const grid = Array.from({ length: this.rows }, () => []);
    this.places.forEach((place, square) => { grid[place.row][place.column] = square; });
    return grid;
  }

  /** The square at a point of the drawing, or null beside the board. @returns {number|null} */
  at(x, y) {
    const found = this.places.findIndex((place) =>
      Math.abs(place.x - x) <= this.cell.width / 2 && Math.abs(place.y - y) <= this.cell.height / 2);
    return found < 0 ? null : found;
  }
}
