"""Activity: calls, how an answer was found, tokens and jobs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pictures.dialogs import dialog_of
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]


EARLIER = (
    # Days ago, assistant, calls, tokens
    (13, "claude-ai", 9, 11_700),
    (12, "claude-ai", 4, 5_200),
    (12, "cursor-vscode", 7, 8_400),
    (11, "cursor-vscode", 12, 17_300),
    (10, "claude-ai", 6, 7_100),
    (10, "claude-code", 5, 9_900),
    (9, "claude-code", 11, 21_800),
    (8, "claude-ai", 2, 1_900),
    (6, "cursor-vscode", 8, 9_100),
    (6, "claude-ai", 10, 13_600),
    (5, "claude-code", 7, 12_200),
    (4, "claude-ai", 13, 18_400),
    (4, "cursor-vscode", 3, 2_700),
    (4, "claude-code", 4, 6_100),
    (3, "cursor-vscode", 9, 10_300),
    (2, "claude-ai", 11, 15_200),
    (2, "cursor-vscode", 5, 6_800),
    (2, "claude-code", 3, 4_100),
    (1, "claude-ai", 5, 6_300),
)


def _activity(desktop: Any) -> Any:
    calls = desktop.window.activity.calls
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("calls")
    with _running(desktop, "claude-code", ("expansion", "Following 2 links")):
        wanted = next(call for call in calls.model.records if call.tool == "answer" and call.client == "claude-ai")
        calls.select_call(wanted.key)
        wait(lambda: calls.details.model.rowCount() > 0)
        settle()
        return desktop.window.grab()


def _activity_failed(desktop: Any) -> Any:
    """Draw the call for a page that does not exist: the reason, and how to try the page."""
    calls = desktop.window.activity.calls
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("calls")
    calls.select_call(next(call.key for call in calls.model.records if call.failure is not None))
    wait(lambda: calls.details.failure.isVisible())
    settle()
    return desktop.window.grab()


def _activity_way(desktop: Any) -> Any:
    from app.events import PageTraced, RoundTraced
    from pictures.site import DOCS, HANDBOOK

    calls = desktop.window.activity.calls
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("calls")
    with _running(desktop, "claude-ai", ("expansion", "Expanding to linked pages (iteration 2/3)...")) as number:
        site, other = f"http://{DOCS}", f"http://{HANDBOOK}"
        done = {"passages": 6, "tokens": 900, "document_id": 1}
        for event in (
            PageTraced(
                number, f"{site}/", "read", title="Tidewater documentation", relevance=0.31, duration_ms=212, **done
            ),
            RoundTraced(number, 1, 3, ((f"{site}/guide/webhooks", 0.18), (f"{site}/changelog", 0.11))),
            PageTraced(
                number,
                f"{site}/guide/retries",
                "used",
                f"{site}/",
                1,
                "Retries and back-off",
                1,
                7,
                1_240,
                0.74,
                0.88,
                184,
            ),
            PageTraced(
                number, f"{site}/guide/workers", "read", f"{site}/", 1, "Workers and leases", 1, 5, 980, 0.41, 0.36, 240
            ),
            PageTraced(
                *(number, f"{site}/guide/schedule", "failed", f"{site}/", 1, "", 0, 0, 0, 0.29, None, 61),
                f"{DOCS} has no page at this address (404).",
            ),
            RoundTraced(number, 2, 3, ((f"{site}/guide/limits", 0.2),)),
            PageTraced(
                *(number, f"{site}/guide/dead-letters", "reading", f"{site}/guide/retries", 2),
                promise=0.66,
            ),
            PageTraced(number, f"{other}/on-call", "waiting", f"{site}/guide/workers", 2, promise=0.32),
        ):
            desktop.bus.publish(event)
        calls.select_call(("live", number))
        wait(lambda: len(calls.details.way.pages) == 6)
        settle()
        return desktop.window.grab()


@contextmanager
def _running(desktop: Any, client: str, progress: tuple[str, str]) -> Iterator[int]:
    """Add a running call; the other calls are real."""
    from app.events import CallProgress, CallStarted

    model, number = desktop.window.activity.model, int(1000 * time.time())
    desktop.bus.publish(CallStarted(number, "answer", client))
    desktop.bus.publish(CallProgress(number, *progress))
    wait(lambda: model.row_of(("live", number)) >= 0)
    # Long enough for the time to be shown.
    model.merge([replace(model.call_of(("live", number)), started_at=time.time() - 4.2)])
    yield number
    model.merge((), [("live", number)])


def _conversation(desktop: Any) -> Any:
    """Draw a day with its newest questions, one of them running."""
    with _running(desktop, "cursor-vscode", ("expansion", "Following 2 links")):
        area = _day(desktop)
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        settle()
        picture = desktop.window.grab()
    desktop.window.activity.show_view("calls")
    return picture


def _conversation_failed(desktop: Any) -> Any:
    """Draw an earlier part of the day, with a missing page."""
    area = _day(desktop)
    views = desktop.window.activity.conversation.views.values()
    failed = next(view for view in views if view.turn.call.failure is not None)
    area.verticalScrollBar().setValue(failed.y() - 200)
    settle()
    picture = desktop.window.grab()
    desktop.window.activity.show_view("calls")
    return picture


def _day(desktop: Any) -> Any:
    pane = desktop.window.activity.conversation
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("conversation")
    pane.reload()
    wait(lambda: len(pane.views) >= 5 and len(pane.views) == len(pane._turns))
    settle(500)
    return pane.area


def _conversation_search(desktop: Any) -> Any:
    pane = desktop.window.activity.conversation
    _day(desktop)
    pane.search.setText("queue")
    settle(900)
    wait(lambda: bool(pane.views) and len(pane.views) == len(pane._turns))
    picture = desktop.window.grab()
    pane.search.clear()
    settle(400)
    desktop.window.activity.show_view("calls")
    return picture


def _consent(desktop: Any) -> Any:
    """Draw the page before the user agreed to record questions."""
    desktop.settings.save("keep_questions", False)
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("conversation")
    settle()
    picture = desktop.window.grab()
    desktop.settings.save("keep_questions", True)
    desktop.window.activity.show_view("calls")
    return picture


def _first_call(desktop: Any) -> Any:
    """Draw the message after the first call of an assistant."""
    from app.events import CallFinished

    desktop.window.go_to("activity")
    desktop.window.activity.show_view("calls")
    desktop.context.memory.set("announced/assistants", "Cursor")
    page = "http://docs.tidewater.example/guide/retries"
    call = CallFinished(1, "answer", "claude-code", time.time(), 212.0, "ok", 900, 3_600, (page,))
    desktop.announcements.on_events([call])
    settle()
    picture = desktop.window.grab()
    desktop.window.toast.clear()
    return picture


def _recording(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    desktop.window.go_to("activity")
    desktop.window.activity.show_recording()
    settle()
    return dialog_of(desktop.window, QDialog)


def _tokens(desktop: Any) -> Any:
    ledger = desktop.window.activity.ledger
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("tokens")
    wait(lambda: ledger.model.ledger is not None)
    if len(ledger.model.ledger.cells) < len(EARLIER):
        desktop.engine.submit(_record_earlier)
        wait(lambda: _reloaded(ledger.model) >= len(EARLIER))
    ledger.table.setFocus()
    ledger.chart.mark(len(ledger.model.ledger.days) - 3)
    settle()
    picture = desktop.window.grab()
    ledger.chart.mark(-1)
    desktop.window.activity.show_view("calls")
    return picture


async def _record_earlier(engine: Any) -> None:
    """Record calls of earlier days: the picture shows two weeks, but the application has run for a minute."""
    from app.corpus.records import ActivityRecord

    for back, client, calls, tokens in EARLIER:
        for _ in range(calls):
            entry = ActivityRecord(
                id=0,
                started_at=time.time() - back * 86_400,
                client=client,
                tool="answer",
                duration_ms=180.0,
                outcome="ok",
                tokens=tokens // calls,
                characters=0,
                pages=("http://docs.tidewater.example/guide/retries", "http://docs.tidewater.example/guide/workers"),
            )
            engine._corpus.activity.add(entry)


def _reloaded(model: Any) -> int:
    model.reload()
    settle(100)
    return len(model.ledger.cells)


def _jobs(desktop: Any, web: Any) -> Any:
    from app.events import JobChanged
    from pictures.site import BLOG

    jobs = desktop.window.activity.jobs
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("jobs")
    # Hide the temporary folder of this run.
    home = os.environ["HOME"]
    jobs.model.merge([replace(row, target=row.target.replace(home, "/home/ada")) for row in jobs.model.everything])
    # A running job; the others are real.
    number = 100
    running = JobChanged(number, "crawl", web.url(BLOG, "/"), "running", 41, 120, 0, "", 95.0)
    desktop.bus.publish(running)
    wait(lambda: jobs.model.row_of(number) >= 0)
    jobs.select_job(next(row.id for row in jobs.model.records if row.failed))
    settle()
    picture = desktop.window.grab()
    desktop.bus.publish(replace(running, state="cancelled"))
    settle()
    jobs.model.merge((), [number])
    desktop.window.activity.show_view("calls")
    return picture


def scenes(web: Any) -> dict[str, Scene]:
    """Return the scenes of calls and jobs."""
    return {
        "activity": _activity,
        "activity-failed": _activity_failed,
        "activity-way": _activity_way,
        "conversation": _conversation,
        "conversation-failed": _conversation_failed,
        "conversation-search": _conversation_search,
        "conversation-consent": _consent,
        "first-call": _first_call,
        "recording": _recording,
        "activity-tokens": _tokens,
        "jobs": lambda desktop: _jobs(desktop, web),
    }
