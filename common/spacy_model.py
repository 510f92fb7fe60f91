"""The spaCy pipeline of this installation."""

from django.conf import settings

from common.stored_models import PREFIX, stored_model_pinned
from measures.text.spacy_models import model_is_for


def configured_model(language: str) -> str:
    """Return the pipeline that PRECIS_SPACY_MODEL names if it is for a language, else an empty text.

    Raises ModuleNotFoundError or ValueError, which says what to install, if it cannot be loaded.
    """
    name: str = settings.SPACY_MODEL
    if name.startswith(PREFIX):
        name = stored_model_pinned(name)
    return name if name and model_is_for(name, language) else ""
