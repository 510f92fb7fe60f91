from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
    verbose_name = "Common"
    periodic = (
        (15.0, "common.jobs.jobs_requeue"),  # no broker announces the job of a killed worker again
        (3600.0, "common.jobs.jobs_forget_old"),
        (900.0, "common.stores.unnamed_paths.unnamed_paths_remove"),
        (900.0, "common.scratch.scratch_remove_left"),
        (3600.0, "common.stores.copies.copies_shrink"),
        (3600.0, "common.rate_limits.rate_counts_forget_old"),
        (3600.0, "common.api.idempotency.kept_answers_forget_old"),
    )

    def ready(self) -> None:
        from common.stored_models import stored_model_located  # noqa: PLC0415
        from measures.text.spacy_models import locate_models_by  # noqa: PLC0415

        locate_models_by(stored_model_located)
