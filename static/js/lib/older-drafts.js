/** Drafts on the server that were too much for the editing page: they are fetched when somebody asks for them. */

/**
 * Fetch drafts one by one until one cannot be fetched; what has been deleted meanwhile is left out.
 *
 * @param {import("./server.js").Server} server @param {string[]} urls
 * @returns {Promise<{ drafts: import("./draft-store.js").Draft[], left: string[] }>} and the addresses left to fetch
 */
export async function fetchDrafts(server, urls) {
  const drafts = [];
  for (const [index, url] of urls.entries()) {
    const response = await server.send(url, {}).catch(() => null);
    if (response?.ok) drafts.push(await response.json());
    else if (response?.status !== 404) return { drafts, left: urls.slice(index) };
  }
  return { drafts, left: [] };
}
