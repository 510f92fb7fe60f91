/** A task page's line to the server. It wins back a session that the browser has lost, so an open page never dies. */

export class Server {
  /** @type {Promise<boolean> | null} */
  #resuming = null;

  /** @param {HTMLFormElement} form  with the token against forgery, data-session-url and data-resume-token */
  constructor(form) {
    this.tokenField = /** @type {HTMLInputElement} */ (form.elements.namedItem("csrfmiddlewaretoken"));
    this.sessionUrl = form.dataset.sessionUrl ?? "";
    this.resumeToken = form.dataset.resumeToken ?? "";
  }

  /**
   * Send a request; throws where the network is away. A refusal for want of the right session (403, 404) is answered
   * by asking for the session once more.
   *
   * @param {string} url @param {RequestInit} request @returns {Promise<Response>}
   */
  async send(url, request) {
    const response = await this.#fetch(url, request);
    if (![403, 404].includes(response.status) || !(await this.#resume())) return response;
    return this.#fetch(url, request);
  }

  /** @param {string} url @param {Record<string, string>} fields @returns {Promise<Response>} */
  post(url, fields) {
    return this.send(url, { method: "POST", body: new URLSearchParams(fields) });
  }

  /** @param {string} url @param {RequestInit} request */
  #fetch(url, request) {
    const headers = { Accept: "application/json", "X-CSRFToken": this.tokenField.value };
    return fetch(url, { ...request, headers });
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
    this.tokenField.value = (await answer.json()).csrf;
    const body = new URLSearchParams({ token: this.resumeToken });
    return (await this.#fetch(this.sessionUrl, { method: "POST", body })).ok;
  }
}

/** What a refusal says. @param {Response} response @returns {Promise<string>} */
export async function reasonOf(response) {
  try {
    return (await response.json()).error ?? "";
  } catch {
    return "";
  }
}
