from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"
    periodic = ((600.0, "ratings.services.rating_counts.all_counts_advance"),)

    def ready(self) -> None:
        from compressions.rating_figures import rating_figures_register  # noqa: PLC0415
        from compressions.services.targets import texts_block  # noqa: PLC0415
        from crowd.models import Round  # noqa: PLC0415  (models are not loaded earlier)
        from crowd.round_registry import RoundPages, round_register  # noqa: PLC0415
        from crowd.work_counts import work_count_register  # noqa: PLC0415
        from ratings.selectors.next_items import rater_candidates  # noqa: PLC0415
        from ratings.selectors.qualification import qualification_entry_check  # noqa: PLC0415
        from ratings.selectors.ratings import ratings_by_settings, source_means, source_ratings  # noqa: PLC0415
        from ratings.services.experts import expert_text_again_block, expert_texts_block  # noqa: PLC0415

        entry_checks = {Round.RATE: qualification_entry_check, Round.EXPERT: None}
        blocks = {Round.RATE: texts_block, Round.EXPERT: expert_texts_block}
        for work_round, entry_check in entry_checks.items():
            pages = RoundPages(
                "ratings:task",
                entry_check,
                review_url="ratings:answers",
                rank_candidates=rater_candidates,
                block_work_of=blocks[work_round],
                block_text_again=expert_text_again_block if work_round == Round.EXPERT else None,
            )
            round_register(work_round, pages)
        work_count_register("ratings", ratings_by_settings)
        rating_figures_register(source_means, source_ratings)
