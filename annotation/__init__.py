"""The project: settings, addresses, Celery, health, demo. Owns no tables."""

from annotation.celery import app as celery_app

__all__ = ["celery_app"]
