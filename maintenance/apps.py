from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    name = "maintenance"
    periodic = ((300.0, "maintenance.backups.nightly.backup_when_due"),)
