/** What a page says when its text cannot be submitted any more, as the server's reason has it. */

/** The server's reason begins so when the whole study is over, and not only this text taken. */
const STUDY_OVER = "This study has ended";

/** Return the title for a reason, and let the way on say where it leads. @param {string} reason @returns {string} */
export function titleOfLoss(reason) {
  if (!reason.startsWith(STUDY_OVER)) return "This text is no longer yours";
  const button = document.querySelector("#go-on button");
  if (button) button.textContent = "Get your code";
  return STUDY_OVER;
}
