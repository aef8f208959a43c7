from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.instance import hold_instance
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import BridgeProcess


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[FakeInstance]:
    """A running fake instance that always owns the data directory, so that no bridge can start the real program."""
    with hold_instance(tmp_path), FakeInstance(tmp_path) as running:
        yield running


@pytest.fixture
def bridge(instance: FakeInstance) -> Iterator[BridgeProcess]:
    with BridgeProcess(instance.data_dir) as process:
        yield process
