"""Endpoints for reports on editing operations."""
