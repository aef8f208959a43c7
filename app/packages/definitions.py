"""Give the names of docsets and sites the signatures and texts of their pages: `**`alpha.start(port)`**: Start the server.`"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from app.library.packages import Symbol
from app.packages.python_names import summary_of

_LINE: Final = re.compile(
    r"^(?:#{1,6} (?P<heading>[^\n]*)|[ >-]*\*\*`(?P<signature>[^`\n]{1,2000})`\*\*(?:: (?P<text>[^\n]*))?)",
    re.MULTILINE,
)
_AFTER_NAME: Final = re.compile(r"[(\[=<]|: ")


@dataclass(frozen=True, slots=True)
class _Definition:
    """A signature on a page with the first paragraph of its text, the heading above it and the class before it."""

    name: str
    signature: str
    text: str
    heading: str
    owner: str


def with_signatures(symbols: Iterable[Symbol], texts: Mapping[str, str]) -> tuple[Symbol, ...]:
    """Return the symbols with signature, summary and heading as far as the texts of their pages, by address, define them."""
    known: dict[str, dict[str, list[_Definition]]] = {}
    made = []
    for symbol in symbols:
        address = symbol.page.partition("#")[0]
        if address not in known:
            known[address] = {}
            for each in _definitions(texts.get(address, "")):
                known[address].setdefault(_last(each.name), []).append(each)
        found = _best(symbol.name, known[address].get(_last(symbol.name), ()))
        if found is None:
            made.append(replace(symbol, page=address))
            continue
        page = f"{address}#{quote(found.heading)}" if found.heading else address
        made.append(replace(symbol, signature=found.signature, summary=summary_of(found.text), page=page))
    return tuple(made)


def _definitions(text: str) -> Iterator[_Definition]:
    heading = owner = ""
    for line in _LINE.finditer(text):
        signature = line["signature"]
        if signature is None:
            heading, owner = line["heading"].replace("`", "").strip(), ""
            continue
        words = _AFTER_NAME.split(signature, 1)[0].split()
        if not words:
            continue
        if signature.startswith(("class ", "exception ", "interface ")):
            owner = words[-1]
        yield _Definition(words[-1], signature, (line["text"] or "").strip(), heading, owner)


def _best(wanted: str, found: Iterable[_Definition]) -> _Definition | None:
    """Return the definition of a name: with its full name, else with its class, else the only one."""
    definitions = list(found)
    named = [each for each in definitions if each.name == wanted]
    owned = [each for each in definitions if wanted.endswith(f"{_last(each.owner)}.{each.name}") and each.owner]
    return next(iter(named or owned or (definitions if len(definitions) == 1 else [])), None)


def _last(name: str) -> str:
    return re.split(r"[.:]+", name)[-1]
