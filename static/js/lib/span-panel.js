/** The fields of the mark that is chosen, and the list of all marks. */

import { chosenOf, counted, inOrder, isComposite, isUndecided, kindOf, lackingOf, lettersOf, possibleKinds, possibleSeverities } from "./span-marks.js";
import { lackingWords, lookOf, quoteOf, saidOf, severityWords } from "./span-words.js";
import { filled, gettext } from "./words.js";

/**
 * @typedef {import("./span-marks.js").Mark} Mark
 * @typedef {import("./span-marks.js").Preset} Preset
 * @typedef {import("./span-marks.js").State} State
 * @typedef {{ preset: Preset, texts: import("./span-words.js").Texts, language: string }} Task
 * @typedef {{
 *   change: (mark: Mark, act: string) => void, setKind: (kind: string | null) => void, keep: () => void, remove: (id: string) => void,
 *   restore: (id: string) => void, choose: (id: string | null) => void, addWords: () => void,
 * }} Acts
 */

/** What belongs to no form is not sent, and Enter in it sends nothing. */
const NO_FORM = "none";

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} properties @param {(Node | string | null | false)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-")) element.setAttribute(name, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else Object.assign(element, { [name]: value });
  }
  if (["input", "select"].includes(tag)) element.setAttribute("form", NO_FORM);
  element.append(.../** @type {(Node | string)[]} */ (children.filter((each) => each !== null && each !== false)));
  return element;
}

