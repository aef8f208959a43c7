"""The place of an address: root, tag, and path below the root."""

from __future__ import annotations

import pytest

from app.library.scope import MAX_TAG_FOLDER_CHARS, Place, place_of, tag_named


@pytest.mark.parametrize(
    ("url", "tag", "path"),
    [
        ("https://docs.python.org/3/library/os.html", "docs.python.org/3", "3/library/os.html"),
        ("https://docs.python.org/3/", "docs.python.org/3", "3/"),
        ("https://docs.python.org/about", "docs.python.org", "about"),
        ("https://docs.python.org/", "docs.python.org", ""),
        ("https://Docs.Python.org:443/3/x", "docs.python.org/3", "3/x"),
        ("http://127.0.0.1:8099/site/a.html?page=2", "127.0.0.1:8099/site", "site/a.html"),
        ("https://example.org/%C3%BCber%20uns/team", "example.org/über uns", "über uns/team"),
        ("webrag://guide/welcome", "guide", "welcome"),
        ("file:///home/anna/notes.md", "files", "home/anna/notes.md"),
        (f"https://example.org/{'x' * (MAX_TAG_FOLDER_CHARS + 1)}/a", "example.org", None),
    ],
)
def test_the_tag_is_the_root_and_the_first_folder_below_it(url: str, tag: str, path: str | None) -> None:
    found = place_of(url)
    assert found.tag == tag
    assert path is None or found.path == path


def test_a_file_of_a_folder_has_the_folders_name_as_root() -> None:
    base = "file:///srv/docs%20of%20fastapi"
    assert place_of(f"{base}/index.md", folder_name="fastapi", folder_url=base) == Place("fastapi", "index.md")
    found = place_of(f"{base}/tutorial/first%20steps.md", folder_name="fastapi", folder_url=base)
    assert found == Place("fastapi/tutorial", "tutorial/first steps.md")


def test_an_invalid_address_still_has_a_place() -> None:
    assert place_of("http://[broken/x") == Place("files", "")


@pytest.mark.parametrize("said", ["docs.python.org/3", "https://docs.python.org/3/", " docs.python.org/3/ "])
def test_a_tag_can_be_written_like_an_address(said: str) -> None:
    assert tag_named(said) == "docs.python.org/3"
