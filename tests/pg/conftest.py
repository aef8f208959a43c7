"""Databases of the tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

import pytest

from tests.support.postgres import PostgresServer

_NUMBERS: Final = count(1)


@pytest.fixture
def new_database(postgres: PostgresServer) -> Callable[[], str]:
    """Makes empty databases."""
    return lambda: postgres.new_database(f"test{next(_NUMBERS)}")
