from django.apps import AppConfig


class CompressionsConfig(AppConfig):
    name = "compressions"
    periodic = (
        (300.0, "compressions.services.comparison.compressions_compare"),
        (3600.0, "compressions.services.drafts.drafts_forget_old"),
    )

    def ready(self) -> None:
        from compressions.selectors.writing import compressions_by_settings  # noqa: PLC0415
        from compressions.services.targets import sources_block, texts_close  # noqa: PLC0415
        from crowd.models import Round  # noqa: PLC0415  (tables are not ready before)
        from crowd.round_registry import RoundPages, round_register  # noqa: PLC0415
        from crowd.work_counts import work_count_register  # noqa: PLC0415

        pages = RoundPages(
            task_url="compressions:task",
            after_exclusion=lambda campaign: texts_close(campaign=campaign),
            block_work_of=sources_block,
        )
        round_register(Round.EDIT, pages)
        work_count_register("compressions", compressions_by_settings)
