"""A small node of a shared library and the issuer of its sign-ins on loopback, for joined desktops. It is easy to break."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from app.library import exchange
from app.library.exchange import Collection, FoundPassage, NodeDescription, PageRow, PageRows, PageStored, Person
from app.library.records import EmbeddingModel

DESCRIBED = "/.well-known/oauth-protected-resource/library/v1"
CLIENT = "webrag-desktop"


@dataclass
class SharedLibrary:
    """Content, responses and received requests. With `token`, it accepts that instead of sign-ins."""

    passages: tuple[FoundPassage, ...] = ()
    likelihood: float | None = 0.9
    model: EmbeddingModel | None = None
    collections: tuple[Collection, ...] = (Collection("guides", "reader", 3), Collection("inbox", "writer", 1))
    token: str = ""
    lifetime: float = 300.0
    status: int = 0
    """Status of all responses, if set. `retry_after` is the time to try again in them."""
    retry_after: str = ""
    silent: bool = False
    issuer_of_others: str = ""
    consents: bool = True
    names_itself: bool = False
    """Whether its metadata announce the issuer in responses."""
    name: str = "Team Handbook"
    lies: dict[str, bytes] = field(default_factory=dict)
    """Responses by path instead of the real ones. `coding` is their declared encoding."""
    coding: str = ""
    drips: bool = False
    """Sends a byte of its headers occasionally, endlessly."""
    asked: list[tuple[str, Any]] = field(default_factory=list)
    stored: list[exchange.PageIn] = field(default_factory=list)
    access: set[str] = field(default_factory=set)
    refresh: set[str] = field(default_factory=set)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    renewals: int = 0
    address: str = ""
    released: threading.Event = field(default_factory=threading.Event)
    hidden: set[int] = field(default_factory=set)
    """IDs of hidden pages."""
    roles: dict[str, str] = field(default_factory=dict)
    """Roles of collections that differ from the defaults."""
    _made: int = 0

    def made(self, kind: str) -> str:
        self._made += 1
        return f"{kind}-{self._made}-" + "x" * 1_500

    def browse(self, url: str) -> None:
        """Act as a browser in which the user signs in immediately."""
        threading.Thread(target=self._browse, args=(url,), daemon=True).start()

    def _browse(self, url: str) -> None:
        given = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert given["code_challenge_method"] == "S256"
        back = {"state": given["state"]}
        if self.consents:
            code = self.made("code")
            self.codes[code] = given
            back |= {"code": code, "iss": self.issuer_of_others or self.address}
        else:
            back["error"] = "access_denied"
        assert "iss=" not in given["redirect_uri"]
        httpx.get(f"{given['redirect_uri']}?{urlencode(back)}", trust_env=False)


def passage(page_id: int, text: str, relevance: float, *, url: str = "", title: str = "") -> FoundPassage:
    return FoundPassage(
        "node",
        page_id,
        page_id * 10,
        "guides",
        url or f"https://intra.example/{page_id}",
        title or f"Page {page_id}",
        text,
        0,
        len(text),
        relevance,
        section_path=("Rules",),
        confidence=relevance,
        added_by="Ann",
        last_crawled=1_780_000_000.0,
    )


@contextmanager
def running(library: SharedLibrary) -> Iterator[SharedLibrary]:
    """Run the library at an address of this computer."""

    class Handler(_Handler):
        node = library

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    library.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield library
    finally:
        library.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    node: SharedLibrary

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve(b"")

    def do_DELETE(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def do_PUT(self) -> None:
        self.do_POST()

    def _serve(self, body: bytes) -> None:
        node, path = self.node, urlsplit(self.path).path
        if node.silent:
            node.released.wait(60)
            return None
        if node.drips:
            while not node.released.wait(0.05):
                self.wfile.write(b"H")
            return None
        if path in node.lies:
            return self._send(200, node.lies[path], {"Content-Encoding": node.coding} if node.coding else {})
        if node.status:
            again = {"Retry-After": node.retry_after} if node.retry_after else {}
            node.asked.append(("refused", self.headers.get(exchange.INSTANCE_HEADER)))
            return self._reply(node.status, {"error": "It does not work.", "code": "BACKEND_UNAVAILABLE"}, again)
        if path == DESCRIBED:
            scopes = ["library:read", "library:write"]
            resource = {"resource": f"{node.address}/mcp", "authorization_servers": [node.address]}
            return self._reply(200, {**resource, "scopes_supported": scopes})
        if path == "/.well-known/oauth-authorization-server":
            ends = {f"{end}_endpoint": f"{node.address}/{end}" for end in ("authorization", "token")}
            told = node.issuer_of_others or node.address
            more = {"authorization_response_iss_parameter_supported": True} if node.names_itself else {}
            return self._reply(200, {"issuer": told, **ends, **more, "code_challenge_methods_supported": ["S256"]})
        if path == "/token":
            return self._token({name: values[0] for name, values in parse_qs(body.decode()).items()})
        shown = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if shown not in node.access | ({node.token} if node.token else set()):
            named = "" if node.token else f', resource_metadata="{node.address}{DESCRIBED}"'
            return self._reply(401, {"error": "Sign in."}, {"WWW-Authenticate": f'Bearer realm="webrag"{named}'})
        return self._library(path, body)

    def _library(self, path: str, body: bytes) -> None:
        node = self.node
        if path == exchange.PATH:
            given = tuple(replace(each, role=node.roles.get(each.name, each.role)) for each in node.collections)
            told = NodeDescription(node.name, "1.0", Person("user:x|1", "Ann"), node.model, given)
            return self._send(200, exchange.encoded(told))
        if path == exchange.SEARCH_PATH:
            request = exchange.decoded(exchange.SearchRequest, body)
            node.asked.append(("search", request))
            found = tuple(p for p in node.passages if not request.pages or p.page_id in request.pages)
            held = {p.page_id for p in node.passages}
            unknown = tuple(each for each in request.pages if each not in held)
            likelihood = node.likelihood if found else None
            reply = exchange.SearchReply(found[: request.limit], likelihood, (), node.model, unknown)
            return self._send(200, exchange.encoded(reply))
        if path == exchange.PAGES_PATH and self.command == "POST":
            page = exchange.decoded(exchange.PageIn, body)
            if page.collection not in [each.name for each in node.collections if each.role != "reader"]:
                return self._reply(403, {"error": f"You may not write to {page.collection}.", "code": "X"})
            node.stored.append(page)
            return self._send(200, exchange.encoded(PageStored(len(node.stored), "stored", page.collection)))
        if path == exchange.PAGES_PATH:
            query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            return self._rows(query.get("text", ""), int(query.get("after", "0")), int(query.get("limit", "50")), query)
        number = path.rpartition("/")[2]
        if self.command == "PUT":
            change = exchange.decoded(exchange.PageChange, body)
            (node.hidden.add if change.is_quarantined else node.hidden.discard)(int(number))
            changed = next(self._row(found) for found in node.passages if number == str(found.page_id))
            return self._send(200, exchange.encoded(changed))
        if self.command == "DELETE":
            node.passages = tuple(found for found in node.passages if number != str(found.page_id))
            return self._send(200, b"{}")
        for found in node.passages:
            if number == str(found.page_id):
                return self._send(200, exchange.encoded(exchange.WholePage(self._row(found), found.text)))
        return self._reply(404, {"error": "There is no such page.", "code": "INVALID_ARGUMENT"})

    def _rows(self, text: str, after: int, limit: int, query: dict[str, str]) -> None:
        node = self.node
        wants_hidden = query.get("quarantined") == "true"
        if not wants_hidden:
            node.asked.append(("pages", text))
        rows = {p.page_id: self._row(p) for p in node.passages if text in p.url or text in p.title}
        known = [row for row in rows.values() if row.is_quarantined == wants_hidden]
        shown = known[after : after + limit]
        more = str(after + limit) if len(known) > after + limit else ""
        self._send(200, exchange.encoded(PageRows(tuple(shown), more)))

    def _row(self, found: FoundPassage) -> PageRow:
        return PageRow(
            found.page_id,
            found.collection,
            found.url,
            found.title,
            passages=1,
            passages_embedded=1,
            last_crawled=found.last_crawled,
            added_by=found.added_by,
            is_quarantined=found.page_id in self.node.hidden,
        )

    def _token(self, given: dict[str, str]) -> None:
        node = self.node
        if given["grant_type"] == "authorization_code":
            asked = node.codes.pop(given["code"], {})
            challenge = base64.urlsafe_b64encode(hashlib.sha256(given["code_verifier"].encode()).digest())
            is_same = challenge.decode().rstrip("=") == asked.get("code_challenge")
            if not is_same or given["redirect_uri"] != asked["redirect_uri"] or given["client_id"] != CLIENT:
                return self._reply(400, {"error": "invalid_grant"})
        elif given["refresh_token"] in node.refresh:
            node.refresh.discard(given["refresh_token"])
            node.renewals += 1
        else:
            return self._reply(400, {"error": "invalid_grant"})
        access, refresh = node.made("access"), node.made("refresh")
        node.access.add(access)
        node.refresh.add(refresh)
        made = {"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": node.lifetime}
        return self._reply(200, made)

    def _reply(self, status: int, value: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), headers or {})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def patiently(happened: Any, seconds: float = 60.0) -> None:
    """Wait for a condition."""
    ends = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < ends
        time.sleep(0.02)
