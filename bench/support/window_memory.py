"""Memory of the application in this process, step by step, started like `webrag-desktop`. Prints one JSON object per step.

    python -m support.window_memory DATA_DIR [QUESTION IDLE_SECONDS URL PAGES]

With the data folder only, it waits until all vectors of the library exist, and prints nothing. Otherwise it starts hidden, as at login,
gets the question, shows each page, and is hidden again. Then it crawls this number of pages from the address while the Library is shown, is
hidden, and stays idle until memory that is released after minutes is free. Each step waits until its work is finished.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.desktop.application import DesktopApp

STEP_MS: Final = 1_500
SPARE_SECONDS: Final = 60
"""Time after the model is unloaded until the upkeep runs."""
WORK_SECONDS: Final = 600.0


def say(what: str) -> None:
    """Print the current memory with child processes in MB: resident, with shared parts counted in part, and private."""
    import psutil

    this = psutil.Process()
    family = [each.memory_full_info() for each in (this, *this.children(recursive=True))]
    rss, pss, uss = (sum(getattr(each, name) for each in family) / 2**20 for name in ("rss", "pss", "uss"))
    figures = {"RSS MB": round(rss, 1), "PSS MB": round(pss, 1), "own MB": round(uss, 1)}
    print(json.dumps({"what": what, **figures, "processes": len(family)}), flush=True)


def walk(desktop: DesktopApp, question: str, idle_ms: int, url: str, pages: int) -> None:
    """Use the application and print after each step."""
    from PySide6.QtTest import QTest

    from app.engine.upkeep import MODEL_IDLE_SECONDS
    from support.event_loop import rest, wait

    rest(idle_ms)
    say(f"hidden for {idle_ms // 1000} s after the start")
    desktop.ask()
    window = desktop.asking
    assert window is not None
    wait(lambda: window.isActiveWindow() and window.box.hasFocus())
    QTest.keyClicks(window.box, question)
    wait(
        lambda: window.hits.query == question and not window.searching.is_running and not window.page.loading.is_running
    )
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
    crawl(desktop, url, pages)
    desktop.window.hide()
    rest(idle_ms)
    say(f"hidden again for {idle_ms // 1000} s")
    # Keep short times of tests short.
    later_ms = int(1000 * (MODEL_IDLE_SECONDS + SPARE_SECONDS)) if idle_ms >= 10_000 else idle_ms
    rest(later_ms)
    say(f"and for {later_ms // 1000} s more")


def crawl(desktop: DesktopApp, url: str, pages: int) -> None:
    """Crawl a site and embed it while the Library is shown."""
    from app.ingest.crawling.options import CrawlOptions, CrawlScope
    from app.library.job_records import Job
    from support.event_loop import rest, wait

    desktop.show_window()
    desktop.window.go_to("library")
    begun: list[Job] = []
    options = CrawlOptions(CrawlScope.HOST, max_pages=pages)
    desktop.engine.submit(lambda engine: engine.jobs.crawl(url, options), begun.append)
    wait(lambda: bool(begun))
    rest(STEP_MS)
    wait(lambda: not desktop.window.activity.jobs.model.going_on and not desktop.status.waiting, WORK_SECONDS)
    say(f"after a crawl of {pages} pages")


def main() -> None:
    data_dir, how = Path(sys.argv[1]), sys.argv[2:]
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
    if how:
        question, idle_seconds, url, pages = how
        walk(desktop, question, int(idle_seconds) * 1000, url, int(pages))
    desktop.quit()


if __name__ == "__main__":
    main()
