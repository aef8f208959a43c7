"""The extension in a real headless Chromium with test pages and a real endpoint, through its toolbar button, mouse and keyboard.

The pages are on `localhost`, for which the extension only gets permission through a click on its button.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.extension.application import App
from tests.extension.chromium import BrowserError, Chromium, Tab, program, running
from tests.extension.pages import LARGE_PARAGRAPHS, fill
from tests.support.site import Site

pytestmark = pytest.mark.real

if not program():
    pytest.skip("no Chromium on this machine (Debian: apt install chromium)", allow_module_level=True)
if sys.platform != "linux":
    pytest.skip("the browser is driven through a pipe of Linux", allow_module_level=True)


class World:
    """The shared environment of the tests in this module."""

    def __init__(self, app: App, browser: Chromium, extension: str, site: Site) -> None:
        self.app, self.browser, self.extension, self.site = app, browser, extension, site

    def url(self, path: str) -> str:
        return self.site.url(path, "localhost")

    @contextmanager
    def page(self, path: str) -> Iterator[Tab]:
        tab = self.browser.open(self.url(path))
        try:
            yield tab
        finally:
            with suppress(BrowserError):
                tab.close()

    @contextmanager
    def popup(self, tab: Tab) -> Iterator[Tab]:
        """Yield the popup that a click on the toolbar button opens over a page."""
        filters = {"filter": [{"type": "tab"}]}
        tabs = self.browser.call("Target.getTargets", filters)["targetInfos"]
        url = tab.run("location.href")
        holder = next(each["targetId"] for each in tabs if each["url"].partition("#")[0] == url.partition("#")[0])
        self.browser.call("Extensions.triggerAction", {"id": self.extension, "targetId": holder})
        opened = self.browser.attach(self._popup_target())
        opened.wait("document.getElementById('state')?.textContent")
        try:
            yield opened
        finally:
            with suppress(BrowserError):
                opened.run("window.close()")
            until(lambda: not self._popups())

    def worker(self) -> Tab:
        """Return the background of the extension, which the browser starts on demand."""

        def found() -> list[str]:
            return [each["targetId"] for each in self.browser.targets() if each["type"] == "service_worker"]

        until(lambda: bool(found()))
        return self.browser.attach(found()[0])

    def badge(self, popup: Tab) -> str:
        return str(
            popup.run(
                "chrome.tabs.query({active: true, currentWindow: true}).then(([tab]) => chrome.action.getBadgeText({tabId: tab.id}))"
            )
        )

    def _popups(self) -> list[str]:
        return [each["targetId"] for each in self.browser.targets() if each["url"].endswith("/popup.html")]

    def _popup_target(self) -> str:
        until(lambda: bool(self._popups()))
        return self._popups()[0]


def until(fact: Callable[[], bool]) -> None:
    for _ in range(1_200):
        if fact():
            return
        threading.Event().wait(0.05)
    raise AssertionError("never true")


def says(popup: Tab, *words: str) -> None:
    """Wait until the popup shows one of these texts."""
    tests = " || ".join(f"document.getElementById('state').textContent.startsWith({word!r})" for word in words)
    popup.wait(tests)


KEPT, NEW, CHANGED = "This page is saved.", "This page is not saved.", "This page is saved and has changed"


def pair(world: World, popup: Tab, code: str) -> None:
    popup.wait("!document.getElementById('pairing').hidden")
    popup.run("document.getElementById('code').value = ''")
    popup.click("#code")
    popup.type(code)
    popup.press_enter()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    from extension import lay_out

    folder = tmp_path_factory.mktemp("extension")
    built = folder / "built"
    built.mkdir()
    lay_out(built, "chromium")
    app = App(folder)
    try:
        with Site() as site, running(folder / "profile") as browser:
            fill(site)
            extension = browser.call("Extensions.loadUnpacked", {"path": str(built)})["id"]
            made = World(app, browser, extension, site)
            with made.page("/") as tab, made.popup(tab) as popup:
                pair(made, popup, app.code())
                says(popup, NEW)
            yield made
    finally:
        app.stop()


def keep(world: World, tab: Tab, path: str) -> str:
    """Save a page with the button of the popup and return its stored text."""
    with world.popup(tab) as popup:
        says(popup, NEW, CHANGED, KEPT)
        popup.click("#keep")
        says(popup, KEPT)
        assert world.badge(popup) == "✓"
    return world.app.kept(world.url(path))


# saved pages compared with fetched ones


def test_a_saved_page_stays_although_a_fetch_gets_the_sign_in_wall(world: World) -> None:
    with world.page("/orders") as tab:
        tab.click("input[name=password]")
        tab.type("the password of the person")
        tab.click("button")
        tab.wait("document.title === 'Your orders'")
        text = keep(world, tab, "/orders")
    assert "KESTREL-88" in text
    assert "## Order 4711" in text
    assert "the password" not in text
    assert "Sign-in or payment required" in world.app.fetched(world.url("/orders"))


def test_a_wall_itself_is_not_kept(world: World) -> None:
    world.site.behaviours["/wall"] = world.site.behaviours["/outer"]
    world.site.page("/wall", "<title>Sign in</title><h1>Sign in</h1><form><input type=password></form>")
    with world.page("/wall") as tab, world.popup(tab) as popup:
        says(popup, NEW)
        popup.click("#keep")
        says(popup, f"{world.url('/wall')} requires you to sign in")
        assert world.badge(popup) == "!"


def test_content_built_by_scripts_is_saved_although_a_fetch_does_not_get_it(world: World) -> None:
    with world.page("/spa") as tab:
        tab.wait("document.querySelector('h1')")
        text = keep(world, tab, "/spa")
    assert "HERON-12" in text
    assert "HERON-12" not in world.app.fetched(world.url("/spa"))


def test_a_list_that_grows_is_kept_as_far_as_it_was_scrolled(world: World) -> None:
    with world.page("/list") as tab:
        for shown in (20, 30, 40):
            tab.run("scrollTo(0, document.body.scrollHeight)")
            tab.wait(f"next >= {shown}")
        text = keep(world, tab, "/list")
    assert all(f"PLOVER-{number} " in text for number in range(40))
    assert "PLOVER-1 " not in world.app.fetched(world.url("/list"))


def test_shadow_roots_are_saved_in_their_places(world: World) -> None:
    with world.page("/shadow") as tab:
        text = keep(world, tab, "/shadow")
    assert text.index("Open root") < text.index("AVOCET-3") < text.index("BITTERN-4") < text.index("CURLEW-5")
    assert "BITTERN-4" not in world.app.fetched(world.url("/shadow"))


def test_frames_of_the_same_origin_are_kept_and_no_others(world: World) -> None:
    with world.page("/frames") as tab:
        tab.wait("frames.length === 2 && frames[0].document?.body?.innerText.includes('DUNLIN')")
        text = keep(world, tab, "/frames")
    assert "DUNLIN-6" in text
    assert "EGRET-7" not in text
    assert "DUNLIN-6" not in world.app.fetched(world.url("/frames"))


def test_form_values_scripts_and_invisible_text_stay_in_the_browser(world: World) -> None:
    with world.page("/forms") as tab:
        text = keep(world, tab, "/forms")
    (row,) = world.app.do(world.app.engine.documents.at([world.url("/forms")]))
    assert row is not None
    assert "GADWALL-8" in text
    assert "FORM-SECRET" not in text
    assert "UNSEEN-6" not in text


def test_a_page_of_five_megabytes_is_kept_whole(world: World) -> None:
    with world.page("/large") as tab:
        assert tab.run("document.documentElement.outerHTML.length") > 4_500_000
        text = keep(world, tab, "/large")
    assert "JACANA-9" in text
    assert "KNOT-10" in text
    assert text.count("Row ") == LARGE_PARAGRAPHS


def test_a_page_over_the_limit_is_refused_with_a_message(world: World) -> None:
    with world.page("/") as tab:
        tab.run("document.querySelector('p').textContent = 'long words '.repeat(1_000_000)")
        with world.popup(tab) as popup:
            says(popup, "The page is larger than 10 MB")


# selection, state, questions


def test_a_selection_is_kept_beside_the_page(world: World) -> None:
    with world.page("/spa") as tab:
        tab.wait("document.querySelector('h1')")
        tab.run("getSelection().selectAllChildren(document.querySelectorAll('p')[1])")
        with world.popup(tab) as popup:
            popup.wait("!document.getElementById('selection').hidden")
            popup.click("#selection")
            says(popup, "The selection is saved.")
    rows = world.app.do(world.app.engine.documents.find("spa#selection-", limit=10))
    texts = [world.app.do(world.app.engine.documents.get(row.id)) for row in rows]
    (text,) = [each.text for each in texts if each is not None]
    assert "HERON-12" in text
    assert "quay number" not in text


def test_only_the_visible_part_of_a_selection_is_saved(world: World) -> None:
    """Includes parts of a paragraph, a list and a table, without hidden text and typed values."""
    rows = "".join(f"<tr><td>Berth {n}</td><td>vessel WHIMBREL-{n}</td></tr>" for n in range(4))
    world.site.page(
        "/select",
        f"<title>Select</title><link rel=stylesheet href=/hide.css><main><p id=a>Before it. The pier is named TURNSTONE-1.</p>"
        f"<p class=unseen>UNSEEN-6</p><form><input value=FORM-SECRET-2><textarea>FORM-SECRET-4</textarea></form>"
        f"<table>{rows}</table><p id=z>The gate is named WIGEON-2. After it.</p></main>",
    )
    with world.page("/select") as tab:
        script = (
            "getSelection().setBaseAndExtent(document.querySelector('#a').firstChild, 11,"
            " document.querySelector('#z').firstChild, 26)"
        )
        tab.run(script)
        with world.popup(tab) as popup:
            says(popup, NEW, CHANGED, KEPT)
            popup.click("#selection")
            says(popup, "The selection is saved")
        tab.run(
            "getSelection().setBaseAndExtent(document.querySelectorAll('td')[3], 0, document.querySelectorAll('td')[5], 1)"
        )
        with world.popup(tab) as popup:
            says(popup, NEW, CHANGED, KEPT)
            popup.click("#selection")
            says(popup, "The selection is saved")
    rows_found = world.app.do(world.app.engine.documents.find("select#selection-", limit=10))
    texts = [world.app.do(world.app.engine.documents.get(row.id)) for row in rows_found]
    long, short = sorted((each.text for each in texts if each is not None), key=len, reverse=True)
    assert "TURNSTONE-1" in long and "WHIMBREL-3" in long and "WIGEON-2" in long
    assert not [word for word in ("Before it", "After it", "UNSEEN", "FORM-SECRET") if word in long]
    assert "WHIMBREL-1" in short and "WHIMBREL-2" in short
    assert not [word for word in ("WHIMBREL-0", "WHIMBREL-3", "TURNSTONE") if word in short]


def test_routes_of_an_application_are_kept_beside_each_other(world: World) -> None:
    texts = []
    for route in ("/routes#/a", "/routes#/bb"):
        with world.page(route) as tab:
            tab.wait("document.querySelector('h1')")
            texts.append(keep(world, tab, route))
    assert "SHRIKE-3" in texts[0] and "SHRIKE-4" not in texts[0]
    assert "SHRIKE-4" in texts[1]


def test_the_menu_of_the_page_keeps_page_and_selection(world: World) -> None:
    """The browser's menu cannot be clicked without a screen, so the test sends the event of a click."""
    world.site.page(
        "/menu",
        f"<title>Menu</title><main><p>{'The buoy is named DOTTEREL-3. ' * 9}</p><p id=b>Only STILT-4.</p></main>",
    )
    with world.page("/menu") as tab:
        tab.run("getSelection().selectAllChildren(document.getElementById('b'))")
        with world.popup(tab) as popup:
            says(popup, NEW)
            choose = (
                "chrome.tabs.query({active: true, currentWindow: true})"
                ".then(([tab]) => chrome.contextMenus.onClicked.dispatch({menuItemId: %r}, tab))"
            )
            for chosen in ("keep-page", "keep-selection"):
                world.worker().run(choose % chosen)
            until(lambda: len(world.app.do(world.app.engine.documents.find("/menu", limit=10))) == 2)
            until(lambda: world.badge(popup) == "✓")
    texts = {
        row.url.partition("#")[2][:9]: world.app.do(world.app.engine.documents.get(row.id))
        for row in world.app.do(world.app.engine.documents.find("/menu", limit=10))
    }
    assert "DOTTEREL-3" in texts[""].text  # type: ignore[union-attr]
    assert "STILT-4" in texts["selection"].text and "DOTTEREL" not in texts["selection"].text  # type: ignore[union-attr]


