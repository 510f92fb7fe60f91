"""A language model of trigrams: trained, kept in arrays, read and written as ARPA."""
