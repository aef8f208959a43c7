"""Packages in the corpus: one version of each in a search, release notes apart, errors that name the stored versions, removal."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import numpy as np
import pytest

from app.corpus import Corpus, migrations
from app.corpus.packages import version_key
from app.corpus.salvage import salvage
from app.library.packages import ALIAS, Package, Symbol, UnknownPackageError, name_of
from app.library.records import EmbeddingIn
from app.library.scope import EVERYTHING, Filter, asks_about_changes
from tests.corpus.builders import DIMENSION, MODEL, document, embed, unit_vectors

OLD, NEW = Package("pypi", "flask", "2.2.5"), Package("pypi", "flask", "3.1.3")
REACT = Package("npm", "@tanstack/react-query", "5.108.4")
WORD = "blueprint"


def put(corpus: Corpus, package: Package, *paths: str) -> int:
    """Store pages of a package, and return its ID."""
    number = corpus.packages.add(package, "installed")
    for path in paths or ("docs/quickstart", "changes/CHANGES"):
        corpus.documents.store(
            document(f"{package.address}{path}", [f"A {WORD} in {package}, {path}."], package_id=number)
        )
    return number


def found(corpus: Corpus, filter: Filter = EVERYTHING) -> set[str]:
    """Return the pages that keyword search finds; semantic search must find the same."""
    hits = corpus.chunks.lexical([WORD], filter=filter, k=100)
    vector = np.ones(DIMENSION, np.float32) / np.sqrt(DIMENSION).astype(np.float32)
    near = corpus.vectors.nearest(vector, filter=filter, k=100)
    with corpus.graph.view(filter):
        pass
    pages = {
        chunk.url.removeprefix("webrag://package/") for chunk in corpus.chunks.by_ids([hit.chunk_id for hit in hits])
    }
    assert {hit.chunk_id for hit in near} >= {hit.chunk_id for hit in hits}
    if filter != EVERYTHING or len(near) == len(hits):
        assert {hit.chunk_id for hit in near} == {hit.chunk_id for hit in hits}
    return pages


@pytest.fixture
def both(corpus: Corpus) -> tuple[int, int]:
    numbers = put(corpus, NEW), put(corpus, OLD)
    embed(corpus, [passage.chunk_id for passage in corpus.vectors.waiting(100)])
    return numbers


def test_a_search_covers_the_highest_version_without_release_notes(corpus: Corpus, both: tuple[int, int]) -> None:
    assert found(corpus) == {"pypi/flask@3.1.3/docs/quickstart"}
    assert found(corpus, Filter(with_changes=True)) == {
        "pypi/flask@3.1.3/docs/quickstart",
        "pypi/flask@3.1.3/changes/CHANGES",
    }


def test_the_version_of_a_project_is_the_current_one(corpus: Corpus, both: tuple[int, int]) -> None:
    corpus.packages.keep_project("/home/ann/app", [(OLD, True)])
    assert found(corpus) == {"pypi/flask@2.2.5/docs/quickstart"}
    assert corpus.packages.find(name_of("flask"))[1] == OLD
    corpus.packages.forget_project("/home/ann/app")
    assert found(corpus) == {"pypi/flask@3.1.3/docs/quickstart"}


@pytest.mark.parametrize(
    "name", ["package:flask@2.2.5", "package:pypi/flask@2.2.5", "flask@2.2.5", "Package:Flask==2.2.5"]
)
def test_a_scope_names_another_version(name: str, corpus: Corpus, both: tuple[int, int]) -> None:
    assert found(corpus, Filter(doc_tags=((name,),))) == {"pypi/flask@2.2.5/docs/quickstart"}


def test_named_pages_are_found_in_any_version(corpus: Corpus, both: tuple[int, int]) -> None:
    urls = (f"{OLD.address}changes/CHANGES",)
    assert found(corpus, Filter(urls=urls)) == {"pypi/flask@2.2.5/changes/CHANGES"}
    document_id = corpus.documents.summary(urls[0]).id  # type: ignore[union-attr]
    assert found(corpus, Filter(document_ids=(document_id,))) == {"pypi/flask@2.2.5/changes/CHANGES"}
    assert "pypi/flask@2.2.5/changes/CHANGES" in found(corpus, Filter(doc_tags=(("flask@3.1.3", document_id),)))


def test_listing_shows_every_version(corpus: Corpus, both: tuple[int, int]) -> None:
    assert len(corpus.documents.summaries(limit=10)) == 4
    assert corpus.documents.counts(EVERYTHING)[0] == 4


def test_a_missing_version_is_an_error_that_names_the_stored_ones(corpus: Corpus, both: tuple[int, int]) -> None:
    for call in (
        lambda: corpus.packages.find(name_of("flask@3.0.0")),
        lambda: found(corpus, Filter(doc_tags=(("package:flask@3.0.0",),))),
    ):
        with pytest.raises(
            UnknownPackageError, match=r"flask@3\.0\.0.*pypi/flask@2\.2\.5, pypi/flask@3\.1\.3"
        ) as error:
            call()
        assert "webrag packages add pypi/flask@3.0.0 --download" in error.value.hint


def test_a_missing_package_is_an_error_with_similar_names(corpus: Corpus, both: tuple[int, int]) -> None:
    with pytest.raises(UnknownPackageError, match="does not contain the documentation of flsk") as error:
        corpus.packages.find(name_of("flsk"))
    assert "Similar names: flask" in error.value.hint


def test_ambiguous_names_are_errors(corpus: Corpus, both: tuple[int, int]) -> None:
    corpus.packages.keep_project("/home/ann/one", [(OLD, True)])
    corpus.packages.keep_project("/home/ann/two", [(NEW, True)])
    with pytest.raises(UnknownPackageError, match=r"flask can mean pypi/flask@2\.2\.5, pypi/flask@3\.1\.3"):
        corpus.packages.find(name_of("flask"))
    put(corpus, Package("npm", "redis", "5.0.0"), "docs/a")
    put(corpus, Package("pypi", "redis", "6.0.0"), "docs/a")
    with pytest.raises(UnknownPackageError, match="redis can mean"):
        corpus.packages.find(name_of("redis"))
    assert corpus.packages.find(name_of("npm:redis"))[1].version == "5.0.0"


def test_names_with_a_scope(corpus: Corpus) -> None:
    number = put(corpus, REACT, "docs/a")
    assert corpus.packages.find(name_of("@tanstack/react-query@5.108.4")) == (number, REACT)
    (row,) = corpus.documents.summaries(limit=5)
    assert row.doc_tag == "@tanstack+react-query@5.108.4/docs"
    embed(corpus, [passage.chunk_id for passage in corpus.vectors.waiting(100)])
    assert found(corpus, Filter(doc_tags=(("@tanstack+react-query@5.108.4",),)))


def test_a_package_goes_with_its_pages(corpus: Corpus, both: tuple[int, int]) -> None:
    assert corpus.packages.remove(both[0])
    assert found(corpus) == {"pypi/flask@2.2.5/docs/quickstart"}
    assert [each.package for each in corpus.packages.all()] == [OLD]
    assert [each.name for each in corpus.docsets.all() if each.package_id] == ["flask@2.2.5"]
    assert not corpus.packages.remove(both[0])


CLIENT: Final = [
    Symbol("httpx.Client", "class", "class Client(BaseClient)", leads_to=("httpx._client.BaseClient",)),
    Symbol("httpx.AsyncClient", "class", leads_to=("httpx._client.BaseClient", "abc.ABC")),
    Symbol("httpx._client.AsyncClient", ALIAS, leads_to=("httpx.AsyncClient",)),
    Symbol("httpx._client.BaseClient", "class", leads_to=("httpx.Client",)),
    Symbol("httpx._client.BaseClient.build_request", "method", "def build_request(self)", "Build a request."),
    Symbol("httpx.AsyncClient.stream", "method", "async def stream(self)", "Stream.", "httpx/_client.py", 1542),
    Symbol("httpx.Client.stream", "method"),
    Symbol("httpx.stream", "function"),
    Symbol("httpx.Text", ALIAS, leads_to=("typing.Text",)),
    Symbol("std::vector", "class", page=f"{NEW.address}docs/vector#top"),
]


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("httpx.AsyncClient.stream", ["httpx.AsyncClient.stream"]),
        ("httpx._client.AsyncClient.stream()", ["httpx.AsyncClient.stream"]),
        ("AsyncClient.stream", ["httpx.AsyncClient.stream"]),
        ("Client#build_request", ["httpx.Client.build_request"]),
        ("_client.AsyncClient.build_request", ["httpx.AsyncClient.build_request"]),
        ("asyncclient.STREAM", ["httpx.AsyncClient.stream"]),
        ("AsyncClient", ["httpx.AsyncClient"]),
        ("stream", ["httpx.stream", "httpx.AsyncClient.stream", "httpx.Client.stream"]),
        ("vector", ["std::vector"]),
        ("std.vector", ["std::vector"]),
        ("Text", ["httpx.Text"]),
        ("Client.nothing", []),
        ("", []),
        (".".join("a" * 100), []),
        ("stream" * 30_000, []),
    ],
)
def test_a_symbol_is_found_by_its_name_or_the_end_of_it(corpus: Corpus, name: str, names: list[str]) -> None:
    corpus.packages.put_symbols(put(corpus, NEW), CLIENT)
    found = corpus.packages.find_symbols(name)
    assert [symbol.name for _, symbol in found.found] == names
    assert found.count == len(names)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("AsyncClient.sream", "httpx.AsyncClient.stream"),
        ("AsyncClient.bild_request", "httpx.AsyncClient.build_request"),
        ("AsynClient.stream", "httpx.AsyncClient.stream"),
        ("sream", "httpx.stream"),
        ("httpx.asyncclinet", "httpx.AsyncClient"),
        ("vectro", "std::vector"),
    ],
)
def test_a_missing_symbol_has_similar_names(corpus: Corpus, name: str, nearest: str) -> None:
    corpus.packages.put_symbols(put(corpus, NEW), CLIENT)
    found = corpus.packages.find_symbols(name)
    assert found.found == ()
    assert nearest in found.nearest
    assert len(found.nearest) <= 3


def test_members_come_from_the_current_version_of_another_package(corpus: Corpus, both: tuple[int, int]) -> None:
    corpus.packages.put_symbols(
        both[0],
        [
            Symbol("flask.Request", "class", leads_to=("werkzeug.Request",)),
            Symbol("flask.abort", ALIAS, leads_to=("werkzeug.abort",)),
        ],
    )
    assert corpus.packages.find_symbols("flask.Request.args").outside == ("werkzeug.Request",)
    for version in ("2.3.8", "3.1.3"):
        number = put(corpus, Package("pypi", "werkzeug", version))
        names = ("werkzeug.Request", "werkzeug.Request.args", "werkzeug.abort")
        corpus.packages.put_symbols(number, [Symbol(name, "class", version) for name in names])
    for name in ("flask.Request.args", "flask.abort"):
        ((package, symbol),) = corpus.packages.find_symbols(name, both[0]).found
        assert package.shown == "werkzeug 3.1.3" and symbol.signature == "3.1.3"


def test_symbols_are_of_one_version(corpus: Corpus, both: tuple[int, int]) -> None:
    for number, version in zip(both, ("3", "2"), strict=True):
        corpus.packages.put_symbols(number, [Symbol("flask.Flask", "class", f"class Flask{version}")])
    assert corpus.packages.find_symbols("Flask").found == ((NEW, Symbol("flask.Flask", "class", "class Flask3")),)
    assert corpus.packages.find_symbols("Flask", both[1]).found[0][0] == OLD
    corpus.packages.put_symbols(both[1], [])
    assert corpus.packages.find_symbols("flask.Flask", both[1]).found == ()
    corpus.packages.remove(both[0])
    assert corpus.packages.find_symbols("flask.Flask").found == ()


def test_versions_are_ordered() -> None:
    versions = ["1.0rc1", "1.0", "1.0.1", "1.2", "1.10", "v2.0", "10.0"]
    assert sorted(set(versions), key=version_key) == versions


@pytest.mark.parametrize(
    "question", ["what changed in 3.1", "Is X deprecated?", "when was this removed", "migrating to flask 3"]
)
def test_questions_about_changes(question: str) -> None:
    assert asks_about_changes(question)
    assert not asks_about_changes("how do I stream a response")


def test_an_older_file_gets_packages(path: Path) -> None:
    path.parent.mkdir(parents=True)
    at = [each.__name__ for each in migrations.MIGRATIONS].index("packages_kept")
    with closing(apsw.Connection(str(path))) as con:
        migrations.migrate(con, path, migrations.MIGRATIONS[:at])
        con.execute("INSERT INTO docsets(folder_id, version, revision, built_at, note) VALUES(NULL, '1.0', 1, 0.0, '')")
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL)) as opened:
        put(opened, NEW)
        assert [each.name for each in opened.docsets.all()] == ["guide", "flask@3.1.3"]
        assert opened.verify() == []


def test_salvage_keeps_packages(corpus: Corpus, both: tuple[int, int], tmp_path: Path) -> None:
    corpus.packages.keep_project("/home/ann/app", [(OLD, True)])
    corpus.packages.put_symbols(both[1], [Symbol("flask.Flask", "class", line=3)])
    copy = tmp_path / "copy.db"
    corpus.backup(copy)
    salvage(copy, tmp_path / "new.db")
    with closing(Corpus.open(tmp_path / "new.db", dimension=DIMENSION, model=MODEL)) as opened:
        assert {each.package: each.pages for each in opened.packages.all()} == {OLD: 2, NEW: 2}
        assert [each.root for each in opened.packages.projects()] == ["/home/ann/app"]
        assert opened.packages.find_symbols("Flask").found == ((OLD, Symbol("flask.Flask", "class", line=3)),)


def test_token_vectors_of_packages_take_a_quarter_of_the_space(corpus: Corpus) -> None:
    put(corpus, NEW)
    page = corpus.documents.store(document("https://example.org/guide", ["A guide."]))
    waiting = [each.chunk_id for each in corpus.vectors.waiting(100)]
    full = np.arange(5 * 8, dtype=np.uint8).reshape(5, 8)
    corpus.vectors.store([EmbeddingIn(each, unit_vectors(1)[0], full) for each in waiting])
    signs = {each.chunk_id: each.token_bits for each in corpus.vectors.token_vectors(waiting)}
    of_page = page.new_chunk_ids[0]
    assert signs.pop(of_page).tolist() == full.tolist()
    kept = np.unpackbits(full, axis=1)[:, ::4]
    assert signs and all((np.unpackbits(each, axis=1) == kept).all() for each in signs.values())
    assert corpus.verify() == []


def test_thinned_rows_of_an_earlier_version_are_read(corpus: Corpus) -> None:
    put(corpus, NEW, "docs/quickstart")
    (waiting,) = corpus.vectors.waiting(9)
    embed(corpus, [waiting.chunk_id])
    with corpus._database.write() as con:
        con.execute("UPDATE chunks SET tokens = 1")
        con.execute("DELETE FROM token_rows")
        con.execute("INSERT INTO token_vectors VALUES(?, ?)", (waiting.chunk_id, bytes(5 * DIMENSION // 32)))
    (signs,) = corpus.vectors.token_vectors([waiting.chunk_id])
    assert signs.token_bits.shape == (5, DIMENSION // 32)
