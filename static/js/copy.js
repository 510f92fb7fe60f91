// Buttons that copy the text of another element: data-copy names it. Without this script they stay hidden.
for (const button of document.querySelectorAll("button[data-copy]")) wire(/** @type {HTMLButtonElement} */ (button));

function wire(/** @type {HTMLButtonElement} */ button) {
  const named = document.getElementById(button.dataset.copy ?? "");
  if (!named || !navigator.clipboard) return;
  const words = button.textContent ?? "";
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(textOf(named));
      say(button, "Copied", words);
    } catch {
      if (named instanceof HTMLTextAreaElement || named instanceof HTMLInputElement) named.select();
      say(button, "Not copied: copy the text with Ctrl+C or ⌘C", words);
    }
  });
}

function textOf(/** @type {HTMLElement} */ named) {
  const isField = named instanceof HTMLInputElement || named instanceof HTMLTextAreaElement;
  return isField ? named.value : (named.textContent ?? "").trim();
}

function say(/** @type {HTMLButtonElement} */ button, /** @type {string} */ words, /** @type {string} */ before) {
  button.textContent = words;
  setTimeout(() => (button.textContent = before), 2000);
}
