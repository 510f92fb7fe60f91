/** Requests from a task page to the server. A lost session is restored, so an open page keeps working. */

const TIMEOUT_MS = 20_000;

export class Server {
  /** @type {Promise<boolean> | null} */
  #resuming = null;

  /** @param {HTMLFormElement} form  with data-session-url and data-resume-token */
  constructor(form) {
    this.sessionUrl = form.dataset.sessionUrl ?? "";
    this.resumeToken = form.dataset.resumeToken ?? "";
  }

  /**
   * Send a request; throws if the network fails or the response is incomplete. If the session is missing, restore it
   * and retry once. Each request names the page's own enrolment, so that another link's cookie does no harm.
   *
   * @param {string} url @param {RequestInit} request @returns {Promise<Response>}
   */
  async send(url, request) {
    const response = await this.#fetch(url, request);
    if (response.status !== 403 || !(await this.#resume())) return response;
    return this.#fetch(url, request);
  }

  /** @param {string} url @param {Record<string, string>} fields @returns {Promise<Response>} */
  post(url, fields) {
    return this.send(url, { method: "POST", body: new URLSearchParams(fields) });
  }

  /** @param {string} url @param {RequestInit} request */
  async #fetch(url, request) {
    const headers = {
      Accept: "application/json",
      "X-CSRFToken": tokenFields()[0].value,
      "X-Resume-Token": this.resumeToken,
    };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    try {
      const response = await fetch(url, { ...request, headers, signal: controller.signal });
      return ownResponse(response, await response.text());
    } finally {
      clearTimeout(timer);
    }
  }

  #resume() {
    this.#resuming ??= this.#restoreSession().finally(() => {
      this.#resuming = null;
    });
    return this.#resuming;
  }

  async #restoreSession() {
    const answer = await this.#fetch(this.sessionUrl, {});
    if (!answer.ok) return false;
    const { csrf } = await answer.json();
    for (const field of tokenFields()) field.value = csrf;
    const body = new URLSearchParams({ token: this.resumeToken });
    return (await this.#fetch(this.sessionUrl, { method: "POST", body })).ok;
  }
}

/** The CSRF fields of all forms on the page. @returns {NodeListOf<HTMLInputElement>} */
function tokenFields() {
  return document.querySelectorAll("input[name=csrfmiddlewaretoken]");
}

/** Reject a page from the network itself, such as a captive portal. @param {Response} response @param {string} body */
function ownResponse({ ok, status, headers }, body) {
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (ok && !isJson) throw new TypeError("this is not an answer of the server");
  return new Response(body, { status });
}

/** @typedef {{ error: string, code: string }} Refusal  the server's words, and a code for scripts; both may be empty */

/** Why a request was refused. @param {Response} response @returns {Promise<Refusal>} */
export async function refusalOf(response) {
  try {
    const { error = "", code = "" } = await response.json();
    return { error, code };
  } catch {
    return { error: "", code: "" };
  }
}
