from __future__ import annotations

from pathlib import Path

import pytest

from app.clients.profile import Machine, ServerCommand, System


@pytest.fixture
def command() -> ServerCommand:
    return ServerCommand("/opt/webrag/webrag", ("mcp",))


@pytest.fixture
def linux(tmp_path: Path) -> Machine:
    return Machine(System.LINUX, tmp_path, {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})


@pytest.fixture
def config(linux: Machine) -> Path:
    """Return the path of Claude Desktop's file on Linux. Its folder exists, the file does not."""
    folder = linux.home / ".config" / "Claude"
    folder.mkdir(parents=True)
    return folder / "claude_desktop_config.json"
