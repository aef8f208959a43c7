"""Folders are read without what `.gitignore` files name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from app.ingest.files import file_path
from app.ingest.folders.scan import MAX_RULE_CHARS, is_below_ignored, is_taken, scan_folder


def make(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    ("rules", "path", "ignored"),
    [
        ("*.log.md", "deep/a.log.md", True),
        ("build/", "sub/build/a.md", True),
        ("build/", "build", False),
        ("/build", "sub/build/a.md", False),
        ("/build", "build/a.md", True),
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/sub/a.md", False),
        ("**/gen/*.md", "x/y/gen/a.md", True),
        ("**/gen/*.md", "gen/a.md", True),
        ("a/**/z.md", "a/z.md", True),
        ("a/**/z.md", "a/b/c/z.md", True),
        ("out/**", "out/a.md", True),
        ("*.md\n!keep.md", "keep.md", False),
        ("*.md\n!keep.md", "other.md", True),
        ("# *.md\n\n   ", "a.md", False),
        ("\\#a.md", "#a.md", True),
        ("a?c.md", "abc.md", True),
        ("\ufeff*.md", "a.md", True),
        ("[ab].md", "b.md", True),
        ("*" * 30, "a.md", False),
        ("a" * (MAX_RULE_CHARS + 1), "a" * 100, False),
    ],
)
def test_rules_follow_git(rules: str, path: str, ignored: bool, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(rules, "utf-8")
    assert is_below_ignored(tmp_path, tmp_path / path) is ignored


def test_the_rules_of_an_inner_folder_come_first(tmp_path: Path) -> None:
    make(
        tmp_path,
        _DOT_gitignore="*.md\n",
        sub___DOT_gitignore="!a.md\n",
        sub__a_DOT_md="x",
        sub__b_DOT_md="x",
        c_DOT_txt="x",
    )
    scan = scan_folder(tmp_path)
    assert {file_path(url).relative_to(tmp_path).as_posix() for url in scan.files} == {"sub/a.md", "c.txt"}
    assert scan.left_out == "1 file skipped: 1 entry ignored by .gitignore."
    assert is_taken(tmp_path, tmp_path / "sub" / "a.md") and not is_taken(tmp_path, tmp_path / "sub" / "b.md")


def test_an_ignored_folder_is_not_walked(tmp_path: Path) -> None:
    make(tmp_path, _DOT_gitignore="out\n", out__a_DOT_md="x", out__b_DOT_md="x", c_DOT_md="x")
    scan = scan_folder(tmp_path)
    assert [file_path(url).name for url in scan.files] == ["c.md"]
    assert scan.others == {"ignored": 1}


def test_a_name_that_no_rule_matches_is_not_compared_with_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [f"*.ext{number}" if number % 2 else f"/out{number}/*.o" for number in range(500)]
    make(tmp_path, _DOT_gitignore="\n".join(rules), a_DOT_ext7="x", **{f"sub__{n}_DOT_md": "x" for n in range(20)})
    compared = list[str]()

    def counting(name: str, pattern: str) -> bool:
        compared.append(pattern)
        return fnmatchcase(name, pattern)

    monkeypatch.setattr("app.ingest.folders.scan.fnmatchcase", counting)
    scan = scan_folder(tmp_path)
    assert len(scan.files) == 20 and scan.others == {"ignored": 1}
    assert len(compared) < len(rules), "each of 21 files would be compared with 250 rules or more"
