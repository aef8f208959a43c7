"""Requests of joined programs to a node."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from app.engine.node import TOKEN as TOKEN_IDENTITY
from app.engine.node import Identity, NodeOptions
from app.events import EventBus
from app.pg.connections import Connections
from app.pg.grants import GrantRole, Grants
from app.server import gateway
from app.server.calls.limits import rate_key
from app.server.gateway import Gate, Route
from app.server.node.endpoints import NodeEndpoints, _caller
from tests.support.nodes import SECONDS, TOKEN, Issuer, RunningNode

TEXT = """# Choosing a hive

A hive of cork keeps a colony warm through the winter.

## Entrance

Reduce the entrance to a slit of eight millimetres from October on, because mice cannot pass it and the bees still can.
"""
START = TEXT.index("## Entrance")
PAGE = {
    "url": "https://bees.example.org/hive",
    "title": "Choosing a hive",
    "text": TEXT,
    "language": "en",
    "sections": [
        {"level": 1, "heading": "Choosing a hive", "anchor": None, "start": 0, "end": START},
        {"level": 2, "heading": "Entrance", "anchor": "entrance", "start": START, "end": len(TEXT)},
    ],
    "last_crawled": 1_700_000_000.0,
}


@pytest.mark.parametrize(
    ("identity", "headers", "queue"),
    [
        (TOKEN_IDENTITY, {"x-webrag-instance": "a" * 32}, f"unknown {'a' * 32}"),
        (TOKEN_IDENTITY, {"x-webrag-instance": "b" * 32}, f"unknown {'b' * 32}"),
        (TOKEN_IDENTITY, {}, "unknown 192.0.2.7"),
        (TOKEN_IDENTITY, {"x-webrag-instance": "or 1=1"}, "unknown 192.0.2.7"),
        (Identity("user:i|ann"), {"x-webrag-instance": "a" * 32}, "user:i|ann"),
    ],
)
def test_users_have_separate_queues_even_with_one_token(
    identity: Identity, headers: dict[str, str], queue: str
) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert rate_key(_caller({"headers": raw, "client": ("192.0.2.7", 5)}, identity)) == queue


def test_a_page_is_stored_found_read_and_deleted(node: RunningNode, issuer: Issuer) -> None:
    ann, rita, zoe = (issuer.token(name) for name in ("ann", "rita", "zoe"))
    status, stored, _ = node.ask("POST", "/library/v1/pages", PAGE, ann)
    assert (status, stored["state"], stored["collection"]) == (200, "stored", "notes"), stored
    node.embedded()
    status, found, _ = node.ask("POST", "/library/v1/search", {"question": "How wide is the entrance in winter?"}, rita)
    assert status == 200, found
    best = found["passages"][0]
    assert "eight millimetres" in best["text"]
    assert (
        TEXT[best["start"] : best["end"]]
        == best["text"][best["prefix_length"] : len(best["text"]) - best["suffix_length"]]
    )
    assert (best["collection"], best["added_by"], best["page_id"]) == (
        "notes",
        f"user:{issuer.url}|ann",
        stored["page_id"],
    )
    assert best["confidence"] is not None and found["likelihood"] is not None and found["model"]["dimension"]
    status, page, _ = node.ask("GET", f"/library/v1/pages/{stored['page_id']}", token=rita)
    assert (status, page["text"], page["row"]["last_crawled"]) == (200, TEXT, PAGE["last_crawled"])
    status, rows, _ = node.ask("GET", "/library/v1/pages?text=hive&collection=notes&limit=1", token=rita)
    assert [row["title"] for row in rows["pages"]] == ["Choosing a hive"]
    status, described, _ = node.ask("GET", "/library/v1", token=rita)
    assert [(each["name"], each["role"], each["pages"]) for each in described["collections"]] == [
        ("notes", "reader", 1)
    ]
    assert described["who"] == {"subject": f"user:{issuer.url}|rita", "name": "Rita"}
    assert node.ask("DELETE", f"/library/v1/pages/{stored['page_id']}", token=rita)[0] == 403
    assert node.ask("DELETE", f"/library/v1/pages/{stored['page_id']}", token=zoe)[0] == 404
    assert node.ask("DELETE", f"/library/v1/pages/{stored['page_id']}", token=ann)[0] == 200
    assert node.ask("GET", f"/library/v1/pages/{stored['page_id']}", token=rita)[0] == 404


def test_a_page_is_stored_in_the_named_collection_if_the_user_can_write_there(
    node: RunningNode, issuer: Issuer
) -> None:
    ann, rita = issuer.token("ann"), issuer.token("rita")
    for token, page, words in (
        (rita, PAGE, "write access"),
        (issuer.token("ann", scopes=["library:read"]), PAGE, "write access"),
        (ann, {**PAGE, "collection": "secret"}, "No collection 'secret'"),
        (ann, {**PAGE, "collection": "no-such"}, "No collection 'no-such'"),
        (ann, {**PAGE, "sections": PAGE["sections"][::-1]}, "order of its text"),
        (ann, {**PAGE, "url": "javascript:alert(1)"}, "http"),
    ):
        status, refused, _ = node.ask("POST", "/library/v1/pages", page, token)
        assert status in (400, 403) and words in f"{refused['error']} {refused['hint']}", refused
    assert node.ask("GET", "/library/v1/pages", token=rita)[1]["pages"] == []


def test_owners_hide_pages_and_let_them_go(node: RunningNode, issuer: Issuer, grants: Grants) -> None:
    ann, rita, zoe, olaf = (issuer.token(name) for name in ("ann", "rita", "zoe", "olaf"))
    page = node.ask("POST", "/library/v1/pages", PAGE, ann)[1]["page_id"]
    path, hide, show = f"/library/v1/pages/{page}", {"is_quarantined": True}, {"is_quarantined": False}
    for token, status in ((ann, 403), (rita, 403), (zoe, 404), (olaf, 404)):
        assert node.ask("PUT", path, hide, token)[0] == status
    grants.give("notes", f"user:{issuer.url}|otto", GrantRole.OWNER)
    otto = issuer.token("otto")
    reads_only = issuer.token("otto", scopes=["library:read"])
    assert node.ask("PUT", path, hide, reads_only)[0] == 403
    status, row, _ = node.ask("PUT", path, hide, otto)
    assert (status, row["is_quarantined"], row["url"]) == (200, True, PAGE["url"]), row
    for token in (ann, rita, otto):
        assert node.ask("GET", path, token=token)[0] == 404
        listed = node.ask("GET", "/library/v1/pages?quarantined=true", token=token)[1]["pages"]
        assert [each["page_id"] for each in listed] == ([page] if token == otto else [])
    for token in (ann, rita, zoe, olaf, reads_only):
        assert node.ask("PUT", path, show, token)[0] == 404
    judged = f"{path}?quarantined=true"
    none = node.ask("GET", f"/library/v1/pages/{page + 1_000}?quarantined=true", token=ann)
    for token in (ann, rita, zoe, olaf, reads_only):
        assert node.ask("GET", judged, token=token)[:2] == none[:2], "as for no page at all"
    status, whole, _ = node.ask("GET", judged, token=otto)
    assert (status, whole["text"], whole["row"]["is_quarantined"]) == (200, TEXT, True), whole
    assert (whole["row"]["added_by"], len(whole["sections"])) == (f"user:{issuer.url}|ann", 2)
    assert node.ask("PUT", path, show, otto)[1]["is_quarantined"] is False
    assert node.ask("GET", path, token=rita)[0] == 200
    assert node.ask("GET", judged, token=otto)[0] == 404, "nothing is hidden"
    assert node.ask("PUT", path, hide, otto)[0] == 200
    for token in (ann, rita, zoe, olaf, reads_only):
        assert node.ask("DELETE", path, token=token)[:2] == none[:2], "as for no page at all"
    assert node.ask("DELETE", path, token=otto)[0] == 200, "without showing it again"
    assert node.ask("GET", judged, token=otto)[0] == 404
    grants.take("notes", f"user:{issuer.url}|otto")


def test_all_hidden_pages_are_listed_and_missing_ones_are_reported(
    node: RunningNode, issuer: Issuer, grants: Grants
) -> None:
    ann, rita = issuer.token("ann"), issuer.token("rita")
    grants.give("notes", f"user:{issuer.url}|otto", GrantRole.OWNER)
    otto = issuer.token("otto")
    stored = [
        node.ask("POST", "/library/v1/pages", {**PAGE, "url": f"{PAGE['url']}/{number}"}, ann)[1]["page_id"]
        for number in range(3)
    ]
    question = {"question": "Where does the key hang?", "pages": [*stored, stored[-1] + 1_000]}
    assert node.ask("POST", "/library/v1/search", question, rita)[1]["unknown"] == [stored[-1] + 1_000]
    for page in stored:
        assert node.ask("PUT", f"/library/v1/pages/{page}", {"is_quarantined": True}, otto)[0] == 200
    assert node.ask("POST", "/library/v1/search", question, rita)[1]["unknown"] == question["pages"], "as if not there"
    found, after = list[int](), ""
    for _ in stored:
        path = f"/library/v1/pages?quarantined=true&limit=1{f'&after={after}' if after else ''}"
        rows = node.ask("GET", path, token=otto)[1]
        found += [row["page_id"] for row in rows["pages"]]
        after = rows["next"]
    assert (found, after) == (stored, "")
    assert node.ask("GET", "/library/v1/pages?quarantined=true&after=x", token=otto)[0] == 400
    for page in stored:
        assert node.ask("DELETE", f"/library/v1/pages/{page}", token=otto)[0] == 200
    grants.take("notes", f"user:{issuer.url}|otto")


def test_the_next_rows_continue_where_the_previous_ended(node: RunningNode, issuer: Issuer) -> None:
    ann = issuer.token("ann")
    made = [
        node.ask("POST", "/library/v1/pages", {**PAGE, "url": f"https://bees.example.org/{number}"}, ann)[1]["page_id"]
        for number in range(3)
    ]
    seen, after = [], ""
    for _ in range(3):
        rows = node.ask("GET", f"/library/v1/pages?limit=1&after={quote(after)}", token=ann)[1]
        seen += [row["page_id"] for row in rows["pages"]]
        after = rows["next"]
    assert sorted(seen) == sorted(made) and not after
    assert node.ask("GET", "/library/v1/pages?after=x", token=ann)[0] == 400
    assert node.ask("GET", "/library/v1/pages?limit=201", token=ann)[0] == 400
    for page_id in made:
        node.ask("DELETE", f"/library/v1/pages/{page_id}", token=ann)


def test_a_disconnected_caller_does_not_leave_a_running_search(
    node: RunningNode, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    async def endless(*_: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(Connections, "_searching", endless)
    parts = urlsplit(node.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    sent = {"Authorization": f"Bearer {issuer.token('ann')}", "Content-Type": "application/json"}
    connection.request("POST", "/library/v1/search", json.dumps({"question": "How wide is the entrance?"}), sent)
    assert begun.wait(SECONDS)
    connection.close()
    assert ended.wait(SECONDS)


def test_it_reports_its_health_and_metrics(node: RunningNode, issuer: Issuer) -> None:
    assert node.ask("GET", "/healthz", token="")[:2] == (200, {"status": "ok"})
    assert node.ask("GET", "/readyz", token="")[:2] == (200, {"status": "ready"})
    status, text, headers = node.ask("GET", "/metrics", token="")
    assert status == 200 and headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'webrag_calls_total{outcome="ok",tool="library.describe"}' in text
    assert "webrag_passages_waiting " in text and issuer.url not in text


async def test_one_look_at_the_database_answers_all_who_ask_whether_the_node_works() -> None:
    """Everyone can send it without a token, so it must not use the connections of users."""
    looks: list[int] = []
    told: list[Message] = []
    engine = SimpleNamespace(bus=EventBus(), embedder_state=SimpleNamespace(detail="", waiting=0))
    options = NodeOptions("db")
    node = SimpleNamespace(shared=SimpleNamespace(check=lambda: looks.append(1)), options=options)
    endpoints = NodeEndpoints(cast(Any, engine), cast(Any, node), cast(Any, None), TOKEN)

    async def send(message: Message) -> None:
        told.append(message)

    for times in (1, 2):
        await asyncio.gather(*(endpoints._ready({"type": "http"}, cast(Any, None), send) for _ in range(8)))
        assert len(looks) == times
    assert [each["status"] for each in told if "status" in each] == [200] * 16
    await endpoints.aclose()


def test_metrics_are_not_exposed_through_a_proxy_on_the_same_machine(node: RunningNode, issuer: Issuer) -> None:
    for passed_on in (
        {"Host": "team.example.org"},
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
    ):
        assert node.ask("GET", "/metrics", None, "", **passed_on)[0] == 403, passed_on
        assert node.ask("GET", "/metrics", None, issuer.token("olaf"), **passed_on)[0] == 403, passed_on
        assert node.ask("GET", "/metrics", None, TOKEN, **passed_on)[0] == 200


def test_a_disconnected_user_does_not_delay_others(
    node: RunningNode, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    async def searching(*_: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr("app.engine.shared_pages.SharedPages.search", searching)
    parts = urlsplit(node.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {issuer.token('rita')}"}
    connection.request("POST", "/library/v1/search", json.dumps({"question": "What is a hive?"}), headers)
    assert begun.wait(SECONDS)
    connection.close()
    assert ended.wait(SECONDS)


SECTION = {"level": 1, "heading": "Hive", "anchor": "hive", "start": 0, "end": 10}
LINK = {"url": "https://bees.example.org/x", "text": "hive", "start": 0, "end": 4}
BODIES = {
    ("POST", "/library/v1/search"): {
        "question": "How wide?",
        "queries": ["wide"],
        "intent": "factual",
        "collections": ["notes"],
        "pages": [1],
        "limit": 3,
    },
    ("POST", "/library/v1/pages"): {
        "url": "https://bees.example.org/wrong",
        "title": "Hive",
        "text": TEXT,
        "collection": "notes",
        "kind": "markdown",
        "language": "en",
        "sections": [SECTION],
        "links": [LINK],
        "published": "2024-01-01",
        "last_crawled": 1.0,
    },
    ("PUT", "/library/v1/pages/1"): {"is_quarantined": True},
    ("DELETE", "/library/v1/pages/999999"): {},
    ("GET", "/library/v1/pages/999999"): {},
    ("GET", "/library/v1/pages?limit=3"): {},
    ("GET", "/library/v1"): {},
}
ODD_TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            *(
                "",
                " ",
                "\0",
                "\ud800",
                "\U0001f41d" * 3_000,
                "a" * 20_000,
                "'); DROP TABLE grants; --",
                "%s%(x)s{0}{x}",
            ),
            *("file:///\xfc" + "\U0001f41d" * 2_000, "https://x.example/" + "\xfc" * 2_000, "webrag://lib/team/page/1"),
            *("http://[::1", "http://a b/", "\u202e\u2066x", "../../etc/passwd", "k\u0307\u0301\u0323" * 200),
        ]
    ),
)
ODD = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        ODD_TEXTS,
        st.sampled_from([10**30, -1, 2**31, 2**63, 1e308, float("nan"), -0.0]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)


@st.composite
def wrong(draw: st.DrawFn) -> tuple[str, str, object]:
    """Draw a request with at least one invalid part."""
    method, path = draw(st.sampled_from(sorted(BODIES)))
    body: dict[str, object] = json.loads(json.dumps(BODIES[method, path]))
    for name in draw(st.lists(st.sampled_from([*body, "more"]), min_size=1, max_size=2)):
        value = body.get(name)
        if isinstance(value, list) and value and isinstance(value[0], dict) and value[0] and draw(st.booleans()):
            value[0][draw(st.sampled_from(sorted(value[0])))] = draw(ODD)
        else:
            body[name] = draw(ODD if not isinstance(value, str) else st.one_of(ODD_TEXTS, ODD))
    return method, path, draw(st.sampled_from([body] * 8 + [[body], None, "x"]))


async def test_large_bodies_are_held_a_few_at_a_time_and_small_ones_pass_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reader can send pages, and hundreds of concurrent ones would fill the memory."""
    monkeypatch.setattr(gateway, "MAX_LARGE_BODIES", 1)
    held, answered, came, leaving = list[bytes](), list[bytes](), asyncio.Event(), asyncio.Event()

    async def endpoint(scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive())["body"]
        held.append(body)
        came.set()
        if len(body) > 4:
            await leaving.wait()
        answered.append(body)

    routes = {"/pages": Route(endpoint, ("POST",), is_open=True, max_body=100)}
    gate = Gate(routes, token="", hosts=("h",), origins=(), max_body=4)

    async def post(body: bytes, *, is_chunked: bool = False) -> None:
        size = (b"transfer-encoding", b"chunked") if is_chunked else (b"content-length", str(len(body)).encode())
        scope = {"type": "http", "method": "POST", "path": "/pages", "headers": [(b"host", b"h"), size]}

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(_: Message) -> None: ...

        await gate(scope, receive, send)

    async with asyncio.timeout(60):
        first = asyncio.create_task(post(b"first page"))
        await came.wait()
        others = [asyncio.create_task(post(b"second page")), asyncio.create_task(post(b"third", is_chunked=True))]
        await post(b"tiny")
        for _ in range(20):
            await asyncio.sleep(0)
        assert (held, answered) == ([b"first page", b"tiny"], [b"tiny"])
        leaving.set()
        await asyncio.gather(first, *others)
        assert answered[1:] == [b"first page", b"second page", b"third"]


