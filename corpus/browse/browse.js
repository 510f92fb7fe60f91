"use strict";
// Searches `texts`, of texts.js: for each source its page, number, id, split, genre, systems and texts, the source first.
{
  const MOST = 100;
  const part = (id) => document.getElementById(id);
  const fields = ["words", "split", "genre", "system"].map(part);

  function fill(select, values) {
    for (const value of [...new Set(values)].sort()) select.add(new Option(value, value));
    select.disabled = select.options.length < 2;
  }

  function element(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // The text around the words, which may be longer or shorter in lower case: then the text as it is.
  function excerpt(text, words) {
    const line = element("p", "");
    const at = words ? text.toLowerCase().indexOf(words) : -1;
    if (at < 0 || text.toLowerCase().length !== text.length) {
      line.textContent = text.length > 300 ? `${text.slice(0, 300)}…` : text;
      return line;
    }
    const from = Math.max(0, at - 100);
    const end = at + words.length;
    line.append((from ? "…" : "") + text.slice(from, at), element("mark", text.slice(at, end)));
    line.append(text.slice(end, end + 200) + (text.length > end + 200 ? "…" : ""));
    return line;
  }

  function show() {
    const [words, split, genre, system] = fields.map((field) => field.value);
    const lower = words.trim().toLowerCase();
    const list = part("results");
    list.replaceChildren();
    part("found").textContent = "";
    if (!lower && !split && !genre && !system) return;
    let found = 0;
    for (const [page, number, id, ofSplit, ofGenre, systems, all] of texts) {
      if ((split && split !== ofSplit) || (genre && genre !== ofGenre) || (system && !systems.includes(system))) continue;
      const hit = lower ? all.find((text) => text.toLowerCase().includes(lower)) : all[0];
      if (hit === undefined && id.toLowerCase() !== lower) continue;
      found += 1;
      if (found > MOST) continue;
      const item = document.createElement("li");
      const link = element("a", id);
      link.href = `texts-${page}.html#text-${number}`;
      item.append(link, element("span", ` · ${ofGenre} · ${ofSplit}`, "hint"), excerpt(hit ?? all[0], lower));
      list.append(item);
    }
    const first = found > MOST ? ` The first ${MOST} are shown.` : "";
    part("found").textContent = `${found} of ${texts.length} ${texts.length === 1 ? "source" : "sources"} found.${first}`;
  }

  fill(fields[1], texts.map((row) => row[3]));
  fill(fields[2], texts.map((row) => row[4]));
  fill(fields[3], texts.flatMap((row) => row[5]));
  let waiting;
  for (const field of fields) {
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, 150);
    });
  }
  part("search").hidden = false;
  show(); // a browser may have kept what was typed
}
