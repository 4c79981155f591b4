// Texts for elements that draw themselves anew when a property changes: another function for each language.

import { changes, t } from "../languages/index.js";

/** @returns {import("../board/pieces.js").Words} */
const spoken = () => (key, values) => t(key, values);

/** Says texts in the language in use; another function after each change of it. */
export let words = spoken();

changes.addEventListener("change", () => { words = spoken(); });
