from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "dashboard"
    periodic = (
        (15.0, "dashboard.webhooks.deliveries.webhooks_send"),
        (120.0, "dashboard.webhooks.events.webhook_events_find"),
        (300.0, "dashboard.services.notices.notices_send"),
        (900.0, "dashboard.services.previews.previews_forget_old"),
        (3600.0, "dashboard.webhooks.events.webhook_events_forget_old"),
    )

    def ready(self) -> None:
        from crowd.opening import consents_register  # noqa: PLC0415  (models need the registry of apps)
        from dashboard.campaign_files.templates import consents  # noqa: PLC0415

        consents_register(consents)
