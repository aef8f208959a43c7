from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.server.small_world import World, small_world


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """The real engine over a small corpus; tests that use it run on the loop of the session."""
    async with small_world(tmp_path_factory.mktemp("world")) as running:
        yield running
