/** Short names made of names, as Django's slugify makes them on the server. */

export const MAX_LENGTH = 50;

/** @param {string} name */
export function slugOf(name) {
  const plain = name
    .normalize("NFKD")
    .replace(/[^\x00-\x7f]/g, "")
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/[-\s]+/g, "-");
  return plain.replace(/^[-_]+|[-_]+$/g, "").slice(0, MAX_LENGTH).replace(/^[-_]+|[-_]+$/g, "");
}
