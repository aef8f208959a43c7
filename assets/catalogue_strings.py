"""Finds every text of the window in the sources, with its context at run time.

Uses the syntax tree, because Qt's tool does not find calls of a module's `_tr`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
WINDOW: Final = Path("app/desktop")
SETTINGS_FILE: Final = Path("assets/settings.toml")
SETTINGS_PAGE: Final = Path("assets/settings_page.toml")
MODELS_FILE: Final = Path("assets/models.toml")
ASSISTANTS_FILE: Final = Path("assets/assistants.toml")
SETTINGS: Final = "Settings"
"""Texts of the Settings page."""
ROW_TEXTS: Final = ("title", "text", "suffix", "warning", "labels", "buttons", "words")
"""Fields of a row that are translated."""
ERRORS: Final = "Errors"
NOTES: Final = "Notes"
"""Texts that other packages report with `sentence(...)` and the window shows with `spoken`."""
ERROR_FILE: Final = Path("app/errors.py")
HINT: Final = "hint"
ERROR_NAMES: Final = ("title", "default_hint")
"""Ends of the names of texts in error classes."""
NOT_SHOWN: Final = frozenset({"bridge", "cli", "kb", "server"})
"""Packages whose hints appear only for assistants or in a terminal."""
TRANSLATE: Final = frozenset({"QCoreApplication.translate", "QT_TRANSLATE_NOOP", "translate"})
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Message:
    """A text to translate. `comment` distinguishes equal texts of one context."""

    context: str
    source: str
    comment: str
    file: str


class StringError(Exception):
    """A text cannot be part of a catalog. The message says where and why."""


def messages(root: Path = ROOT) -> list[Message]:
    """Return every text once, in the order of files and lines. Raises StringError."""
    found, errors, notes = list[Message](), list(title_messages(root)), list[Message]()
    for path in _files(root / "app"):
        if path.is_relative_to(root / WINDOW):
            found += window_messages(path, root)
        errors += hint_messages(path, root)
        notes += note_messages(path, root)
    first: dict[tuple[str, str, str], Message] = {}
    for message in (
        *found,
        *setting_messages(root),
        *model_messages(root),
        *errors,
        *notes,
        *assistant_messages(root),
    ):
        first.setdefault((message.context, message.source, message.comment), message)
    return list(first.values())


@lru_cache(maxsize=1)
def nodes_of(source: str) -> list[ast.AST]:
    """Return the nodes of the syntax tree of a source, its module first."""
    return list(ast.walk(ast.parse(source)))


def window_messages(path: Path, root: Path = ROOT) -> Iterator[Message]:
    """Yield the texts of one file of the window. Raises StringError."""
    file = path.relative_to(root).as_posix()
    source = path.read_text(encoding="utf-8")
    nodes = nodes_of(source)
    scan = _Scan(file, _helpers(nodes) if "translator(" in source else {})
    scan.visit(nodes[0])
    yield from scan.found


def setting_messages(root: Path = ROOT) -> Iterator[Message]:
    """Yield the texts of the sections and rows of the Settings page."""
    declared = tomllib.loads((root / SETTINGS_FILE).read_text(encoding="utf-8")).values()
    sections = tomllib.loads((root / SETTINGS_PAGE).read_text(encoding="utf-8")).values()
    own = [part for section in sections for part in (section, *section.get("rows", {}).values())]
    for file, rows in ((SETTINGS_FILE, [each.get("row", {}) for each in declared]), (SETTINGS_PAGE, own)):
        for row, name in ((row, name) for row in rows for name in ROW_TEXTS):
            value = row.get(name, "")
            texts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            yield from (Message(SETTINGS, text, "", file.as_posix()) for text in texts if text)


def model_messages(root: Path = ROOT) -> Iterator[Message]:
    """Yield what the catalog of search models says about each."""
    for entry in tomllib.loads((root / MODELS_FILE).read_text(encoding="utf-8")).values():
        yield Message("Models", entry["meaning"], "", MODELS_FILE.as_posix())


def title_messages(root: Path = ROOT) -> Iterator[Message]:
    """Yield titles and default hints of errors."""
    for node in nodes_of((root / ERROR_FILE).read_text(encoding="utf-8")):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if _assigned(statement).endswith(ERROR_NAMES) and isinstance(statement, ast.Assign | ast.AnnAssign):
                    yield from (Message(ERRORS, text, "", ERROR_FILE.as_posix()) for text in _literals(statement.value))


def hint_messages(path: Path, root: Path = ROOT) -> Iterator[Message]:
    """Yield hints of a file for errors that can appear in the window."""
    file, source = path.relative_to(root), path.read_text(encoding="utf-8")
    if file.parts[1] not in NOT_SHOWN and "hint=" in source:
        yield from (Message(ERRORS, text, "", file.as_posix()) for text in _hints(nodes_of(source)))


def _hints(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the values of `hint` for errors, including variables of that name and constants of the module."""
    assert isinstance(nodes[0], ast.Module)
    constants = {_assigned(each): each.value for each in nodes[0].body if isinstance(each, ast.Assign | ast.AnnAssign)}
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg == HINT:
            yield from _written(node.value, constants)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from _written(_share(target, node.value), constants)


