// Names and numbers of squares: a1 is 0, b1 is 1; the number is row * files + column.

/**
 * @typedef {{files: number, ranks: number, junqi: boolean}} Shape
 */

/** @param {number} square @param {Shape} shape @returns {string} */
export function nameOf(square, shape) {
  return String.fromCharCode(97 + square % shape.files) + (Math.floor(square / shape.files) + 1);
}

/** @param {string} name @param {Shape} shape @returns {number} */
export function squareOf(name, shape) {
  return (Number(name.slice(1)) - 1) * shape.files + name.charCodeAt(0) - 97;
}
