"""Tests of the science library."""
