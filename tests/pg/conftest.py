"""Databases for tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

import pytest

from tests.support.postgres import PostgresServer, is_available

_NUMBERS: Final = count(1)

collect_ignore = [] if is_available() else ["test_bulk.py", "test_library.py", "test_setup.py"]
"""If no server can be installed, `tests/library/test_stores.py` is skipped with the reason."""


@pytest.fixture
def new_database(postgres: PostgresServer) -> Callable[[], str]:
    """Return a function that creates empty databases."""
    return lambda: postgres.new_database(f"test{next(_NUMBERS)}")
