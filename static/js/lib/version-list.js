/** The list of other versions of the text, from other tabs and windows, that can be loaded into the box. */

/** @typedef {import("./versions.js").Version} Version */

export class VersionList {
  /** @type {Version[]} */
  versions = [];

  /** @param {HTMLElement} box @param {HTMLElement} list @param {(version: Version) => void} onChosen */
  constructor(box, list, onChosen) {
    this.box = box;
    this.list = list;
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
    const text = document.createElement("p");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = "Use this one";
    text.id = `version-${version.page}`;
    button.setAttribute("aria-describedby", text.id);
    button.addEventListener("click", () => this.onChosen(version));
    const comment = version.comment ? `, with the comment “${version.comment}”` : "";
    text.textContent = `“${version.text}” (${new Date(version.savedAt).toLocaleString()}${comment})`;
    row.append(text, button);
    return row;
  }
}
