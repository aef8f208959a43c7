"""Claude Code in its terminal follows a crawl as a task: its model gets the result without asking for the status."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hosts.model import Step
from tests.hosts.play import _wait, at_terminal
from tests.hosts.programs import CLAUDE_CODE
from tests.integration.pages import html
from tests.support.site import Site

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(CLAUDE_CODE.missing()), reason=CLAUDE_CODE.missing()),
]

PAGES = 50
END_SECONDS = 300.0
CALL_MS = 1_000


def test_a_crawl_runs_in_the_background_of_the_conversation(tmp_path: Path) -> None:
    with Site() as site:
        links = "".join(f"<a href='/docs/{number}'>Page {number}</a> " for number in range(1, PAGES))
        site.page("/docs/", html("Manual", f"<p>The manual has these pages. {links}</p>"))
        for number in range(1, PAGES):
            site.page(f"/docs/{number}", html(f"Page {number}", f"Valve {number} is checked every Tuesday. " * 9))
        step = Step("ingest", {"url": site.url("/docs/"), "crawl": {"max_pages": PAGES}})
        with at_terminal(tmp_path, site, CLAUDE_CODE, step) as (terminal, tap, shared, talk):

            def states() -> list[str]:
                return [
                    each["result"]["status"] for each in tap.messages("server") if "taskId" in each.get("result", {})
                ]

            _wait(lambda: "completed" in states(), END_SECONDS)
            assert states()[0] == "working" and states()[-1] == "completed", terminal.shown()
            read = f"{PAGES} of {PAGES} done"
            _wait(lambda: read in json.dumps(shared.model.requests[-1][1]))
            assert read in json.dumps(shared.model.requests[-1][1]), terminal.shown()
            assert "started server-side task" in talk.results[0]
            assert [each["params"]["name"] for each in tap.messages("assistant", "tools/call")] == ["ingest"]
            took = re.search(r"call \d+: ingest ok after (\d+) ms", shared.log())
            assert took and int(took[1]) < CALL_MS
