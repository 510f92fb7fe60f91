from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from scoring import jobs  # noqa: F401, PLC0415  (registers the job handlers)
