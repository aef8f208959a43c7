from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.rendering.messages import RenderRequest, Setup, read_message, write_error, write_page
from app.desktop.rendering.scripts import EXPECTING_MS, QUIET_MS, is_at_rest, watch_script


@pytest.mark.parametrize(
    ("state", "at_rest"),
    [
        (f"1 0 0 {QUIET_MS}", True),
        (f"1 0 0 {QUIET_MS - 1}", False),
        (f"0 0 0 {9_999}", False),
        (f"1 1 0 {9_999}", False),
        (f"1 0 1 {EXPECTING_MS - 1}", False),
        (f"1 0 1 {EXPECTING_MS}", True),
    ],
)
def test_rest_is_quiet_without_requests(state: str, at_rest: bool) -> None:
    assert is_at_rest(state) is at_rest


def test_states_of_pages_that_lie() -> None:
    assert is_at_rest("1 0 2 1731")
    for nonsense in (None, 4.0, "", "1 0 0", "1 0 0 9999 5", "a b c d", "undefined", "9" * 10_000):
        assert not is_at_rest(nonsense)


def test_the_script_has_the_expected_name() -> None:
    script = watch_script("_secret")
    assert "'_secret'" in script
    assert "NAME" not in script and "SOON" not in script


def test_messages_come_back_as_they_went() -> None:
    setup = read_message(Setup, b'{"proxy_user": "u", "proxy_password": "p", "user_agent": "a"}')
    assert (setup.proxy_user, setup.proxy_password, setup.user_agent) == ("u", "p", "a")
    request = read_message(RenderRequest, b'{"id": 3, "url": "http://x/", "timeout": 2.5}')
    assert (request.id, request.url, request.timeout) == (3, "http://x/", 2.5)
    stream = io.BytesIO()
    write_page(stream, 3, "http://x/", b"<p>\n</p>")
    write_error(stream, 4, "no")
    first, rest = stream.getvalue().split(b"\n", 1)
    assert json.loads(first) == {"id": 3, "ok": True, "url": "http://x/", "bytes": 8}
    assert rest.startswith(b"<p>\n</p>")
    assert json.loads(rest[8:]) == {"id": 4, "ok": False, "error": "no"}


@given(
    st.binary(max_size=60) | st.sampled_from([b"[" * 100_000, b"{}", b"[1]", b'{"id": "x", "url": 1, "timeout": 1}'])
)
def test_unreadable_lines_are_value_errors(line: bytes) -> None:
    for kind in (RenderRequest, Setup):
        with pytest.raises(ValueError):  # noqa: PT011 - json has words of its own
            read_message(kind, line)
