from django.apps import AppConfig


class EditOperationsConfig(AppConfig):
    name = "edit_operations"

    def ready(self) -> None:
        from edit_operations import jobs  # noqa: F401, PLC0415  (registers the job handlers)
