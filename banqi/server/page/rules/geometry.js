// Squares, their names, and what joins them. A square's number is row * files + column, from 0: a1, b1, ..., a2, ...

/**
 * A board's squares and edges.
 *
 * neighbours: by square the squares that an edge joins to it. lines: by square the squares along each straight line of
 * edges, nearest first. rails, railLines: the same of railway edges only.
 */
export class Geometry {
  /** @param {{files: number, ranks: number, edges: [number, number, boolean][], camps: number[]}} board */
  constructor(board) {
    this.files = board.files;
    this.ranks = board.ranks;
    this.squares = board.files * board.ranks;
    this.camps = new Set(board.camps);
    this.names = Array.from({ length: this.squares }, (_, square) => this.#name(square));
    const railway = board.edges.filter((edge) => edge[2]);
    this.neighbours = joined(board.edges, this.squares);
    this.lines = lines(this.neighbours);
    this.rails = joined(railway, this.squares);
    this.railLines = lines(this.rails);
    this.#numbers = new Map(this.names.map((name, square) => [name, square]));
  }

  #numbers;

  #name(square) {
    return `${String.fromCharCode(97 + (square % this.files))}${Math.floor(square / this.files) + 1}`;
  }

  /**
   * The number of a square.
   *
   * @param {string} name
   * @returns {number} -1 if there is none of this name
   */
  index(name) {
    return this.#numbers.get(name) ?? -1;
  }
}

function joined(edges, squares) {
  const found = Array.from({ length: squares }, () => []);
  for (const [low, high] of edges) {
    found[low].push(high);
    found[high].push(low);
  }
  return found;
}

/** From each square along the difference to each neighbour, as far as edges go. */
function lines(neighbours) {
  return neighbours.map((around, square) =>
    around.map((first) => {
      const line = [first];
      const step = first - square;
      while (neighbours[line.at(-1)].includes(line.at(-1) + step)) {
        line.push(line.at(-1) + step);
      }
      return line;
    }),
  );
}
