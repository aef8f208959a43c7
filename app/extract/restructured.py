"""Read reStructuredText with docutils, including the directives and roles of Sphinx. Nothing is included, executed or read from disk."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.directives import misc
from docutils.writers import html5_polyglot

from app.extract.markup import Source
from app.extract.page import Page
from app.extract.tree import body_of, parse
from app.paths import asset_table

MAX_CHARS: Final = 2_000_000
MAX_COSTLY_LINES: Final = 1_000
"""The time for grid tables and footnotes is quadratic in their lines; files beyond a limit are read as plain text."""
MAX_DIRECTIVES: Final = 6_000
MAX_LINES: Final = 40_000
"""docutils takes 0.3 ms for a directive and up to 0.2 ms for a line."""
MAX_MARKS: Final = 40_000_000
"""The limit for the sum of the squared numbers of marks in each block: docutils searches the end of each mark in the rest of its block."""
_SETTINGS: Final[dict[str, Any]] = {
    "file_insertion_enabled": False, "raw_enabled": False, "_disable_config": True, "report_level": 3, "halt_level": 5,
    "warning_stream": False, "syntax_highlight": "none", "input_encoding": "unicode", "doctitle_xform": False, "docinfo_xform": False,
    "smart_quotes": False, "embed_stylesheet": False, "stylesheet_path": None, "line_length_limit": MAX_CHARS,
    "section_self_link": False, "toc_backlinks": False, "footnote_backlinks": False, "initial_header_level": 1,
}  # fmt: skip
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
_COSTLY_LINE: Final = re.compile(r"^[ \t]*(?:\+[-=+]{3,}|\.\. \[)", re.MULTILINE)
_DIRECTIVE: Final = re.compile(r"^[ \t]*\.\. [^\s\[]", re.MULTILINE)
_INCLUDED: Final = re.compile(r"^[ \t]*\.\. (?:include|literalinclude)::", re.MULTILINE)
_TABLES: Final[Mapping[str, Any]] = asset_table("markups.toml")["restructured"]
_SILENT: Final = frozenset(_TABLES["silent"])
_CODE_BLOCKS: Final = frozenset(_TABLES["code_blocks"])
_OBJECTS: Final = frozenset(_TABLES["objects"])
_VERSIONS: Final[Mapping[str, str]] = _TABLES["versions"]
_CODE_ROLES: Final = frozenset(_TABLES["code_roles"])
_ROLES: Final = (".. role::", ".. default-role::")
_lock: Final = threading.Lock()


def extract_restructured(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a reStructuredText body. Raises EmptyPageError and UnsupportedContentError."""
    source = Source(body, url=url, charset=charset)
    text = source.text
    marks = sum(sum(map(block.count, "*`|_")) ** 2 for block in _BLANK_LINE.split(text))
    is_long = len(text) > MAX_CHARS or text.count("\n") > MAX_LINES or marks > MAX_MARKS or source.is_data()
    if is_long or len(_COSTLY_LINE.findall(text)) > MAX_COSTLY_LINES or len(_DIRECTIVE.findall(text)) > MAX_DIRECTIVES:
        return source.as_written()
    try:
        with _lock, _sphinx():
            writer = html5_polyglot.Writer()
            writer.translator_class = _Translator
            html = publish_parts(text, writer=writer, settings_overrides=_SETTINGS)["body"]
    except (RecursionError, nodes.NodeFound, ValueError, LookupError, AttributeError, TypeError):
        # docutils fails on some hostile sources; their text is readable as it is.
        return source.as_written()
    source.included = len(_INCLUDED.findall(text))
    return source.page(body_of(parse(f"<!doctype html><html><body>{html}</body></html>")))


class _Translator(html5_polyglot.HTMLTranslator):
    """Writes literals as `code` and formulas with their TeX, as the writer of pages expects them."""

    def visit_literal(self, node: nodes.literal) -> None:
        self.body.append(f"<code>{escape(node.astext())}</code>")
        raise nodes.SkipNode

    def visit_math(self, node: nodes.math, math_env: str = "") -> None:
        self.body.append(_math(node.astext(), "inline"))
        raise nodes.SkipNode

    def visit_math_block(self, node: nodes.math_block) -> None:
        self.body.append(_math(node.astext(), "block"))
        raise nodes.SkipNode

    def visit_system_message(self, node: nodes.system_message) -> None:
        """Write what docutils could not read, such as a damaged table, as it is."""
        texts = [part.astext() for part in node.findall(nodes.literal_block)]
        self.body += [f"<pre>{escape(text)}</pre>" for text in texts if not text.startswith(_ROLES)]
        raise nodes.SkipNode

    def visit_section(self, node: nodes.section) -> None:
        if "system-messages" in node["classes"]:  # at the end of the file, about references
            raise nodes.SkipNode
        super().visit_section(node)

    def visit_problematic(self, node: nodes.problematic) -> None:
        self.body.append(escape(node.astext()))
        raise nodes.SkipNode


