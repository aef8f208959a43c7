"""The program starts and answers from the private library while joined libraries are unavailable."""

from __future__ import annotations

from pathlib import Path

from app.engine import build_engine
from app.engine.libraries import Libraries
from app.events import EventBus
from app.remote.client import AWAY_SECONDS, QUESTION_SECONDS
from app.secrets import SecretStore
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import load_settings
from tests.conftest import with_guide
from tests.support.shared_library import SharedLibrary, running

CALLER = Caller("claude-code", key="1")


def test_answers_and_recovery_are_as_fast_as_documented() -> None:
    """docs/team/join.md promises this."""
    assert QUESTION_SECONDS <= 3
    assert AWAY_SECONDS <= 30


async def test_the_program_starts_and_answers_while_a_joined_library_is_offline(
    tmp_path: Path, guide_file: Path
) -> None:
    folder, secrets = with_guide(tmp_path, guide_file), SecretStore()
    node = SharedLibrary(token="t")
    with running(node):
        joined = Libraries(folder, secrets, EventBus())
        joining = joined.join(node.address, node.browse, token="t")
        joined.keep(joining)
        joined.close()
    engine = build_engine(load_settings(data_dir=folder), secrets=secrets)
    await engine.start(background=False)
    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    try:
        [state] = engine.libraries.states()
        assert state.library.name == joining.library.name
        reply = await dispatcher.call("search", {"query": "How do I connect an assistant?"}, CALLER)
        assert not reply.is_error and "webrag://guide/" in reply.text
        assert "The library Team Handbook does not respond." in reply.text
        assert "These results come from your private library only." in reply.text
    finally:
        dispatcher.close()
        await engine.stop()
