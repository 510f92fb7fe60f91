from django.apps import AppConfig


class ProtocolsConfig(AppConfig):
    name = "protocols"

    def ready(self) -> None:
        from corpus.services.erasure import erasure_register  # noqa: PLC0415
        from corpus.services.people_of_tests import answers_register  # noqa: PLC0415
        from crowd.models import Round  # noqa: PLC0415
        from crowd.round_registry import RoundPages, round_register  # noqa: PLC0415  (models are not loaded earlier)
        from crowd.tasks import TASKS  # noqa: PLC0415
        from crowd.work_counts import work_count_register  # noqa: PLC0415
        from protocols.selectors import (  # noqa: PLC0415
            practice_entry_check,
            responses_by_settings,
            responses_of_people,
        )
        from protocols.services.responses import worker_responses_erase  # noqa: PLC0415

        pages = RoundPages("protocols:task", practice_entry_check, review_url="protocols:answers")
        for task in TASKS:
            if task.has_material:
                round_register(Round.RATE, pages, task=task.key)
        erasure_register("protocols", worker_responses_erase)
        answers_register(responses_of_people)
        work_count_register("answers", responses_by_settings)
