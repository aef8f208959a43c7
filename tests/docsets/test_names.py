"""Pages by name: with and without their folder, and never outside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.docsets.pages import DocsError
from app.docsets.service import Docs
from tests.docsets.folders import PAGES, docs_of, fits, names, write

OTHER = {"index.md": "# Other\n", "api/ends.md": "# Ends\n"}


@pytest.fixture
def two(corpus: Corpus, tmp_path: Path, folder: Path) -> Docs:
    return docs_of(corpus, tmp_path, folder, write(tmp_path.resolve() / "other", OTHER))


def called(docs: Docs, name: str) -> str:
    return docs.page(name, None, fits).name


def test_pages_of_the_only_folder_are_named_by_their_paths(docs: Docs) -> None:
    assert names(docs) == ["guide/01-welcome.md", "index.md", "faq.md", "guide/clean.md", "guide/install.md"]
    assert [called(docs, name) for name in names(docs)] == names(docs)
    assert called(docs, "pump/faq.md") == called(docs, "FAQ.md") == called(docs, "faq") == "faq.md"
    assert called(docs, "01-welcome.md") == "guide/01-welcome.md"


def test_with_several_folders_the_name_of_the_folder_comes_first(two: Docs) -> None:
    assert names(two)[:3] == ["guide/01-welcome.md", "other/index.md", "other/api/ends.md"]
    assert [called(two, name) for name in names(two)] == names(two)
    assert called(two, "api/ends.md") == "other/api/ends.md"
    assert [hit.name for hit in two.search("wrench").hits] == ["pump/faq.md", "pump/guide/install.md"]
    with pytest.raises(DocsError, match=r"Several folders have a page index\.md") as raised:
        called(two, "index.md")
    assert raised.value.choices == ("other/index.md", "pump/index.md")


def test_a_renamed_folder_gives_its_pages_new_names(two: Docs, corpus: Corpus) -> None:
    names(two)
    corpus.folders.rename(corpus.folders.all()[0].id, "handbook")
    assert "handbook/index.md" in names(two)
    with pytest.raises(DocsError):
        called(two, f"{Path(corpus.folders.all()[0].path).name}/index.md")


def test_an_unknown_page_names_similar_ones(docs: Docs) -> None:
    with pytest.raises(DocsError, match=r"no documentation page help/install\.md") as raised:
        called(docs, "help/install.md")
    assert raised.value.choices == ("guide/install.md",)
    assert raised.value.details == {"path": "help/install.md"}


ESCAPES = [
    *(
        "../secret.md",
        "guide/../../secret.md",
        "..",
        ".",
        "guide/./install.md",
        "/etc/passwd",
        "/",
        "//server/share/x.md",
    ),
    *("C:/secret.md", "C:secret.md", "\\\\server\\share\\x.md", "..\\secret.md", "guide\\install.md", "faq.md:stream"),
    *(
        "faq.md::$DATA",
        "faq.md\0.txt",
        "con.md",
        "guide//install.md",
        "file:///etc/passwd",
        "~/secret.md/..",
        "faq.md/",
    ),
    *(
        "%2e%2e/secret.md",
        "..%2fsecret.md",
        "%2e%2e%2fsecret.md",
        "....//secret.md",
        "link.md",
        "linked/secret.md",
        "faq.md .",
    ),
]


@pytest.fixture
def guarded(docs: Docs, folder: Path, tmp_path: Path) -> Docs:
    """A folder with links to a page outside that must not be read."""
    outside = write(tmp_path, {"secret.md": "# Secret\n"})
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    return docs


@pytest.mark.parametrize("path", ESCAPES)
def test_nothing_outside_is_read(guarded: Docs, path: str) -> None:
    with pytest.raises(DocsError) as raised:
        guarded.page(path, None, fits)
    assert raised.value.details["path"] in (path, path.strip())


_NAMES = (
    "..",
    ".",
    "",
    "secret",
    "secret.md",
    "link.md",
    "linked",
    "guide",
    "%2e%2e",
    "C:",
    "con",
    "\0",
    " ",
    "…",
    "pump",
)
_PIECES = st.sampled_from(_NAMES)
_JOINTS = st.sampled_from(["/", "//", "\\", "/./", "/../", ":", "%2f"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_PIECES, _JOINTS), min_size=1, max_size=6), _PIECES)
def test_no_spelling_leads_out(guarded: Docs, steps: list[tuple[str, str]], last: str) -> None:
    path = "".join(piece + joint for piece, joint in steps) + last
    try:
        found = guarded.page(path, None, fits)
    except DocsError:
        return
    assert found.text in {text.strip("\n") for text in PAGES.values()} | {"# Welcome to the program\n\nIt keeps pages."}
