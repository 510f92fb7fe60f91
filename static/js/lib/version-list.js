/** The list of other versions of the text, from other tabs and windows, that can be loaded into the box. */

import { filled, gettext } from "./words.js";

/** @typedef {import("./versions.js").Version} Version */

export class VersionList {
  /** @type {Version[]} */
  versions = [];

  /** @param {HTMLElement} box @param {HTMLElement} list @param {HTMLElement} like  a text in the same language
   * @param {(version: Version) => void} onChosen */
  constructor(box, list, like, onChosen) {
    this.box = box;
    this.list = list;
    this.like = like;
    this.onChosen = onChosen;
  }

  /** @param {Version[]} versions */
  show(versions) {
    this.versions = versions;
    this.list.replaceChildren(...versions.map((version) => this.#row(version)));
    this.box.hidden = versions.length === 0;
  }

  /** Replace the chosen version by another. @param {Version} chosen @param {Version} replacement */
  exchange(chosen, replacement) {
    this.show([replacement, ...this.versions.filter((version) => version !== chosen)]);
  }

  /** @param {Version} version */
  #row(version) {
    const row = document.createElement("div");
    const [text, about] = [document.createElement("p"), document.createElement("p")];
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = gettext("Use this version");
    text.id = `version-${version.page}`;
    text.textContent = version.text;
    text.lang = this.like.lang;
    text.dir = this.like.dir;
    button.setAttribute("aria-describedby", text.id);
    button.addEventListener("click", () => this.onChosen(version));
    about.className = "hint";
    about.textContent = aboutOf(version);
    row.append(text, about, button);
    return row;
  }
}

/** @param {Version} version @returns {string} */
function aboutOf({ savedAt, comment }) {
  const when = new Date(savedAt).toLocaleString(document.documentElement.lang);
  return comment ? filled(gettext("%(when)s, with the comment “%(comment)s”"), { when, comment }) : when;
}
