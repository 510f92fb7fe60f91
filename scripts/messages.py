"""Collect what participants read into the message catalogues in locale/, and compile them.

    messages.py             take new and changed words into all catalogues, and count what lacks a translation
    messages.py --add it    begin the catalogues of another language (and add it to LANGUAGES in annotation/settings.py)
    messages.py --check     change nothing; fail if anything is missing, unused or not compiled
    messages.py --brackets de FOLDER    write catalogues with each string in brackets, to see what is not translatable
    messages.py --staff     print a catalogue of everything else that is marked, which is what staff read

The words of staff are marked, too, but nobody has to translate them before participants can read their own language:
the catalogues in locale/ hold only what participants may meet.
"""

import argparse
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

import django  # noqa: E402
from babel.messages.catalog import Catalog, Message  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402
from django.conf import settings  # noqa: E402
from django.utils.translation import to_locale  # noqa: E402
from marked_strings import Found, staff_words, words_of_pages, words_of_scripts  # noqa: E402

LOCALES = ROOT / "locale"
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)  # the same words give the same bytes
PAGES, SCRIPTS = "django", "djangojs"  # the domains of gettext as Django names them


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", metavar="LANGUAGE", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--brackets", nargs=2, metavar=("LANGUAGE", "FOLDER"))
    parser.add_argument("--staff", action="store_true")
    options = parser.parse_args()
    django.setup()
    if options.staff:
        sys.stdout.buffer.write(_po(_template(staff_words())))
        return 0
    if options.brackets:
        language, folder = options.brackets
        for domain in (PAGES, SCRIPTS):
            _write(in_brackets(language, domain), path_of(language, domain, Path(folder)))
        return 0
    if options.check:
        faults = list(faults_of_catalogues())
        print("\n".join(faults) or "All catalogues are complete.")
        return 1 if faults else 0
    for language in [*translated_languages(), *filter(None, [options.add])]:
        for domain in (PAGES, SCRIPTS):
            catalogue = updated(language, domain)
            _write(catalogue, path_of(language, domain))
            missing = [message for message in catalogue if message.id and not is_translated(message)]
            print(f"{language} {domain}: {len(catalogue)} strings, {len(missing)} without a translation")
    return 0


def translated_languages() -> list[str]:
    return [language for language, _ in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


def path_of(language: str, domain: str, folder: Path = LOCALES) -> Path:
    return folder / to_locale(language) / "LC_MESSAGES" / f"{domain}.po"


def faults_of_catalogues() -> Iterator[str]:
    """Yield what is wrong with the catalogues of all languages, a sentence each."""
    for language in translated_languages():
        for domain in (PAGES, SCRIPTS):
            path = path_of(language, domain)
            where = path.relative_to(ROOT)
            wanted = updated(language, domain)
            yield from (f"{where}: no translation of {m.id!r}" for m in wanted if m.id and not is_translated(m))
            yield from (f"{where}: {fault}" for m in wanted if m.id for fault in faults_of(m))
            if not path.exists() or _po(wanted) != path.read_bytes():
                yield f"{where}: not up to date; run make messages"
            compiled = path.with_suffix(".mo")
            if not compiled.exists() or _mo(wanted) != compiled.read_bytes():
                yield f"{compiled.relative_to(ROOT)}: not compiled from it; run make messages"


def is_translated(message: Message) -> bool:
    return all(strings_of(message)) and "fuzzy" not in message.flags


def strings_of(message: Message) -> list[str]:
    """Return the translation: one string, or one for each plural form of the language."""
    if message.pluralizable:
        return list(message.string or ())
    return [str(message.string or "")]


_PLACE = re.compile(r"%\(\w+\)s|%%|%")
_TAG = re.compile(r"</?\w+")


def faults_of(message: Message) -> Iterator[str]:
    """Yield what a translation lacks of its sentence: values, markup."""
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = strings_of(message)
    places = set(_PLACE.findall(ids[-1]))
    for string in filter(None, strings):
        found = set(_PLACE.findall(string))
        # A singular or a dual may leave the number to its word; no form may ask for another value.
        lacking = places - found if len(strings) == 1 else set()
        if found - places or lacking:
            yield f"{string!r} does not hold the values of {ids[-1]!r}"
        if sorted(_TAG.findall(string)) != sorted(_TAG.findall(ids[-1])):
            yield f"{string!r} does not hold the markup of {ids[-1]!r}"


def updated(language: str, domain: str) -> Catalog:
    """Return the catalogue of a language with exactly today's words, and the translations that it has of them."""
    path = path_of(language, domain)
    known = read_po(path.open("rb"), locale=to_locale(language)) if path.exists() else Catalog()
    catalogue = _template(_words_of(domain), language)
    for message in catalogue:
        before = known.get(message.id)
        if message.id and before is not None and _fits(before, message, catalogue.num_plurals):
            message.string = before.string
            message.user_comments = before.user_comments
    return catalogue


def _fits(before: Message, message: Message, plural_forms: int) -> bool:
    is_alike = before.pluralizable == message.pluralizable
    return is_alike and (not message.pluralizable or len(strings_of(before)) == plural_forms)


def in_brackets(language: str, domain: str) -> Catalog:
    """Return a catalogue that translates each string into itself in brackets."""
    catalogue = _template(_words_of(domain), language)
    for message in catalogue:
        if message.pluralizable:
            one, *_, many = (f"⟦{words}⟧" for words in message.id)
            message.string = (one, *[many] * (catalogue.num_plurals - 1))
        elif message.id:
            message.string = f"⟦{message.id}⟧"
    return catalogue


def _words_of(domain: str) -> list[Found]:
    return [*words_of_pages()] if domain == PAGES else [*words_of_scripts()]


def _template(found: Iterable[Found], language: str = "") -> Catalog:
    catalogue = Catalog(
        locale=to_locale(language) if language else None,
        project="Précis",
        header_comment="# Words of Précis. Written by scripts/messages.py; only the translations are made by hand.",
        charset="utf-8",
        fuzzy=False,
    )
    plural_of: dict[str, str] = {}
    for each in sorted(found, key=lambda each: (each.file, str(each.words))):
        if isinstance(each.words, tuple) and plural_of.setdefault(*each.words) != each.words[1]:
            sys.exit(f"{each.file}: another plural of {each.words[0]!r} is marked elsewhere; gettext can keep only one")
        catalogue.add(each.words, locations=[(each.file, 1)])
    return catalogue


def _write(catalogue: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_po(catalogue))
    path.with_suffix(".mo").write_bytes(_mo(catalogue))


def _po(catalogue: Catalog) -> bytes:
    written = io.BytesIO()
    write_po(written, catalogue, width=110, omit_header=False, include_lineno=False)
    # Times and versions of tools would change the file although no word has changed.
    volatile = re.compile(
        rb'^"(?:POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator|'
        rb'Report-Msgid-Bugs-To|Language-Team|MIME-Version|Project-Id-Version): .*\\n"\n',
        re.M,
    )
    return volatile.sub(b"", written.getvalue())


def _mo(catalogue: Catalog) -> bytes:
    written = io.BytesIO()
    stable = read_po(io.BytesIO(_po(catalogue)))
    stable.creation_date = stable.revision_date = NO_TIME
    write_mo(written, stable)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
