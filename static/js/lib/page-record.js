/**
 * Counts what happens on a page: whether there were keys, how often it was left, how often a script acted. It never
 * knows which keys, what was copied, or anything of other pages.
 *
 * @typedef {{ keys: number, soft: number, untrusted: number, away_n: number, away_ms: number, copies: number }} Counts
 */

const MAX = 10_000_000; // the server takes no more
const WRITING_KEYS = ["Backspace", "Delete", "Enter"];
/** What the keyboards of phones and input methods report in place of a key. */
const SOFT_KEYS = ["Unidentified", "Process"];
const SOFT_KEY_CODE = 229;

export class PageRecord {
  /** Null where a draft of another browser is continued, since what happened there is not known. @type {Counts | null} */
  counts = { keys: 0, soft: 0, untrusted: 0, away_n: 0, away_ms: 0, copies: 0 };
  /** @type {number | null} */
  #leftAt = null;

  /** @param {HTMLElement} form  says whether leaving is recorded */
  constructor(form) {
    this.recordsLeaving = form.dataset.recordsLeaving === "1";
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#comeBack()));
  }

  /** Count the keys in a text box, and what scripts put into it. @param {HTMLTextAreaElement} box */
  watchBox(box) {
    box.addEventListener("keydown", (event) => {
      if (event.isTrusted && !event.repeat) this.#countKey(event);
    });
    box.addEventListener("input", (event) => event.isTrusted || this.#add("untrusted", 1));
  }

  /** Count how often something is copied, and what scripts press in a form. @param {HTMLElement} form */
  watchAnswers(form) {
    document.addEventListener("copy", () => this.#add("copies", 1));
    for (const kind of ["click", "keydown", "change"]) {
      form.addEventListener(kind, (event) => event.isTrusted || this.#add("untrusted", 1));
    }
  }

  /** What is sent of an editor's page; empty if it is not known. */
  get ofText() {
    return this.#told(["keys", "soft", "untrusted", "webdriver", "touch", ...(this.recordsLeaving ? ["away_n", "away_ms"] : [])]);
  }

  /** What is sent of a rater's page; empty where leaving is not recorded. */
  get ofAnswers() {
    return this.recordsLeaving ? this.#told(["away_n", "away_ms", "untrusted", "webdriver", "copies"]) : "";
  }

  /** @param {string[]} names */
  #told(names) {
    if (!this.counts) return "";
    const webdriver = Number(navigator.webdriver === true);
    /** @type {Record<string, number>} */
    const all = { ...this.counts, webdriver, touch: Number(navigator.maxTouchPoints > 0) };
    return JSON.stringify({ v: 1, ...Object.fromEntries(names.map((name) => [name, all[name]])) });
  }

  /** @param {KeyboardEvent} event */
  #countKey(event) {
    const { key, keyCode, ctrlKey, metaKey } = event;
    if (SOFT_KEYS.includes(key) || keyCode === SOFT_KEY_CODE) this.#add("soft", 1);
    else if ((ctrlKey || metaKey) && !event.getModifierState("AltGraph")) return; // a shortcut writes nothing
    else if (Array.from(key).length === 1 || WRITING_KEYS.includes(key)) this.#add("keys", 1);
  }

  #leave() {
    this.#leftAt ??= performance.now();
  }

  #comeBack() {
    if (this.#leftAt === null) return;
    this.#add("away_n", 1);
    this.#add("away_ms", Math.round(performance.now() - this.#leftAt));
    this.#leftAt = null;
  }

  /** @param {keyof Counts} name @param {number} more */
  #add(name, more) {
    if (this.counts) this.counts[name] = Math.min(MAX, this.counts[name] + more);
  }
}