def test_the_toolbar_tells_kept_from_changed(world: World) -> None:
    with world.page("/inner") as tab:
        keep(world, tab, "/inner")
        with world.popup(tab) as popup:
            says(popup, KEPT)
            assert world.badge(popup) == "✓"
        tab.run("document.body.append('A new line of the page.')")
        with world.popup(tab) as popup:
            says(popup, CHANGED)
            assert world.badge(popup) == "≠"


def test_a_question_about_the_page_brings_its_passages(world: World) -> None:
    with world.page("/spa") as tab:
        tab.wait("document.querySelector('h1')")
        with world.popup(tab) as popup:
            says(popup, NEW, KEPT, CHANGED)
            popup.click("#question")
            popup.type("Which code does the turbine report?")
            popup.press_enter()
            popup.wait("document.querySelectorAll('#hits li').length")
            assert "HERON-12" in popup.run("document.getElementById('hits').innerText")


# attacks


def test_a_page_reaches_none_of_it(world: World) -> None:
    with world.page("/") as tab:
        for path in ("pair", "proof", "state", "keep", "ask"):
            script = (
                f"fetch('http://127.0.0.1:{world.app.port}/browser/{path}', {{method: 'POST', body: '{{}}\\n<p>x'}})"
                ".then((told) => told.status, () => 'refused')"
            )
            assert tab.run(script) == "refused"
        assert tab.run("typeof chrome === 'undefined' || chrome.runtime?.id === undefined")
        frame = f"chrome-extension://{world.extension}/popup.html"
        assert tab.run(f"fetch('{frame}').then(() => 'read', () => 'refused')") == "refused"


