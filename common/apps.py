from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "common"
    verbose_name = "Common"

    def ready(self) -> None:
        from common import migration_guard  # noqa: F401, PLC0415  (registers its check)
        from common.stored_models import stored_model_located  # noqa: PLC0415
        from measures.text.spacy_models import locate_models_by  # noqa: PLC0415

        locate_models_by(stored_model_located)
