"""How many tokens a call saved, in a column of its own."""

from __future__ import annotations

from typing import Final

import apsw

SAVED: Final = "ALTER TABLE activity ADD COLUMN saved INTEGER NOT NULL DEFAULT 0"


def extend(con: apsw.Connection) -> None:
    """The column, in the caller's transaction."""
    con.execute(SAVED)


def is_missing(con: apsw.Connection) -> bool:
    """Whether the table has no such column: some files of version 3 were made before there was one."""
    return "saved" not in {str(name) for _, name, *_ in con.execute("PRAGMA table_info(activity)")}
