"""Tests of the files of marks of other programs."""
