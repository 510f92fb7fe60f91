from django.apps import AppConfig


class CorpusConfig(AppConfig):
    name = "corpus"
    periodic = ((60.0, "corpus.services.erasure.erasures_complete"),)

    def ready(self) -> None:
        from corpus import jobs  # noqa: F401, PLC0415  (registers the app's jobs)
