"""Pages of the public signatures and docstrings of Python modules. The source is parsed, never imported."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from typing import Final, TypeAlias

MAX_MODULE_BYTES: Final = 512 * 1024
"""Generated modules are larger. Parsing takes the interpreter's lock, about 0.3 ms per KiB."""
MAX_SIGNATURE_CHARS: Final = 2_000
_NOT_PACKAGES: Final = frozenset({"doc", "docs", "examples", "example", "benchmarks", "scripts", "tools", "ci"})
"""Folders beside the packages in an archive of sources."""
_UNDERLINED: Final = re.compile(r"^([^\s].{0,80})\n(?:-{3,}|={3,}|~{3,}|\^{3,})[ \t]*$", re.MULTILINE)

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Symbol:
    name: str
    signature: str
    text: str


def module_page(source: bytes, module: str) -> tuple[str, str, int] | None:
    """Return the page of a module, its media type, and the number of its symbols.

    Returns None for a module that cannot be parsed or does not document anything.

    The page is reStructuredText like most docstrings, or Markdown if docstrings contain fences of code.
    """
    if len(source) > MAX_MODULE_BYTES:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        symbols = list(_symbols(tree))
        text = _docstring(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not symbols or not (text or any(symbol.text for symbol in symbols)):
        return None
    is_markdown = any("```" in each for each in (text, *(symbol.text for symbol in symbols)))
    parts = [_heading(module, "=", is_markdown=is_markdown), text]
    for symbol in symbols:
        parts += [
            _heading(symbol.name, "-", is_markdown=is_markdown),
            _code(symbol.signature, is_markdown=is_markdown),
            symbol.text,
        ]
    kind = "text/markdown" if is_markdown else "text/x-rst"
    return "\n\n".join(part for part in parts if part) + "\n", kind, len(symbols)


def module_name(path: str) -> str:
    """Return the dotted name of a module by its path; empty for tests, vendored code and scripts."""
    parts = path.rpartition(".")[0].split("/")
    if not all(part.isidentifier() for part in parts):
        return ""
    is_other = any(part in ("tests", "test", "testing", "vendor", "_vendor", "vendored", "conftest") for part in parts)
    is_other = is_other or any(part.startswith("test_") for part in parts) or parts[-1] in ("__main__", "setup")
    is_other = is_other or (len(parts) > 1 and parts[0] in _NOT_PACKAGES)
    return "" if is_other else ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _symbols(tree: ast.Module) -> Iterator[_Symbol]:
    exported = _exported(tree)
    waiting: list[tuple[str, ast.stmt]] = [("", each) for each in reversed(tree.body)]
    while waiting:
        outer, node = waiting.pop()
        if isinstance(node, ast.If | ast.Try):
            waiting += [(outer, each) for each in reversed(node.body)]
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if (
                node.name.startswith("_")
                and node.name not in exported
                and not (outer and node.name in ("__init__", "__call__"))
            ):
                continue
            name = f"{outer}.{node.name}" if outer else node.name
            text = _docstring(node)
            if isinstance(node, ast.ClassDef):
                bases = ", ".join(map(ast.unparse, (*node.bases, *(each.value for each in node.keywords))))
                yield _Symbol(name, f"class {name}({bases})" if bases else f"class {name}", text)
                waiting += [(name, each) for each in reversed(node.body)]
            elif text or not outer or node.name == "__init__":
                yield _Symbol(name, _signature(node, name), text)


def _exported(tree: ast.Module) -> set[str]:
    """Return the names in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets
        ):
            values = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else []
            return {each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return set()


def _signature(node: _Function, name: str) -> str:
    decorators = [f"@{ast.unparse(each)}" for each in node.decorator_list]
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    lines = [*decorators, f"{kind} {name}({ast.unparse(node.args)}){returns}"]
    return "\n".join(lines)[:MAX_SIGNATURE_CHARS]


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> str:
    text = ast.get_docstring(node, clean=False)
    # Headings of sections inside a docstring would end the section of the symbol.
    return _UNDERLINED.sub(r"**\1**\n", cleandoc(text).replace("\r", "")) if text else ""


def _heading(text: str, line: str, *, is_markdown: bool) -> str:
    if is_markdown:
        return f"{'#' if line == '=' else '##'} {text}"
    escaped = text.replace("\\", "\\\\").replace("_", "\\_")
    return f"{escaped}\n{line * max(4, len(escaped))}"


def _code(text: str, *, is_markdown: bool) -> str:
    if is_markdown:
        return f"```python\n{text}\n```"
    return ".. code-block:: python\n\n" + "\n".join(f"    {line}" for line in text.split("\n"))