def _share(target: ast.expr, value: ast.expr | None) -> ast.expr | None:
    """Return the value that an assignment gives to the variable `hint`, or None."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        shares = (_share(*pair) for pair in zip(target.elts, value.elts, strict=False))
        return next((share for share in shares if share), None)
    return value if isinstance(target, ast.Name) and target.id == HINT else None


def _written(value: ast.expr | None, constants: dict[str, ast.expr | None]) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from _written(value.body, constants)
        yield from _written(value.orelse, constants)
    else:
        yield from _literals(constants.get(value.id) if isinstance(value, ast.Name) else value)


def note_messages(path: Path, root: Path = ROOT) -> Iterator[Message]:
    """Yield the templates of a file's sentences. Raises StringError."""
    file, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    for node in nodes_of(source) if "sentence(" in source else ():
        if isinstance(node, ast.Call) and _dotted(node.func) == "sentence":
            first = node.args[0] if node.args else None
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                raise StringError(f"{file}:{node.lineno}: {ast.unparse(node)[:80]}: the text is not a literal")
            yield Message(NOTES, first.value, "", file)


def assistant_messages(root: Path = ROOT) -> Iterator[Message]:
    """Yield what the list of assistants says about each."""
    for row in tomllib.loads((root / ASSISTANTS_FILE).read_text(encoding="utf-8")).values():
        texts = filter(None, (row.get("config", {}).get(name) for name in ("after_change", "only_where")))
        yield from (Message(NOTES, text, "", ASSISTANTS_FILE.as_posix()) for text in texts)


class _Scan(ast.NodeVisitor):
    def __init__(self, file: str, helpers: dict[str, str]) -> None:
        self.found: list[Message] = []
        self._file = file
        self._helpers = helpers
        self._classes: list[str] = []
        self._functions: list[Functions] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._enter(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._enter(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._enter(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = _dotted(node.func)
        if called in TRANSLATE:
            if not self._is_helper():
                self._take(node, node.args[:1], node.args[1:])
        elif called in self._helpers:
            self._add(node, self._helpers[called], node.args)
        elif called == "self.tr" and self._classes:
            self._add(node, self._classes[-1], node.args)
        elif called in ("tr", "_tr") or called.endswith((".tr", "._tr")):
            raise self._fault(node, f"{called} does not have a known context")
        self.generic_visit(node)

    def _enter(self, node: Functions) -> None:
        self._functions.append(node)
        self.generic_visit(node)
        self._functions.pop()

    def _is_helper(self) -> bool:
        function = self._functions[-1] if self._functions else None
        return isinstance(function, ast.FunctionDef) and function.name in ("declared_text", "speak", "_said")

    def _take(self, node: ast.Call, context: list[ast.expr], texts: list[ast.expr]) -> None:
        names = [text for value in context for text in _literals(value)]
        if len(names) != 1:
            raise self._fault(node, "the context is not a literal")
        self._add(node, names[0], texts)

    def _add(self, node: ast.Call, context: str, arguments: list[ast.expr]) -> None:
        words = [value.value for value in arguments if isinstance(value, ast.Constant) and isinstance(value.value, str)]
        if not words or len(words) != len(arguments):
            raise self._fault(node, "the text is not one literal")
        if not self._functions and "NOOP" not in _dotted(node.func):
            raise self._fault(node, "the translation happens while the module is loaded, before the language is known")
        self.found.append(Message(context, words[0], words[1] if len(words) > 1 else "", self._file))

    def _fault(self, node: ast.AST, why: str) -> StringError:
        return StringError(f"{self._file}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)[:80]}: {why}")


def _helpers(nodes: list[ast.AST]) -> dict[str, str]:
    """Return the contexts of functions defined as `_tr = translator("Context")`, by their name."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            call = node.value
            if _dotted(call.func) == "translator" and call.args:
                found[ast.unparse(node.targets[0])] = next(_literals(call.args[0]), "")
    return found


def _dotted(function: ast.expr) -> str:
    """Return a name such as `self.tr`; parts that are not names are empty."""
    if isinstance(function, ast.Attribute):
        return f"{_dotted(function.value)}.{function.attr}"
    return function.id if isinstance(function, ast.Name) else ""


def _literals(value: ast.expr | None) -> Iterator[str]:
    """Yield the text of a literal, or both texts of a conditional expression."""
    if isinstance(value, ast.IfExp):
        yield from _literals(value.body)
        yield from _literals(value.orelse)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
        yield value.value


def _assigned(statement: ast.stmt) -> str:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return next((target.id for target in targets if isinstance(target, ast.Name)), "")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
