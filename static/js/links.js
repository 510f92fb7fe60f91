/**
 * The page of linking sentences: one sentence of the summary at a time. What is ticked goes into the field `answer` as
 * JSON; without this script each box is a field of its own.
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("study"));
const links = document.getElementById("links");

if (links) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("answer"));
  const pages = /** @type {HTMLElement[]} */ ([...links.querySelectorAll(".link-page")]);
  const boxesOf = (/** @type {Element} */ page) => /** @type {HTMLInputElement[]} */ ([...page.querySelectorAll("input")]);

  const store = () => {
    const ticked = (/** @type {Element} */ page) => boxesOf(page).filter((box) => box.checked).map((box) => box.value);
    field.value = JSON.stringify(Object.fromEntries(pages.map((page) => [page.dataset.summary, ticked(page)])));
  };

  const restore = () => {
    const kept = JSON.parse(field.value);
    for (const page of pages) {
      for (const box of boxesOf(page)) box.checked = (kept[page.dataset.summary ?? ""] ?? []).includes(box.value);
    }
  };

  const shown = () => Math.max(0, pages.findIndex((page) => `#${page.id}` === location.hash));

  /** @param {number} place */
  const show = (place) => {
    for (const [number, page] of pages.entries()) page.hidden = number !== place;
  };

  /** @param {number} place */
  const turnTo = (place) => {
    if (!pages[place]) return;
    history.replaceState(history.state, "", `#${pages[place].id}`);
    show(place);
    pages[place].focus({ preventScroll: true });
    pages[place].scrollIntoView({ block: "start" });
  };

  for (const box of boxesOf(links)) box.removeAttribute("name");
  store();
  show(shown());
  links.addEventListener("input", store);
  form.addEventListener("restored", () => {
    restore();
    store(); // without sentences that the summary no longer has
  });
  links.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[data-turns]");
    if (!link) return;
    event.preventDefault();
    turnTo(pages.findIndex((page) => `#${page.id}` === link.getAttribute("href")));
  });
  links.addEventListener("keydown", (event) => {
    const page = pages[shown()];
    if (event.altKey || event.ctrlKey || event.metaKey || !page) return;
    const isRightToLeft = getComputedStyle(page).direction === "rtl";
    const along = /** @type {Record<string, number>} */ ({ ArrowLeft: isRightToLeft ? 1 : -1, ArrowRight: isRightToLeft ? -1 : 1 })[event.key];
    const down = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 })[event.key];
    if (along) turnTo(shown() + along);
    else if (down) {
      const boxes = boxesOf(page);
      const at = boxes.indexOf(/** @type {HTMLInputElement} */ (event.target));
      boxes[at < 0 ? 0 : at + down]?.focus();
    } else return;
    event.preventDefault();
  });
}
