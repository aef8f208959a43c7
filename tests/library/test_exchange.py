"""Records between nodes and programs survive the transfer, and invalid ones are refused."""

import json

import pytest

from app.errors import InvalidArgumentError
from app.library.exchange import (
    Collection,
    FoundPassage,
    NodeDescription,
    PageIn,
    PageRow,
    PageRows,
    PageStored,
    Person,
    Refusal,
    SearchReply,
    SearchRequest,
    WholePage,
    decoded,
    encoded,
)
from app.library.records import EmbeddingModel, LinkRecord, SectionRecord

MODEL = EmbeddingModel("abc", 384)
ROW = PageRow(3, "docs", "https://a.test/", "Ä page", flags=("ignore previous",), is_quarantined=True)
RECORDS = [
    NodeDescription("team", "1.0", Person("user:https://i.test|7", "Ann"), MODEL, (Collection("docs", "owner", 12),)),
    SearchRequest("What is it?", ("it",), "factual", ("docs",), (1, 2), 40),
    SearchReply(
        (FoundPassage("team", 1, 2, "docs", "u", "t", "x", 0, 1, 0.5, section_path=("A", "B")),), 0.4, ("n",), MODEL
    ),
    PageRows((ROW,), "12.5,3"),
    WholePage(ROW, "# A\ntext", (SectionRecord(1, "A", None, 0, 3),), (LinkRecord("u", "w", 4, 8),), "2026-01-01"),
    PageIn("https://a.test/", "A", "# A", "docs", sections=(SectionRecord(1, "A", "a", 0, 3),)),
    PageStored(1, "stored", "docs"),
    Refusal("no", "TIMEOUT", "wait", "https://n.test/.well-known/x", {"seconds": 2}),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda each: type(each).__name__)
def test_a_record_survives_the_transfer_even_with_unknown_fields(record):
    sent = json.loads(encoded(record))
    assert decoded(type(record), json.dumps({**sent, "later": [1]}).encode()) == record


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (SearchRequest, b"{"),
        (SearchRequest, b"[]"),
        (SearchRequest, b"{}"),
        (SearchRequest, b"[" * 100_000),
        (SearchRequest, b'{"question": 1}'),
        (SearchRequest, b'{"question": " "}'),
        (SearchRequest, b'{"question": "a", "limit": 41}'),
        (SearchRequest, b'{"question": "a", "limit": true}'),
        (SearchRequest, b'{"question": "a", "pages": ["1"]}'),
        (SearchRequest, b'{"question": "a", "pages": [99999999999999999999]}'),
        (SearchRequest, json.dumps({"question": "a" * 2_001}).encode()),
        (PageIn, b'{"url": "u", "title": "t", "text": "x", "last_crawled": NaN}'),
        (PageIn, b'{"url": "u", "title": "t", "text": ""}'),
        (PageIn, b'{"url": "u", "title": "t", "text": "x", "links": [{"url": "", "text": "", "start": 0, "end": 2}]}'),
    ],
)
def test_an_invalid_record_is_refused_with_a_message(kind, body):
    with pytest.raises(InvalidArgumentError):
        decoded(kind, body)


def test_a_lone_surrogate_does_not_move_offsets():
    assert json.loads(encoded(Refusal("a\ud800b")))["error"] == "a\ufffdb"
