"""`webrag extract` through the real program: a file, a page, and what cannot be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.extract.pdf_maker import column, make_pdf
from tests.support.site import Site

ROOT = Path(__file__).resolve().parents[2]
PAGE = (
    "<html lang='en'><head><title>Bread</title><meta name='robots' content='nofollow'></head><body><nav><a href='/menu'>Menu</a></nav>"
    "<main><h1 id='top'>Bread</h1><p>Bake <a href='/oven'>hot</a>.</p></main></body></html>"
)


def program(*arguments: str, data_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", "extract", *arguments, "--data-dir", str(data_dir)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
    )


def test_a_page_of_the_web_is_printed_and_described(tmp_path: Path) -> None:
    with Site() as site:
        site.page("/bread", PAGE)
        allowed = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}
        shown = program(site.url("/bread"), data_dir=tmp_path, **allowed)
        assert shown.stdout == f"# Bread\n\nBake [hot]({site.url('/oven')}).\n"
        described = program(site.url("/bread"), "--json", data_dir=tmp_path, **allowed)
        denied = program(site.url("/bread"), data_dir=tmp_path)
    result: dict[str, Any] = json.loads(described.stdout)
    assert (result["title"], result["language"], result["text"]) == ("Bread", "en", "# Bread\n\nBake hot.")
    assert result["sections"][0] == {"level": 1, "heading": "Bread", "anchor": "top", "start": 0, "end": 18}
    assert (result["robots"], result["navigation_links"]) == ({"noindex": False, "nofollow": True, "header": ""}, 1)
    assert (result["content_type"], result["bytes"]) == ("text/html", len(PAGE))
    assert set(result["milliseconds"]) == {"read", "extract"}
    assert (denied.returncode, denied.stdout) == (1, "")
    assert "error: 127.0.0.1 is blocked" in denied.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_is_read_without_the_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "the book.pdf"
    file.write_bytes(make_pdf([column("first page"), column("second page")], title="A Book"))
    assert main(["extract", str(file), "--json", "--data-dir", str(tmp_path / "data")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["url"], result["title"]) == (file.as_uri(), "A Book")
    assert [section["anchor"] for section in result["sections"]] == ["page=1", "page=2"]


def test_errors_are_those_of_the_other_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--data-dir", str(tmp_path)]
    assert main(["extract", str(tmp_path / "none.md"), *option]) == 1
    assert "There is no file" in capsys.readouterr().err
    empty = tmp_path / "empty.html"
    empty.write_text("<html><body></body></html>")
    assert main(["extract", str(empty), "--json", *option]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["title"]) == ("BACKEND_UNAVAILABLE", "No readable text on this page")
    assert main(["extract", "ftp://h.example/x", *option]) == 1
    assert "http" in capsys.readouterr().err
