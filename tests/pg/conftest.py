"""Databases of the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

import pytest

from app.pg import setup
from tests.support.postgres import PostgresServer

_NUMBERS: Final = count(1)


@pytest.fixture(scope="module", autouse=True)
def any_vector() -> Iterator[None]:
    """The tests' server has an older pgvector than a library is trusted to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "OLDEST_VECTOR", (0, 8, 2))
        yield


@pytest.fixture
def new_database(postgres: PostgresServer) -> Callable[[], str]:
    """Makes empty databases."""
    return lambda: postgres.new_database(f"test{next(_NUMBERS)}")
