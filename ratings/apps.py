from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self) -> None:
        from crowd.models import Round  # noqa: PLC0415  (tables are not ready before)
        from crowd.rounds import RoundPages, round_register  # noqa: PLC0415
        from ratings import jobs  # noqa: F401, PLC0415  (registers the room's jobs)
        from ratings.selectors.next_items import rater_prefers  # noqa: PLC0415
        from ratings.selectors.qualification import qualification_gate  # noqa: PLC0415

        gates = {Round.RATE: qualification_gate, Round.EXPERT: lambda _enrolment: None}
        for work_round, gate in gates.items():
            pages = RoundPages("ratings:task", gate, review_url="ratings:answers", prefer=rater_prefers)
            round_register(work_round, pages)
