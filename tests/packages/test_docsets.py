"""Docsets of Dash, Zeal and doc2dash: identity, pages, names of both kinds of index, archives, and damaged files."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Final

import pytest

from app.errors import FileAccessError
from app.library.packages import NOT_STATED, Symbol, name_of
from app.packages.archives import ArchiveError
from app.packages.docsets import docsets_here, read_docset
from tests.packages.docset_files import PLAIN, make_docset

CORE_DATA: Final = """
CREATE TABLE ZTOKEN(Z_PK INTEGER PRIMARY KEY, ZTOKENNAME TEXT, ZTOKENTYPE INTEGER, ZMETAINFORMATION INTEGER);
CREATE TABLE ZTOKENTYPE(Z_PK INTEGER PRIMARY KEY, ZTYPENAME TEXT);
CREATE TABLE ZTOKENMETAINFORMATION(Z_PK INTEGER PRIMARY KEY, ZFILE INTEGER, ZANCHOR TEXT);
CREATE TABLE ZFILEPATH(Z_PK INTEGER PRIMARY KEY, ZPATH TEXT);
INSERT INTO ZTOKEN VALUES(1, 'alpha.Client', 7, 3);
INSERT INTO ZTOKENTYPE VALUES(7, 'Class');
INSERT INTO ZTOKENMETAINFORMATION VALUES(3, 5, 'alpha.Client');
INSERT INTO ZFILEPATH VALUES(5, 'api.html');
"""


def packed(root: Path) -> Path:
    made = root.with_suffix(".tgz")
    with tarfile.open(made, "w:gz") as tar:
        tar.add(root, root.name)
    return made


@pytest.mark.parametrize("sql", [PLAIN, CORE_DATA])
@pytest.mark.parametrize("is_packed", [False, True])
def test_pages_and_names_of_a_docset_are_read(tmp_path: Path, sql: str, is_packed: bool) -> None:
    root = make_docset(tmp_path, sql=sql, meta={"name": "Alpha", "version": "2.0.1/3"})
    package, found = read_docset(packed(root) if is_packed else root)
    assert (str(package), package.shown) == ("docset/alpha@2.0.1", "alpha 2.0.1")
    assert [(page.path, page.media_type) for page in found.docs] == [
        ("docs/api", "text/html"),
        ("docs/guide/start", "text/html"),
    ]
    assert found.symbols == (Symbol("alpha.Client", "class", page=f"{package.address}docs/api#alpha.Client"),)


def test_a_docset_without_a_version_says_so(tmp_path: Path) -> None:
    package, _ = read_docset(make_docset(tmp_path))
    assert (package.version, package.shown) == (NOT_STATED, "alpha-kit (version not stated)")


def test_a_docset_is_never_stored_as_another_version(tmp_path: Path) -> None:
    root = make_docset(tmp_path, meta={"name": "Alpha", "version": "2.0.1"})
    assert str(read_docset(root, name_of("pypi/alpha@2.0.1"))[0]) == "pypi/alpha@2.0.1"
    assert str(read_docset(root, name_of("pypi/alpha"))[0]) == "pypi/alpha@2.0.1"
    with pytest.raises(FileAccessError, match=r"alpha 2\.0\.1, not 2\.1"):
        read_docset(root, name_of("pypi/alpha@2.1"))
    with pytest.raises(FileAccessError, match="version not stated"):
        read_docset(make_docset(tmp_path / "other"), name_of("alpha@2.1"))


def test_damaged_docsets_are_errors(tmp_path: Path) -> None:
    for folder in ("empty", "index", "none", "text", "slow"):
        (tmp_path / folder).mkdir()
    with pytest.raises(FileAccessError, match="not a docset"):
        read_docset(tmp_path / "empty")
    index = make_docset(tmp_path / "index") / "Contents" / "Resources" / "docSet.dsidx"
    index.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)
    with pytest.raises(FileAccessError, match="index of the docset is damaged"):
        read_docset(tmp_path / "index" / "Alpha.docset")
    with pytest.raises(FileAccessError, match="does not contain pages"):
        read_docset(make_docset(tmp_path / "none", pages={"genindex.html": "x"}))
    (tmp_path / "text" / "Alpha.tgz").write_bytes(b"no archive")
    with pytest.raises(ArchiveError):
        read_docset(tmp_path / "text" / "Alpha.tgz")
    with pytest.raises(FileAccessError, match="index of the docset is damaged"):
        read_docset(make_docset(tmp_path / "slow", sql="CREATE TABLE other(x);"))


def test_a_link_out_of_a_docset_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("secret", "utf-8")
    root = make_docset(tmp_path)
    (root / "Contents" / "Resources" / "Documents" / "link.html").symlink_to(tmp_path / "secret.html")
    _, found = read_docset(root)
    assert not [page for page in found.pages if b"secret" in page.content]


def test_docsets_of_zeal_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    place = tmp_path / "Zeal" / "Zeal" / "docsets"
    place.mkdir(parents=True)
    make_docset(place)
    (place / "Broken.docset").mkdir()
    assert [(each.package.name, Path(each.path).name) for each in docsets_here()] == [("alpha-kit", "Alpha.docset")]
