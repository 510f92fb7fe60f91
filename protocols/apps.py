from dataclasses import replace

from django.apps import AppConfig


class ProtocolsConfig(AppConfig):
    name = "protocols"
    periodic = ((60.0, "protocols.services.overdue.overdue_hand_in"),)

    def ready(self) -> None:
        from corpus.services.erasure import erasure_register  # noqa: PLC0415  (models are not loaded earlier)
        from corpus.services.people_of_tests import answers_register  # noqa: PLC0415
        from crowd.models import Round  # noqa: PLC0415
        from crowd.round_registry import RankCandidates, RoundPages, round_register  # noqa: PLC0415
        from crowd.tasks import TASKS  # noqa: PLC0415
        from crowd.work_counts import work_count_register  # noqa: PLC0415
        from protocols.selectors import (  # noqa: PLC0415
            expert_candidates,
            responses_by_settings,
            responses_of_people,
            study_entry_check,
            study_next_visit,
        )
        from protocols.services.arms import arm_draw  # noqa: PLC0415
        from protocols.services.design import ROUNDS_OF_DESIGN, row_candidates  # noqa: PLC0415
        from protocols.services.fusions import writer_joined  # noqa: PLC0415
        from protocols.services.responses import worker_responses_erase  # noqa: PLC0415
        from protocols.services.source_rows import source_candidates  # noqa: PLC0415

        pages = RoundPages(
            "protocols:task",
            study_entry_check,
            review_url="protocols:answers",
            next_visit=study_next_visit,
            joined=writer_joined,
        )
        for task in TASKS:
            for work_round in task.rounds:
                rank: RankCandidates | None = expert_candidates if work_round == Round.EXPERT else None
                if task.by_design and work_round in ROUNDS_OF_DESIGN:
                    rank = row_candidates
                elif task.one_of_a_source:
                    rank = source_candidates
                own = replace(pages, rank_candidates=rank, leased=arm_draw if task.draws_arms else None)
                round_register(work_round, own, task=task.key)
        erasure_register("protocols", worker_responses_erase)
        answers_register(responses_of_people)
        work_count_register("answers", responses_by_settings)