/** Show the fields of a mark, and leave the focus where it was. @param {HTMLElement} panel @param {Mark | null} mark @param {State} state @param {Task} task @param {Acts} acts */
export function showPanel(panel, mark, state, task, acts) {
  const focused = panel.contains(document.activeElement) ? document.activeElement?.id : "";
  panel.hidden = !mark;
  panel.replaceChildren(...(mark ? fieldsOf(mark, state, task, acts) : []));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** @param {Mark} mark @param {State} state @param {Task} task @param {Acts} acts @returns {Node[]} */
function fieldsOf(mark, state, task, acts) {
  const { preset } = task;
  const lacking = lackingOf(mark, preset);
  const [kinds, severities, kind] = [possibleKinds(mark, preset), possibleSeverities(mark, preset), kindOf(mark, preset)];
  const isPlaced = !mark.missing && !isComposite(mark, preset);
  /** @type {(Node | false)[]} */
  const fields = [
    make("h3", { id: "chosen-title", tabIndex: -1, lang: task.language, dir: "auto" }, quoteOf(mark, task.texts, preset)),
    make("p", { className: lacking.length ? "error" : "hint", id: "chosen-lacks" }, lackingWords(lacking)),
    isUndecided(mark) && button("chosen-keep", gettext("Keep this mark"), acts.keep),
    kinds.length > 0 && kindField(mark, kinds, acts),
    severities.length > 0 && severityField(mark, severities, acts),
    isPlaced && Boolean(kind?.several || kind?.side === "both") && placesField(mark, task, acts),
    isComposite(mark, preset) && partsField(mark, state, task, acts),
    ...(kind?.questions ?? []).map((each) =>
      questionField(each.question, each.options, mark.answers[each.key], `chosen-${each.key}`, (answer) =>
        acts.change({ ...mark, answers: { ...mark.answers, [each.key]: answer } }, "answer"),
      ),
    ),
    noteField(mark, kind?.note_wanted ?? false, acts),
    make(
      "div",
      { className: "inline" },
      button("chosen-remove", gettext("Remove this mark"), () => acts.remove(mark.id)),
      button("chosen-close", gettext("Done with this mark"), () => acts.choose(null)),
    ),
  ];
  return fields.filter((each) => each !== false);
}

/** @param {string} id @param {string} words @param {() => void} onclick */
const button = (id, words, onclick) => make("button", { id, type: "button", className: "quiet", onclick }, words);

/** @param {Mark} mark @param {import("./span-marks.js").Kind[]} kinds @param {Acts} acts */
function kindField(mark, kinds, acts) {
  const options = kinds.map(({ key, name }, number) =>
    make("option", { value: key, selected: key === mark.kind }, `${number + 1} ${name}`),
  );
  const onchange = (/** @type {Event} */ event) =>
    acts.setKind(/** @type {HTMLSelectElement} */ (event.target).value || null);
  const select = make("select", { id: "chosen-kind", onchange }, make("option", { value: "" }, gettext("Choose …")), ...options);
  return make("div", { className: "field" }, make("label", { htmlFor: select.id }, gettext("Kind of error")), select);
}

/** @param {Mark} mark @param {string[]} severities @param {Acts} acts */
function severityField(mark, severities, acts) {
  const letters = Object.fromEntries(Object.entries(lettersOf(severities)).map(([letter, each]) => [each, letter]));
  return choices(
    gettext("How bad is it?"),
    "chosen-severity",
    severities.map((each) => ({
      value: each,
      words: severityWords(each),
      key: letters[each],
      look: lookOf({ ...mark, severity: each }),
    })),
    mark.severity,
    (severity) => acts.change({ ...mark, severity }, "severity"),
  );
}

/**
 * @param {string} legend @param {string} id
 * @param {{ value: any, words: string, key?: string, look?: string }[]} options
 * @param {any} chosen @param {(value: any) => void} onChosen
 * @param {(Node | false)[]} more  what belongs to the answer
 */
function choices(legend, id, options, chosen, onChosen, more = []) {
  const labels = options.map(({ value, words, key, look }, number) =>
    make(
      "label",
      {},
      make("input", {
        type: "radio",
        id: `${id}-${number}`,
        name: id,
        checked: value === chosen,
        onchange: () => onChosen(value),
      }),
      make("span", { className: look ?? "" }, words),
      key ? make("kbd", { className: "keys", "aria-hidden": "true" }, key.toUpperCase()) : null,
    ),
  );
  return make("fieldset", { className: "span-choices" }, make("legend", {}, legend), ...labels, ...more);
}

/** @param {Mark} mark @param {Task} task @param {Acts} acts */
function placesField(mark, { texts, language }, acts) {
  const items = mark.places.map((place, number) => {
    const [side, start, end] = place;
    const words = texts[side].slice(start, end);
    const sideWords = side === "source" ? gettext("Original:") : gettext("Text to check:");
    const remove = button(`chosen-place-${number}`, gettext("Remove"), () =>
      acts.change({ ...mark, places: mark.places.filter((each) => each !== place) }, "words"),
    );
    remove.setAttribute("aria-label", filled(gettext("Remove “%(words)s”"), { words }));
    return make("li", {}, `${sideWords} `, make("q", { lang: language, dir: "auto" }, words), " ", mark.places.length > 1 && remove);
  });
  return make("div", {}, make("ul", {}, ...items), button("chosen-add", gettext("Add words to this mark"), acts.addWords));
}

/** @param {Mark} mark @param {State} state @param {Task} task @param {Acts} acts */
function partsField(mark, state, { preset, texts }, acts) {
  const labels = counted(state)
    .filter((each) => !isComposite(each, preset))
    .map((each) => {
      const onchange = () => {
        const parts = mark.parts.includes(each.id) ? mark.parts.filter((id) => id !== each.id) : [...mark.parts, each.id];
        acts.change({ ...mark, parts }, "parts");
      };
      const checked = mark.parts.includes(each.id);
      const box = make("input", { type: "checkbox", id: `chosen-part-${each.id}`, checked, onchange });
      return make("label", {}, box, make("span", { dir: "auto" }, `${quoteOf(each, texts, preset)} ${saidOf(each, preset)}`));
    });
  return make("fieldset", { className: "span-choices is-long" }, make("legend", {}, gettext("Marks that belong together")), ...labels);
}

/**
 * A question with the one that its answer leads to.
 *
 * @param {string} question @param {import("./span-marks.js").Options} options @param {any} answer @param {string} id
 * @param {(answer: any) => void} onAnswered @returns {HTMLElement}
 */
function questionField(question, options, answer, id, onAnswered) {
  if (options === "binary") {
    const both = [
      { value: true, words: gettext("Yes") },
      { value: false, words: gettext("No") },
    ];
    return choices(question, id, both, answer, onAnswered);
  }
  if (options === "likert-3") {
    const degrees = [gettext("a little"), gettext("somewhat"), gettext("a lot")].map((words, number) => ({ value: number + 1, words }));
    return choices(question, id, degrees, answer, onAnswered);
  }
  const option = chosenOf(answer, options);
  const inner =
    option?.options !== undefined &&
    questionField(option.question ?? option.name, option.options, answer[option.key], `${id}-${option.key}`, (each) =>
      onAnswered({ val: option.key, [option.key]: each }),
    );
  const values = options.map(({ key, name }) => ({ value: key, words: name }));
  return choices(question, id, values, option?.key, (val) => onAnswered({ val }), [inner]);
}

/** @param {Mark} mark @param {boolean} isWanted @param {Acts} acts */
function noteField(mark, isWanted, acts) {
  const input = make("input", {
    id: "chosen-note",
    className: "full",
    maxLength: 2000,
    dir: "auto",
    value: mark.note,
    onchange: () => acts.change({ ...mark, note: input.value }, "note"),
  });
  const words = isWanted ? gettext("Note") : gettext("Note (optional)");
  return make("div", { className: "field" }, make("label", { htmlFor: input.id }, words), input);
}

/** List all marks. @param {HTMLElement} list @param {State} state @param {string | null} chosen @param {Task} task @param {Acts | null} acts  none where nothing can be changed */
export function showList(list, state, chosen, task, acts) {
  const focused = list.contains(document.activeElement) ? document.activeElement?.id : "";
  list.replaceChildren(...inOrder(state).map((mark, number) => rowOf(mark, number, chosen, task, acts)));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** @param {Mark} mark @param {number} number @param {string | null} chosen @param {Task} task @param {Acts | null} acts */
function rowOf(mark, number, chosen, { preset, texts, language }, acts) {
  const isGone = mark.fate === "deleted";
  const quote = make(isGone ? "del" : "span", { className: isGone ? "" : lookOf(mark), lang: language, dir: "auto" }, quoteOf(mark, texts, preset));
  const lacks = acts ? lackingWords(lackingOf(mark, preset)) : "";
  const words = [make("span", {}, saidOf(mark, preset)), lacks && make("strong", {}, lacks)];
  if (!acts) return make("li", {}, quote, " ", ...spaced(words));
  const row = make("li", { className: mark.id === chosen ? "is-chosen" : "" });
  const choose = make("button", { type: "button", id: `mark-${mark.id}`, className: "span-row" }, quote, " ", ...spaced(words));
  choose.setAttribute("aria-pressed", String(mark.id === chosen));
  choose.disabled = isGone;
  choose.addEventListener("click", () => acts.choose(mark.id));
  const act = isGone
    ? button(`back-${mark.id}`, gettext("Put back"), () => acts.restore(mark.id))
    : button(`remove-${mark.id}`, gettext("Remove"), () => acts.remove(mark.id));
  act.setAttribute("aria-label", filled(isGone ? gettext("Put back mark %(number)s") : gettext("Remove mark %(number)s"), { number: number + 1 }));
  row.append(choose, act);
  return row;
}

/** @param {(Node | string | false)[]} words @returns {(Node | string)[]} */
const spaced = (words) => words.filter(Boolean).flatMap((each) => [" ", /** @type {Node | string} */ (each)]);
