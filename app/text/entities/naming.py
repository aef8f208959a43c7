"""Which names a piece of code, a heading or the text of a link holds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from app import caps
from app.text.entities.folding import folded_term
from app.text.entities.generic import is_generic
from app.text.entities.records import Entity, EntityKind

_KEYWORD: Final = re.compile(
    r"(?:(?:abstract|async|classmethod|const|final|public|static|staticmethod|virtual)\s+)*"
    r"(?:class|command|def|enum|event|exception|fn|func|function|interface|macro|method|module|option|package|property"
    r"|struct|trait|type|variable)\s+(?=[\w$@.:-]+(?:[\s(<\[]|$))"
)
_CALL: Final = re.compile(r"[(<\[=\s{].*", re.DOTALL)
_SYMBOL: Final = re.compile(
    r"--?[A-Za-z][\w-]*"
    r"|[@$%#]?[A-Za-z_][\w$]*(?:(?:\.|::|#|->|-|/)[A-Za-z_][\w$]*)*[!?]?"
    r"|[A-Z][A-Z]+(?: [A-Z]{2,}){1,2}"
)
_ONE_NAME: Final = re.compile(r"\S+(?:\(.*\)|<.*>|\[.*\])?|[A-Z]{2,}(?: [A-Z]{2,}){1,2}", re.DOTALL)
_SHAPED: Final = re.compile(r"\w[._:$#/]\w|[a-z0-9][A-Z]|^[-@$%_]|\w_|\(\)$")
"""What plain words of a heading do not look like."""
_IN_HEADING: Final = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z]+_\w+|[A-Za-z_]\w*(?=\(\)))")
_OPTION: Final = re.compile(r"`*--?[A-Za-z]")
_OPTION_VALUE: Final = re.compile(r"`|[\s=\[<].*", re.DOTALL)
_DASH: Final = re.compile(r"\s+[—–-]{1,2}\s+")
_NUMBER: Final = re.compile(
    r"^(?:(?:(?:chapter|section|part|appendix)\s+)?\d{1,3}(?:\.\d{1,3})*[.):]?|(?:appendix\s+)?[a-z](?:\.\d{1,3})*[.):])\s+(?=\S)",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"[`*¶§]+|\s+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ENDS: Final = " .,:;!?()[]{}\"'“”‘’«»…"
_PLAIN: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?")
"""Most names by far."""

_WORDS: Final = 8
_LINK_WORDS: Final = 6
_KEPT: Final = 8192


@lru_cache(maxsize=_KEPT)
def symbol(code: str) -> Entity | None:
    """The name that a piece of code is: `json.dumps` of `json.dumps(obj, *, indent=None)`; None for an expression or a value."""
    plain = _PLAIN.fullmatch(code)
    name = plain.group(1) if plain else _name_in(code.strip())
    if not 2 <= len(name) <= caps.MAX_ENTITY_NAME_CHARS or is_generic(name.lower()):
        return None
    return Entity(EntityKind.SYMBOL, name)


def qualified(entity: Entity, anchor: str | None) -> Entity:
    """The symbol under the full name that its anchor gives: `decode` at `#json.JSONDecoder.decode`."""
    name = entity.name
    if not anchor or not anchor.endswith((f".{name}", f":{name}")) or len(anchor) > caps.MAX_ENTITY_NAME_CHARS:
        return entity
    return Entity(EntityKind.SYMBOL, anchor) if _SYMBOL.fullmatch(anchor) else entity


@lru_cache(maxsize=_KEPT)
def term(text: str, words: int = _WORDS) -> Entity | None:
    """The term that a few words are; None for what says nothing by itself or is a sentence."""
    shown = _MARKS.sub(" ", text).strip(_ENDS)
    shown = " ".join(_NUMBER.sub("", shown).split())
    if shown.count("(") > shown.count(")"):
        shown = f"{shown})"
    if not 3 <= len(shown) <= caps.MAX_ENTITY_NAME_CHARS or not _LETTER.search(shown) or shown.count(" ") >= words:
        return None
    return None if is_generic(folded_term(shown)) else Entity(EntityKind.TERM, shown)


def of_heading(heading: str, anchor: str | None) -> list[Entity]:
    """What a section is about: an API by its signature (`class json.JSONDecoder()`), or a term, or both (`json — JSON encoder`)."""
    several = heading.split(", ")
    if len(several) > 1 and all(_OPTION.match(each) for each in several):
        found = [symbol(_OPTION_VALUE.sub("", each)) for each in several]
    else:
        found = [_api(part, anchor) or term(part) for part in _DASH.split(heading, maxsplit=1)]
    return [entity for entity in found if entity is not None]


def inside_heading(heading: str) -> list[Entity]:
    """Names of code among the words of a heading."""
    if " " not in heading:
        return []
    found = (symbol(match.group()) for match in _IN_HEADING.finditer(heading))
    return [entity for entity in found if entity is not None]


def of_link(text: str, fragment: str) -> list[Entity]:
    """What the words of a link name, by the full name that its target has where that is told."""
    if text.startswith("`") and text.endswith("`") and text.count("`") == 2:
        code = symbol(text[1:-1])
        return [] if code is None else [qualified(code, fragment)]
    if "`" in text:
        return of_heading(text, fragment)
    if text.startswith(("http", "[")) or ("/" in text and " " not in text):
        return []
    if " " not in text and _SHAPED.search(text) and (code := symbol(text)) is not None:
        return [qualified(code, fragment)]
    spoken = term(text, _LINK_WORDS)
    return [] if spoken is None else [spoken]


def _name_in(code: str) -> str:
    """The name in code that is more than a plain name; empty where there is none."""
    text = _KEYWORD.sub("", code, count=1)
    if not _ONE_NAME.fullmatch(text):
        return ""
    name = (text if " " in text and text.isupper() else _CALL.sub("", text)).strip(".:,;")
    return name if _SYMBOL.fullmatch(name) else ""


def _api(text: str, anchor: str | None) -> Entity | None:
    """The symbol of a heading that is one: by its shape, its keyword, its ticks, or because its anchor spells it."""
    plain = text.replace("`", "").replace("*", "").strip(" ¶")
    has_keyword = bool(_KEYWORD.match(plain))
    code = symbol(plain)
    if code is None:
        return None
    by_anchor = (
        anchor is not None and anchor != code.name.lower() and anchor.endswith((f".{code.name}", f"-{code.name}"))
    )
    if has_keyword or by_anchor or anchor == code.name or text.startswith("`") or _SHAPED.search(plain):
        return qualified(code, anchor)
    return None