def _math(tex: str, display: str) -> str:
    note = f'<annotation encoding="application/x-tex">{escape(tex)}</annotation>'
    return f'<math display="{display}"><semantics><mrow></mrow>{note}</semantics></math>'


class _AnyOptions(dict[str, Callable[[str | None], str | None]]):
    """Accepts every option of a directive."""

    def __missing__(self, key: str) -> Callable[[str | None], str | None]:
        return lambda text: text

    def __bool__(self) -> bool:
        return True


class _Unknown(Directive):
    """A directive that docutils does not know: its argument as text, then its content."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _AnyOptions()

    def run(self) -> Sequence[nodes.Node]:
        name = self.name.rpartition(":")[2].lower()
        if self.name.lower() in _SILENT or name in _SILENT:
            return []
        argument = " ".join(self.arguments).strip()
        content = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, content)
        if name in _OBJECTS:
            terms = [
                nodes.term("", "", nodes.literal("", line.strip())) for line in argument.splitlines() if line.strip()
            ]
            item = nodes.definition_list_item("", *terms, nodes.definition("", *content.children))
            return [nodes.definition_list("", item)] if terms else content.children
        said = f"{_VERSIONS[name]} {argument}" if name in _VERSIONS else argument
        words = self.state.inline_text(said, self.lineno)[0] if said else []
        return [*([nodes.paragraph("", "", *words)] if said else []), *content.children]


class _Class(_Unknown):
    """A class of Sphinx, which documents code, or the directive of docutils, which sets the style of what follows."""

    arguments: list[str]

    def run(self) -> Sequence[nodes.Node]:
        argument = " ".join(self.arguments)
        if argument.islower() and "(" not in argument and "." not in argument:
            self.arguments = []
        return super().run()


class _Code(_Unknown):
    """A block of code with the options of Sphinx, on which the directive of docutils fails."""

    def run(self) -> Sequence[nodes.Node]:
        text = "\n".join(self.content)
        language = self.arguments[0].split()[0] if self.arguments else ""
        block = nodes.literal_block(text, text, classes=[f"language-{language}"] if language else [])
        caption = (self.options.get("caption") or "").strip()
        return [*([nodes.paragraph("", caption)] if caption else []), block]


@cache
def _tolerant(directive: type[Directive]) -> type[Directive]:
    """Return the directive with options that docutils does not know, such as those of Sphinx."""
    return type(directive.__name__, (directive,), {"option_spec": _AnyOptions(directive.option_spec or {})})


def _read_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *_: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Read a role that docutils does not know: its text, as code if it names code."""
    shown = (text.rpartition("<")[0].strip() if text.endswith(">") else "") or text
    if name.rpartition(":")[2].lower() in _CODE_ROLES:
        shown = shown.rpartition(".")[2] if shown.startswith("~") else shown.lstrip("!.")
        return [nodes.literal(rawtext, shown)], []
    return [nodes.Text(shown.lstrip("!~"))], []


@contextmanager
def _sphinx() -> Iterator[None]:
    """Read unknown directives and roles while the context lasts; docutils has no other way to add a fallback."""
    known_directive, known_role = directives.directive, roles.role

    def directive(name: str, language: Any, document: Any) -> Any:
        if name.lower() in _CODE_BLOCKS:
            return _Code, []
        found, messages = known_directive(name, language, document) if name.lower() not in _SILENT else (None, [])
        if found is None or found is misc.Class:
            return _Unknown if found is None else _Class, []
        return (_tolerant(found) if found.option_spec else found), messages

    def role(name: str, language: Any, lineno: int, reporter: Any) -> Any:
        found, messages = known_role(name, language, lineno, reporter)
        return (found, messages) if found is not None else (_read_role, [])

    directives.directive, roles.role = directive, role
    try:
        yield
    finally:
        directives.directive, roles.role = known_directive, known_role
