from __future__ import annotations

import pytest

from app.bridge.messages import InvalidMessageError, read_message


@pytest.mark.parametrize("message_id", [None, 1.5, True, [1], {"a": 1}])
def test_an_id_is_a_string_or_an_integer(message_id: object) -> None:
    with pytest.raises(InvalidMessageError, match="an id must be"):
        read_message({"jsonrpc": "2.0", "id": message_id, "method": "ping"})


@pytest.mark.parametrize("message_id", [0, 7, "a", "ü"])
def test_a_request_keeps_its_id(message_id: str | int) -> None:
    message = read_message({"jsonrpc": "2.0", "id": message_id, "method": "ping"})
    assert message is not None and message.is_request and message.id == message_id


def test_notifications_have_no_id_and_responses_are_not_answered() -> None:
    note = read_message({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert note is not None and not note.is_request
    assert read_message({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}) is None
