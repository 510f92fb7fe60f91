from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    name = "maintenance"
    periodic = ((300.0, "maintenance.backups.nightly.backup_when_due"),)

    def ready(self) -> None:
        from maintenance import migration_guard  # noqa: F401, PLC0415  (registers its check)
