"""T3: rules that turn the tree of a sentence into the tree of a shorter one (Cohn and Lapata 2008, 2009)."""
