"""The page of the evidence view in a real headless Chromium, inside a small host on another origin and behind the strictest policy."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from app.paths import assets_dir
from tests.extension import chromium
from tests.extension.chromium import Chromium, Tab

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(240),
    pytest.mark.skipif(not chromium.program(), reason="Chromium is not installed"),
]

POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'; report-uri /violation"
)
ALL = ("openLinks", "serverTools", "message", "updateModelContext")
HOST = """<!doctype html><meta charset=utf-8><style>body { margin: 8px } iframe { border: 0; width: 700px; height: 40px }</style>
<iframe sandbox="allow-scripts allow-same-origin"></iframe><script>
const frame = document.querySelector("iframe"), sent = [], heights = [];
let answers = {}, began = 0, ready = 0;
const tell = message => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const start = (address, capabilities, hostContext) => {
  addEventListener("message", event => {
    const message = event.data;
    if (event.source !== frame.contentWindow) return;
    sent.push(message);
    const { id, method, params } = message;
    if (method === "ui/initialize") {
      tell({ id, result: { protocolVersion: "2026-01-26", hostInfo: {}, hostCapabilities: capabilities, hostContext } });
    } else if (method === "ui/notifications/initialized") {
      ready = performance.now() - began;
    } else if (method === "ui/notifications/size-changed") {
      heights.push(params.height);
      frame.style.height = params.height + "px";
    } else if (id !== undefined) {
      tell({ id, result: answers[params?.name] || answers[method] || {} });
    }
  });
  began = performance.now();
  frame.src = address;
};
</script>"""


def passage(number: int, *quotes: str) -> dict[str, Any]:
    pieces: list[list[Any]] = [["Wooden walls of 25 mm lose heat quickly. " * 8, False]]
    for quote in quotes:
        pieces += [[quote, True], [" More text follows. " * 9, False]]
    return {"uri": f"webrag://page/{number}", "section": "Insulation", "start": 40, "end": 700, "pieces": pieces}


def source(number: int, **more: Any) -> dict[str, Any]:
    usual = {
        "n": number,
        "title": f"Choosing a hive, part {number}",
        "url": f"https://docs.example.org/bees/{number}",
        "readAt": "2026-01-02T10:00:00Z",
        "confidence": 0.92,
        "passages": [passage(number, "The cluster eats about a third less honey over the winter.")],
    }
    return {**usual, **more}


DATA: dict[str, Any] = {
    "question": "How much less honey does the cluster eat behind a second skin of cork?",
    "nothing": False,
    "sources": [source(1), source(2, passages=[passage(2, "A second skin of cork."), passage(2)]), source(3)],
    "unread": [{"url": "https://docs.example.org/closed", "reason": "HTTP 403"}],
    "links": [{"url": "https://docs.example.org/winter", "title": "wintering"}],
    "opens": True,
    "reads": True,
}


class Host:
    """The two servers: of the host page, and of the view with its policy. Records violations and foreign requests."""

    def __init__(self) -> None:
        self.reports: list[str] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                pages = {"/": (HOST, ""), "/view": ((assets_dir() / "view" / "evidence.html").read_text(), POLICY)}
                body, policy = pages.get(self.path, ("", ""))
                if not body and self.path != "/favicon.ico":
                    host.reports.append(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                if policy:
                    self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(body.encode())

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                host.reports.append(self.rfile.read(length).decode())
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()


class Shown:
    """The view in the host."""

    def __init__(self, browser: Chromium, host: Host, tab: Tab, view: Tab) -> None:
        self.browser, self.host, self.tab, self.view = browser, host, tab, view

    def result(self, data: dict[str, Any] | None, text: str = "[SOURCES]", **more: Any) -> None:
        meta = {"_meta": {"webrag/evidence": data}} if data is not None else {}
        self.tell("tool-result", {"content": [{"type": "text", "text": text}], **meta, **more})

    def tell(self, name: str, params: dict[str, Any]) -> None:
        self.tab.run(f"tell({json.dumps({'method': f'ui/notifications/{name}', 'params': params})})")

    def sent(self, method: str) -> list[dict[str, Any]]:
        return [each["params"] for each in self.tab.run("sent") if each.get("method") == method]

    def texts(self, selector: str) -> list[str]:
        return list(
            self.view.run(
                f"[...document.querySelectorAll({json.dumps(selector)})].filter(each => each.offsetParent).map(each => each.textContent)"
            )
        )

    def press(self, text: str) -> None:
        self.view.run(
            f"[...document.querySelectorAll('button')].find(each => each.offsetParent && each.textContent === {json.dumps(text)}).click()"
        )


@contextmanager
def shown(folder: Path, capabilities: tuple[str, ...] = ALL, *, width: int = 700, **context: Any) -> Iterator[Shown]:
    host = Host()
    try:
        with chromium.running(folder) as browser:
            tab = browser.open(f"http://127.0.0.1:{host.port}/")
            address = f"http://localhost:{host.port}/view"
            tab.run(f"frame.style.width = '{width}px'")
            given = json.dumps(
                [address, {each: {} for each in capabilities}, {"theme": "light", "locale": "en-GB", **context}]
            )
            tab.run(f"start(...{given})")
            tab.wait("ready > 0")
            (frame,) = [each for each in browser.targets() if each["url"] == address]
            yield Shown(browser, host, tab, browser.attach(frame["targetId"]))
            assert host.reports == []
    finally:
        host.close()


CONTRAST = """(() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(part => part / 255)
      .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = each => {
    const colour = getComputedStyle(each).backgroundColor;
    return /, 0\\)$/.test(colour) ? behind(each.parentElement) : colour;
  };
  const texts = [...document.querySelectorAll("h2, .facts span, .section, blockquote, mark, button, .verdict")];
  return texts.filter(each => each.offsetParent).map(each => {
    const [brighter, darker] = [light(getComputedStyle(each).color), light(behind(each))].sort((a, b) => b - a);
    return (brighter + 0.05) / (darker + 0.05);
  });
})()"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sources_are_shown_and_their_buttons_ask_the_host(tmp_path: Path, theme: str) -> None:
    with shown(tmp_path, theme=theme) as it:
        assert it.tab.run("ready") < 300
        it.tell("tool-input", {"arguments": {"query": "q"}})
        it.result({**DATA, "nothing": theme == "dark"})
        it.view.wait("document.querySelector('article')")
        # With the verdict, the second card does not fit at first.
        first = 1 if theme == "dark" else 2
        assert it.texts("h2") == ["[1] Choosing a hive, part 1", "[2] Choosing a hive, part 2"][:first]
        quotes = ["The cluster eats about a third less honey over the winter.", "A second skin of cork."]
        assert it.texts("mark") == quotes[:first]
        assert "Confidence: 92 %" in it.texts(".facts span")
        assert len(it.texts(".facts .old")) == first
        assert it.texts(".verdict") == (
            ["WebRAG found no answer in these pages. The closest passages follow."] if theme == "dark" else []
        )
        it.tab.wait("heights.length && heights.at(-1) > 200")
        assert it.tab.run("Math.max(...heights)") <= 500
        assert min(it.view.run(CONTRAST)) >= 4.5
        assert it.view.run("getComputedStyle(document.documentElement).colorScheme") == theme
        it.press("Open the page")
        it.press("Ask about this")
        it.press(f"Show {5 - first} more")
        assert len(it.texts("article")) == 5
        it.tab.run("answers.ingest = { content: [{ type: 'text', text: '[INGESTED]\\nread' }] }")
        it.press("Read this page too")
        it.press("Open in WebRAG")
        it.tab.wait("sent.filter(each => each.method === 'tools/call').length === 2")
        it.tab.wait("sent.some(each => each.method === 'ui/update-model-context')")
        assert it.sent("ui/open-link") == [{"url": "https://docs.example.org/bees/1"}]
        place = {"uri": "webrag://page/1", "start": 40, "end": 700}
        assert {"name": "evidence_open", "arguments": place} in it.sent("tools/call")
        assert {"name": "ingest", "arguments": {"url": "https://docs.example.org/closed"}} in it.sent("tools/call")
        (message,) = it.sent("ui/message")
        said = message["content"][0]["text"]
        assert said == (
            "Tell me more about source [1], https://docs.example.org/bees/1 (characters 40 to 700 of webrag://page/1)."
        )


