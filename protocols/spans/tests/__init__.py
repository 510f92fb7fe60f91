"""Tests of the task of marking errors."""
