"""Assistants in a project with a lock file: one question reaches the exact signature of the locked version in two calls."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.hosts.model import Step
from tests.hosts.play import Shared, converse
from tests.hosts.programs import CLAUDE_CODE, OPENCODE, Host
from tests.integration.application import webrag
from tests.packages.projects import install_python, write
from tests.support.site import Site

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

QUESTION: Final = "How do I stream a response with the httpx version of this project?"
LOCKED, EARLIER = "0.28.1", "0.27.0"
ARGUMENTS: Final = {
    EARLIER: "method: str, url: str, *, allow_redirects: bool=True",
    LOCKED: "method: str, url: str, *, content: RequestContent | None=None, follow_redirects: bool=False",
}
"""What follows `self` in the signature of `AsyncClient.stream`."""


def lock(project: Path, version: str) -> None:
    """Lock and install a package with the shape of httpx."""
    entry = f'[[package]]\nname = "httpx"\nversion = "{version}"\n'
    write(project, {"poetry.lock": entry, "pyproject.toml": '[project]\ndependencies = ["httpx"]\n'})
    stream = f"""
class AsyncClient:
    \"\"\"An asynchronous client.\"\"\"
    async def stream(self, {ARGUMENTS[version]}) -> AsyncIterator[Response]:
        \"\"\"Stream a response: its body is not loaded into memory at once.\"\"\"
    async def get(self, url: str) -> Response:
        \"\"\"Send a GET request.\"\"\"
"""
    files = {
        "httpx/__init__.py": "from ._client import AsyncClient\n",
        "httpx/_client.py": stream,
        "httpx/docs/streaming.md": f"# Stream a response\n\nIn httpx {version}, use `AsyncClient.stream`.\n",
    }
    install_python(project, "httpx", version, files, "# httpx\n\nA client for HTTP.\n")


@pytest.mark.parametrize("host", [CLAUDE_CODE, OPENCODE], ids=lambda host: str(host.name))
def test_a_question_reaches_the_signature_of_the_locked_version(host: Host, tmp_path: Path) -> None:
    if host.missing():
        pytest.skip(host.missing())
    project = tmp_path / "work"
    with Site() as site:
        shared = Shared(tmp_path, site)
        try:
            for version in (EARLIER, LOCKED):
                lock(project, version)
                done = webrag("packages", "add", "--project", str(project), data_dir=shared.data_dir)
                assert done.returncode == 0, done.stdout + done.stderr
            steps = (
                Step("search_docs", {"query": QUESTION, "library": "httpx"}),
                Step("library_symbol", {"name": "AsyncClient.stream", "library": "httpx"}),
            )
            talk, tap = converse(shared, host, tmp_path, QUESTION, *steps)
        finally:
            shared.close()
    pages, symbol = talk.results
    assert f"httpx@{LOCKED}/" in pages and "AsyncClient.stream" in pages
    assert f"async def AsyncClient.stream(self, {ARGUMENTS[LOCKED]}) -> AsyncIterator[Response]" in symbol
    assert f"httpx {LOCKED}" in symbol and EARLIER not in pages + symbol
    assert len(tap.messages("assistant", "tools/call")) == len(steps)
