"""Joined libraries as the window shows them: how each is, in words, and what is done with them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.desktop.wording import translator
from app.paths import joined_file

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.exchange import Collection

_tr = translator("SharedLibraries")


async def joined_states(engine: Engine) -> tuple[LibraryState, ...]:
    """Every joined library; nothing of them is loaded while there is none. Raises SettingsError."""
    if not joined_file(engine.settings.data_dir).exists():
        return ()
    return await asyncio.to_thread(engine.libraries.states)


def state_words(state: LibraryState) -> tuple[str, str]:
    """How a library is in a word or two, and the kind of the badge."""
    if not state.library.is_on:
        return _tr("Off"), ""
    if state.signed_out:
        return _tr("Sign in again"), "warning"
    if state.away:
        return _tr("Away"), "warning"
    return _tr("Asked"), "good"


def away_words(states: Sequence[LibraryState]) -> str:
    """Which libraries do not answer at present, as one short sentence; empty while all do."""
    away = [each.library.title or each.library.name for each in states if each.library.is_on and each.away]
    out = [each.library.title or each.library.name for each in states if each.library.is_on and each.signed_out]
    said = _tr("{} is away").format(", ".join(away)) if away else ""
    return said or (_tr("Sign in again: {}").format(", ".join(out)) if out else "")


def about_words(state: LibraryState, *, with_address: bool = True) -> str:
    """Where a library is, as whom the person is known there, and where shared pages go."""
    library = state.library
    who = _tr("signed in as {}").format(library.who) if library.who and not state.signed_out else ""
    shares = _tr("shared pages go to {}").format(library.collection) if library.collection else ""
    return " · ".join(filter(None, (library.address if with_address else "", who, shares)))


def writable(collections: Sequence[Collection]) -> list[str]:
    """The collections that the person may write to."""
    return [each.name for each in collections if each.role in ("writer", "owner")]
