"""The names, signatures and docstrings of Python modules, and pages of them. The source is parsed, never imported."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Final, TypeAlias

MAX_MODULE_BYTES: Final = 512 * 1024
"""Generated modules are larger. Parsing takes the interpreter's lock, about 0.3 ms per KiB."""
MAX_SIGNATURE_CHARS: Final = 2_000
MAX_VALUE_CHARS: Final = 200
MAX_COMMENT_LINES: Final = 40
_NOT_PACKAGES: Final = frozenset({"doc", "docs", "examples", "example", "benchmarks", "scripts", "tools", "ci"})
"""Folders beside the packages in an archive of sources."""
_UNDERLINED: Final = re.compile(r"^([^\s].{0,80})\n(?:-{3,}|={3,}|~{3,}|\^{3,})[ \t]*$", re.MULTILINE)
_LINE_END: Final = re.compile(r"\r\n?|\n")  # The only characters that end a line for the parser.
_MAKES_CONSTRUCTOR: Final = re.compile(
    r"(?:dataclasses\.|attrs?\.)?(?:dataclass|attrs|define|mutable|frozen|s)(?:\(.*\))?"
)
_FIELD: Final = frozenset({"field", "ib", "attrib"})

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Definition:
    """A class, function or variable of a module. `bases` are expressions; `fields` are parameters of a generated constructor by name,
    or None if the class does not have one. `borrowed` are members that a decorator takes over from other classes: `Session.add`.
    """

    name: str
    kind: str
    signature: str
    text: str
    line: int
    bases: tuple[str, ...] = ()
    fields: dict[str, str] | None = None
    borrowed: tuple[str, ...] = ()


@dataclass(slots=True)
class Module:
    """A parsed module: its definitions by name (`Flask.route`), and what it imports, by local names: `os`, or `os:path` from a module.

    `exported` are the names in `__all__` or imported under their own name, `stars` the modules of which it imports all names.
    """

    name: str
    path: str
    text: str = ""
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    exported: set[str] = field(default_factory=set)

    @property
    def is_package(self) -> bool:
        return self.path.endswith(("/__init__.py", "/__init__.pyi"))

    def is_public(self, each: Definition) -> bool:
        """Whether a definition is meant for users: constructors and documented operators are, names with an underscore are not."""
        first, _, rest = each.name.partition(".")
        return (first in self.exported or not is_private(first)) and not is_private(rest)


def is_private(name: str) -> bool:
    """Whether a part of a name begins with an underscore."""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split("."))


