from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.instance import hold_instance
from tests.bridge.fake_instance import FakeInstance


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[FakeInstance]:
    """A running fake instance that owns the data directory."""
    with hold_instance(tmp_path), FakeInstance(tmp_path) as running:
        yield running
