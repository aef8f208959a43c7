"""Claude Code in its terminal shows the link for a page behind a sign-in, and its model gets the page or today's error."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.server.protocol.sign_ins import KEY, PATH
from tests.hosts.model import Step
from tests.hosts.play import ESCAPE, _wait, at_terminal
from tests.hosts.programs import CLAUDE_CODE
from tests.integration.pages import html
from tests.support.site import Site

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(CLAUDE_CODE.missing()), reason=CLAUDE_CODE.missing()),
]

RIGHT, ENTER = b"\x1b[C", b"\r"
END_SECONDS = 200.0


@pytest.mark.parametrize(
    ("keys", "action", "told"),
    [((RIGHT, ENTER), "accept", "on Tuesdays"), ((ESCAPE,), "cancel", "Save the page with the browser extension")],
    ids=["saved", "canceled"],
)
def test_the_person_is_asked_once(tmp_path: Path, keys: tuple[bytes, ...], action: str, told: str) -> None:
    with Site() as site:
        site.page("/private", "No.", status=403)
        step = Step("answer", {"url": site.url("/private"), "query": "When are the valves checked?"})
        with at_terminal(tmp_path, site, CLAUDE_CODE, step) as (terminal, tap, _shared, talk):
            _wait(lambda: PATH in terminal.shown(), END_SECONDS)
            assert "requiresasign-inorpayment" in terminal.shown().replace(" ", ""), terminal.shown()
            if action == "accept":
                # Stands for a page that the browser has saved: the repeated call can read it.
                site.page("/private", html("Valves", "<p>The night crew checks every valve on Tuesdays.</p>" * 3))
            for key in keys:
                terminal.write(key)
                _wait(lambda: bool(talk.results), 3.0)
            _wait(lambda: bool(talk.results), END_SECONDS)
            calls = [each["params"] for each in tap.messages("assistant", "tools/call")]
        assert told in talk.results[0], (talk.results, terminal.shown())
        assert [call.get("inputResponses") for call in calls] == [None, {KEY: {"action": action}}]
