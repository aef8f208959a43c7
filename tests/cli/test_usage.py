"""The token ledger on the command line, with a separate corpus."""

from __future__ import annotations

import csv
import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from app.cli.care import NOTHING
from app.cli.parser import run
from app.corpus import Corpus
from app.paths import corpus_file
from tests.corpus.builders import call


@pytest.fixture
def data_dir(tmp_path: Path, own_home: Path) -> Path:
    with closing(Corpus.open(corpus_file(tmp_path), dimension=8, model="none")) as corpus:
        for client, tokens in (("claude", 700), ("", 50)):
            corpus.activity.add(call(started_at=time.time(), client=client, tokens=tokens))
    return tmp_path


def test_sums_are_shown_written_and_erased(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["usage", "--data-dir", str(data_dir)]
    assert run([*arguments, "--csv", str(data_dir / "usage.csv")]) == 0
    with (data_dir / "usage.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["assistant"], row["tokens returned"]) for row in rows] == [("claude", "700"), ("", "50")]
    capsys.readouterr()
    assert run(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split() == ["total", "2", "0", "750", "0"]
    assert run([*arguments, "--erase"]) == 0
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(arguments) == 0
    assert NOTHING in capsys.readouterr().out
