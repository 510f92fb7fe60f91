"""Find words in templates, Python and scripts that gettext cannot translate, since nothing marks them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W\d_]{2,}")
_TAGS_WITH_FOREIGN_WORDS = re.compile(r"<(script|style|kbd|code|pre|svg)\b.*?</\1>|<!--.*?-->", re.S)
_ATTRIBUTE = re.compile(r'\b(?:aria-label|title|placeholder|alt|aria-roledescription|data-words)="([^"]*)"')
_ELEMENT = re.compile(r"<[^>]*>")
_ENTITY = re.compile(r"&\w+;")
_PAIRS = re.compile(r"""[\w-]+=(?:"[^"]*"|'[^']*'|[\w.-]+)""")  # attributes in a template that is a part of a tag
_VALUE = "\x00"  # in place of what a template fills in
NAMES = {"Précis"}
_OPEN = re.compile(r"(?:(blocktranslate|comment)\b|(block) (?:\w*class|width|viewport)$)")  # those blocks are classes
_INCLUDED = re.compile(r'\b(?:title|hint|send|label|what|words|heading)="([^"]*)"')
# What shows its words to people: calls, keywords and classes.
_SAYS = {"info", "success", "warning", "error", "ValidationError", "Refused"}
_KEYWORDS = {"label", "help_text", "empty_label", "error_message"}
_CHOICES = {"TextChoices", "IntegerChoices"}


def unmarked_in_template(path: Path) -> list[str]:
    """Return the words of a template outside of translate and blocktranslate, and outside of tags."""
    kept, closes = [], ""
    for token in Lexer(path.read_text()).tokenize():
        if token.token_type == TokenType.BLOCK:
            kept.append(_VALUE)
            if token.contents.startswith("include "):
                kept.extend(f">{words}<" for words in _INCLUDED.findall(token.contents))
            if closes:
                closes = "" if token.contents.split()[0] == closes else closes
            elif opened := _OPEN.match(token.contents):
                closes = f"end{opened[1] or opened[2]}"
        elif token.token_type == TokenType.TEXT and not closes:
            kept.append(token.contents)
        elif token.token_type == TokenType.VAR:
            kept.append(_VALUE)
    page = _TAGS_WITH_FOREIGN_WORDS.sub("", "".join(kept))
    said = [*_ATTRIBUTE.findall(page), *_PAIRS.sub("", _ELEMENT.sub("\n", page)).replace(_VALUE, "\n").splitlines()]
    return [words for each in said if (words := _ENTITY.sub("", each).strip()) and _has_words(words)]


def _has_words(text: str) -> bool:
    return any(word not in NAMES for word in WORD.findall(text))


def unmarked_in_python(path: Path) -> list[str]:
    """Return the literals that a module hands to what shows them to people."""
    keywords = _keywords(path)
    return [words for node in ast.walk(ast.parse(path.read_text())) for words in _shown(node, keywords)]


def _keywords(path: Path) -> set[str]:
    """Return the keywords with words for people; those of the API are for programmers, and in English."""
    return _KEYWORDS - {"help_text"} if "api" in path.parts else _KEYWORDS


def _shown(node: ast.AST, keywords: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        is_message = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "messages"
        if (name in _SAYS and (is_message or name[0].isupper())) or name.endswith(("Refused", "Taken")):
            yield from (words for each in node.args for words in _literal(each))
        shown = {"label"} if getattr(getattr(node.func, "value", None), "id", "") == "models" else keywords
        yield from (words for each in node.keywords if each.arg in shown for words in _literal(each.value))
    elif isinstance(node, ast.ClassDef) and any(getattr(base, "attr", "") in _CHOICES for base in node.bases):
        for each in node.body:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Tuple):
                yield from _literal(each.value.elts[-1])
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in {"error", "message"}:
                yield from _literal(value)


def _literal(node: ast.expr) -> Iterator[str]:
    text = ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))
    if WORD.search(text):
        yield text


_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.S)
_MARKED = re.compile(r"\b(?:gettext|ngettext)\(\s*(?:(?:\"[^\"]*\"|'[^']*')\s*,?\s*)+")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
_SENTENCE = re.compile(r"[A-Z][a-z’']+(?: [\w’'%(),.-]+)+|[A-Z][a-z]+[.!?…]")


def unmarked_in_script(path: Path) -> list[str]:
    """Return the literals of a script that read like sentences and are not handed to gettext."""
    code = _MARKED.sub("", _SCRIPT_COMMENT.sub("", path.read_text()))
    literals = (one or other for one, other in _STRING.findall(code))
    return [each for each in literals if _SENTENCE.search(each) and "Error(" not in each]
