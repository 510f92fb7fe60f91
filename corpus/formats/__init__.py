"""The formats of a release, one module for each; `corpus.formats.registry` finds those that have a `FORMAT`."""
