"""The unmodified assistants on npm with the application: their lists of servers, and the input of their models."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from app.client_limits import limits_named
from tests.hosts.play import GONE, GREEK_SIZE, SIZES, SMALL, STEPS, Played, Shared, play, whole_structure, whole_text
from tests.hosts.programs import HOSTS, Host
from tests.support.site import Site

pytestmark = [pytest.mark.real, pytest.mark.timeout(1800)]

CHARS_PER_TOKEN: Final = 4
RESULT: Final = "HOSTS_RESULT"
"""The variable that names the file for the table in docs/connect.md."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with Site() as site:
        made = Shared(tmp_path_factory.mktemp("application"), site)
        try:
            yield made
        finally:
            made.close()


@pytest.fixture(scope="module", params=HOSTS, ids=lambda host: str(host.name))
def host(request: pytest.FixtureRequest) -> Host:
    found: Host = request.param
    if found.missing():
        pytest.skip(found.missing())
    return found


@pytest.fixture(scope="module")
def played(shared: Shared, host: Host, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(shared, host, tmp_path_factory.mktemp(host.name))


def at(played: Played, step: str) -> tuple[dict[str, Any], str]:
    """Return the result of a step as sent and as read by the model."""
    place = STEPS.index(step)
    assert len(played.sent) > place and len(played.seen) > place, played.said[-2_000:]
    return played.sent[place], played.seen[place]


def test_the_list_of_the_assistant_says_connected(host: Host, played: Played) -> None:
    if not host.listing:
        pytest.skip(f"{host.title} lists no servers outside of its window")
    assert re.search(host.connected, re.sub(r"\x1b\[[\d;]*m", "", played.listed)), played.listed


def test_a_result_reaches_the_model_complete_and_in_order(played: Played) -> None:
    sent, seen = at(played, "answer")
    assert whole_text(sent, seen), (sent, seen)
    places = [seen.index(section) for section in ("[SOURCES]", "[EVIDENCE]", "[CITATIONS]", "[STATS]")]
    assert places == sorted(places)
    assert "torque of 119 newton metres" in seen


def test_an_error_reaches_the_model_with_its_next_step(played: Played) -> None:
    sent, seen = at(played, "missing")
    assert sent["isError"]
    assert "[ERROR]" in seen and "Next step: Check the spelling of the address." in seen


def test_a_result_of_the_size_for_this_assistant_is_not_cut(played: Played) -> None:
    sent, seen = at(played, "limit")
    assert whole_text(sent, seen), (len(sent["content"][0]["text"]), len(seen), seen)


def test_the_assistant_accepts_results_of_the_size_it_gets(host: Host, played: Played) -> None:
    limits = limits_named(host.name)
    promised = [size for size in SIZES if size <= min(limits.result_chars, CHARS_PER_TOKEN * limits.result_tokens)]
    assert set(promised) <= set(whole_sizes(played)), [len(at(played, str(size))[1]) for size in SIZES]
    sent, seen = at(played, "greek")
    too_long = limits.result_chars < GREEK_SIZE or len(sent["content"][0]["text"].encode()) > limits.result_bytes
    assert too_long or whole_text(sent, seen), len(seen)


def test_a_result_with_two_forms_reaches_the_model_in_one_of_them(played: Played) -> None:
    sent, seen = at(played, "data")
    assert whole_text(sent, seen) or whole_structure(sent, seen), (sent, seen)


def test_progress_arrives_between_the_call_and_its_result_on_request(played: Played) -> None:
    calls = played.tap.messages("assistant", "tools/call")
    tokens = {call["params"].get("_meta", {}).get("progressToken") for call in calls}
    told = [each["params"]["progressToken"] for each in played.tap.messages("server", "notifications/progress")]
    assert set(told) <= tokens
    asked = calls[0]["params"].get("_meta", {}).get("progressToken")
    assert (asked is not None) == (asked in told and asked is not None)


def test_changed_tools_are_announced_and_never_mixed_with_earlier_ones(host: Host, played: Played) -> None:
    assert played.tap.messages("server", "notifications/tools/list_changed")
    offered = tools_by_turn(played)
    assert host.names_only == (len(offered[0]) <= len(SMALL)), offered[0]
    assert host.names_only or offered[-1] in (offered[0], SMALL), offered[-1]
    assert not played.tap.was_called(GONE) or "tool profile simple" in played.seen[STEPS.index("gone")]


def test_a_call_after_a_restart_of_the_application_is_answered(played: Played) -> None:
    sent, seen = at(played, "restart")
    assert not sent.get("isError") and whole_text(sent, seen)


def test_an_interrupted_assistant_ends_its_call(played: Played) -> None:
    assert played.broken_off == "cancelled"


def test_escape_ends_the_call(host: Host, played: Played) -> None:
    assert played.escaped == ("cancelled" if host.escape_ends else "goes on")


def test_the_table_is_recorded(shared: Shared, host: Host, played: Played) -> None:
    """Not a check: records the facts for the table in docs/connect.md if a file is named for them."""
    file = Path(os.environ.get(RESULT, os.devnull))
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    rows[host.name] = row(host, played)
    rows = {each.name: rows[each.name] for each in HOSTS if each.name in rows}
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")


def tools_by_turn(played: Played) -> list[frozenset[str]]:
    """Return our tools that each request described."""
    return [frozenset(turn.bare(name) for name in turn.ours) for turn in played.conversation.turns]


def whole_sizes(played: Played) -> tuple[int, ...]:
    """Return the sizes of results that its model read completely."""
    return tuple(size for size in SIZES if whole_text(*at(played, str(size))))


def row(host: Host, played: Played) -> dict[str, Any]:
    """Return the facts of one assistant."""
    sent, seen = at(played, "data")
    forms = {"text": whole_text(sent, seen), "structure": whole_structure(sent, seen)}
    asked = played.tap.messages("assistant", "tools/call")[0]["params"].get("_meta", {}).get("progressToken")
    return {
        "title": host.title,
        "version": host.version,
        "connected": bool(played.listed),
        "called": len(played.seen),
        "reads": " and ".join(name for name, is_so in forms.items() if is_so),
        "longest": len(at(played, "limit")[0]["content"][0]["text"]),
        "whole": list(whole_sizes(played)),
        "tried": list(SIZES),
        "tokens": played.conversation.turns[0].tokens,
        "describes": "when asked" if host.names_only else "always",
        "progress": asked is not None,
        "follows": not played.tap.was_called(GONE),
        "escape": played.escaped,
    }
