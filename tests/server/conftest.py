from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.conftest import with_guide
from tests.server.small_world import World, small_world


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def world(tmp_path_factory: pytest.TempPathFactory, guide_file: Path) -> AsyncIterator[World]:
    """Yield the real engine with a small corpus; tests that use it run on the loop of the session."""
    folder = tmp_path_factory.mktemp("world")
    with_guide(folder / "data", guide_file)
    async with small_world(folder) as running:
        yield running
