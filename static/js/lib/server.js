/** A task page's line to the server. It wins back a session that the browser has lost, so an open page never dies. */

const PATIENCE_MS = 20_000;

export class Server {
  /** @type {Promise<boolean> | null} */
  #resuming = null;

  /** @param {HTMLFormElement} form  with data-session-url and data-resume-token */
  constructor(form) {
    this.sessionUrl = form.dataset.sessionUrl ?? "";
    this.resumeToken = form.dataset.resumeToken ?? "";
  }

  /**
   * Send a request; throws where the network is away, or no whole answer comes. A refusal for want of a session is
   * answered by asking for it once more. Each request names the page's own enrolment, so that a cookie of another link
   * does no harm.
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
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const response = await fetch(url, { ...request, headers, signal: patience.signal });
      return ours(response, await response.text());
    } finally {
      clearTimeout(timer);
    }
  }

  #resume() {
    this.#resuming ??= this.#askForSession().finally(() => {
      this.#resuming = null;
    });
    return this.#resuming;
  }

  async #askForSession() {
    const answer = await this.#fetch(this.sessionUrl, {});
    if (!answer.ok) return false;
    const { csrf } = await answer.json();
    for (const field of tokenFields()) field.value = csrf;
    const body = new URLSearchParams({ token: this.resumeToken });
    return (await this.#fetch(this.sessionUrl, { method: "POST", body })).ok;
  }
}

/** The tokens against forgery of all forms of the page. @returns {NodeListOf<HTMLInputElement>} */
function tokenFields() {
  return document.querySelectorAll("input[name=csrfmiddlewaretoken]");
}

/** A network's own page, sent in the place of an answer, is none. @param {Response} response @param {string} body */
function ours({ ok, status, headers }, body) {
  const isJson = headers.get("Content-Type")?.startsWith("application/json");
  if (ok && !isJson) throw new TypeError("this is not an answer of the server");
  return new Response(body, { status });
}

/** What a refusal says. @param {Response} response @returns {Promise<string>} */
export async function reasonOf(response) {
  try {
    return (await response.json()).error ?? "";
  } catch {
    return "";
  }
}
