/**
 * Marks of errors as the page holds them, what a preset makes of them, and the answer that is sent.
 *
 * @typedef {"source" | "output"} Side
 * @typedef {[Side, number, number]} Place  half-open, in code points
 * @typedef {{
 *   id: string, places: Place[], missing: boolean, kind: string | null, severity: string | null,
 *   answers: Record<string, any>, parts: string[], note: string, origin: string,
 *   fate: "kept" | "changed" | "deleted" | null, at_ms: number,
 * }} Mark
 * @typedef {{ key: string, question: string, options: Options }} Question
 * @typedef {"binary" | "likert-3" | Option[]} Options
 * @typedef {{ key: string, name: string, question?: string, options?: Options }} Option
 * @typedef {{
 *   key: string, name: string, side: Side | "either" | "both" | "whole" | "missing", severities?: string[],
 *   questions?: Question[], note_wanted?: boolean, composite?: boolean, several?: boolean,
 * }} Kind
 * @typedef {{ kinds: Kind[], severities: string[], score: "none" | "0-100", snap: "word" | "character",
 *   max_spans: number | null, missing?: boolean }} Preset
 * @typedef {{ marks: Record<string, Mark>, noErrors: boolean, done: boolean, score: number | null }} State
 * @typedef {[number, string, string]} Act  the time in milliseconds, what was done, and the mark
 */

/** @returns {Mark} */
export const newMark = (/** @type {string} */ id, /** @type {Partial<Mark>} */ more) => ({
  id,
  places: [],
  missing: false,
  kind: null,
  severity: null,
  answers: {},
  parts: [],
  note: "",
  origin: "person",
  fate: null,
  at_ms: 0,
  ...more,
});

/** A mark as the server has it. @param {any} row @returns {Mark} */
export function markFrom({ id, side, start, end, pairs, ...more }) {
  const own = start === null || start === undefined ? [] : [[side, start, end]];
  return newMark(id, { ...more, places: pairs?.length ? pairs : own });
}

/** A mark as the server takes it; what would say nothing is left out. @param {Mark} mark @param {Preset} preset */
export function rowOf(mark, preset) {
  const { places, missing, origin, ...rest } = mark;
  const said = Object.entries(rest).filter(([, value]) => (typeof value === "object" && value ? Object.keys(value).length : value));
  const row = { ...Object.fromEntries(said), ...(missing && { missing }), ...(origin !== "person" && { origin }) };
  const sides = new Set(places.map(([side]) => side));
  if (missing && !places.length) return { ...row, side: "output" };
  if (isComposite(mark, preset)) return { ...row, side: "both" };
  if (places.length === 1) return { ...row, side: places[0][0], start: places[0][1], end: places[0][2] };
  return { ...row, side: sides.size > 1 ? "both" : places[0]?.[0], pairs: places };
}

/** @param {Mark} mark @param {Preset} preset @returns {Kind | undefined} */
export const kindOf = (mark, preset) => preset.kinds.find(({ key }) => key === mark.kind);

/** @param {Mark} mark @param {Preset} preset */
export const isComposite = (mark, preset) => mark.parts.length > 0 || Boolean(kindOf(mark, preset)?.composite);

/** @param {Mark} mark */
export const isUndecided = (mark) => mark.origin !== "person" && mark.fate === null;

/** The marks that are still there, as they come in the texts. @param {State} state @returns {Mark[]} */
export const counted = (state) => inOrder(state).filter(({ fate }) => fate !== "deleted");

/** @param {State} state @returns {Mark[]} */
export function inOrder(state) {
  return Object.values(state.marks).sort((one, other) => compare(orderOf(one), orderOf(other)));
}

/** @param {Mark} mark @returns {number[]} */
function orderOf({ id, places }) {
  const [side, start, end] = places.find(([each]) => each === "output") ?? places[0] ?? ["", Infinity, 0];
  return [{ output: 0, source: 1 }[side] ?? 2, start, end, Number(id.replace(/\D+/g, "")) || 0];
}

/** @param {number[]} one @param {number[]} other */
function compare(one, other) {
  const place = one.findIndex((each, number) => each !== other[number]);
  return place < 0 ? 0 : one[place] < other[place] ? -1 : 1;
}

/** The kinds that a mark can have where it is. @param {Mark} mark @param {Preset} preset @returns {Kind[]} */
export function possibleKinds(mark, preset) {
  if (mark.missing) return preset.kinds.filter(({ side }) => side === "missing");
  if (mark.parts.length > 0 || kindOf(mark, preset)?.composite) return preset.kinds.filter(({ composite }) => composite);
  const sides = new Set(mark.places.map(([side]) => side));
  return preset.kinds.filter(({ side, composite }) => {
    if (composite || side === "missing") return false;
    if (side === "both") return true;
    if (side === "either") return sides.size === 1;
    return sides.size === 1 && sides.has(side === "whole" ? "output" : side);
  });
}

