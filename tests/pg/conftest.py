"""Databases of the tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

import pytest

from app.pg import setup
from tests.support.postgres import PostgresServer

_NUMBERS: Final = count(1)


@pytest.fixture(autouse=True)
def any_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' server has an older pgvector than a library is trusted to."""
    monkeypatch.setattr(setup, "OLDEST_VECTOR", (0, 8, 2))


@pytest.fixture
def new_database(postgres: PostgresServer) -> Callable[[], str]:
    """Makes empty databases."""
    return lambda: postgres.new_database(f"test{next(_NUMBERS)}")
