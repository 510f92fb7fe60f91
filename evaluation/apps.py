from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from evaluation import jobs  # noqa: F401, PLC0415  (registers the job handlers)
