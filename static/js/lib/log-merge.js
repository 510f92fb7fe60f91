/**
 * Keeps an edit log within the bounds of measures/keystrokes/log_bounds.py, so that no text is refused for its log.
 *
 * Neighbouring changes of the same kind become one, at first a few letters at a time. Only if that is not enough, all
 * changes of the older part become one, of the kind "merged". The text that a log leads to stays the same.
 */

import { apply, operationBetween } from "./edit-log.js";

/** @typedef {import("./edit-log.js").Operation} Operation */
/** @typedef {{ operations: number, characters: number, replayed: number }} Bounds */

const MAX_OPERATIONS = 10_000;
const MAX_CHARACTERS = 250_000;
const MAX_REPLAYED = 60_000_000;

/** Merging begins before a bound is met, and makes much room, so that it is seldom done. */
const NEAR = 0.8;
const ROOM = 0.5;

/** Steps of merging: the greatest number of characters of a merged change, and the longest time that it takes. */
const STEPS = [
  { characters: 8, ms: 5_000 },
  { characters: 24, ms: 20_000 },
];
const MAX_GAP_MS = 2_000;
const MERGED_KINDS = ["typing", "deletion", "composition", "autocorrect", "undo", "redo", "other"];

const size = (/** @type {string} */ text) => Array.from(text).length;

/** As `log_bounds` in Python. @param {number} sourceLength  in code points @returns {Bounds} */
export function boundsFor(sourceLength) {
  const operations = Math.min(MAX_OPERATIONS, 1_000 + 4 * sourceLength);
  return {
    operations,
    characters: Math.min(MAX_CHARACTERS, 120_000 + 30 * sourceLength),
    replayed: Math.min(MAX_REPLAYED, operations * (2 * sourceLength + 500)),
  };
}

/**
 * What a log takes of its bounds.
 *
 * @param {string} start @param {Operation[]} log @returns {Bounds}
 */
export function weightOf(start, log) {
  let length = size(start);
  let characters = 0;
  let replayed = 0;
  for (const [, removed, inserted] of log) {
    const [taken, put] = [size(removed), size(inserted)];
    replayed += length;
    characters += taken + put;
    length += put - taken;
  }
  return { operations: log.length, characters, replayed };
}

/**
 * The log, merged until there is much room; as it is if it is not near its bounds.
 *
 * @param {string} start @param {Operation[]} log @param {Bounds} bounds @returns {Operation[]}
 */
export function withinBounds(start, log, bounds) {
  if (!exceeds(weightOf(start, log), bounds, NEAR)) return log;
  let merged = log;
  for (const step of STEPS) {
    merged = neighboursMerged(merged, step);
    if (!exceeds(weightOf(start, merged), bounds, ROOM)) return merged;
  }
  return olderMerged(start, merged, bounds);
}

/** @param {Bounds} weight @param {Bounds} bounds @param {number} share @returns {boolean} */
export function exceeds(weight, bounds, share) {
  const keys = /** @type {(keyof Bounds)[]} */ (["operations", "characters", "replayed"]);
  return keys.some((key) => weight[key] > share * bounds[key]);
}

/** @param {Operation[]} log @param {{ characters: number, ms: number }} most @returns {Operation[]} */
function neighboursMerged(log, most) {
  /** @type {Operation[]} */
  const merged = [];
  let begun = 0; // when the last merged change began
  for (const operation of log) {
    const before = merged.at(-1);
    const both = before && operation[4] - begun <= most.ms ? asOne(before, operation, most.characters) : null;
    if (both) {
      merged[merged.length - 1] = both;
    } else {
      merged.push(operation);
      begun = operation[4];
    }
  }
  return merged;
}

/**
 * Two changes as one, if they are of the same kind, near in time, and touch.
 *
 * @param {Operation} first @param {Operation} second @param {number} most @returns {Operation | null}
 */
function asOne(first, second, most) {
  if (first[3] !== second[3] || !MERGED_KINDS.includes(first[3]) || second[4] - first[4] > MAX_GAP_MS) return null;
  const [inserted, removed] = [Array.from(first[2]), Array.from(second[1])];
  const [offset, end] = [second[0] - first[0], second[0] - first[0] + removed.length];
  if (offset > inserted.length || end < 0) return null;
  const before = removed.slice(0, Math.max(0, -offset)).join("");
  const after = removed.slice(Math.max(0, inserted.length - offset)).join("");
  const taken = before + first[1] + after;
  const put = [...inserted.slice(0, Math.max(0, offset)), second[2], ...inserted.slice(Math.max(0, end))].join("");
  if (size(taken) > most || size(put) > most) return null;
  return [Math.min(first[0], second[0]), taken, put, second[3], second[4]];
}

/**
 * The log with its older part as one change; of the newer part, as much stays as there is room for.
 *
 * @param {string} start @param {Operation[]} log @param {Bounds} bounds @returns {Operation[]}
 */
function olderMerged(start, log, bounds) {
  for (const share of [ROOM, ROOM / 2, ROOM / 8, 0]) {
    const from = log.length - Math.floor(Math.min(log.length / 2, bounds.operations) * share);
    const [older, newer] = [log.slice(0, from), log.slice(from)];
    const change = operationBetween(start, replayed(start, older), "merged", older.at(-1)?.[4] ?? 0);
    const merged = change ? [change, ...newer] : newer;
    if (share === 0 || !exceeds(weightOf(start, merged), bounds, ROOM)) return merged;
  }
  return log;
}

/** @param {string} start @param {Operation[]} log */
function replayed(start, log) {
  return log.reduce((text, operation) => apply(text, operation), Array.from(start)).join("");
}