def test_more_of_a_passage_keeps_its_marks(tmp_path: Path) -> None:
    with shown(tmp_path) as it:
        more = {"before": "Before. ", "after": " After.", "start": 0, "end": 900, "isWhole": True}
        it.tab.run(f"answers.evidence_more = {json.dumps({'content': [], '_meta': {'webrag/evidence': more}})}")
        it.result(DATA)
        it.view.wait("document.querySelector('article')")
        marks = it.texts("mark")
        short = it.texts("blockquote")[0]
        it.press("Show more")
        whole = it.texts("blockquote")[0]
        assert len(whole) > len(short)
        assert whole == "".join(text for text, _ in DATA["sources"][0]["passages"][0]["pieces"])
        it.press("Show more")
        it.view.wait("document.querySelector('blockquote').textContent.startsWith('Before. ')")
        assert it.texts("blockquote")[0] == f"Before. {whole} After."
        assert it.texts("mark") == marks
        assert it.sent("tools/call")[0]["arguments"] == {"uri": "webrag://page/1", "start": 40, "end": 700}


def test_hostile_pages_stay_text_and_open_nothing(tmp_path: Path) -> None:
    bad = "<img src=/stolen onerror=\"fetch('/stolen')\"><svg onload=alert(1)><script>alert(1)</script>"
    data = deepcopy(DATA)
    data["question"] = bad
    data["sources"] = [source(1, title=bad, url="javascript:alert(1)", library=bad, passages=[passage(1, bad)])]
    data["unread"] = [{"url": "javascript:alert(1)", "reason": bad}]
    data["links"] = [{"url": "data:text/html,x", "title": bad}]
    variables = {"--color-text-primary": "red", "background": "url(/stolen)", "--x": "1"}
    with shown(tmp_path, styles={"variables": variables}) as it:
        it.result(data)
        it.view.wait("document.querySelector('article')")
        assert it.texts("mark") == [bad] and it.texts("h1") == [bad]
        assert it.view.run("document.querySelectorAll('main img, main svg, main script').length") == 0
        assert "Open the page" not in it.texts("button")
        assert it.view.run("document.documentElement.style.length") == 1
        it.tell("tool-result", {"content": [{"type": "text", "text": bad}], "isError": True})
        it.view.wait("document.querySelector('.plain')")
        assert it.texts(".plain") == [bad]


