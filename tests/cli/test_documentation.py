"""`webrag folder rename` and `webrag export-docs` with the real program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from tests.docsets.folders import PAGES, write


def test_a_folder_is_renamed_and_its_index_exported(
    tmp_path: Path, guided: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, data = write(tmp_path / "docs", PAGES), ["--data-dir", str(guided)]
    assert main(["folder", "add", str(folder), *data]) == 0
    assert main(["folder", "rename", str(folder), "pump", *data]) == 0
    capsys.readouterr()
    assert main(["folder", "list", *data]) == 0
    assert "pump" in capsys.readouterr().out
    target = tmp_path / "search-index.json"
    assert main(["export-docs", "pump", str(target), *data]) == 0
    assert set(json.loads(target.read_text())["index"]) == set(PAGES)
    assert main(["export-docs", "nothing", str(target), *data]) == 1
    assert main(["folder", "rename", str(folder), "guide", *data]) == 1
    assert main(["folder", "rename", str(folder), *data]) == 1
    assert "is reserved" in capsys.readouterr().err
