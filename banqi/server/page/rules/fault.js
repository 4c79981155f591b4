// What the rules refuse.

/** A request, a text or a setting that the rules do not allow; the message is a sentence. */
export class RulesFault extends Error {
  /**
   * @param {string} message
   * @param {string[]} names what is wrong: names of faults of a position's text; the two fields, joined by a dot, of
   *   switches that do not go together; or one that begins with "game."; none for anything else
   */
  constructor(message, names = []) {
    super(message);
    this.name = "RulesFault";
    this.names = names;
  }
}

/** A text as it may stand in a message: quoted and not too long. */
export function shown(value) {
  const text = String(value);
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