/** @param {Mark} mark @param {Preset} preset @returns {string[]} */
export const possibleSeverities = (mark, preset) => kindOf(mark, preset)?.severities ?? preset.severities;

/** Whether a range of this side belongs to the mark that is chosen: its other half. @param {Mark} mark @param {Side} side @param {Preset} preset */
export const wantsSide = (mark, side, preset) =>
  kindOf(mark, preset)?.side === "both" && !isComposite(mark, preset) && !mark.places.some(([each]) => each === side);

/** The sides on which something can be marked. @param {Preset} preset @returns {Side[]} */
export function markedSides({ kinds }) {
  const own = kinds.filter(({ composite }) => !composite).map(({ side }) => side);
  const isSource = own.some((side) => ["source", "either", "both"].includes(side));
  return isSource ? ["source", "output"] : ["output"];
}

/** @param {Preset} preset */
export const marksMissing = (preset) => Boolean(preset.missing) || preset.kinds.some(({ side }) => side === "missing");

/**
 * What a mark still lacks, in the order in which it is asked.
 *
 * @param {Mark} mark @param {Preset} preset
 * @returns {("decision" | "kind" | "severity" | "places" | "parts" | "answers" | "note")[]}
 */
export function lackingOf(mark, preset) {
  if (mark.fate === "deleted") return [];
  const kind = kindOf(mark, preset);
  /** @type {[boolean, any][]} */
  const wanted = [
    [isUndecided(mark), "decision"],
    [preset.kinds.length > 0 && !kind && !(mark.missing && preset.missing), "kind"],
    [possibleSeverities(mark, preset).length > 0 && mark.severity === null, "severity"],
    [["source", "output"].some((side) => wantsSide(mark, /** @type {Side} */ (side), preset)), "places"],
    [isComposite(mark, preset) && mark.parts.length === 0, "parts"],
    [(kind?.questions ?? []).some((each) => !isAnswered(mark.answers[each.key], each.options)), "answers"],
    [Boolean(kind?.note_wanted) && !mark.note.trim(), "note"],
  ];
  return wanted.filter(([isLacking]) => isLacking).map(([, what]) => what);
}

/** @param {any} answer @param {Options} options @returns {boolean} */
function isAnswered(answer, options) {
  if (answer === undefined || answer === null) return false;
  if (!Array.isArray(options)) return true;
  const option = chosenOf(answer, options);
  return option !== undefined && (!option.options || isAnswered(answer[option.key], option.options));
}

/** The option that was chosen; one without a question may stand by itself. @param {any} answer @param {Option[]} options */
export const chosenOf = (answer, options) => options.find(({ key }) => key === (answer?.val ?? answer));

/** The same mark with another kind: what belongs to the old one is gone. @param {Mark} mark @param {string | null} kind @param {Preset} preset @param {number} length  of the output @returns {Mark} */
export function withKind(mark, kind, preset, length) {
  const changed = { ...mark, kind, answers: mark.kind === kind ? mark.answers : {} };
  const severities = possibleSeverities(changed, preset);
  if (!severities.includes(changed.severity ?? "")) changed.severity = severities.length === 1 ? severities[0] : null;
  if (kindOf(changed, preset)?.side === "whole") changed.places = [["output", 0, length]];
  return changed;
}

/** Whether it is the same to the server: of the same places and kind. @param {Mark} one @param {Mark} other */
export const isSame = (one, other) =>
  one.kind === other.kind && JSON.stringify(one.places.toSorted()) === JSON.stringify(other.places.toSorted());

/** The keys that choose severities: the first letter of each that no other has. @param {string[]} severities @returns {Record<string, string>} by letter */
export function lettersOf(severities) {
  /** @type {Record<string, string>} */
  const letters = {};
  for (const severity of severities) {
    const letter = [...severity.toLowerCase()].find((each) => /\p{L}/u.test(each) && !(each in letters));
    if (letter) letters[letter] = severity;
  }
  return letters;
}

/** The answer that is sent. @param {State} state @param {Preset} preset @param {string} digest @param {Act[]} actions */
export function answerOf(state, preset, digest, actions) {
  const marks = inOrder(state).map((each) => rowOf(each, preset));
  return { digest, marks, no_errors: state.noErrors, score: state.score, actions };
}

/** What was answered, as a state. @param {any} answer @returns {State} */
export function stateFrom({ marks = [], no_errors = false, score = null }) {
  const all = marks.map(markFrom);
  return { marks: byId(all), noErrors: no_errors, done: score !== null, score };
}

/** @param {Mark[]} marks @returns {Record<string, Mark>} */
export const byId = (marks) => Object.fromEntries(marks.map((mark) => [mark.id, mark]));
