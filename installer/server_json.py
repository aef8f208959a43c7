"""Write server.json, the entry for the registry of MCP servers: server_json.py BUNDLE.mcpb [TARGET].

GITHUB_REPOSITORY contains the project as owner/name. Use the bundle of the release.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from facts import ICON, REPOSITORY, ROOT, homepage, sha256, version

SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MAX_DESCRIPTION: Final = 100
DESCRIPTION: Final = "Exact, cited passages from web pages, sites and folders, stored and searched on your own computer"


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


def main(arguments: list[str]) -> int:
    """Write the file. Returns 2 for a wrong command line."""
    repository = os.environ.get(REPOSITORY, "")
    if len(arguments) not in (1, 2) or repository.count("/") != 1:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    bundle = Path(arguments[0])
    target = Path(arguments[1]) if len(arguments) == 2 else bundle.with_name("server.json")
    text = json.dumps(entry(bundle, repository, homepage()), indent=2, ensure_ascii=False)
    target.write_text(f"{text}\n", encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
