/**
 * Tables that do not fit. On a narrow screen a list turns into blocks, each cell with the label of its column; a table
 * of figures (class `matrix`), or of several rows of headers, stays one and says that it scrolls sideways.
 */
const NARROW = matchMedia("(max-width: 40rem)");
const LONG = 24; // characters from which a value stands below its label, not beside it
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };

const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));

/** @param {HTMLElement} box @param {HTMLTableElement} table */
function isList(box, table) {
  return !box.classList.contains("matrix") && table.tHead?.rows.length === 1;
}

/**
 * Give each cell the text of its column's header, and the roles that browsers drop when a table turns into blocks.
 * @param {HTMLTableElement} table
 */
function label(table) {
  const labels = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.replace(/[▲▼]/g, "").trim());
  for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, td")]) part.setAttribute("role", ROLES[part.tagName]);
  for (const head of table.querySelectorAll("th")) head.setAttribute("role", head.closest("thead") ? "columnheader" : "rowheader");
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].forEach((cell, place) => {
      const text = cell.textContent.trim();
      if (cell.tagName === "TD" && cell.colSpan === 1) cell.dataset.label = labels[place];
      cell.toggleAttribute("data-empty", !text && !cell.childElementCount);
      cell.toggleAttribute("data-long", text.length > LONG);
    });
  }
}

/**
 * See whether the table fits, on a narrow screen without breaking words, and turn a list that does not into blocks.
 * @param {HTMLElement} box
 */
function fit(box) {
  const table = box.querySelector("table");
  if (!table) return;
  box.classList.remove("stacked");
  const stacks = NARROW.matches && isList(box, table);
  box.classList.toggle("measured", stacks);
  const fits = box.scrollWidth <= box.clientWidth + 1;
  box.classList.remove("measured");
  box.dataset.fits = String(fits);
  if (!fits && stacks) box.classList.add("stacked");
}

/** @param {ParentNode} root */
function prepare(root) {
  for (const box of root.querySelectorAll(".table")) {
    const table = box.querySelector("table");
    if (table && isList(box, table)) label(table);
    fit(box);
    resized.observe(box);
  }
}

/** A box in the head of a list ticks those of its rows. */
function wireChooseAll() {
  const all = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-choose-all]"));
  if (!all) return;
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of document.getElementsByName("chosen")) /** @type {HTMLInputElement} */ (box).checked = all.checked;
  });
}

prepare(document);
wireChooseAll();
document.addEventListener("htmx:load", (event) => prepare(event.target.parentElement ?? document));
