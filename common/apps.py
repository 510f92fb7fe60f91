from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
    verbose_name = "Common"

    def ready(self) -> None:
        from common import migration_guard  # noqa: F401, PLC0415  (registers its check)
