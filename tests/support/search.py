"""Search providers on loopback that behave and fail as documented.

with StandIn() as provider:
    provider.fail(429, headers={"Retry-After": "7"})   # the next request
    GoogleSearch(network, KEY, ENGINE, base_url=provider.site.url("").rstrip("/"))
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from app.web.search.brave import PATH as BRAVE
from app.web.search.google import PATH as GOOGLE
from app.web.search.searxng import PATH as SEARXNG
from tests.support.site import Behaviour, Exchange, Site

KEY = "key-of-the-tests-4711"
ENGINE = "engine-id"
JSON = "application/json; charset=utf-8"

Reply = tuple[Any, int]
"""JSON or plain text, and the status."""


@dataclass
class StandIn:
    """Google, Brave, SearXNG and Tavily on one port. `available` results for every query; `asked` records requests."""

    available: int = 100
    site: Site = field(default_factory=Site)
    asked: list[dict[str, Any]] = field(default_factory=list)
    next_answers: list[Behaviour] = field(default_factory=list)
    bad_queries: tuple[str, ...] = ()
    json_enabled: bool = True
    page_map: str = ""
    delay: float = 0.0

    def __enter__(self) -> Self:
        self.site.__enter__()
        self.site.on(GOOGLE, self._through(self._google))
        self.site.on(BRAVE, self._through(self._brave))
        self.site.on(SEARXNG, self._through(self._searxng_or_tavily))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.site.__exit__(kind, error, trace)

    @property
    def base(self) -> str:
        return self.site.url("")

    def fail(self, status: int, body: Any = None, headers: dict[str, str] | None = None, times: int = 1) -> None:
        """Answer the next requests with this status."""
        data = json.dumps({} if body is None else body).encode()
        self.next_answers += [lambda exchange: exchange.send(data, status, JSON, headers)] * times

    def _through(self, usual: Callable[[Exchange, dict[str, Any]], Reply]) -> Behaviour:
        def answer(exchange: Exchange) -> None:
            asked = _asked(exchange)
            self.asked.append(asked)
            if self.delay:
                exchange.wait(self.delay)
            if self.next_answers:
                self.next_answers.pop(0)(exchange)
            elif asked.get("q", asked.get("query")) in self.bad_queries:
                self._send(
                    exchange, ({"error": {"code": 400, "message": "Request contains an invalid argument."}}, 400)
                )
            else:
                self._send(exchange, usual(exchange, asked))

        return answer

    @staticmethod
    def _send(exchange: Exchange, reply: Reply) -> None:
        answer, status = reply
        exchange.send(answer.encode() if isinstance(answer, str) else json.dumps(answer).encode(), status, JSON)

    def _google(self, exchange: Exchange, asked: dict[str, Any]) -> Reply:
        if asked.get("key") != KEY:
            details = [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}]
            message = "API key not valid. Please pass a valid API key."
            error = {"code": 400, "message": message, "status": "INVALID_ARGUMENT", "details": details}
            return {"error": error}, 400
        start, count = int(asked.get("start", 1)), int(asked.get("num", 10))
        if not 1 <= count <= 10 or start + count > 101:
            return {"error": {"code": 400, "message": "Invalid Value"}}, 400
        numbers = range(start, min(start + count, self.available + 1))
        items = [
            {
                "kind": "customsearch#result",
                "title": f"Hit {n} for {asked['q']}",
                "link": f"https://example.org/{n}",
                "snippet": f"What page {n} says\nof it.",
                **({"pagemap": {"metatags": [{"og:description": self.page_map}]}} if self.page_map else {}),
            }
            for n in numbers
        ]
        queries: dict[str, Any] = {"request": [{"count": len(items), "startIndex": start, "cx": asked["cx"]}]}
        if numbers and numbers[-1] < self.available:
            queries["nextPage"] = [{"startIndex": numbers[-1] + 1}]
        answer = {"kind": "customsearch#search", "queries": queries, "searchInformation": {"totalResults": "1000"}}
        return {**answer, **({"items": items} if items else {})}, 200

    def _brave(self, exchange: Exchange, asked: dict[str, Any]) -> Reply:
        if exchange.request.headers.get("x-subscription-token") != KEY:
            error = {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The token is invalid."}
            return {"type": "ErrorResponse", "error": error}, 422
        count, offset = int(asked["count"]), int(asked.get("offset", 0))
        assert 1 <= count <= 20 and 0 <= offset <= 9
        numbers = range(offset * count + 1, min((offset + 1) * count, self.available) + 1)
        found = [{"title": f"Hit {n}", "url": f"https://example.org/{n}", "description": f"Page {n}"} for n in numbers]
        more = bool(numbers) and numbers[-1] < self.available
        query = {"original": asked["q"], "more_results_available": more}
        return {"type": "search", "query": query, "web": {"type": "search", "results": found}}, 200

    def _searxng_or_tavily(self, exchange: Exchange, asked: dict[str, Any]) -> Reply:
        if exchange.handler.command == "POST":
            return self._tavily(exchange, asked)
        if not self.json_enabled:
            return "<h1>Forbidden</h1>", 403
        if asked.get("format") != "json":
            return "<html>results</html>", 200
        page = int(asked.get("pageno", 1))
        numbers = range((page - 1) * 8 + 1, min(page * 8, self.available) + 1)
        found = [{"title": f"Hit {n}", "url": f"https://example.org/{n}", "content": f"Page {n}"} for n in numbers]
        repeated = [{"title": "Hit 1", "url": "https://example.org/1", "content": "Page 1"}] if page > 1 else []
        return {"query": asked["q"], "results": repeated + found, "unresponsive_engines": []}, 200

    def _tavily(self, exchange: Exchange, asked: dict[str, Any]) -> Reply:
        if exchange.request.headers.get("authorization") != f"Bearer {KEY}":
            return {"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401
        numbers = range(1, min(asked["max_results"], self.available) + 1)
        found = [{"title": f"Hit {n}", "url": f"https://example.org/{n}", "content": f"Page {n}"} for n in numbers]
        return {"query": asked["query"], "answer": None, "results": found, "response_time": 0.1}, 200


def _asked(exchange: Exchange) -> dict[str, Any]:
    """Return the parameters of a request, from its address or its JSON body."""
    if exchange.handler.command == "POST":
        body = exchange.handler.rfile.read(int(exchange.request.headers["content-length"]))
        asked: dict[str, Any] = json.loads(body)
        return asked
    return {name: values[0] for name, values in parse_qs(urlsplit(exchange.request.path).query).items()}
