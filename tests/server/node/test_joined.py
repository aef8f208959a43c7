"""A desktop that joined the library of a real node: results, sharing, missing rights, and an outage of the node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.libraries import Libraries
from app.errors import LibraryForbiddenError, LibrarySignInError
from app.events import EventBus
from app.library.exchange import PageIn
from app.remote import client
from app.remote.sign_in import Tokens
from app.secrets import SecretStore
from tests.support.nodes import TOKEN, Issuer, RunningNode

TEXT = "# Leave\n\nThe handbook gives twenty-eight days of leave a year, and five of them go over into the next year.\n"
QUESTION = "How many days of leave does the handbook give?"


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Libraries]:
    for module in ("app.remote.client", "app.engine.libraries"):
        monkeypatch.setattr(f"{module}.QUESTION_SECONDS", 120.0)
    monkeypatch.setattr("app.remote.transport.CONNECT_SECONDS", 60.0)
    opened = Libraries(tmp_path, SecretStore(), EventBus())
    yield opened
    opened.close()


def test_a_question_to_a_node_that_was_joined(
    libraries: Libraries, node: RunningNode, plain_node: RunningNode, issuer: Issuer
) -> None:
    with pytest.raises(LibrarySignInError, match="another host"):
        libraries.join(node.url, print)
    joining = libraries.join(plain_node.url, print, token=TOKEN)
    assert joining.node.model is not None and {each.name for each in joining.node.collections} >= {"notes", "secret"}
    libraries.keep(joining, "notes")
    [state] = libraries.states()
    name, remote = state.library.name, libraries.remote(state.library.name)
    stored = remote.share(PageIn("https://team.example.org/leave", "Leave", TEXT, "notes"))
    assert stored.state == "stored"
    plain_node.embedded()
    asked = libraries.ask(name, QUESTION, limit=5, model=joining.node.model)
    assert asked is not None
    found = asked.wait()
    assert not found.notes
    best = found.chunks[0]
    assert "twenty-eight days" in best.chunk.text and not best.is_apart and found.likelihood is not None
    assert best.chunk.url == f"webrag://lib/{name}/page/{stored.page_id}"
    assert libraries.artifact(name, stored.page_id).content.text == TEXT
    apart = libraries.ask(name, QUESTION, limit=5, model=None)
    assert apart is not None and apart.wait().chunks[0].is_apart
    rita = client.RemoteLibrary(state.library, SecretStore())
    rita.library = state.library.__class__("team", node.url.removesuffix("/mcp"))
    rita._tokens = Tokens(issuer.token("rita"), "", float("inf"))
    assert [each.name for each in rita.describe().collections] == ["notes"]
    assert rita.page(stored.page_id).text == TEXT
    with pytest.raises(LibraryForbiddenError):
        rita.share(PageIn("https://team.example.org/other", "Other", TEXT, "notes"))
    rita._tokens = Tokens(issuer.token("zoe"), "", float("inf"))
    assert rita.describe().collections == () and rita.pages().pages == ()
    rita.close()
    uri = f"webrag://lib/{name}/page/{stored.page_id}"
    assert {each.role for each in libraries.remote(name).describe().collections} == {"owner"}
    libraries.remote(name).set_quarantine(stored.page_id, is_quarantined=True)
    assert stored.page_id not in [row.page_id for row in libraries.remote(name).pages().pages]
    [hidden] = [row for row in libraries.remote(name).hidden().pages if row.page_id == stored.page_id]
    assert hidden.is_quarantined and libraries.document(uri, is_hidden=True).text == TEXT
    libraries.remote(name).set_quarantine(stored.page_id, is_quarantined=False)
    assert libraries.document(uri).text == TEXT
    libraries.remote(name).set_quarantine(stored.page_id, is_quarantined=True)
    libraries.remote(name).delete(stored.page_id)
    assert not libraries.remote(name).hidden().pages, "an owner withdraws what is hidden"
    assert stored.page_id not in [row.page_id for row in libraries.remote(name).pages().pages]
    assert plain_node.engine.node is not None
    plain_node.engine.node._write_calls()
    noted = [row for row in plain_node.engine.node.shared.audit.recent(100) if row.tool.startswith("library.")]
    assert noted and {row.client for row in noted} >= {"webrag-desktop"}
