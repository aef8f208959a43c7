"""`library_symbol`: exact signatures of functions, classes and methods of packages."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import unquote

from app import caps
from app.events import judged
from app.library.packages import ALIAS, PACKAGE_SCHEME, Package, Symbol, SymbolsFound
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.text import Budget, CountTokens, Room, clip, flagged
from app.server.tools import schemas
from app.server.tools.docs import PACKAGE, package_asked
from app.text.page_text import marked, quoted
from app.text.shield import instruction_flags

MAX_SYMBOLS_SHOWN: Final = 20
MAX_LINE_CHARS: Final = 200
MAX_CANDIDATE_CHARS: Final = 400  # Signature of one of several symbols.

KINDS: Final = frozenset(
    {
        *(
            "module",
            "namespace",
            "package",
            "class",
            "interface",
            "struct",
            "trait",
            "enum",
            "type",
            "exception",
            ALIAS,
        ),
        *("function", "method", "constructor", "property", "attribute", "field", "variable", "constant", "data"),
        *("macro", "operator", "event", "command", "option", "setting"),
    }
)
"""Shown as they are stored; other kinds come from foreign files."""

DESCRIPTION: Final = f"""\
Look up a function, class or method of a package.
Use when you need its exact signature.
Do not use when you have a question (search_docs).
Returns at most {MAX_SYMBOLS_SHOWN}: signature, docstring, file and line.
If you need more, call get_doc_page with its page.
Defaults: the project's version. Max: {MAX_SYMBOLS_SHOWN}."""

NOTHING: Final = "No package has this symbol. Check the spelling, or call `search_docs` with a question."


async def handle(call: ToolCall) -> ToolOutput:
    name = call.arguments["name"]
    found = await asyncio.to_thread(call.engine.docs.symbol, name, package_asked(call))
    text = symbols_text(name, found, budget=call.budget, count=call.engine.count_tokens)
    pages = tuple(symbol.page.partition("#")[0] for _, symbol in found.found if symbol.page)
    return ToolOutput(text, pages=tuple(dict.fromkeys(pages)), verdict=judged(found.found))


def symbols_text(name: str, found: SymbolsFound, *, budget: Budget, count: CountTokens) -> str:
    """Return the symbol with its docstring, otherwise the signatures of several, or the nearest names."""
    if not found.found:
        near, bases = (
            ", ".join(quoted(each, MAX_LINE_CHARS) for each in some) for some in (found.nearest, found.outside)
        )
        lines = [f"No symbol is named {quoted(name, MAX_LINE_CHARS)}. Nearest names: {near}"] if near else [NOTHING]
        if bases:
            lines.append(
                f"The class has bases in packages that are not stored: {bases}. The user can add them: `webrag packages add NAME`."
            )
        return "\n".join(lines)
    is_alone = len(found.found) == 1
    room = Room(budget, count)
    head = f"{found.count:,} symbols have this name. Repeat the call with a full name for its docstring."
    entries = [] if is_alone else [head]
    room.spend(head)
    for number, (package, symbol) in enumerate(found.found[:MAX_SYMBOLS_SHOWN], start=1):
        entry = _entry(number, package, symbol, with_summary=is_alone)
        if not is_alone and not room.take(entry):
            break
        entries.append(entry)
    return clip("\n\n".join(entries), budget, count)


def _entry(number: int, package: Package, symbol: Symbol, *, with_summary: bool) -> str:
    place = f": {quoted(f'{symbol.file[-MAX_LINE_CHARS:]}:{symbol.line}')}" if symbol.file else ""
    kind = symbol.kind if symbol.kind in KINDS else "symbol"
    signature = f"another name of {', '.join(symbol.leads_to)}" if kind == ALIAS else symbol.signature
    if with_summary:
        text = "\n\n".join(filter(None, (signature, symbol.summary)))
    else:
        text = signature if len(signature) <= MAX_CANDIDATE_CHARS else f"{signature[:MAX_CANDIDATE_CHARS]} …"
    mark = flagged(instruction_flags(f"{symbol.name}\n{text}"))
    head = f"{number}. {quoted(symbol.name, MAX_LINE_CHARS)} ({kind} of {package.shown}){place}{mark}"
    return "\n".join([head, *([marked(text)] if text else []), *_page(symbol.page)])


def _page(address: str) -> list[str]:
    """Return how to read the page of a symbol."""
    page, _, section = address.partition("#")
    path = unquote(page.removeprefix(PACKAGE_SCHEME).partition("/")[2])
    chosen = f", sections=[{quoted(unquote(section))}]" if section else ""
    return [f"Page: path={quoted(path)}{chosen}"] if address.startswith(PACKAGE_SCHEME) else []


LIBRARY_SYMBOL: Final = ToolSpec(
    id="library_symbol",
    title="Look up a symbol",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        {"name": schemas.text(caps.MAX_PACKAGE_NAME_CHARS, "e.g. AsyncClient.stream"), "library": PACKAGE}
    )
    | {"required": ["name"]},
    hints=Hints(read_only=True, open_world=False),
    handler=handle,
    notes_health=True,
)
