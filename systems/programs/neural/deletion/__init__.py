"""The deletion network: for each word, whether it stays (Filippova et al. 2015)."""
