/** What the button says that leads on from work that cannot be submitted any more. */

import { gettext } from "./words.js";

/** @param {string} code  beside the server's reason @returns {string} */
export function wayOnAfter(code) {
  return code === "study_over" ? gettext("Finish") : gettext("Continue with the next text");
}
