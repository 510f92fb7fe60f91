"""Tests of the marks of errors in texts."""
