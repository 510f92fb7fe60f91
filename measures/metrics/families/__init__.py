"""The metrics, one module for each family.

A module lists its metrics as `METRICS`; `measures.metrics.registry` finds it without being told.
"""
