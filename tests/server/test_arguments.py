"""Invalid arguments are refused with a message that names the field; arguments too large for any tool are refused immediately."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.errors import InvalidArgumentError
from app.server.calls.arguments import check_size, checked_arguments
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolSpec
from app.server.control.methods import METHODS
from app.server.tools import TOOLS, build_registry
from app.server.tools.answer import ANSWER, SEARCH
from app.server.tools.ingest import INGEST
from app.server.tools.status import STATUS
from app.settings import Settings
from tests.server.fake_engine import FakeEngine

URL = "https://docs.example.org/"


def test_an_unusable_value_does_not_count_as_empty() -> None:
    for method, given in (("scratch_show", {"passage_id": "a-b"}), ("tools", {"client": "a=b"})):
        (value,) = given.values()
        with pytest.raises(InvalidArgumentError, match=f"has an invalid value: {value}"):
            checked_arguments(METHODS[method].validator, given)
    with pytest.raises(InvalidArgumentError, match="must not be empty"):
        checked_arguments(METHODS["scratch_show"].validator, {"passage_id": " "})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "`url` and `query` are missing."),
        (None, "`url` and `query` are missing."),
        ({"query": "q"}, "`url` is missing."),
        ({"url": URL, "query": None}, "`query` must be a string, not null."),
        ({"url": URL, "query": "  "}, "`query` must not be empty."),
        ({"url": URL, "query": "x" * 2_001}, "`query` has 2,001 characters; the maximum is 2,000."),
        ({"url": 7, "query": "q"}, "`url` must be a string or a list, not 7."),
        ({"url": [], "query": "q"}, "`url` must not be empty."),
        ({"url": [URL, 7], "query": "q"}, "`url[1]` must be a string, not 7."),
        ({"url": [URL] * 11, "query": "q"}, "`url` has 11 entries; the maximum is 10."),
        (
            {"url": URL, "query": "q", "expansion_budget": 11},
            "`expansion_budget` must be at most 10, not 11.",
        ),
        (
            {"url": URL, "query": "q", "expansion_budget": -1},
            "`expansion_budget` must be at least 0, not -1.",
        ),
        (
            {"url": URL, "query": "q", "expansion_budget": "3x"},
            "`expansion_budget` must be a whole number, not 3x.",
        ),
        ({"url": f'["{URL}", 7]', "query": "q"}, "`url[1]` must be a string, not 7."),
        ({"url": URL, "query": "q", "expansion_budget": "11"}, "`expansion_budget` must be at most 10, not 11."),
        ({"url": URL, "query": "q", "constraints": ["a", ""]}, "`constraints[1]` must not be empty."),
        (
            {"url": URL, "query": "q", "intent": "why"},
            "`intent` must be one of factual, comparison, how_to, exploratory, not why.",
        ),
        (
            {"url": URL, "query": "q", "depth": 2},
            (
                "`depth` is not a parameter. Valid are `url`, `query`, `intent`, `known_context`, "
                "`constraints`, `expansion_budget`."
            ),
        ),
    ],
)
def test_message_names_the_field(given: dict[str, Any] | None, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        checked_arguments(ANSWER.check_input, given)
    assert caught.value.message == message


@pytest.mark.parametrize(("spec", "more"), [(INGEST, {}), (ANSWER, {"query": "q"})])
def test_a_collection_for_the_wrong_tool_is_refused_with_an_explanation(spec: ToolSpec, more: dict[str, str]) -> None:
    with pytest.raises(InvalidArgumentError, match="`collection` is not a parameter") as caught:
        checked_arguments(spec.check_input, {"url": URL, "collection": "notes", **more})
    assert caught.value.hint.startswith("Leave it out: only ingest takes `collection`, at a node")
    assert checked_arguments(spec.check_input, {"url": URL, "collection": None, **more})["url"] == URL


@pytest.mark.parametrize(
    ("spec", "given", "meant"),
    [
        (ANSWER, {"url": f'["{URL}", "{URL}b"]', "query": "q"}, {"url": [URL, f"{URL}b"]}),
        (ANSWER, {"url": f' ["{URL}"]', "query": "q"}, {"url": [URL]}),
        (ANSWER, {"url": URL, "query": "[a] q", "expansion_budget": " 3 "}, {"query": "[a] q", "expansion_budget": 3}),
        (ANSWER, {"url": URL, "query": "3", "constraints": '["a"]'}, {"query": "3", "constraints": ["a"]}),
        (
            ANSWER,
            {"url": URL, "query": "q", "constraints": "only official pages"},
            {"constraints": ["only official pages"]},
        ),
        (SEARCH, {"query": "q", "source_urls": URL, "top_k": "5"}, {"source_urls": [URL], "top_k": 5}),
        (INGEST, {"url": URL, "refresh": "True"}, {"refresh": True}),
        (INGEST, {"url": URL, "refresh": "false"}, {"refresh": False}),
        (
            INGEST,
            {"url": URL, "crawl": '{"scope": "host", "max_pages": "4", "max_depth": "null"}'},
            {"crawl": {"scope": "host", "max_pages": 4, "max_depth": None}},
        ),
        (STATUS, {"job_id": "7", "include_urls": "true"}, {"job_id": 7, "include_urls": True}),
    ],
)
def test_values_that_models_write_as_strings_are_understood(
    spec: ToolSpec, given: dict[str, Any], meant: dict[str, Any]
) -> None:
    checked = checked_arguments(spec.check_input, given)
    assert {name: checked[name] for name in meant} == meant


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_a_blank_optional_argument_counts_as_omitted(blank: str | None) -> None:
    given = {"url": URL, "query": "q", "intent": blank, "known_context": blank, "constraints": blank}
    checked = checked_arguments(ANSWER.check_input, given)
    assert checked == checked_arguments(ANSWER.check_input, {"url": URL, "query": "q"})


def test_a_list_in_a_string_is_bounded_like_any_other() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    with pytest.raises(InvalidArgumentError):
        checked_arguments(ANSWER.check_input, {"url": URL, "query": "q", "constraints": deep})
    with pytest.raises(InvalidArgumentError, match="has more than 12 levels"):
        checked_arguments(ANSWER.check_input, {"url": URL, "query": "q", "constraints": "[" * 80 + "]" * 80})


def test_long_values_are_not_repeated() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        checked_arguments(ANSWER.check_input, {"url": {"secret": "x" * 500}, "query": "q"})
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("spec", "given"),
    [
        (INGEST, {"url": URL, "refresh": False, "crawl": {"max_pages": 2.0, "max_depth": 1.0, "scope": None}}),
        (SEARCH, {"query": "q", "top_k": 5.0}),
        (STATUS, {"job_id": 3.0, "include_urls": True}),
        (ANSWER, {"url": [URL], "query": "q", "expansion_budget": 0.0}),
    ],
    ids=lambda value: value.id if isinstance(value, ToolSpec) else "",
)
def test_whole_numbers_written_as_decimals_become_whole(spec: ToolSpec, given: dict[str, Any]) -> None:
    checked = checked_arguments(spec.check_input, given)
    assert checked == given
    assert ".0" not in json.dumps(checked)


def test_null_is_named_as_hosts_write_it() -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        checked_arguments(INGEST.check_input, {"url": URL, "crawl": {"scope": "web"}})
    assert caught.value.message == "`crawl.scope` must be one of page, subpages, host, null, not web."


def test_defaults_are_filled_in_and_null_means_omitted() -> None:
    assert checked_arguments(SEARCH.check_input, {"query": "q", "intent": None, "top_k": None}) == {
        "query": "q",
        "top_k": 20,
    }
    assert checked_arguments(STATUS.check_input, None) == {"include_urls": True}


@pytest.mark.parametrize("spec", TOOLS, ids=lambda spec: spec.id)
def test_null_is_accepted_for_everything_optional(spec: ToolSpec) -> None:
    declared = spec.input_schema["properties"]
    required: dict[str, Any] = {
        name: ["x"] if declared[name].get("type") == "array" else "x" for name in spec.input_schema.get("required", ())
    }
    optional = dict.fromkeys(set(declared) - set(required))
    assert checked_arguments(spec.check_input, {**required, **optional}) == checked_arguments(
        spec.check_input, required
    )
    for name in required:
        with pytest.raises(InvalidArgumentError):
            checked_arguments(spec.check_input, {**required, name: None})


def nested(depth: int) -> Any:
    value: Any = "end"
    for _ in range(depth):
        value = {"a": [value]}
    return value


ABSURD = {
    "a long list": [f"https://example.org/{number}" for number in range(10_000)],
    "a long text": "x" * 900_000,
    "a deep one": nested(50),
    "many names": {str(number): number for number in range(10_000)},
    "lists of lists": [[["x" * 50] * 99] * 99] * 99,
    "much in all": ["x" * 15_000] * 50,
}


@pytest.mark.parametrize("value", ABSURD.values(), ids=ABSURD.keys())
def test_absurd_arguments_are_refused(value: Any) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        check_size({"url": value})
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("value", [nested(4), ["x" * 2_000] * 50, "x" * caps.MAX_KNOWN_CONTEXT_CHARS, None, 1.5, True])
def test_large_arguments_that_a_schema_allows_pass(value: Any) -> None:
    check_size({"any": value})


async def test_refusing_is_fast_and_names_the_parameter() -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused")))
    calls = Dispatcher(engine, build_registry(engine.settings))
    began = time.process_time()
    for spec in TOOLS:
        for name in spec.input_schema["properties"]:
            for value in ABSURD.values():
                reply = await calls.call(spec.id, {name: value}, Caller(f"{spec.id} {name}"))
                assert reply.is_error
                assert "INVALID_ARGUMENT" in reply.text
                assert name in reply.text or "arguments" in reply.text
    assert time.process_time() - began < 0.02 * len(TOOLS) * 10 * len(ABSURD)
    assert engine.asked == []
