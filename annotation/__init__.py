"""The Django project: settings, addresses, middleware, Celery, start. It has no tables of its own."""
