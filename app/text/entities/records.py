"""Entities and where they are mentioned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.text.entities.folding import folded_symbol, folded_term

BEFORE_SECTIONS: Final = -1
"""The section of what stands before the first heading."""

_QUALIFIER: Final = re.compile(r".*(?:\.|::|#|->)(?=[^.:#>]+$)", re.DOTALL)


class EntityKind(StrEnum):
    """What an entity is."""

    SYMBOL = "symbol"
    """A name of code, as written: `json.dumps`, `--verbose`, `Content-Type`."""
    TERM = "term"
    """Words of a heading, a definition or a link; case, accents and plural do not tell terms apart."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that documents name. Two symbols are the same entity when their names are equal, two terms when they fold alike."""

    kind: EntityKind
    name: str

    @property
    def key(self) -> str:
        """What tells it from other entities of its kind."""
        return self.name if self.kind is EntityKind.SYMBOL else folded_term(self.name)

    @property
    def folded(self) -> str:
        """The same for all spellings of the name."""
        return folded_symbol(self.name) if self.kind is EntityKind.SYMBOL else folded_term(self.name)

    @property
    def tail(self) -> str | None:
        """The last part of a qualified name of code: `dumps` of `json.dumps`."""
        is_qualified = _QUALIFIER.match(self.name) if self.kind is EntityKind.SYMBOL else None
        return self.name[is_qualified.end() :] if is_qualified else None


@dataclass(frozen=True, slots=True)
class Mention:
    """How often a section names an entity. `defines`: its heading or a definition in it is about the entity.

    `section` is the number of the section in its document, BEFORE_SECTIONS for none.
    """

    entity: Entity
    section: int
    count: int
    defines: bool
