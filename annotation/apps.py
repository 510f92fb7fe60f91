from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import jobs  # noqa: F401, PLC0415  (registers the app's jobs)
