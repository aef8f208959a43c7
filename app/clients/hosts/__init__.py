"""Every assistant whose configuration can be written, in the order in which they are shown."""

from __future__ import annotations

from typing import Final

from app.clients.hosts.claude_code import CLAUDE_CODE
from app.clients.hosts.claude_desktop import CLAUDE_DESKTOP
from app.clients.hosts.cline import CLINE
from app.clients.hosts.codex import CODEX
from app.clients.hosts.cursor import CURSOR
from app.clients.hosts.gemini_cli import GEMINI_CLI
from app.clients.hosts.goose import GOOSE
from app.clients.hosts.lm_studio import LM_STUDIO
from app.clients.hosts.opencode import OPENCODE
from app.clients.hosts.vscode import VSCODE
from app.clients.hosts.windsurf import WINDSURF
from app.clients.hosts.zed import ZED
from app.clients.profile import ClientProfile

CLIENTS: Final[tuple[ClientProfile, ...]] = (
    CLAUDE_DESKTOP,
    CLAUDE_CODE,
    VSCODE,
    CURSOR,
    WINDSURF,
    CODEX,
    GEMINI_CLI,
    ZED,
    LM_STUDIO,
    GOOSE,
    CLINE,
    OPENCODE,
)
