"""The public registries of packages, from a file in assets."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from app.library.packages import Ecosystem
from app.paths import assets_dir

REGISTRIES_FILE: Final = "registries.toml"


@dataclass(frozen=True, slots=True)
class Registry:
    """A public registry: its address, the hosts of its entries in lock files, and the hosts of its archives."""

    address: str
    hosts: frozenset[str]
    archives: frozenset[str]


@cache
def registry_of(ecosystem: Ecosystem) -> Registry:
    """Return the public registry of an ecosystem. Raises KeyError for ecosystems whose registry is never asked."""
    found = tomllib.loads((assets_dir() / REGISTRIES_FILE).read_text("utf-8"))[ecosystem]
    return Registry(found["address"], frozenset(found["hosts"]), frozenset(found["archives"]))


def is_public(ecosystem: Ecosystem, address: str) -> bool:
    """Whether an address in a lock file belongs to the public registry."""
    try:
        return urlsplit(address).hostname in registry_of(ecosystem).hosts
    except ValueError:
        return False
