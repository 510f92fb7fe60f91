from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self) -> None:
        from crowd.models import Round  # noqa: PLC0415  (tables are not ready before)
        from crowd.rounds import RoundPages, round_register  # noqa: PLC0415
        from ratings import jobs  # noqa: F401, PLC0415  (registers the room's jobs)
        from ratings.selectors.qualification import qualification_gate  # noqa: PLC0415

        round_register(Round.RATE, RoundPages(task_url="ratings:task", gate=qualification_gate))
