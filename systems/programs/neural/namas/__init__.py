"""The attention model that writes the next word from the last ones and the source (Rush et al. 2015)."""