def test_a_host_without_abilities_gets_no_useless_buttons(tmp_path: Path) -> None:
    with shown(tmp_path, (), width=320, locale="de-AT") as it:
        it.result(DATA)
        it.view.wait("document.querySelector('article')")
        assert it.texts("button") == ["Mehr zeigen", "4 weitere zeigen"]
        assert it.view.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert it.view.run("document.documentElement.lang") == "de"
        assert it.tab.run("Math.max(...heights)") <= 500
        it.tell("host-context-changed", {"locale": "en", "theme": "dark"})
        it.view.wait("document.querySelector('button').textContent === 'Show more'")
        it.result(None, text="line\n" * 90)
        it.view.wait("document.querySelector('.plain')")
        assert it.tab.run("heights.at(-1)") <= 500


def test_data_that_the_host_dropped_is_asked_for(tmp_path: Path) -> None:
    with shown(tmp_path) as it:
        it.tab.run(f"answers.evidence_of = {json.dumps({'content': [], '_meta': {'webrag/evidence': DATA}})}")
        it.tell("tool-input", {"arguments": {"query": "q", "top_k": 3}})
        it.result(None)
        it.view.wait("document.querySelectorAll('mark').length === 3")
        assert it.sent("tools/call") == [{"name": "evidence_of", "arguments": {"asked": '{"query":"q","top_k":3}'}}]
