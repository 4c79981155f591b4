// The tables that the rules are fed with; `banqi/server/tables.py` makes them and tells what they hold.

let loaded = null;

/**
 * Load the tables, once; everything else in this folder needs them.
 *
 * @param {object | string} [given] the tables or their JSON, where there is no server to ask
 * @returns {Promise<object>}
 */
export async function loadTables(given) {
  if (given !== undefined) {
    loaded = typeof given === "string" ? JSON.parse(given) : given;
  }
  if (loaded === null) {
    const answer = await fetch("/page/tables.json");
    if (!answer.ok) {
      throw new Error(`The rules could not be loaded (${answer.status}).`);
    }
    loaded = await answer.json();
  }
  return loaded;
}

/** The tables, which have been loaded. */
export function tables() {
  if (loaded === null) {
    throw new Error("The rules are not loaded: call loadTables first.");
  }
  return loaded;
}
