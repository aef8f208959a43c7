"""Packages in the running program: added from installed copies, one version in every answer, removed with all pages."""

from __future__ import annotations

import asyncio
import json
import socket
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.engine import Engine, build_engine
from app.errors import FetchError, FileAccessError, InvalidArgumentError
from app.kb.records import Asking, SearchRequest
from app.library.job_records import ItemState
from app.library.packages import UnknownPackageError
from app.library.scope import Scope
from app.packages import archives
from app.packages.manifests import Registry
from app.settings import load_settings
from app.web import address
from tests.packages.docset_files import make_docset
from tests.packages.projects import FILES, PYPI, install_node, install_python, write
from tests.packages.test_artefacts import sha256, tarred
from tests.support.site import Site

NAMES = ("alpha", "bravo", "carol", "delta", "eagle")
VERSIONS = ("1.4.0", "2.0.1")
TOPICS = ("timeout", "retry", "proxy", "cookie", "logging", "stream", "upload", "redirect", "header", "encoding")


@pytest.fixture
async def engine(guided: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    running = build_engine(load_settings(data_dir=guided))
    await running.start(background=False)
    real = socket.socket.connect

    def connect(this: socket.socket, address: Any) -> None:
        assert this.family == socket.AF_UNIX, f"{address} was asked"
        real(this, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    yield running
    await running.stop()


def make_project(root: Path, version: str, names: Iterable[str], topics: Iterable[str] = TOPICS[:3]) -> Path:
    """Create a project with installed packages, each with a page on every topic, and release notes of another version."""
    write(root, {"requirements.txt": "".join(f"{name}=={version}\n" for name in names)})
    for name in names:
        pages = {
            f"{name}/docs/{topic}.md": f"# Set the {topic}\n\nIn {name} {version}, the option {topic}_{name} sets the {topic}.\n"
            for topic in topics
        }
        api = f'"""The client."""\ndef connect({name}_{version.replace(".", "_")}: int):\n    """Connect with a timeout."""\n'
        changes = {f"{name}/docs/CHANGES.md": f"# Changes\n\nIn {name} 0.9 the timeout changed.\n"}
        install_python(
            root, name, version, {**pages, **changes, f"{name}/client.py": api}, f"# {name} {version}\n\nA client.\n"
        )
    return root


async def asked(engine: Engine, question: str, *scope: str) -> list[str]:
    """Return the addresses of the results of the knowledge base."""
    page = await engine.kb.search(Asking("me", None, Scope(doc_tags=scope)), SearchRequest(question, 10, 10))
    return [found.url for found in page.results]


async def searched(engine: Engine, question: str, library: str = "") -> list[str]:
    found = await asyncio.to_thread(engine.docs.search, question, None, library)
    return [hit.name for hit in found.hits]


async def test_installed_packages_are_scanned_added_listed_and_removed(engine: Engine, tmp_path: Path) -> None:
    project = make_project(tmp_path / "app", "2.0.1", ["alpha", "bravo"])
    (scanned,) = await engine.packages.scan(project)
    assert [(str(each.package), each.source, each.is_stored) for each in scanned.packages] == [
        ("pypi/alpha@2.0.1", "installed", False),
        ("pypi/bravo@2.0.1", "installed", False),
    ]
    assert all(each.disk_bytes and each.seconds for each in scanned.packages)
    added = await engine.packages.add(root=project)
    assert [(each.package.shown, each.pages, each.failure) for each in added] == [
        ("alpha 2.0.1", 6, ""),
        ("bravo 2.0.1", 6, ""),
    ]
    stored = await engine.packages.stored()
    assert [(each.package.name, each.pages, each.is_complete, each.is_current) for each in stored.packages] == [
        ("alpha", 6, True, True),
        ("bravo", 6, True, True),
    ]
    assert [each.root for each in stored.projects] == [str(project)]
    assert (await engine.packages.scan(project))[0].packages[0].is_stored
    assert "alpha@2.0.1/docs/timeout.md" in await searched(engine, "timeout")
    await engine.packages.remove(["alpha"])
    assert not [name for name in await searched(engine, "timeout") if name.startswith("alpha")]
    assert len((await engine.packages.stored()).packages) == 1


async def test_symbols_are_stored_and_completed_later(engine: Engine, tmp_path: Path) -> None:
    project = make_project(tmp_path / "app", "2.0.1", ["alpha"])
    await engine.packages.add(root=project)
    store = engine._corpus.packages
    ((package, symbol),) = store.find_symbols("connect").found
    assert (package.shown, symbol.name, symbol.line) == ("alpha 2.0.1", "alpha.client.connect", 2)
    assert symbol.signature == "def connect(alpha_2_0_1: int)" and symbol.summary == "Connect with a timeout."
    path, section = symbol.page.removeprefix("webrag://package/pypi/").split("#")
    page = await asyncio.to_thread(engine.docs.page, path, [section], lambda text: True)
    assert "Connect with a timeout." in page.text
    store.put_symbols(store.all()[0].id, [])
    await engine.packages.refresh()
    assert store.find_symbols("alpha.client.connect").found == ((package, symbol),)


@pytest.mark.real
async def test_scoped_questions_have_no_foreign_source_and_others_one_version(engine: Engine, tmp_path: Path) -> None:
    for version in VERSIONS:
        await engine.packages.add(root=make_project(tmp_path / version, version, NAMES, TOPICS))
    await engine.packages.forget_project(tmp_path / VERSIONS[0])
    await engine._components.embeddings.embed_now(  # type: ignore[union-attr]
        [passage.chunk_id for passage in engine._corpus.vectors.waiting(10_000)]
    )
    foreign, sources = 0, 0
    for number in range(50):
        name, topic, version = NAMES[number % 5], TOPICS[number // 5], VERSIONS[number % 2]
        question, wanted = f"How do I set the {topic} of {name}?", f"{name}@{version}"
        found = await asked(engine, question, f"package:{wanted}")
        names = await searched(engine, question, wanted)
        assert found and names
        sources += len(found) + len(names)
        foreign += sum(f"/{wanted}/" not in url for url in found) + sum(
            not each.startswith(f"{wanted}/") for each in names
        )
        for each in (await asked(engine, question), await searched(engine, question)):
            used: dict[str, set[str]] = {}
            for root in (
                entry.removeprefix("webrag://package/pypi/").partition("/")[0] for entry in each if "@" in entry
            ):
                used.setdefault(root.partition("@")[0], set()).add(root)
            assert used and all(len(versions) == 1 for versions in used.values())
            assert not [entry for entry in each if "/changes/" in entry]
    assert sources >= 250 and foreign == 0


async def test_one_package_in_every_kind_of_question(engine: Engine, tmp_path: Path) -> None:
    """Titles name the version, release notes answer only questions about changes, other versions are errors, and addresses work."""
    await engine.packages.add(root=make_project(tmp_path / "app", "2.0.1", ["alpha"]))
    rows = engine._corpus.documents.summaries(text="package/pypi", limit=50)
    assert rows and all(row.title.startswith("alpha 2.0.1: ") for row in rows)
    answer = await engine.search("How do I set the timeout?", source_urls=["package:alpha"])
    assert answer.chunks and all(item.chunk.title.startswith("alpha 2.0.1") for item in answer.chunks)
    assert not [url for url in await asked(engine, "How do I set the timeout of alpha?") if "/changes/" in url]
    assert [url for url in await asked(engine, "What changed with the timeout of alpha?") if "/changes/" in url]
    assert [name for name in await searched(engine, "What changed with the timeout?", "alpha") if "/changes/" in name]
    for call in (
        asked(engine, "timeout", "package:alpha@1.0"),
        searched(engine, "timeout", "alpha@1.0"),
        engine.search("timeout", source_urls=["package:alpha@1.0"]),
    ):
        with pytest.raises(UnknownPackageError, match=r"alpha@1\.0.*contains pypi/alpha@2\.0\.1"):
            await call
    with pytest.raises(UnknownPackageError, match="No known project uses nothing"):
        await engine.packages.add(["nothing"])
    (page,) = await engine.ingest(["webrag://package/pypi/alpha@2.0.1/docs/timeout"])
    assert page.is_read and page.title == "alpha 2.0.1: Set the timeout"
    (gone,) = await engine.ingest(["webrag://package/pypi/alpha@2.0.1/docs/nothing"])
    assert gone.is_failed
    text = await asyncio.to_thread(engine.docs.page, "alpha@2.0.1/docs/timeout", None, lambda _: True)
    assert "timeout_alpha" in text.text
    with pytest.raises(InvalidArgumentError):
        await asyncio.to_thread(engine.docs.page, "alpha@1.0/docs/timeout", None, lambda _: True)


async def test_a_deleted_page_is_gone_from_every_search(engine: Engine, tmp_path: Path) -> None:
    await engine.packages.add(root=make_project(tmp_path / "app", "2.0.1", ["alpha"]))
    assert "alpha@2.0.1/docs/timeout.md" in await searched(engine, "timeout")
    (row,) = await engine.documents.at(["webrag://package/pypi/alpha@2.0.1/docs/timeout"])
    assert row is not None
    await engine.documents.delete([row.id])
    assert "alpha@2.0.1/docs/timeout.md" not in await searched(engine, "timeout")
    assert "alpha@2.0.1/docs/retry.md" in await searched(engine, "retry")
    assert engine._corpus.verify() == []


async def test_another_version_than_that_of_the_project_is_planned(engine: Engine, tmp_path: Path) -> None:
    write(tmp_path / "app", FILES["poetry"])
    await engine.packages.scan(tmp_path / "app")
    (planned,) = await engine.packages.downloads(["flask@3.0.0"])
    assert (planned.url, planned.has_digest) == (f"{PYPI.address}/pypi/flask/3.0.0/json", False)
    assert await engine.packages.downloads(["inner-tool@3.0", "inner-tool"]) == (), (
        "the name belongs to a private index"
    )
    (refused,) = await engine.packages.add(["inner-tool@3.0"], downloads=True)
    assert "private index" in refused.failure


async def test_a_job_adds_packages_and_goes_on_after_failures(engine: Engine, tmp_path: Path) -> None:
    project = make_project(tmp_path / "app", "2.0.1", ["alpha"])
    write(project, FILES["npm3"])
    await engine.packages.scan(project)
    begun = await engine.packages.begin(["npm/chalk@4.1.2", "pypi/alpha@2.0.1"], str(project))
    ended = await engine.jobs.wait(begun.id, 60)
    assert (ended.state, ended.target, ended.counts.stored, ended.counts.failed) == ("done", str(project), 1, 1)
    (failed,) = await engine.jobs.items(begun.id, states=(ItemState.FAILED,), limit=9)
    assert (failed.url, failed.reason) == ("npm/chalk@4.1.2", "chalk 4.1.2 is not installed in the project.")
    (row,) = (await engine.status()).projects
    assert (row.root, row.documented) == (str(project), 1)
    (read,) = {each.is_stored for each in (await engine.packages.project(project)).packages if each.source}
    assert read
    with pytest.raises(FileAccessError, match="neither a lock file nor"):
        await engine.packages.project(tmp_path / "gone")


async def test_assistants_add_what_the_user_allows(engine: Engine, tmp_path: Path) -> None:
    await engine.packages.scan(make_project(tmp_path / "app", "2.0.1", ["alpha"]))
    with pytest.raises(InvalidArgumentError, match="does not let assistants add packages") as refused:
        await engine.packages.begin_for_assistant("alpha", "never")
    assert "page Packages" in refused.value.hint
    with pytest.raises(UnknownPackageError, match=r"No known project uses alpha@3\.0"):
        await engine.packages.begin_for_assistant("alpha@3.0", "projects")
    with pytest.raises(UnknownPackageError, match="No known project uses flask"):
        await engine.packages.begin_for_assistant("flask", "any")
    own = await engine.packages.begin_for_assistant("pypi:alpha@2.0.1", "projects")
    assert (await engine.jobs.wait(own.id, 60)).counts.stored == 1
    other = await engine.packages.begin_for_assistant("pypi:alpha@3.0", "any")
    assert other.options == '{"downloads": true}'
    await engine.jobs.cancel(other.id)
    engine.apply(replace(engine.settings, mcp_add_packages="never"))
    assert engine.settings.mcp_add_packages == "never"


async def test_a_package_that_is_not_installed_fails_alone(engine: Engine, tmp_path: Path) -> None:
    project = make_project(tmp_path / "app", "2.0.1", ["alpha"])
    write(project, FILES["npm3"])
    install_node(project, "react", "18.3.1", {"README.md": "# React\n\nA library for interfaces.\n"})
    added = await engine.packages.add(["alpha", "react", "chalk"], project)
    assert [(each.package.name, bool(each.failure)) for each in added] == [
        ("alpha", False),
        ("react", False),
        ("chalk", True),
    ]
    assert added[2].hint


async def test_a_changed_version_is_added_on_refresh_and_becomes_current(engine: Engine, tmp_path: Path) -> None:
    project = make_project(tmp_path / "app", "2.0.1", ["alpha"])
    await engine.packages.add(root=project)
    assert [each.package.version for each in await engine.packages.refresh()] == ["2.0.1"]
    make_project(project, "1.4.0", ["alpha"])
    assert [each.package.version for each in await engine.packages.refresh()] == ["1.4.0"]
    assert {each.package.version: each.is_current for each in (await engine.packages.stored()).packages} == {
        "1.4.0": True,
        "2.0.1": False,
    }


async def test_a_project_is_followed_while_the_program_runs(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.packages.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("app.engine.packages.SETTLE_SECONDS", 0.0)
    project = make_project(tmp_path / "app", "2.0.1", ["alpha"])
    await engine.packages.add(root=project)
    following = asyncio.create_task(engine.packages.follow(lambda: True))
    make_project(project, "1.4.0", ["alpha"])
    async with asyncio.timeout(60):
        while len([each for each in (await engine.packages.stored()).packages if each.is_complete]) < 2:
            assert not following.done()
            await asyncio.sleep(0.05)
    following.cancel()
    assert {each.package.version: each.is_current for each in (await engine.packages.stored()).packages} == {
        "1.4.0": True,
        "2.0.1": False,
    }


async def test_a_project_that_cannot_be_read_does_not_stop_the_others(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one on a network share without a network."""
    monkeypatch.setattr("app.engine.packages.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("app.engine.packages.SETTLE_SECONDS", 0.0)
    away, project = (
        make_project(tmp_path / name, "2.0.1", [package]) for name, package in (("a", "alpha"), ("b", "bravo"))
    )
    await engine.packages.add(root=away)
    await engine.packages.add(root=project)
    is_file = Path.is_file

    def refused(path: Path) -> bool:
        if path.is_relative_to(away):
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refused)
    assert [each.package.name for each in await engine.packages.refresh()] == ["bravo"]
    with pytest.raises(FileAccessError):
        await engine.packages.project(away)
    following = asyncio.create_task(engine.packages.follow(lambda: True))
    make_project(project, "1.4.0", ["bravo"])
    async with asyncio.timeout(60):
        while len([each for each in (await engine.packages.stored()).packages if each.is_complete]) < 3:
            assert not following.done()
            await asyncio.sleep(0.05)
    following.cancel()


async def test_packages_without_a_project_make_room(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = make_project(tmp_path / "earlier", "2.0.1", ["alpha", "bravo"])
    await engine.packages.add(root=earlier)
    await engine.packages.forget_project(earlier)
    await searched(engine, "timeout", "alpha")
    both = sum(each.disk_bytes for each in (await engine.packages.stored()).packages)
    monkeypatch.setattr(caps, "PACKAGES_DISK_BYTES", both)
    await engine.packages.add(root=make_project(tmp_path / "app", "2.0.1", ["carol", "delta"]))
    assert [each.package.name for each in (await engine.packages.stored()).packages] == ["carol", "delta"]
    (refused,) = await engine.packages.add(root=make_project(tmp_path / "other", "2.0.1", ["eagle"]))
    assert "which is the limit" in refused.failure


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A registry on this computer that counts as public."""
    kind_of = address.kind_of
    monkeypatch.setattr(address, "kind_of", lambda ip: "" if ip == "127.0.0.1" else kind_of(ip))
    with Site() as site:
        local = Registry(site.url("").rstrip("/"), frozenset(), frozenset())
        monkeypatch.setattr(archives, "registry_of", lambda _: local)
        yield site


def publish(site: Site, name: str, version: str) -> bytes:
    """Publish the sources of a package, and return them."""
    content = tarred(
        {"docs/start.md": f"# Start\n\nIn {name} {version}, call start().\n".encode()}, root=f"{name}-{version}"
    )
    digest = sha256(content).removeprefix("sha256:")
    sdist = {"packagetype": "sdist", "url": site.url(f"/files/{name}.tar.gz"), "digests": {"sha256": digest}}
    site.page(f"/pypi/{name}/{version}/json", json.dumps({"urls": [sdist]}).encode(), content_type="application/json")
    site.page(f"/files/{name}.tar.gz", content, content_type="application/octet-stream")
    return content


@pytest.fixture
async def downloading(guided: Path) -> AsyncIterator[Engine]:
    running = build_engine(load_settings({"allow_networks": "127.0.0.0/8"}, data_dir=guided))
    await running.start(background=False)
    yield running
    await running.stop()


async def test_a_download_asks_exactly_for_the_public_packages(
    downloading: Engine, registry: Site, tmp_path: Path
) -> None:
    content = publish(registry, "alpha", "2.0.1")
    lock = f"""
[[package]]
name = "alpha"
version = "2.0.1"
files = [{{file = "alpha-2.0.1.tar.gz", hash = "{sha256(content)}"}}]
[[package]]
name = "secret-tool"
version = "1.0"
[package.source]
type = "legacy"
url = "https://pypi.corp/simple"
"""
    project = write(
        tmp_path / "app", {"poetry.lock": lock, "pyproject.toml": '[project]\ndependencies = ["alpha", "secret-tool"]'}
    )
    planned = await downloading.packages.downloads(root=project)
    assert [(each.package.shown, each.has_digest) for each in planned] == [("alpha 2.0.1", True)]
    assert not registry.requests
    added = await downloading.packages.add(root=project, downloads=True)
    assert [(each.package.name, each.source, each.pages) for each in added] == [
        ("alpha", "downloaded", 1),
        ("secret-tool", "", 0),
    ]
    assert "private index" in added[1].failure
    assert not [request for request in registry.requests if "secret" in request.path]
    assert await searched(downloading, "start", "alpha") == ["alpha@2.0.1/docs/start.md"]
    assert await downloading.packages.downloads(root=project) == ()


async def test_a_file_with_another_hash_is_refused(downloading: Engine, registry: Site, tmp_path: Path) -> None:
    publish(registry, "alpha", "2.0.1")
    project = write(tmp_path / "app", {"requirements.txt": f"alpha==2.0.1 --hash=sha256:{'0' * 64}\n"})
    (added,) = await downloading.packages.add(root=project, downloads=True)
    assert "does not have the hash in the lock file" in added.failure
    assert (await downloading.packages.stored()).packages == ()


async def test_a_package_without_a_project_is_downloaded_by_its_full_name(
    downloading: Engine, registry: Site, tmp_path: Path
) -> None:
    publish(registry, "alpha", "2.0.1")
    (added,) = await downloading.packages.add(["pypi/alpha@2.0.1"], downloads=True)
    assert (added.source, added.failure) == ("downloaded", "")
    with pytest.raises(UnknownPackageError):
        await downloading.packages.add(["bravo"], downloads=True)
    (missing,) = await downloading.packages.add(["pypi/bravo@1.0"], downloads=True)
    assert missing.failure


async def test_a_docset_is_searched_and_its_names_lead_to_its_pages(engine: Engine, tmp_path: Path) -> None:
    added = await engine.packages.add_docset(make_docset(tmp_path))
    assert (added.package.shown, added.source, added.pages, added.failure) == (
        "alpha-kit (version not stated)",
        "docset",
        2,
        "",
    )
    hits = (await asyncio.to_thread(engine.docs.search, "connects to a server", None, "alpha-kit")).hits
    assert hits[0].name == "alpha-kit@unstated/docs/api.md"
    ((package, symbol),) = engine._corpus.packages.find_symbols("Client").found
    assert package == added.package
    assert (symbol.signature, symbol.summary) == ("class alpha.Client(port)", "Connects to a server.")
    assert symbol.page == f"{package.address}docs/api#Clients"
    text = await asyncio.to_thread(engine.docs.page, "alpha-kit@unstated/docs/api", ["Clients"], lambda _: True)
    assert "Connects to a server." in text.text
    rows = engine._corpus.documents.summaries(text="alpha-kit", limit=9)
    assert {row.title for row in rows} == {f"{added.package.shown}: {title}" for title in ("API", "Start")}


def inventory(version: str) -> bytes:
    lines = (
        "start std:doc -1 start.html Start",
        "moved std:doc -1 moved.html Moved",
        "../up std:doc -1 up.html Up",
        "alpha.start py:function 1 start.html#$ -",
        "a heading std:label -1 start.html#a A heading",
    )
    head = f"# Sphinx inventory version 2\n# Project: Alpha\n# Version: {version}\n# The remainder is compressed.\n"
    return head.encode() + zlib.compress("\n".join(lines).encode())


async def test_a_site_is_stored_only_if_it_proves_its_version(
    downloading: Engine, registry: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = registry.url("/en/2.0.x/")
    registry.page("/en/2.0.x/objects.inv", inventory("2.0.x"), content_type="application/octet-stream")
    registry.page("/en/2.0.x/start.html", b"<html><body><h1>Start</h1><p>Call start() to begin.</p></body></html>")
    registry.redirect("/en/2.0.x/moved.html", registry.url("/en/stable/moved.html"))
    registry.page("/en/stable/moved.html", b"<html><body><h1>Moved</h1><p>Of another version.</p></body></html>")
    with pytest.raises(FileAccessError, match=r"documentation of version 2\.0\.x, not of 2\.1\.0"):
        await downloading.packages.add_site("pypi/alpha@2.1.0", site)
    with pytest.raises(FetchError):
        await downloading.packages.add_site("pypi/alpha@2.1.0", registry.url("/en/2.1.x/"))
    assert (await downloading.packages.stored()).packages == ()
    added = await downloading.packages.add_site("pypi/alpha@2.0.1", site)
    assert (added.package.shown, added.source, added.pages) == ("alpha 2.0.1", "site", 1)
    assert added.note == "1 of its pages cannot be read."
    assert await searched(downloading, "begin", "alpha@2.0.1") == ["alpha@2.0.1/docs/start.md"]
    ((_, symbol),) = downloading._corpus.packages.find_symbols("start").found
    assert (symbol.kind, symbol.page) == ("function", f"{added.package.address}docs/start")
    monkeypatch.setattr(caps, "MAX_PACKAGE_PAGES", 1)
    cut = await downloading.packages.add_site("pypi/alpha@2.0.1", site)
    assert (cut.pages, cut.note) == (1, "Only the first 1 pages are stored.")
    registry.page("/en/2.0.x/objects.inv", b"<html>No inventory</html>")
    with pytest.raises(FileAccessError, match="does not prove the version"):
        await downloading.packages.add_site("pypi/alpha@2.0.1", site)
