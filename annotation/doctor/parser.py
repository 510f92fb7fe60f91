"""Whether the parser loads that PRECIS_SPACY_MODEL names."""

from django.conf import settings

from annotation.doctor.registry import Finding, Look, check, fine, wrong
from crowd.models import Campaign
from measures.text.spacy_models import load_model, model_is_for


@check(seconds=60)
def parser_loads(_look: Look) -> Finding:
    name: str = settings.SPACY_MODEL
    if not name:
        return fine("No parser is set (PRECIS_SPACY_MODEL): releases have no ProcessedData.")
    try:
        model = load_model(name)
    except (ImportError, OSError, ValueError) as error:
        return wrong(
            f"The parser {name} does not load: {error}. Install it (python -m spacy download {name}), or correct "
            "PRECIS_SPACY_MODEL; an empty value means no parser."
        )
    return fine(f"The parser {name} loads. Its language is {model.lang}.")


@check(seconds=60, asks_database=True)
def parser_is_of_use(_look: Look) -> Finding:
    name: str = settings.SPACY_MODEL
    languages = set(Campaign.objects.values_list("language", flat=True))
    if not name or not languages:
        return fine("There is no parser or no campaign, so there are no languages to compare.")
    try:
        used = [language for language in languages if model_is_for(name, language)]
    except (ImportError, OSError, ValueError):
        return fine("A parser that does not load has no language to compare.")
    if not used:
        return wrong(
            f"The parser {name} is not for the language of any campaign ({', '.join(sorted(languages))}), so no "
            "release has ProcessedData. Set PRECIS_SPACY_MODEL to a pipeline of such a language, or to an empty value."
        )
    return fine(f"The parser {name} is for texts in {', '.join(sorted(used))}.")
