/**
 * The answer of a task page: what has become of the work, said beside the main button. All messages about sending, saving
 * and the reservation appear there, in the same shape.
 *
 * @typedef {"step" | "notice" | "trouble" | "refusal" | "question" | "end"} Kind
 * @typedef {{ words: string, act: () => void }} Action  a button in the answer
 * @typedef {{ words: string, target: HTMLElement }} Link  to what has to be corrected
 */

import { placeAnswers } from "./layout.js";
import { gettext } from "./words.js";

/** Screen readers announce a text only if it changes; this is how long it is gone when it is to be said again. */
const AGAIN_MS = 100;
/** Kinds that are announced at once. */
const ALERTS = ["trouble", "refusal", "question", "end"];
/** Kinds that answer what the reader has just done, and so may move the page. */
const ANSWERS = ["refusal", "question", "end"];

export class AnswerLine {
  /** @type {Kind} */
  #kind = "step";
  #isSaved = false;
  #stays = false;
  #timer = 0;
  #title;
  /** @type {((isYes: boolean) => void) | null} */
  #decide = null;

  /** @param {HTMLElement} box @param {HTMLElement} live  a status for screen readers only */
  constructor(box, live) {
    this.box = box;
    this.live = live;
    this.#title = document.title;
    if (box.dataset.kind === "refusal") {
      // The server has refused a form: the title of its page says so.
      const error = errorTitle("");
      if (document.title.startsWith(error)) this.#title = document.title.slice(error.length);
      this.#kind = "refusal";
      this.#stays = true;
    }
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (this.#kind === "question") this.#settle(false);
    });
    placeAnswers(this.#around);
  }

