/**
 * Ranks of texts, 1 for the best, by their place in the list; null for a text without one.
 *
 * @typedef {(number | null)[]} Ranks
 */

/**
 * Give a text the rank just behind that of the nearest text above it that has one. Those that stood there move on, gaps
 * close, and no other two texts change their order.
 *
 * @param {Ranks} ranks @param {number} moved its place @returns {Ranks}
 */
export function placed(ranks, moved) {
  const above = ranks.slice(0, moved).findLast((rank) => rank !== null) ?? 0;
  const shifted = ranks.map((rank, place) => (place === moved ? above + 0.5 : rank));
  const known = [...new Set(shifted)].filter((rank) => rank !== null).sort((one, other) => Number(one) - Number(other));
  return shifted.map((rank) => (rank === null ? null : known.indexOf(rank) + 1));
}

/**
 * The places in the order of their ranks: those that tie stay in their order, those without a rank come last.
 *
 * @param {Ranks} ranks @returns {number[]}
 */
export function sorted(ranks) {
  return ranks.map((_rank, place) => place).sort((one, other) => (ranks[one] ?? Infinity) - (ranks[other] ?? Infinity) || one - other);
}
