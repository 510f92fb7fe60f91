"""Systems that compress texts: trained, run, and compared with people."""