  get #around() {
    return /** @type {HTMLElement} */ (this.box.parentElement);
  }

  /** The work was changed: it is unsaved, a notice can go, and a question is answered by going on. */
  edited() {
    const isDone = this.#kind === "notice" || (this.#kind === "refusal" && !this.#stays);
    if (this.#kind === "question") this.#settle(false);
    else if (isDone || (this.#kind === "step" && this.#isSaved)) this.#show("step", gettext("Not saved yet."));
  }

  saving() {
    if (this.#kind === "step") this.#show("step", gettext("Saving …"));
  }

  saved() {
    if (this.#kind === "step" || this.#kind === "trouble") this.#show("step", gettext("Saved."));
    this.#isSaved = this.#kind === "step";
  }

  /** Saving fails; the message stays until it succeeds. @param {string} words @param {Action[]} actions */
  trouble(words, actions = []) {
    if (this.#kind === "trouble" && this.words === words) return;
    this.#show("trouble", words, { actions });
  }

  /** The main button says so too, so only those who cannot see it are told. */
  sending() {
    this.clear();
    this.#announce(gettext("Sending …"));
  }

  /** Show a message that saving must not overwrite. @param {string} words @param {Action[]} actions */
  notice(words, actions = []) {
    this.#show("notice", words, { actions });
  }

  /**
   * Say why the work was not submitted. With several links the reader is taken to their list; else to `focus`, or to
   * the message.
   *
   * @param {string} words
   * @param {{ title?: string, links?: Link[], focus?: HTMLElement, stays?: boolean, instead?: boolean }} [more]  a refusal
   *   that does not stay goes with the next change; `instead`: it says what the line beside it says, and takes its place
   */
  refuse(words, { title = gettext("Not submitted:"), links = [], focus, stays = false, instead = false } = {}) {
    this.#show("refusal", words, { title, links, instead });
    this.#stays = stays;
    (links.length > 1 ? this.box : (focus ?? this.box)).focus({ preventScroll: true });
  }

  /**
   * Ask before sending; resolves to false when the work is changed instead. Asked again while the question stands, it
   * is announced again, and only the latest promise is kept: whoever asked before must not act on it any more.
   *
   * @param {string} words @returns {Promise<boolean>}
   */
  ask(words) {
    this.#decide = null;
    const actions = [
      { words: gettext("Submit anyway"), act: () => this.#settle(true) },
      { words: gettext("Keep working"), act: () => this.#settle(false) },
    ];
    this.#show("question", words, { actions });
    this.box.focus({ preventScroll: true });
    return new Promise((resolve) => {
      this.#decide = resolve;
    });
  }

  /** Nothing can be submitted any more. @param {string} words */
  end(words) {
    this.#show("end", words);
    this.box.focus({ preventScroll: true });
  }

  /**
   * Say what is still missing of a refusal, without announcing it: the reader is just correcting it.
   *
   * @param {string} words @param {{ title?: string, links?: Link[] }} [more]
   */
  revise(words, { title = gettext("Not submitted:"), links = [] } = {}) {
    const message = said(false, title, words, links);
    message.id = `${this.box.id}-words`;
    this.box.replaceChildren(message);
    placeAnswers(this.#around);
  }

  clear() {
    this.#show("step", "");
  }

  get words() {
    return this.box.querySelector(".answer-words")?.textContent ?? "";
  }

  /** @param {boolean} isYes */
  #settle(isYes) {
    const decide = this.#decide;
    this.#decide = null;
    this.clear();
    decide?.(isYes);
  }

  /**
   * @param {Kind} kind @param {string} words
   * @param {{ title?: string, links?: Link[], actions?: Action[], instead?: boolean }} [more]
   */
  #show(kind, words, { title = "", links = [], actions = [], instead = false } = {}) {
    if (kind === "refusal" || this.#kind === "refusal") {
      document.title = kind === "refusal" ? errorTitle(this.#title) : this.#title;
    }
    const decide = this.#decide;
    this.#decide = null;
    this.#kind = kind;
    this.#isSaved = false;
    this.#stays = false;
    this.box.dataset.kind = kind;
    this.box.toggleAttribute("data-instead", instead);
    const message = said(ALERTS.includes(kind), title, words, links);
    message.id = `${this.box.id}-words`;
    this.box.replaceChildren(message, ...buttonsOf(actions));
    this.#announce(kind === "notice" ? words : "");
    placeAnswers(this.#around);
    if (ANSWERS.includes(kind) && !isInView(this.box)) this.box.scrollIntoView({ block: "nearest" });
    decide?.(false); // something else has come up
  }

  /** Say something quietly, even if it is what was said before. @param {string} words */
  #announce(words) {
    clearTimeout(this.#timer);
    this.live.textContent = "";
    if (!words) return;
    this.#timer = setTimeout(() => {
      this.live.textContent = words;
    }, AGAIN_MS);
  }
}

/** @param {HTMLElement} box */
function isInView(box) {
  const { top, bottom } = box.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** @param {string} title */
function errorTitle(title) {
  return `${gettext("Error:")} ${title}`;
}

/**
 * The message; an alert is announced because it is new, even if it says the same as the one before.
 *
 * @param {boolean} isAlert @param {string} title @param {string} words @param {Link[]} links
 */
function said(isAlert, title, words, links) {
  const element = document.createElement("div");
  element.className = "answer-words";
  if (isAlert) element.setAttribute("role", "alert");
  if (title) element.append(strong(title), " ");
  element.append(words);
  if (links.length) element.append(listOf(links));
  return element;
}

/** @param {string} words */
function strong(words) {
  const element = document.createElement("strong");
  element.textContent = words;
  return element;
}

/** @param {Link[]} links */
function listOf(links) {
  const list = document.createElement("ul");
  for (const { words, target } of links) {
    const [item, link] = [document.createElement("li"), document.createElement("a")];
    link.href = `#${target.id}`;
    link.textContent = words;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      target.scrollIntoView({ block: "center" });
      target.focus({ preventScroll: true });
    });
    item.append(link);
    list.append(item, " ");
  }
  return list;
}

/** @param {Action[]} actions @returns {HTMLElement[]} */
function buttonsOf(actions) {
  if (!actions.length) return [];
  const row = document.createElement("div");
  row.className = "inline";
  for (const { words, act } of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = words;
    button.addEventListener("click", act);
    row.append(button);
  }
  return [row];
}
