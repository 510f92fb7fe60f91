/** The alert above the text. */

export class AlertBox {
  /** @param {HTMLElement} box @param {HTMLElement} title @param {HTMLElement} words */
  constructor(box, title, words) {
    this.box = box;
    this.title = title;
    this.words = words;
  }

  /** @param {string} title @param {string} words */
  show(title, words) {
    this.title.textContent = title;
    this.words.textContent = words;
    this.box.hidden = false;
  }

  /** Hide the box and empty it, since the text field's aria-describedby refers to its words. */
  clear() {
    this.words.textContent = "";
    this.box.hidden = true;
  }
}
