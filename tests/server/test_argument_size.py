"""What no tool could take is refused at once, whatever the schema would make of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.errors import InvalidArgumentError
from app.server.calls.arguments import check_size
from app.server.calls.dispatch import Dispatcher
from app.server.sessions import Caller
from app.server.tools import TOOLS, build_registry
from app.settings import Settings
from tests.server.fake_engine import FakeEngine


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
def test_what_a_schema_may_allow_passes(value: Any) -> None:
    check_size({"any": value})


async def test_refusing_costs_no_time_and_names_the_parameter() -> None:
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
