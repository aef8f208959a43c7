"""The commands and environments of LaTeX that `latex` knows, as assets/markups.toml declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.paths import asset_table

_LATEX: Final[Mapping[str, Any]] = asset_table("markups.toml")["latex"]
SECTIONS: Final = tuple(_LATEX["sections"])
STYLES: Final[Mapping[str, str]] = _LATEX["styles"]
LISTS: Final[Mapping[str, str]] = _LATEX["lists"]
BLOCKS: Final[Mapping[str, str]] = _LATEX["blocks"]
TABLES: Final = frozenset(_LATEX["tables"])
FORMULAS: Final[Mapping[str, str]] = _LATEX["formulas"]
CODE_ENVIRONMENTS: Final = frozenset(_LATEX["code_environments"])
SKIPPED_ENVIRONMENTS: Final = frozenset(_LATEX["skipped_environments"])
CITATIONS: Final = frozenset(_LATEX["citations"])
REFERENCES: Final = frozenset(_LATEX["references"])
SKIPPED_ARGUMENTS: Final = {name: int(n) for n, names in _LATEX["skipped_arguments"].items() for name in names}
SYMBOLS: Final[Mapping[str, str]] = _LATEX["symbols"]
ACCENTS: Final[Mapping[str, str]] = _LATEX["accents"]
LETTER_ACCENTS: Final[Mapping[str, str]] = _LATEX["letter_accents"]
