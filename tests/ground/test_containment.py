from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.containment import contained, is_inside
from app.errors import FileAccessError
from app.ingest.files import file_path, file_url

PARTS = st.sampled_from(
    [
        *(
            "..",
            ".",
            "",
            "a",
            "b.md",
            "sub",
            "out",
            "C:",
            "c:x",
            "\\",
            "..\\..",
            "\\\\host\\share",
            "//host/share",
            "/etc",
        ),
        *(
            "nul",
            "CON.md",
            "Lpt1.txt",
            "com¹",
            "x.md::$DATA",
            "x.md:stream",
            "x.",
            "x ",
            "\x00",
            "~",
            "%2e%2e",
            "\ud800",
            "x?",
            "*",
        ),
    ]
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("contained")
    folder = base / "folder"
    (folder / "sub").mkdir(parents=True)
    (base / "secret.md").write_text("secret")
    (folder / "b.md").write_text("b")
    (folder / "out").symlink_to(base)
    (folder / "in").symlink_to(folder / "sub")
    return folder


@pytest.mark.parametrize(
    "relative",
    [
        *("", ".", "..", "../secret.md", "sub/../../secret.md", "/etc/passwd", "sub//b.md", "sub/", "./b.md"),
        *(
            "C:/x.md",
            "c:x.md",
            "..\\secret.md",
            "sub\\b.md",
            "\\\\host\\share\\x.md",
            "//host/share/x.md",
            "\\\\?\\C:\\x",
        ),
        *(
            "b.md::$DATA",
            "b.md:hidden",
            "NUL",
            "con.md",
            "sub/AUX",
            "lpt9.txt",
            "COM0",
            "conin$",
            "b.md.",
            "b.md ",
            "a\x00b",
            "a\nb",
            "a\x7f",
        ),
        *("out/secret.md", "out", "b?.md", "*.md", "a" * 5000, "\ud800.md"),
    ],
)
def test_paths_that_may_lead_out_are_refused_on_every_system(root: Path, relative: str) -> None:
    with pytest.raises(FileAccessError):
        contained(root, relative)


@pytest.mark.parametrize(
    "relative", ["b.md", "sub/new.md", "deep/er/ünïcode name.md", "in/x.md", "console.md", "a..b.md", ".hidden"]
)
def test_plain_paths_lead_into_the_folder(root: Path, relative: str) -> None:
    path = contained(root, relative)
    assert is_inside(root.resolve(), path) and path.name == relative.rsplit("/", 1)[-1]


def test_a_link_inside_is_followed_inside(root: Path) -> None:
    assert contained(root, "in/x.md") == (root / "sub" / "x.md").resolve()


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=30), st.lists(PARTS, max_size=5).map("/".join)))
def test_any_name_is_refused_or_stays_inside(root: Path, relative: str) -> None:
    try:
        path = contained(root, relative)
    except FileAccessError:
        return
    assert is_inside(root.resolve(), path.resolve())
    assert "\\" not in relative and ":" not in relative and not relative.startswith("/")


@pytest.mark.skipif(os.name != "posix", reason="paths of POSIX systems")
@given(
    st.lists(st.text(st.characters(blacklist_characters="/\x00", blacklist_categories=["Cs"]), min_size=1), min_size=1)
)
def test_addresses_of_files_lead_back_to_them(parts: list[str]) -> None:
    path = Path("/", *(part for part in parts if part not in (".", "..")))
    assert file_path(file_url(path)) == path


@pytest.mark.skipif(os.name != "posix", reason="paths of POSIX systems")
def test_names_that_are_not_text_have_addresses_too() -> None:
    path = Path("/notes", b"caf\xe9 #1?.md".decode("utf-8", "surrogateescape"))
    assert file_path(file_url(path)) == path


def test_only_file_addresses_name_files() -> None:
    with pytest.raises(FileAccessError):
        file_path("https://example.org/etc/passwd")