def test_the_extension_stays_out_of_private_windows(world: World) -> None:
    with world.page("/") as tab, world.popup(tab) as popup:
        assert popup.run("chrome.extension.isAllowedIncognitoAccess()") is False


def test_another_program_at_its_port_gets_neither_token_nor_page(world: World) -> None:
    seen: list[tuple[str, str, bytes]] = []

    class Impostor(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.append((self.path, self.headers.get("authorization", ""), body))
            answer = b"null" if len(seen) == 1 else b'{"proof": "%s"}' % (b"0" * 64)
            self.send_response(200)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            return

    world.app.silence()
    try:
        impostor = HTTPServer(("127.0.0.1", world.app.port), Impostor)
        threading.Thread(target=impostor.serve_forever, daemon=True).start()
        try:
            with world.page("/") as tab, world.popup(tab) as popup:
                says(popup, "WebRAG is not running.")
                popup.click("#keep")
                says(popup, "WebRAG is not running.")
        finally:
            impostor.shutdown()
            impostor.server_close()
    finally:
        world.app.listen()
    assert seen
    assert {path for path, _, _ in seen} == {"/browser/proof"}
    assert not any(token for _, token, _ in seen)


def test_it_reports_that_webrag_is_not_running_and_then_continues(world: World) -> None:
    world.app.silence()
    try:
        with world.page("/") as tab, world.popup(tab) as popup:
            says(popup, "WebRAG is not running. Start it")
            assert world.badge(popup) == "!"
    finally:
        world.app.listen()
    with world.page("/") as tab, world.popup(tab) as popup:
        says(popup, NEW, KEPT, CHANGED)


def test_a_removed_browser_reports_it_and_can_be_paired_again(world: World) -> None:
    for browser in world.app.browsers.all():
        world.app.browsers.revoke(browser.id)
    with world.page("/") as tab, world.popup(tab) as popup:
        says(popup, "WebRAG no longer recognizes this browser.")
        pair(world, popup, "no code")
        says(popup, "This is not a WebRAG code.")
        code = world.app.code()
        pair(world, popup, f"{world.app.port}-2222-2222")
        says(popup, "The code is wrong.")
        pair(world, popup, code)
        says(popup, NEW, KEPT, CHANGED)
    (browser,) = world.app.browsers.all()
    assert browser.name.endswith(" on Linux")
