from django.apps import AppConfig


class AgreementConfig(AppConfig):
    name = "agreement"

    def ready(self) -> None:
        from agreement import jobs  # noqa: F401, PLC0415  (registers the job handlers)