def read_module(source: bytes, name: str, path: str) -> Module | None:
    """Return what a module defines; None if it is too large or cannot be parsed."""
    if len(source) > MAX_MODULE_BYTES:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        module = Module(name, path, _docstring(tree))
        _Reader(module, _LINE_END.split(source.decode("utf-8", "replace"))).read(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return module


def module_page(module: Module) -> tuple[str, str, int] | None:
    """Return the page of a module, its media type (Markdown if it has fences) and its definitions; None if nothing is documented."""
    shown = [each for each in module.definitions.values() if module.is_public(each) and is_shown(each)]
    if not shown or not (module.text or any(each.text for each in shown)):
        return None
    is_markdown = any("```" in each for each in (module.text, *(each.text for each in shown)))
    parts = [_heading(module.name, "=", is_markdown=is_markdown), module.text]
    for each in shown:
        code = f"```python\n{each.signature}\n```"
        if not is_markdown:
            code = "\n    ".join([".. code-block:: python\n", *each.signature.split("\n")])
        parts += [_heading(each.name, "-", is_markdown=is_markdown), code, each.text]
    kind = "text/markdown" if is_markdown else "text/x-rst"
    return "\n\n".join(part for part in parts if part) + "\n", kind, len(shown)


def module_name(path: str) -> str:
    """Return the dotted name of a module by its path; empty for tests, vendored code and scripts."""
    parts = path.rpartition(".")[0].split("/")
    if not all(part.isidentifier() for part in parts):
        return ""
    is_other = any(part in ("tests", "test", "vendor", "_vendor", "vendored", "conftest") for part in parts)
    is_other = is_other or "testing" in parts[:-1] or any(part.startswith("test_") for part in parts)
    is_other = is_other or parts[-1] in ("__main__", "setup") or (len(parts) > 1 and parts[0] in _NOT_PACKAGES)
    return "" if is_other else ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def is_shown(each: Definition) -> bool:
    """Whether a page shows the definition: variables and methods without documentation are not shown."""
    is_inner = "." in each.name and not each.name.endswith(".__init__")
    return each.kind in ("class", "function", "method", "property") and bool(
        each.text or each.kind == "class" or not is_inner
    )


@dataclass(slots=True)
class _Reader:
    """Collects the definitions of a module; the first one of a name counts."""

    module: Module
    lines: Sequence[str]
    last: Definition | None = None  # The variable that a following string documents.

    def read(self, tree: ast.Module) -> None:
        waiting: list[tuple[str, ast.stmt]] = [("", each) for each in reversed(tree.body)]
        while waiting:
            outer, node = waiting.pop()
            last, self.last = self.last, None
            match node:
                case ast.If() | ast.Try():
                    bodies = (node.body, *(each.body for each in getattr(node, "handlers", ())), node.orelse)
                    waiting += [(outer, each) for body in reversed(bodies) for each in reversed(body)]
                case ast.ClassDef():
                    name = self._add_class(node, outer)
                    waiting += [(name, each) for each in reversed(node.body)]
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._add_function(node, outer)
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                    self._add_variables(node, outer)
                case ast.Import() | ast.ImportFrom() if not outer:
                    self._add_imports(node)
                case ast.Expr(ast.Constant(str(text))) if last is not None:
                    last.text = last.text or _plain(text)

    def _add(self, definition: Definition) -> None:
        known = self.module.definitions.setdefault(definition.name, definition)
        if known is not definition and known.signature.startswith(("@overload", "@typing.overload", "@t.overload")):
            known.signature = f"{known.signature}\n{definition.signature}"[:MAX_SIGNATURE_CHARS]
            known.text = known.text or definition.text

    def _add_class(self, node: ast.ClassDef, outer: str) -> str:
        name = f"{outer}.{node.name}" if outer else node.name
        bases = ", ".join(map(ast.unparse, (*node.bases, *(each.value for each in node.keywords))))
        signature = f"class {name}({bases})" if bases else f"class {name}"
        names = tuple(ast.unparse(each.value if isinstance(each, ast.Subscript) else each) for each in node.bases)
        makers = (
            *map(ast.unparse, node.decorator_list),
            *("dataclass" for each in names if each.endswith("NamedTuple")),
        )
        fields = dict(_fields(node)) if any(map(_MAKES_CONSTRUCTOR.fullmatch, makers)) else None
        borrowed = tuple(each for decorator in node.decorator_list for each in _borrowed(decorator))
        self._add(Definition(name, "class", signature, _docstring(node), node.lineno, names, fields, borrowed))
        return name

    def _add_function(self, node: _Function, outer: str) -> None:
        name, text = f"{outer}.{node.name}" if outer else node.name, _docstring(node)
        if node.name == "__init__" and outer:
            for each in node.body:
                if isinstance(each, ast.Assign | ast.AnnAssign):
                    self._add_variables(each, outer, of_self=True)
        elif node.name.startswith("_") and name not in self.module.exported and not (text and node.name.endswith("__")):
            return
        decorators = [f"@{ast.unparse(each)}" for each in node.decorator_list]
        is_property = any(each.endswith("property") for each in decorators)
        kind = "property" if is_property else "method" if outer else "function"
        word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
        signature = "\n".join([*decorators, f"{word} {name}({ast.unparse(node.args)}){returns}"])
        self._add(Definition(name, kind, signature[:MAX_SIGNATURE_CHARS], text, node.lineno))

    def _add_variables(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, outer: str, *, of_self: bool = False
    ) -> None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            name = ""
            match target:
                case ast.Attribute(ast.Name("self"), attribute) if of_self:
                    name = attribute
                case ast.Name(variable) if not of_self:
                    name = variable
            if name == "__all__" and node.value is not None:
                strings = (each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant))
                self.module.exported.update(each for each in strings if isinstance(each, str))
                continue
            is_public = not name.startswith("_") or name in self.module.exported
            if name and is_public and not isinstance(node, ast.AugAssign):
                first = self.lines[node.lineno - 1].strip()[:MAX_VALUE_CHARS]
                signature = first if node.lineno == node.end_lineno else f"{first} …"
                kind, full = ("attribute", f"{outer}.{name}") if outer else ("variable", name)
                self._add(Definition(full, kind, signature, self._comment(node.lineno), node.lineno))
                self.last = self.module.definitions[full]

    def _comment(self, line: int) -> str:
        """Return the comment with a colon before a variable, or at the end of its line."""
        place = line - 1
        while place > max(0, line - MAX_COMMENT_LINES) and self.lines[place - 1].lstrip().startswith("#:"):
            place -= 1
        above = [each.strip().removeprefix("#:").removeprefix(" ") for each in self.lines[place : line - 1]]
        return "\n".join(above) or self.lines[line - 1].partition("#: ")[2].strip()

    def _add_imports(self, node: ast.Import | ast.ImportFrom) -> None:
        module = self.module
        if isinstance(node, ast.Import):
            for each in node.names:
                name = each.asname or each.name.partition(".")[0]
                module.imports.setdefault(name, each.name if each.asname else name)
            return
        source = node.module or ""
        if node.level:
            parts = module.name.split(".")
            parts = parts[: len(parts) - node.level + module.is_package]
            source = ".".join((*parts, source)).rstrip(".")
        for each in node.names:
            if each.name == "*":
                module.stars.append(source)
                continue
            module.imports.setdefault(each.asname or each.name, f"{source}:{each.name}")
            if each.asname == each.name:
                module.exported.add(each.name)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield the parameters of the constructor that a decorator makes from the variables of a class."""
    for each in node.body:
        if not isinstance(each, ast.Assign | ast.AnnAssign):
            continue
        target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
        if not isinstance(target, ast.Name):
            continue
        value, annotation = each.value, ast.unparse(each.annotation) if isinstance(each, ast.AnnAssign) else ""
        options: dict[str | None, ast.expr] = {}
        is_field = isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _FIELD
        if isinstance(value, ast.Call) and is_field:
            options = {keyword.arg: keyword.value for keyword in value.keywords}
            made = "..." if options.keys() & {"factory", "default_factory"} else ""
            default = ast.unparse(options["default"]) if "default" in options else made
        else:
            default = ast.unparse(value) if value is not None else ""
        is_kept_out = "ClassVar" in annotation or (not annotation and not is_field)
        if not is_kept_out and not (isinstance(no := options.get("init"), ast.Constant) and no.value is False):
            typed = f"{target.id}: {annotation}" if annotation else target.id
            yield target.id, (f"{typed} = {default}" if default else typed)[:MAX_VALUE_CHARS]


def _borrowed(decorator: ast.expr) -> Iterator[str]:
    """Yield the members of a class that a decorator names in lists: `@proxy(Session, methods=["add"])`."""
    if isinstance(decorator, ast.Call) and decorator.args and isinstance(decorator.args[0], ast.Name | ast.Attribute):
        lists = (each.value.elts for each in decorator.keywords if isinstance(each.value, ast.List | ast.Tuple))
        for each in (element for elements in lists for element in elements):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.isidentifier():
                yield f"{ast.unparse(decorator.args[0])}.{each.value}"


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> str:
    text = ast.get_docstring(node, clean=False)
    # Headings of sections inside a docstring would end the section of the symbol.
    return _UNDERLINED.sub(r"**\1**\n", _plain(text)) if text else ""


def _plain(text: str) -> str:
    """Return a docstring without its indentation, and without halves of characters, which cannot be stored."""
    return cleandoc(text).replace("\r", "").encode("utf-8", "replace").decode()


def _heading(text: str, line: str, *, is_markdown: bool) -> str:
    if is_markdown:
        return f"{'#' if line == '=' else '##'} {text}"
    escaped = text.replace("\\", "\\\\").replace("_", "\\_")
    return f"{escaped}\n{line * max(4, len(escaped))}"
