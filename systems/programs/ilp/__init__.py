"""Compression by integer linear programming, as of Clarke and Lapata 2008."""
