"""Find the strings that are marked for translation in templates, modules and scripts; needs Django to be set up."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.extract import extract_javascript, extract_python
from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).resolve().parent.parent
KEYWORDS = ("_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy")
PARTICIPANT_TEMPLATES = (
    "*.html",
    "crowd/{bad_token,done,ended,guidelines,join,missing_id,no_work,other_browser,refused,session_ended,stop}.html",
    "crowd/{study_over,too_many_requests,work,wrong_link}.html",
    "crowd/partials/{comment,lost,recorded,round_title}.html",
    "compressions/{submitted,task}.html",
    "compressions/partials/lost.html",
    "ratings/{answers,practice,qualification,qualification_result,qualification_wait,task}.html",
    "ratings/partials/{judged,may_change,missing_answers,no_attempts_left}.html",
    "ratings/partials/{question_texts,results,texts,unanswered}.html",
    "protocols/{answers,task,wait}.html",
    "protocols/partials/problems.html",
    "protocols/absolute/{points,reference}.html",
    "protocols/content_units/{answered,facts,further,marking,said}.html",
    "protocols/links/{task,write}.html",
    "protocols/quiz/{begin,heard,marks,prepare,questions,quiz,transcript}.html",
    "protocols/ranking/{answered,task,text}.html",
    "protocols/spans/{answered,marking,source,task}.html",
    "common/partials/{answer,code,copy,dialog_head,pages,remark_dialog,scale,scales,task_data,unanswered}.html",
)
STAFF_TEMPLATES = {"staff_base.html"}
PARTICIPANT_MODULES = (
    "annotation/failures.py",
    "common/{rate_limits,typed_text}.py",
    "crowd/{limits,placeholder_words,scales,task_words}.py",
    "crowd/models/{outcomes,remarks}.py",
    "crowd/selectors/{progress,work}.py",
    "crowd/services/{browsers,entry,leases,write_locks}.py",
    "crowd/templatetags/offers.py",
    "crowd/views/{join,remarks,worker}.py",
    "compressions/fusions.py",
    "compressions/services/{drafts,submission}.py",
    "compressions/views/editor.py",
    "protocols/{selectors,views}.py",
    "protocols/services/{pages,responses}.py",
    "protocols/content_units/{forms,references,task}.py",
    "protocols/links/abstracts.py",
    "protocols/quiz/marks.py",
    "protocols/{absolute,links,quiz,ranking,spans}/task.py",
    "ratings/subjects.py",
    "ratings/selectors/rating_tasks.py",
    "ratings/services/{qualification,rating,sittings}.py",
    "ratings/views/{qualification,rater}.py",
)
NO_WORDS_OF_ITS_OWN = "words.js"  # where gettext is defined
STAFF_SCRIPTS = {
    "alignment.js",
    "alignment-classes.js",
    "brush.js",
    "costs.js",
    "matrix.js",
    "menu.js",
    "preview.js",
    "replay.js",
    "short-name.js",
    "tables.js",
}
_BRACES = re.compile(r"(.*)\{(.*)\}(.*)")
_IN_A_TAG = re.compile(r"""_\((?:"([^"]*)"|'([^']*)')\)""")


@dataclass(frozen=True)
class Found:
    """One marked string: a sentence, or its singular and plural, and the file in which it stands."""

    words: str | tuple[str, str]
    file: str


def words_of_pages() -> Iterator[Found]:
    """Yield the marked strings of the templates and modules that speak to participants."""
    for path in participant_templates():
        yield from words_of_template(path)
    for path in participant_modules():
        yield from words_of_module(path)


def words_of_scripts() -> Iterator[Found]:
    for path in sorted((ROOT / "static/js").rglob("*.js")):
        if path.name not in STAFF_SCRIPTS | {NO_WORDS_OF_ITS_OWN}:
            yield from _extracted(path, extract_javascript)


def staff_words() -> Iterator[Found]:
    """Yield the marked strings that only staff read."""
    mine = {each.words for each in words_of_pages()}
    templates = (path for path in (ROOT / "templates").rglob("*.html"))
    modules = (path for path in ROOT.glob("*/**/*.py") if path.parts[len(ROOT.parts)] not in {".venv", "scripts"})
    for each in (*map(words_of_template, templates), *map(words_of_module, modules)):
        yield from (found for found in each if found.words not in mine)


def participant_templates() -> list[Path]:
    return [path for path in _files("templates", PARTICIPANT_TEMPLATES) if path.name not in STAFF_TEMPLATES]


def participant_modules() -> list[Path]:
    return _files("", PARTICIPANT_MODULES)


def _files(folder: str, patterns: Iterable[str]) -> list[Path]:
    return sorted({path for pattern in patterns for each in _alternatives(pattern) for path in _found(folder, each)})


def _found(folder: str, pattern: str) -> list[Path]:
    found = list((ROOT / folder).glob(pattern))
    if not found:
        raise FileNotFoundError(f"no file is named {folder}/{pattern}")
    return found


def _alternatives(pattern: str) -> list[str]:
    """Return the names that a pattern with one list in braces stands for."""
    if match := _BRACES.fullmatch(pattern):
        return [f"{match[1]}{name}{match[3]}" for name in match[2].split(",")]
    return [pattern]


def words_of_template(path: Path) -> Iterator[Found]:
    """Yield the strings of a template as they are looked up when it is rendered."""
    file = str(path.relative_to(ROOT))
    template = get_template(str(path.relative_to(ROOT / "templates"))).template  # type: ignore[attr-defined]
    for node in template.nodelist.get_nodes_by_type(TranslateNode):
        yield Found(str(node.filter_expression.var.literal).replace("%", "%%"), file)
    for node in template.nodelist.get_nodes_by_type(BlockTranslateNode):
        one, _ = node.render_token_list(node.singular)
        yield Found((one, node.render_token_list(node.plural)[0]) if node.plural else one, file)
    for double, single in _IN_A_TAG.findall(path.read_text()):
        yield Found((double or single).replace("%", "%%"), file)


def words_of_module(path: Path) -> Iterator[Found]:
    return _extracted(path, extract_python)


def _extracted(path: Path, extract: object) -> Iterator[Found]:
    file = str(path.relative_to(ROOT))
    with path.open("rb") as opened:
        for _line, function, words, _comments in extract(opened, KEYWORDS, (), {"parse_template_string": True}):  # type: ignore[operator]
            if isinstance(words, str) and words:
                yield Found(words, file)
            elif isinstance(words, tuple) and "ngettext" in str(function):
                yield Found((str(words[0]), str(words[1])), file)
