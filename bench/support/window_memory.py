"""Memory of the application in this process, step by step, as `webrag-desktop` starts it; prints one JSON object a step.

python -m support.window_memory DATA_DIR QUESTION IDLE_SECONDS

Without a question it waits until all vectors of the library are there, and prints nothing. It starts hidden, as at login, is asked the
question, shows each page, and is hidden again; each step waits until what it began is over.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.desktop.application import DesktopApp

STEP_MS: Final = 1_500
WORK_SECONDS: Final = 600.0


def say(what: str) -> None:
    """Print what the application takes now, with its children: resident, shared parts counted in part, and its own alone, in MB."""
    import psutil

    this = psutil.Process()
    family = [each.memory_full_info() for each in (this, *this.children(recursive=True))]
    rss, pss, uss = (sum(getattr(each, name) for each in family) / 2**20 for name in ("rss", "pss", "uss"))
    figures = {"RSS MB": round(rss, 1), "PSS MB": round(pss, 1), "own MB": round(uss, 1)}
    print(json.dumps({"what": what, **figures, "processes": len(family)}), flush=True)


def walk(desktop: DesktopApp, question: str, idle_ms: int) -> None:
    """Use the application, and print after each step."""
    from PySide6.QtTest import QTest

    from support.event_loop import rest, wait

    rest(idle_ms)
    say(f"hidden for {idle_ms // 1000} s after the start")
    desktop.ask()
    window = desktop.asking
    assert window is not None
    wait(lambda: window.isActiveWindow() and window.box.hasFocus())
    QTest.keyClicks(window.box, question)
    wait(lambda: window.hits.query == question and not window.is_searching and not window.page.is_loading)
    desktop.ask()
    say("after a question in the ask window")
    desktop.show_window()
    rest(STEP_MS)
    say("window shown")
    for name in desktop.window.pages:
        desktop.window.go_to(name)
        rest(STEP_MS)
        say(f"page {name} shown")
    desktop.show_window()
    desktop.window.go_to("home")
    desktop.window.hide()
    rest(idle_ms)
    say(f"hidden again for {idle_ms // 1000} s")


def main() -> None:
    data_dir, question, idle_seconds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    from app.desktop.qt import spare_sources
    from app.memory import limit_arenas

    limit_arenas()
    spare_sources()
    from app.desktop.application import DesktopApp, make_qt_application
    from app.settings import load_settings
    from support.event_loop import wait

    desktop = DesktopApp(make_qt_application(["bench"]), load_settings({"mcp_port": 0}, data_dir=data_dir))
    desktop.start(hidden=True)
    wait(lambda: bool(desktop.status.url))
    wait(lambda: desktop.window.library.model.is_loaded and not desktop.status.waiting, WORK_SECONDS)
    if question:
        walk(desktop, question, idle_seconds * 1000)
    desktop.quit()


if __name__ == "__main__":
    main()
