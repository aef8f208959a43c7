"""`storage`, `compact`, `update`, `licences`, `erase`: the maintenance of the library in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.embed.embedder import Embedder
from app.instance import hold_instance
from app.logs import LOG_FILE
from tests.bridge.fake_instance import FakeInstance
from tests.cli.test_files import filled
from tests.support.site import Site, as_if_over_https


@pytest.fixture
def data(guided: Path, embedder: Embedder) -> Path:
    folder = guided
    filled(folder / "corpus.db", "old", model=embedder.card.fingerprint)
    (folder / "logs").mkdir()
    (folder / "logs" / LOG_FILE).write_text("lines\n")
    (folder / "logs" / f"{LOG_FILE}.1").write_text("older lines\n")
    return folder


def run(data: Path, *arguments: str) -> int:
    return main([*arguments, "--data-dir", str(data)])


def test_a_page_is_deleted_by_its_address(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "status", "--json") == 0
    url = next(
        row["url"] for row in json.loads(capsys.readouterr().out)["documents"] if not row["url"].startswith("webrag:")
    )
    assert run(data, "delete", url) == 0
    assert capsys.readouterr().out == f"Deleted: {url}\n"
    assert run(data, "delete", url) == 1
    assert "None of these addresses is indexed" in capsys.readouterr().err


def test_changed_pages_are_printed_with_their_differences(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "pages", "--changed") == 0
    assert capsys.readouterr().out == "No stored page has changed.\n"
    notes = data / "notes.md"
    for words in ("The pump has two valves of brass.", "The pump has four valves of brass."):
        notes.write_text(f"# Pump\n\n{words}\n")
        assert run(data, "import", str(notes)) == 0
    capsys.readouterr()
    assert run(data, "pages", "--changed") == 0
    head, since, *differing = capsys.readouterr().out.splitlines()
    assert head == f'"Pump" — {notes.as_uri()}' and since.endswith(": 1 passage changed")
    assert differing == [
        '  - "The pump has two valves of brass."',
        '  + "The pump has four valves of brass."',
    ]
    assert run(data, "pages", "--changed", "--json") == 0
    (page,) = json.loads(capsys.readouterr().out)
    assert page["passages"][0]["old"] == "The pump has two valves of brass." and not page["was_cited"]
    assert run(data, "pages", "--changed", "--cited") == 0
    assert capsys.readouterr().out == "No stored page has changed.\n"
    assert run(data, "pages", "notes.md") == 0
    assert capsys.readouterr().out == f"{head}\n"


def test_disk_usage_is_added_up_and_compacted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "storage", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["totals"]["documents"] >= 1 and told["use"]["texts"] > 0 and told["logs"] > 0
    assert run(data, "compact") == 0
    assert "less than before" in capsys.readouterr().out


def test_a_newer_version_is_reported(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(data, "update") == 1
    assert "does not have an address" in capsys.readouterr().err
    with Site() as site:
        site.page("/feed", '{"version": "99.0", "url": "https://a.example/99"}', content_type="application/json")
        monkeypatch.setenv("UPDATE_FEED", site.url("/feed"))
        assert run(data, "update") == 1
        assert "https://" in capsys.readouterr().err
        as_if_over_https(monkeypatch)
        monkeypatch.setenv("UPDATE_FEED", site.url("/feed").replace("http://", "https://"))
        monkeypatch.setenv("WEBRAG_ALLOW_NETWORKS", "127.0.0.0/8")
        assert run(data, "update") == 0
    assert "WebRAG Desktop 99.0 is available" in capsys.readouterr().out


def test_licences_are_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "licences", "--json") == 0
    assert "apsw" in {each["name"] for each in json.loads(capsys.readouterr().out)}


def test_nothing_is_deleted_without_confirmation(
    data: Path, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(data, "erase", "library", "logs") == 1
    assert "This permanently deletes: library, logs" in capsys.readouterr().err
    assert (data / "corpus.db").exists()
    (own_home / "config.toml").write_text("")
    assert run(data, "erase", "library", "logs", "--yes") == 0
    assert not (data / "corpus.db").exists()
    assert [path.stat().st_size for path in (data / "logs").iterdir()] == [0], "the current one is emptied"
    assert (own_home / "config.toml").exists()
    assert run(data, "erase", "settings", "secrets", "--yes") == 0
    assert not (own_home / "config.toml").exists()


def test_nothing_is_deleted_while_another_process_uses_it(
    data: Path, instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    with hold_instance(data):
        assert run(data, "erase", "library", "--yes") == 1
    assert run(instance.data_dir, "erase", "library", "--yes") == 1
    assert "is running" in capsys.readouterr().err
    assert (data / "corpus.db").exists()
