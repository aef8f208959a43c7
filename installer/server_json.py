"""Write server.json, the entry for the registry of MCP servers. GITHUB_REPOSITORY contains the project as owner/name."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from facts import DIST, ICON, REPOSITORY, ROOT, CannotBuildError, homepage, sha256, version
from mcpb.pack import file_name

SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MAX_DESCRIPTION: Final = 100
DESCRIPTION: Final = "Exact, cited passages from web pages, sites and folders, stored and searched on your own computer"


def build(_kind: str) -> Path:
    """Write it in dist/ for the bundle there. Raises CannotBuildError."""
    repository, bundle = os.environ.get(REPOSITORY, ""), DIST / file_name()
    if repository.count("/") != 1:
        raise CannotBuildError(f"{REPOSITORY} is not set (owner/name)")
    if not bundle.is_file():
        raise CannotBuildError(f"{bundle.name} is missing: build mcpb first")
    target = DIST / "server.json"
    text = json.dumps(entry(bundle, repository, homepage()), indent=2, ensure_ascii=False)
    target.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return target


def entry(bundle: Path, repository: str, page: str) -> dict[str, Any]:
    """Return the entry for the bundle of this release."""
    owner, name = repository.split("/")
    icon = f"https://raw.githubusercontent.com/{repository}/v{version()}/{ICON.relative_to(ROOT).as_posix()}"
    return {
        "$schema": SCHEMA,
        "name": f"io.github.{owner}/{name}",
        "title": "WebRAG Desktop",
        "description": DESCRIPTION,
        "version": version(),
        "websiteUrl": page,
        "icons": [{"src": icon, "mimeType": "image/svg+xml", "sizes": ["any"]}],
        "repository": {"url": page, "source": "github"},
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": f"{page}/releases/download/v{version()}/{bundle.name}",
                "fileSha256": sha256(bundle),
                "transport": {"type": "stdio"},
            }
        ],
    }
