from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class CrowdConfig(AppConfig):
    name = "crowd"
    verbose_name = "Crowd"

    def ready(self) -> None:
        from crowd.account_sessions import note_login  # noqa: PLC0415  (models need the registry of apps)

        user_logged_in.connect(note_login)
