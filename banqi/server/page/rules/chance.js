// Chance: what lies under a piece that nobody has looked at.

const WORDS = 2 ** 32;

/** Fills an array of whole numbers of 32 bits, each as likely as any other, that nobody can foretell. */
function fillRandom(words) {
  return crypto.getRandomValues(words);
}

/**
 * A whole number from 0 to n - 1, each exactly as likely as any other: what is left over above the last whole multiple
 * of n, which would make small numbers likelier, is drawn again.
 *
 * @param {number} n from 1 to 2 ** 32
 * @param {(words: Uint32Array) => void} [fill]
 */
export function below(n, fill = fillRandom) {
  const words = new Uint32Array(1);
  do {
    fill(words);
  } while (words[0] >= WORDS - (WORDS % n));
  return words[0] % n;
}

/**
 * One of a pool's letters, as likely as it is frequent there.
 *
 * @param {Map<string, number>} pool how often each letter is there; at least one is
 * @param {(words: Uint32Array) => void} [fill]
 */
export function drawn(pool, fill = fillRandom) {
  const letters = [...pool].flatMap(([letter, count]) => new Array(count).fill(letter));
  return letters[below(letters.length, fill)];
}
