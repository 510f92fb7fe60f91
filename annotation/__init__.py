"""The Django project: settings, root URLs, Celery, health check and demo. It has no tables of its own."""

from annotation.celery import app as celery_app

__all__ = ["celery_app"]
