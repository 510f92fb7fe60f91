/** Proposes the short name of a new campaign while its name is typed, until someone edits the short name. */

import { slugOf } from "./lib/slug.js";

const name = /** @type {HTMLInputElement} */ (document.getElementById("id_name"));
const shortName = /** @type {HTMLInputElement} */ (document.getElementById("id_slug"));

// A page that comes back with errors has what was sent: it is followed only if it was not edited then.
let isFollowing = shortName.value === slugOf(name.value);

name.addEventListener("input", () => {
  if (isFollowing) shortName.value = slugOf(name.value);
});

shortName.addEventListener("input", () => {
  isFollowing = shortName.value === "";
});
