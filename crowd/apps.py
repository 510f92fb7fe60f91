from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class CrowdConfig(AppConfig):
    name = "crowd"
    verbose_name = "Crowd"
    periodic = ((3600.0, "crowd.services.accounts.sessions_forget_old"),)

    def ready(self) -> None:
        from crowd.account_sessions import note_login  # noqa: PLC0415  (models need the registry of apps)

        user_logged_in.connect(note_login)
