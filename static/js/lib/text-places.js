/**
 * Places in a text: code points, which are stored, and UTF-16 code units, which scripts count; words and the characters
 * that readers see.
 *
 * @typedef {{ start: number, end: number }} Span  half-open, in code points
 */

export class TextPlaces {
  /** Where each code point begins in code units, and where the last one ends. */
  #units = [0];
  #joined;

  /**
   * @param {string} text
   * @param {Iterable<number>} joined  places in code points that lie within a character as readers see it
   * @param {string} language  a tag of the text's language
   * @param {"word" | "character"} snap  what the ends of marks snap to
   */
  constructor(text, joined, language, snap) {
    this.text = text;
    this.snap = snap;
    this.#joined = new Set(joined);
    for (const character of text) this.#units.push(/** @type {number} */ (this.#units.at(-1)) + character.length);
    this.length = this.#units.length - 1;
    /** @type {Span[]} */
    this.words = [...this.#wordsOf(language)];
  }

  /** @param {number} place @returns {number} */
  unitOf(place) {
    return this.#units[Math.max(0, Math.min(place, this.length))];
  }

  /** The last code point that begins at a code unit or before it. @param {number} unit @returns {number} */
  placeOf(unit) {
    return lastWhere(this.#units, (each) => each <= unit);
  }

  /** @param {number} start @param {number} end @returns {string} */
  slice(start, end) {
    return this.text.slice(this.unitOf(start), this.unitOf(end));
  }

  /** The words that a span touches, as places in `words`. @param {number} start @param {number} end @returns {[number, number] | null} */
  wordsIn(start, end) {
    const first = lastWhere(this.words, (each) => each.start <= start);
    const from = first >= 0 && this.words[first].end > start ? first : first + 1;
    const to = lastWhere(this.words, (each) => each.start < end);
    return from <= to ? [from, to] : null;
  }

  /** What is marked if this is chosen: no blanks at its ends, and no part of what it snaps to. @param {number} start @param {number} end @returns {Span | null} */
  snapped(start, end) {
    const touched = this.wordsIn(start, end);
    if (!touched || start >= end) return null;
    const [first, last] = touched.map((each) => this.words[each]);
    if (this.snap === "word") return { start: first.start, end: last.end };
    return { start: Math.max(this.#edge(start, -1), first.start), end: Math.min(this.#edge(end, 1), last.end) };
  }

  /**
   * A span with one end moved to the next word or character, or the same if it would be empty or leave the text.
   *
   * @param {Span} span @param {"start" | "end"} which @param {1 | -1} direction @returns {Span}
   */
  moved(span, which, direction) {
    const moved = { ...span };
    do {
      const place = this.#next(moved[which], which, direction);
      if (place === undefined) return span;
      moved[which] = place;
    } while (moved.start < moved.end && this.#isBlankAt(moved, which));
    return moved.start < moved.end ? moved : span;
  }

  /** @param {Span} span @param {"start" | "end"} which */
  #isBlankAt({ start, end }, which) {
    return !(which === "start" ? this.slice(start, start + 1) : this.slice(end - 1, end)).trim();
  }

  /** @param {number} place @param {"start" | "end"} which @param {1 | -1} direction @returns {number | undefined} */
  #next(place, which, direction) {
    if (this.snap === "word") {
      const ends = this.words.map((each) => each[which]);
      return direction > 0 ? ends.find((each) => each > place) : ends.findLast((each) => each < place);
    }
    const next = place + direction;
    return next < 0 || next > this.length ? undefined : this.#edge(next, direction);
  }

  /** @param {number} place @param {1 | -1} direction @returns {number} */
  #edge(place, direction) {
    let edge = Math.max(0, Math.min(place, this.length));
    while (this.#joined.has(edge)) edge += direction;
    return edge;
  }

  /** Words, and runs of signs between them. @param {string} language @returns {Generator<Span>} */
  *#wordsOf(language) {
    /** @type {(Span & { isWord: boolean }) | null} */
    let open = null;
    for (const { index, segment, isWordLike } of segmenterOf(language).segment(this.text)) {
      const [start, end] = [this.placeOf(index), this.placeOf(index + segment.length)];
      const isJoined = open !== null && open.end === start && (this.#joined.has(start) || !(open.isWord || isWordLike));
      if (!segment.trim() && !(isJoined && this.#joined.has(start))) {
        if (open) yield open;
        open = null;
      } else if (open && isJoined) {
        open = { start: open.start, end, isWord: open.isWord };
      } else {
        if (open) yield open;
        open = { start, end, isWord: Boolean(isWordLike) };
      }
    }
    if (open) yield open;
  }
}

/** @param {string} language */
function segmenterOf(language) {
  try {
    return new Intl.Segmenter(language || undefined, { granularity: "word" });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: "word" }); // no tag that browsers know
  }
}

/** @template T @param {T[]} sorted @param {(each: T) => boolean} isBefore @returns {number} -1 if there is none */
function lastWhere(sorted, isBefore) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle])) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Cut a text where words or marks begin or end. Marks that overlap get levels, so that their lines stack.
 *
 * @template {Span} M
 * @param {TextPlaces} text @param {M[]} marks
 * @returns {(Span & { marks: { mark: M, level: number }[] })[]}  the whole text, in order
 */
export function piecesOf(text, marks) {
  const inText = marks.filter((each) => 0 <= each.start && each.start < each.end && each.end <= text.length);
  const ordered = inText.toSorted((one, other) => one.start - other.start || other.end - one.end);
  /** @type {number[]} */
  const free = [];
  const levelled = ordered.map((mark) => {
    const found = free.findIndex((end) => end <= mark.start);
    const level = found < 0 ? free.length : found;
    free[level] = mark.end;
    return { mark, level };
  });
  const cuts = new Set([0, text.length, ...[...text.words, ...ordered].flatMap(({ start, end }) => [start, end])]);
  const edges = [...cuts].sort((one, other) => one - other);
  let [begun, next] = [/** @type {typeof levelled} */ ([]), 0];
  return edges.slice(0, -1).map((start, number) => {
    begun = begun.filter(({ mark }) => mark.end > start);
    while (next < levelled.length && levelled[next].mark.start <= start) begun.push(levelled[next++]);
    return { start, end: edges[number + 1], marks: [...begun] };
  });
}
