"""Measures for text compressions and for the people who write and rate them.

A library of pure functions on strings and NumPy arrays: no web application, no clock, no global random state. Each
subpackage answers one question; import from the subpackages, which list what they export.
"""

__version__ = "0.3.0"
