/** Keeping a task while its page is open. */

const RENEW_MS = 120_000;

/**
 * Renew the lease every two minutes and when the page comes back to sight.
 *
 * @param {HTMLFormElement} form  with data-renew-url and the CSRF token among its fields
 * @param {{ onRenewed?: (endsAt: string) => void, onLost?: (reason: string) => void }} listener
 */
export function keepLease(form, { onRenewed, onLost } = {}) {
  const renew = async () => {
    if (document.hidden) return;
    const body = new FormData();
    body.set("csrfmiddlewaretoken", new FormData(form).get("csrfmiddlewaretoken") ?? "");
    try {
      const response = await fetch(form.dataset.renewUrl ?? "", { method: "POST", body });
      if (response.status === 409) onLost?.((await response.json()).error);
      else if (response.ok) onRenewed?.((await response.json()).lease_ends_at);
    } catch {
      // The network is away: what is typed is kept in the browser, and the next try may get through.
    }
  };
  setInterval(renew, RENEW_MS);
  document.addEventListener("visibilitychange", renew);
}
