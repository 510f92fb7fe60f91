from django.apps import AppConfig


class CorpusConfig(AppConfig):
    name = "corpus"
    periodic = ((60.0, "corpus.services.erasure.erasures_complete"),)
