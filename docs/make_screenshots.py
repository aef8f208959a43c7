"""Pictures of the application for the README and the guide: `python docs/make_screenshots.py [--only NAME] [--scale 2]`.

Starts the real application on a fresh data directory, lets it read three small sites from loopback, has two assistants call it
over MCP, and writes every page in light and dark to docs/screenshots/. The tray is drawn on a virtual display where Xvfb,
openbox and trayer are installed, and left out where they are not.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "screenshots"
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

MAX_BYTES = 200_000
TRAY_SIZE = (560, 380)
ATTACHED = ("claude-ai/0.14", "cursor-vscode/1.9")
EARLIER = (
    # Days ago, assistant, calls, tokens.
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
QUESTION = "How often is a failed job tried again, and how long does it wait?"


def main() -> int:
    """Make the pictures; 0 when all were written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="make only pictures whose name holds this word")
    parser.add_argument("--scale", default="1", help="pixels per point")
    parser.add_argument("--tray", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    TARGET.mkdir(parents=True, exist_ok=True)
    if options.tray:
        return _tray()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = options.scale
    _pages(options.only)
    return _tray_on_virtual_display() if options.only in "tray" else 0


@contextmanager
def application() -> Iterator[tuple[Any, Any]]:
    """The running application with a filled library and two connected assistants, and the web that it reads."""
    import keyring
    from screenshot_site import SmallWeb

    from app.clients import profile
    from app.desktop.application import DesktopApp, make_qt_application
    from app.settings import load_settings, save_setting

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, SmallWeb() as web:
        home = Path(folder) / "ada"
        (home / ".config" / "Claude").mkdir(parents=True)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ.pop(name, None)
        profile.program = lambda *_: ["/usr/bin/webrag"]  # type: ignore[assignment]
        os.environ.update(
            HOME=str(home),
            WEBRAG_CONFIG=str(home / "config.toml"),
        )
        keyring.set_keyring(_memory_keyring())
        save_setting("allow_networks", ("127.0.0.0/8",))
        settings = load_settings(data_dir=home / ".local" / "share" / "webrag")
        qt = make_qt_application(["webrag-desktop"])
        desktop = DesktopApp(qt, settings)
        desktop.start()
        try:
            wait(lambda: bool(desktop.status.url))
            lines = [_attach(desktop.status.url, name) for name in ATTACHED]
            _fill(desktop, web)
            wait(lambda: len(desktop.status.clients) == len(lines))
            yield desktop, web
        finally:
            desktop.quit()


def _memory_keyring() -> Any:
    """A keyring that lasts as long as this run, so that nobody's own is touched."""
    from keyring.backend import KeyringBackend

    class MemoryKeyring(KeyringBackend):
        priority = 1
        kept: dict[tuple[str, str], str]

        def __init__(self) -> None:
            super().__init__()
            self.kept = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.kept[service, username]

    return MemoryKeyring()


def wait(ready: Callable[[], bool], milliseconds: int = 30_000) -> None:
    """Run the event loop until something is so."""
    from PySide6.QtCore import QDeadlineTimer

    deadline = QDeadlineTimer(milliseconds)
    while not ready():
        if deadline.hasExpired():
            raise TimeoutError("the application did not get ready")
        settle(20)


def settle(milliseconds: int = 250) -> None:
    """Let layouts, loads and batches of events come to rest."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _fill(desktop: Any, web: Any) -> None:
    from screenshot_site import BLOG, DOCS, HANDBOOK, PAGES

    docs = [web.url(host, path) for host, path in PAGES if host == DOCS and path != "/guide/retries"]
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("cursor-vscode/1.9", "ingest", {"url": web.url(BLOG, "/choosing-a-queue")}),
        (
            "claude-code/2.4",
            "answer",
            {"url": web.url(HANDBOOK, "/on-call"), "query": "What to check when a queue grows?"},
        ),
        *(("claude-ai/0.14", "ingest", {"url": url}) for url in docs),
        ("claude-ai/0.14", "answer", {"url": web.url(DOCS, "/guide/retries"), "query": QUESTION}),
        ("cursor-vscode/1.9", "search", {"query": "What happens to a job when its worker dies?"}),
        # A page that does not exist, so that a call that fails is in the picture.
        ("claude-code/2.4", "answer", {"url": web.url(DOCS, "/guide/webhooks"), "query": "How are webhooks signed?"}),
        ("claude-ai/0.14", "status", {}),
        ("claude-ai/0.14", "search", {"query": "How long are dead letters kept?"}),
        ("cursor-vscode/1.9", "kb_search", {"query": "How are webhooks signed and delivered?", "top_k": 4}),
        ("claude-code/2.4", "kb_search", {"query": "What to check first when a queue grows?", "top_k": 3}),
        ("claude-ai/0.14", "kb_search", {"query": QUESTION, "top_k": 4}),
    ]
    worker = threading.Thread(target=lambda: [_call(desktop.status.url, *call) for call in asked])
    worker.start()
    wait(lambda: not worker.is_alive())
    library = desktop.window.library.model
    wait(lambda: library.total >= 8 and all(row.chunks_embedded == row.chunks for row in library.everything))
    _begin_jobs(desktop, web)
    settle(600)


def _begin_jobs(desktop: Any, web: Any) -> None:
    """A site, a folder, and a list of pages of which one is gone."""
    from screenshot_site import BLOG, DOCS

    from app.ingest.crawling.options import CrawlOptions, CrawlScope

    notes = Path(os.environ["HOME"]) / "notes"
    notes.mkdir()
    for name in ("queues", "on-call"):
        (notes / f"{name}.md").write_text(f"# Notes on {name}\n\nRead the handbook again.\n")
    marked = [web.url(BLOG, path) for path in ("/choosing-a-queue", "/a-week-without-alerts")]
    model = desktop.window.activity.jobs.model
    for begin in (
        lambda engine: engine.jobs.crawl(web.url(DOCS, "/"), CrawlOptions(CrawlScope.HOST)),
        lambda engine: engine.jobs.add_folder(notes),
        lambda engine: engine.jobs.read_pages(marked, target="bookmarks.html"),
    ):
        known = model.total
        desktop.engine.submit(begin)
        wait(lambda known=known: model.total > known and not model.going_on)


def _call(url: str, client: str, tool: str, arguments: dict[str, Any]) -> None:
    """One tool call as an assistant's bridge sends it."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {
        **_headers(client),
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
    }
    connection = _connection(url)
    connection.request("POST", "/mcp", json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    if response.status != 200 or b'"error"' in text[:60]:
        raise RuntimeError(f"{tool}: {response.status} {text[:300]!r}")


def _attach(url: str, client: str) -> http.client.HTTPResponse:
    """A bridge's life line."""
    connection = _connection(url)
    connection.request("GET", f"/control/attach?client={client.replace('/', '%2F')}&pid=1", headers=_headers(client))
    return connection.getresponse()


def _connection(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(url.split("/")[2], timeout=60)


def _headers(client: str) -> dict[str, str]:
    from app.secrets import SecretStore

    token = SecretStore().server_token()
    return {"Authorization": f"Bearer {token}", "X-WebRAG-Client": client, "X-WebRAG-Bridge": "1"}


def _pages(only: str) -> None:
    with application() as (desktop, web):
        scenes = {
            "home": _home,
            "library": _library,
            "library-chunks": _chunks,
            "library-links": _links,
            "search": _search,
            "scratch": _scratch,
            "activity": _activity,
            "activity-tokens": _tokens,
            "jobs": lambda desktop: _jobs(desktop, web),
            "settings": _settings,
            "settings-tools": _settings_tools,
            "connect": _connect,
            "add-page": _add_page,
            "add-site": lambda desktop: _add_site(desktop, web),
            "paused": _paused,
            "empty": _empty,
        }
        from app.desktop.theme import Appearance, theme

        for appearance in (Appearance.LIGHT, Appearance.DARK):
            theme().select(appearance)
            for name, scene in scenes.items():
                if only in f"{name}-{appearance}":
                    _save(scene(desktop), f"{name}-{appearance}")


def _home(desktop: Any) -> Any:
    desktop.window.go_to("home")
    settle()
    return desktop.window.grab()


def _library(desktop: Any) -> Any:
    window = desktop.window
    window.go_to("library")
    row = next(row for row in window.library.model.everything if row.url.endswith("/retries"))
    window.library.select_document(row.id)
    table = window.library.table
    table.scrollTo(table.currentIndex(), table.ScrollHint.PositionAtTop)
    window.library.pane.tabs.setCurrentIndex(0)
    settle()
    return window.grab()


def _chunks(desktop: Any) -> Any:
    _library(desktop)
    desktop.window.library.pane.tabs.setCurrentIndex(1)
    settle()
    return desktop.window.grab()


def _links(desktop: Any) -> Any:
    window = desktop.window
    window.go_to("library")
    row = next(row for row in window.library.model.everything if row.url.endswith("/guide/workers"))
    window.library.select_document(row.id)
    view = window.library.pane.links_view
    window.library.pane.tabs.setCurrentIndex(2)
    wait(lambda: view.states.currentWidget() is view.graph and bool(view.graph.nodes))
    view.graph.setFocus()
    view.graph.choose(1)
    settle()
    return window.grab()


def _search(desktop: Any) -> Any:
    search = desktop.window.search
    desktop.window.go_to("search")
    search.query.setText(QUESTION)
    search.query.setCursorPosition(0)
    search.search()
    wait(lambda: search.hits.rowCount() > 0)
    search.list.setFocus()
    settle()
    return desktop.window.grab()


def _scratch(desktop: Any) -> Any:
    scratch = desktop.window.scratch
    desktop.window.go_to("scratch")
    wait(lambda: scratch.model.total > 0)
    wanted = next(row for row in scratch.model.everything if "default policy" in row.content.text)
    scratch.select_passage(wanted.id)
    if not wanted.is_pinned:
        scratch.toggle_pin()
        wait(lambda: scratch.model.find(wanted.id).is_pinned)
        desktop.window.toast.clear()
    scratch.table.setFocus()
    settle()
    return desktop.window.grab()


def _activity(desktop: Any) -> Any:
    import time

    from app.events import CallProgress, CallStarted

    desktop.window.go_to("activity")
    # A call that is under way while the picture is taken; the others were real.
    number = int(time.time())
    desktop.bus.publish(CallStarted(number, "answer", "claude-ai"))
    desktop.bus.publish(CallProgress(number, "expansion", "Following 2 links"))
    settle()
    picture = desktop.window.grab()
    desktop.window.activity.model.merge((), [("live", number)])
    return picture


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
    """Calls of the days before: the picture shows two weeks, the application has run for a minute."""
    import time

    for back, client, calls, tokens in EARLIER:
        for _ in range(calls):
            engine.corpus.record_activity(
                started_at=time.time() - back * 86_400,
                client=client,
                tool="answer",
                duration_ms=180.0,
                outcome="ok",
                tokens=tokens // calls,
                pages=("http://docs.tidewater.example/",),
            )


def _reloaded(model: Any) -> int:
    model.reload()
    settle(100)
    return len(model.ledger.cells)


def _jobs(desktop: Any, web: Any) -> Any:
    from screenshot_site import BLOG

    from app.events import JobChanged

    jobs = desktop.window.activity.jobs
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("jobs")
    # The folder of this run means nothing to a reader.
    home = os.environ["HOME"]
    jobs.model.merge([replace(row, target=row.target.replace(home, "/home/ada")) for row in jobs.model.everything])
    # A job that is under way while the picture is taken; the others were real.
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


def _settings(desktop: Any) -> Any:
    desktop.window.go_to("settings")
    settle(500)
    desktop.window.settings.list.setCurrentRow(1)
    settle()
    return desktop.window.grab()


def _settings_tools(desktop: Any) -> Any:
    from PySide6.QtCore import QPoint

    settings = desktop.window.settings
    desktop.window.go_to("settings")
    desktop.settings.save("mcp_client_tools", ("cursor=research",))
    wait(lambda: settings.tools.choice.counts["full"].text() != "…")
    settle(200)
    settings.area.verticalScrollBar().setValue(settings.tools.mapTo(settings.area.widget(), QPoint(0, 0)).y() - 180)
    settle()
    picture = desktop.window.grab()
    desktop.settings.save("mcp_client_tools", ())
    return picture


def _connect(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    desktop.window.go_to("home")
    desktop.window.home.connect_card.connect_claude()
    settle(500)
    diff = next(found for found in desktop.window.findChildren(QDialog) if found.isVisible()).diff
    # The folder of this run means nothing to a reader.
    diff.setPlainText(diff.toPlainText().replace(os.environ["HOME"], "/home/ada"))
    return _dialog(desktop.window, QDialog)


def _add_page(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    desktop.window.go_to("library")
    desktop.window.add_page("http://192.168.4.20/wiki")
    settle()
    dialog = desktop.window.findChildren(QDialog)[-1]
    dialog.start()
    settle(800)
    return _dialog(desktop.window, QDialog)


def _add_site(desktop: Any, web: Any) -> Any:
    from PySide6.QtWidgets import QDialog
    from screenshot_site import DOCS

    desktop.window.go_to("library")
    desktop.window.add_page(web.url(DOCS, "/"))
    dialog = desktop.window.findChildren(QDialog)[-1]
    dialog.show_way("site")
    dialog.site.preview()
    wait(lambda: dialog.site.found.isVisible())
    settle()
    return _dialog(desktop.window, QDialog)


def _dialog(window: Any, kind: type) -> Any:
    """The open dialog alone."""
    dialog = next(found for found in window.findChildren(kind) if found.isVisible())
    picture = dialog.grab()
    dialog.reject()
    dialog.deleteLater()
    settle(50)
    return picture


def _paused(desktop: Any) -> Any:
    from app.desktop.backend import Phase

    desktop.engine.set_paused(True)
    wait(lambda: desktop.status.phase is Phase.PAUSED)
    picture = _home(desktop)
    desktop.engine.set_paused(False)
    wait(lambda: desktop.status.phase is Phase.RUNNING)
    return picture


def _empty(desktop: Any) -> Any:
    window = desktop.window
    window.go_to("search")
    window.search.query.clear()
    window.search.show_idle()
    settle()
    return window.grab()


def _save(picture: Any, name: str) -> None:
    from PySide6.QtGui import QImage

    file = TARGET / f"{name}.png"
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB888)
    file.write_bytes(_png(image))
    bytes_written = file.stat().st_size
    print(f"{file.relative_to(ROOT)}  {picture.width()} x {picture.height()}  {bytes_written // 1000} kB")
    if bytes_written > MAX_BYTES:
        raise RuntimeError(f"{file.name} is larger than {MAX_BYTES // 1000} kB")


def _png(image: Any) -> bytes:
    """PNG without row filters: flat colours compress to half of what Qt's writer makes of them."""
    width, height, stride = image.width(), image.height(), image.bytesPerLine()
    pixels = bytes(image.constBits())
    rows = b"".join(b"\0" + pixels[y * stride : y * stride + 3 * width] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    )


def _tray_on_virtual_display() -> int:
    needed = ("xvfb-run", "openbox", "trayer")
    missing = [name for name in needed if shutil.which(name) is None]
    if missing:
        print(f"tray.png left out: {', '.join(missing)} not installed")
        return 0
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", sys.executable, __file__, "--tray"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    return subprocess.run(command, env=environment, check=False).returncode


def _tray() -> int:
    """On a virtual display with a panel: the icon and its open menu."""
    panel = [
        "trayer",
        "--edge",
        "bottom",
        "--align",
        "right",
        "--widthtype",
        "percent",
        "--width",
        "100",
        "--height",
        "36",
        "--iconspacing",
        "10",
        "--padding",
        "6",
        "--SetDockType",
        "true",
    ]
    helpers = [
        subprocess.Popen(["openbox"]),
        subprocess.Popen([*panel, "--tint", "0x1b2027", "--transparent", "true", "--alpha", "0"]),
    ]
    try:
        with application() as (desktop, _):
            from PySide6.QtCore import QPoint
            from PySide6.QtGui import QGuiApplication

            wait(desktop.tray.check)
            desktop.window.hide()
            background = _wallpaper()
            settle(800)
            place = desktop.tray.icon.geometry().center()
            menu = desktop.tray.menu
            menu.popup(QPoint(place.x() - menu.sizeHint().width() + 20, place.y() - menu.sizeHint().height() - 26))
            menu.setActiveAction(menu.actions()[2])
            settle(600)
            screen = QGuiApplication.primaryScreen()
            area = screen.geometry()
            _save(
                screen.grabWindow(0, area.right() - TRAY_SIZE[0] + 1, area.bottom() - TRAY_SIZE[1] + 1, *TRAY_SIZE),
                "tray",
            )
            background.hide()
            menu.hide()
    finally:
        for helper in helpers:
            helper.terminate()
    return 0


def _wallpaper() -> Any:
    """A quiet background in place of the empty root window."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QWidget

    widget = QWidget()
    widget.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeDesktop)
    widget.setGeometry(QGuiApplication.primaryScreen().geometry())
    widget.setStyleSheet("background: qlineargradient(x1: 0, y1: 0, x2: 1, y2: 1, stop: 0 #8fb7bd, stop: 1 #2d4a5e);")
    widget.show()
    return widget


if __name__ == "__main__":
    sys.exit(main())
