"""JSON from outside: characters that UTF-8 cannot express become U+FFFD, and nothing else changes."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.serialise import read_json, sound, sound_json, sound_text

NOT_UTF8 = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb'"a\ud800b"', "a\ufffdb"),
        (rb'"\uDFFF"', "\ufffd"),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\ude00\ud83d"', "\ufffd\ufffd"),
        (rb'"\ud800\ud83d\ude00"', "\ufffd😀"),
        (rb'"\\ud800"', r"\ud800"),
        (rb'"\\\ud800"', "\\\ufffd"),
        (rb'"\ud800\u0041"', "\ufffdA"),
        (rb'{"\ud800":["\udc00",{"x":"\udbff"}]}', {"\ufffd": ["\ufffd", {"x": "\ufffd"}]}),
        (b'"\xed\xa0\x80"', "\ufffd"),
        (b'"\xed\x9f\xbf \xee\x80\x80"', "\ud7ff \ue000"),
        (b"\xef\xbb\xbf1", 1),
    ],
)
def test_half_a_surrogate_pair_is_read_as_the_replacement(written: bytes, read: Any) -> None:
    assert read_json(written) == read
    assert json.loads(sound_json(written).decode()) == read


@settings(max_examples=40, deadline=None)
@given(st.recursive(NOT_UTF8, lambda inner: st.lists(inner) | st.dictionaries(NOT_UTF8, inner)))
def test_input_can_be_written_as_utf8(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        json.dumps(read_json(text), ensure_ascii=False).encode()
    json.dumps(sound(value), ensure_ascii=False).encode()


@settings(max_examples=40, deadline=None)
@given(
    st.recursive(
        st.text() | st.integers() | st.booleans(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_everything_else_stays_as_it_is(value: Any) -> None:
    written = json.dumps(value).encode()
    assert (sound_json(written), read_json(written), sound(value)) == (written, value, value)


def test_offsets_stay_right() -> None:
    assert sound_text("a\ud800b😀\udc00") == "a\ufffdb😀\ufffd"


@pytest.mark.parametrize("broken", [b"{", b'"\xff"', b"'\\ud800'", b'"\\ud8"', b'"\\ud80', b""])
def test_invalid_json_is_an_error(broken: bytes) -> None:
    with pytest.raises((json.JSONDecodeError, UnicodeDecodeError)):
        read_json(broken)


@pytest.mark.parametrize("unit", [b"\\ud800", b"\\", b"\\ud83d\\", b"\xed\xa0", b"\\u"])
def test_time_grows_linearly_with_the_size(unit: bytes) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        sound_json(b"\\ud800" + unit * size)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(200_000) < 1.0
