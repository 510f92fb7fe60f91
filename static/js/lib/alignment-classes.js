/**
 * The classes of words, by the rules of measures/alignment/classes.py, so that a page can show them before saving.
 *
 * @typedef {{ form: string, isMark: boolean }} Word
 */

/** The words below that are out of order: outside the longest rising sequence of places (the one that ends earliest).
 * @param {(number | null)[]} places @returns {Set<number>} */
export function movedPlaces(places) {
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const last = [];
  /** @type {Map<number, number | undefined>} */
  const before = new Map();
  places.forEach((place, word) => {
    if (place === null) return;
    let at = ends.findIndex((end) => end >= place);
    if (at < 0) at = ends.length;
    before.set(word, last[at - 1]);
    ends[at] = place;
    last[at] = word;
  });
  const moved = new Set(before.keys());
  for (let word = last.at(-1); word !== undefined; word = before.get(word)) moved.delete(word);
  return moved;
}

/** @param {Word[]} source @param {Word[]} text @param {(number | null)[]} places */
export function classesOf(source, text, places) {
  const moved = movedPlaces(places.map((place, word) => (text[word].isMark ? null : place)));
  return places.map((place, word) => ({
    kind: place === null ? "inserted" : source[place].form === text[word].form ? "copied" : "paraphrased",
    isMoved: moved.has(word),
  }));
}