async def test_a_large_body_that_finds_no_room_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it were disconnected without a message, a desktop would consider the library unavailable."""
    monkeypatch.setattr(gateway, "MAX_LARGE_BODIES", 0)
    monkeypatch.setattr(gateway, "LARGE_WAIT_SECONDS", 0.01)

    async def endpoint(*_: object) -> None:
        raise AssertionError("it was read")

    gate = Gate(
        {"/pages": Route(endpoint, ("POST",), is_open=True, max_body=100)},
        token="",
        hosts=("h",),
        origins=(),
        max_body=4,
    )
    headers = [(b"host", b"h"), (b"content-length", b"5")]
    sent: list[Message] = []

    async def receive() -> Message:
        raise AssertionError("it was read")

    async def send(message: Message) -> None:
        sent.append(message)

    await gate({"type": "http", "method": "POST", "path": "/pages", "headers": headers}, receive, send)
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"5") in sent[0]["headers"]


@settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))
@given(request=wrong())
@example(request=("POST", "/library/v1/pages", {**PAGE, "sections": [{**SECTION, "level": -(10**9)}]}))
@example(request=("POST", "/library/v1/pages", {**PAGE, "sections": [{**SECTION, "heading": "\U0001f41d" * 30_000}]}))
@example(request=("POST", "/library/v1/pages", {**PAGE, "sections": [{**SECTION, "anchor": "\xfc" * 300_000}]}))
@example(
    request=("POST", "/library/v1/pages", {**PAGE, "links": [{**LINK, "url": "https://x.example/" + "%5a" * 99_999}]})
)
@example(request=("POST", "/library/v1/pages", {**PAGE, "links": [{**LINK, "text": "\ud800" * 300_000}]}))
@example(request=("POST", "/library/v1/pages", {**PAGE, "url": "file:///" + "\U0001f41d" * 2_000}))
@example(request=("POST", "/library/v1/pages", {**PAGE, "text": "x" * 3_000_000}))
@example(
    request=("POST", "/library/v1/pages", {**PAGE, "text": " ".join(f"`n{n}_{n * 7919}()`" for n in range(20_000))})
)
@example(request=("POST", "/library/v1/search", {"question": "How wide?", "intent": "none of them"}))
@example(request=("GET", "/library/v1/pages?after=1e400,1", None))
@example(request=("GET", "/library/v1/pages?after=nan,1&limit=1&text=%00%ff&collection=%00", None))
@example(request=("GET", "/library/v1/pages?text=%25_%5c&limit=%d9%a3", None))
@example(request=("GET", "/library/v1/pages?after=1," + "9" * 5_000, None))
@example(request=("DELETE", "/library/v1/pages/" + "9" * 5_000, None))
@example(request=("GET", "/library/v1/pages/%d9%a3", None))
@example(request=("PUT", "/library/v1/pages/1/2", {"is_quarantined": 1}))
def test_every_request_gets_a_readable_response(
    node: RunningNode, issuer: Issuer, request: tuple[str, str, object]
) -> None:
    method, path, body = request
    status, reply, _ = node.ask(method, path, body, issuer.token("ann"))
    assert status in (200, 400, 403, 404, 405), (status, reply)
    if status != 200:
        assert reply["error"] and "Traceback" not in str(reply), reply
    if status == 200 and "state" in reply:
        assert node.ask("GET", f"/library/v1/pages/{reply['page_id']}", token=issuer.token("rita"))[0] == 200
        assert node.ask("DELETE", f"/library/v1/pages/{reply['page_id']}", token=issuer.token("ann"))[0] == 200
