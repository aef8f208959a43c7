from __future__ import annotations

from pathlib import Path

import pytest

from app.clients import Machine, ServerCommand, System


@pytest.fixture
def command() -> ServerCommand:
    return ServerCommand("/opt/webrag/webrag", ("mcp",))


@pytest.fixture
def linux(tmp_path: Path) -> Machine:
    return Machine(System.LINUX, tmp_path, {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})


@pytest.fixture
def config(linux: Machine) -> Path:
    """Claude Desktop's file on Linux; its folder is there, the file is not."""
    folder = linux.home / ".config" / "Claude"
    folder.mkdir(parents=True)
    return folder / "claude_desktop_config.json"
