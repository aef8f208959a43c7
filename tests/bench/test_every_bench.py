"""Every benchmark runs at its smallest size and prints its measurements, for readers and for programs."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from support.made_sites import write_linked_site
from support.report import Report
from tests.conftest import in_own_home
from tests.extension.chromium import program as find_browser
from tests.extract.pdf_maker import column, make_pdf
from tests.support.postgres import is_available

pytestmark = pytest.mark.real

BENCH: Final = Path(__file__).resolve().parents[2] / "bench"
SECONDS: Final = 240
ANSWER: Final = "The valve is inspected every"
COMMANDS: Final[dict[str, str]] = {
    "ablation": "--sites {data}/sites --questions {data}/questions.jsonl --variants full",
    "answers": "--sites {data}/sites --questions {data}/questions.jsonl --no-baselines",
    "backlog": "--sites {data}/sites --questions {data}/questions.jsonl --shares 0",
    "bridge": "--repeat 1 --bridges 2",
    "calibration": "--sites {data}/sites --questions {data}/questions.jsonl",
    "docs": "--folder {data}/docs --queries {data}/queries.jsonl",
    "embedding": "--pairs {data}/pairs",
    "embedding --signs": "--pairs {data}/pairs --sites {data}/sites --questions {data}/questions.jsonl",
    "evidence": "--sites {data}/sites --questions {data}/questions.jsonl",
    "extraction": "--pack {data}/pack.tar",
    "formats": "--small --offline --cache {data}/formats",
    "graph": "--site {data}/sites/works --repeat 1",
    "hops": "--quiet 0.05",
    "ingest": "--sites {data}/sites",
    "latency": "--pages 2 --repeat 1 --linked 2",
    "library": "--pages 40 --texts 1",
    "load": "--clients 3 --minutes 0.05 --pages 1",
    "question_set": "check --cache {data}",
    "page_scores": "--sites {data}/sites --questions {data}/questions.jsonl",
    "pdf": "--folder {data}/docs --left-out",
    "peers": "--sites {data}/sites --questions {data}/questions.jsonl --cache {data}/cache --peers agents-docs",
    "project_packages": "--mutations 200",
    "properties": "--examples 1 tests/text/test_terms.py",
    "shield": "--sites {data}/sites",
    "store": "--chunks 200 --queries 3",
    "soak": "--clients 2 --minutes 0.05",
    "stores": "--pairs {data}/pairs",
    "structure": "--sites {data}/sites --pages 2",
    "symbols": "--packages iniconfig pluggy --names 20",
    "tables": "--tables 200",
    "team": "--chunks 40 --nodes 1 --askers 1 --asked 1",
    "two_models": "--sites {data}/sites --questions {data}/questions.jsonl --embeddings {data}/passages.db",
    "two_models --program": "--sites {data}/sites --questions {data}/questions.jsonl --embeddings {data}/passages.db",
    "unspaced": "",
    "upgrade": "--versions before-packing --pages 1 --copies 1 --kills 1",
    "wake_up": "--repeat 1 --passages 2",
    "whole_library": "--sites {data}/sites --questions {data}/questions.jsonl --embeddings {data}/passages.db",
    "window": "--pages 2 --idle 1 --questions 1",
}
"""Smallest run of each benchmark, some in two ways. `data` is a folder of tiny data."""
ALONE: Final = {
    "bridge",
    "formats",
    "hops",
    "latency",
    "library",
    "load",
    "peers",
    "properties",
    "soak",
    "tables",
    "team",
    "upgrade",
    "wake_up",
    "window",
}
"""These start programs or measure their own process, so each runs in a new process."""
NOT_INSTALLED: Final = 75
NEEDS: Final = {"peers": "the registry of Python packages", "upgrade": "the history of this repository"}
"""What some need; without it, they exit with NOT_INSTALLED."""
TRIED: Final = {name.partition(" ")[0] for name in COMMANDS}
PRINTS_ITS_OWN: Final = {"extraction", "project_packages", "properties"}
"""Not a table: reports with other columns per set or a sentence, and the output of pytest."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site of three pages, questions, notes, pairs of questions and passages, and a pack with one page."""
    folder = tmp_path_factory.mktemp("data")
    site = folder / "sites" / "works"
    for each in (site, folder / "docs", folder / "pairs"):
        each.mkdir(parents=True)
    made = write_linked_site(site, 7, [2, 2])
    asked = {"id": "q", "site": "works", "seed_path": made.path, "question": made.question}
    write_lines(folder / "questions.jsonl", {**asked, "gold": "is inspected every", "hops": 1, "form": "literal"})
    (folder / "docs" / "valve.md").write_text(f"# The valve\n\n## Care\n\n{ANSWER} five weeks.\n", encoding="utf-8")
    (folder / "docs" / "valve.pdf").write_bytes(make_pdf([column(f"{ANSWER} five weeks.")]))
    write_lines(folder / "queries.jsonl", {"query": "How is the valve inspected?", "path": "valve.md"})
    write_lines(folder / "pairs" / "passages.jsonl", {"id": "p", "text": f"{ANSWER} five weeks."})
    write_lines(folder / "pairs" / "questions.jsonl", {"question": "When is it inspected?", "passage_id": "p"})
    page = (site / "manual0.html").read_bytes()
    truth = {"p": {"set": "works", "type": "manual", "url": "https://a.example/p", "truth": f"{ANSWER} five weeks."}}
    with tarfile.open(folder / "pack.tar", "w") as pack:
        for name, content in (("truth.json", json.dumps(truth).encode()), ("pages/p.html", page)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            pack.addfile(member, io.BytesIO(content))
    return folder


def run_alone(command: list[str]) -> tuple[int, str]:
    """Return the exit status and the output."""
    run = subprocess.run(
        [sys.executable, *command],
        cwd=BENCH.parent,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return run.returncode, run.stdout


class Benches:
    """A process that has imported the application and forks for each bench, because the imports cost more than most benches."""

    def __init__(self, folder: Path) -> None:
        self._output = folder / "output"
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forked.py"))],
            cwd=BENCH.parent,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, command: list[str]) -> tuple[int, str]:
        """Return the exit status and the output."""
        assert self.process.stdin is not None and self.process.stdout is not None
        task = {"command": command, "output": str(self._output), "seconds": SECONDS}
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline()), self._output.read_text("utf-8")


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Benches]:
    home = tmp_path_factory.mktemp("benches")
    with in_own_home(home):
        started = Benches(home)
    yield started
    started.process.communicate()


def write_lines(file: Path, *rows: dict[str, object]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_every_bench_is_tried() -> None:
    """Either here, or by a test that imports it or names its file."""
    texts = [file.read_text("utf-8") for file in (BENCH.parent / "tests").rglob("test_*.py")]
    others = {file.stem for file in BENCH.glob("*.py")} - TRIED
    named = r"^(?:from|import) {0}\b|\b{0}\.py\b|[\"']{0}[\"']"
    untried = [name for name in others if not any(re.search(named.format(name), text, re.MULTILINE) for text in texts)]
    assert not untried
    assert {file.stem for file in BENCH.glob("*.py")} >= TRIED


@pytest.mark.real
@pytest.mark.parametrize("name", COMMANDS)
def test_a_bench_prints_rows_of_figures(name: str, data: Path, benches: Benches) -> None:
    program, *mode = name.split()
    if program == "team" and not is_available():
        pytest.skip("no PostgreSQL server is installed")
    if program == "tables" and not find_browser():
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    arguments = [*mode, *COMMANDS[name].format(data=data).split()]
    command = [str(BENCH / f"{program}.py"), *arguments]
    status, printed = run_alone(command) if program in ALONE else benches.run(command)
    if program in NEEDS and status == NOT_INSTALLED:
        pytest.skip(f"{NEEDS[program]} is not available")
    assert status == 0, printed
    if name not in PRINTS_ITS_OWN:
        assert "\n|---|" in printed, printed


def test_rows_are_printed_as_they_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("Things", as_json=False)
    report.add({"what": "first", "ms": 1.25})
    assert capsys.readouterr().out == "\nThings\n\n| what | ms |\n|---|---|\n| first | 1.2 |\n"
    report.add({"what": "second"})
    report.add({"what": "third", "goal": "≤ 2"})
    assert capsys.readouterr().out == "| second |  |\n\n| what | goal |\n|---|---|\n| third | ≤ 2 |\n"


def test_as_json_a_report_is_one_object_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("Things", as_json=True)
    report.add({"what": "first", "ms": 1.25})
    assert capsys.readouterr().out == ""
    report.end()
    assert json.loads(capsys.readouterr().out) == {"title": "Things", "rows": [{"what": "first", "ms": 1.25}]}


def test_a_file_takes_the_rows_besides_as_they_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "things.json"
    monkeypatch.setattr(sys, "argv", ["/x/things.py", "--folder", "/tmp/made/here", "--json", str(file), "--fast"])
    first, second = Report("Things", as_json=file), Report("More", as_json=file)
    first.add({"what": "first", "ms": 1.25})
    assert "| first | 1.2 |" in capsys.readouterr().out
    run = json.loads(file.read_text("utf-8"))
    assert run["command"] == "bench/things.py --folder here --fast"
    assert "cores" in run["machine"]
    second.add({"what": "second"})
    reports = json.loads(file.read_text("utf-8"))["reports"]
    assert [each["rows"] for each in reports] == [[{"what": "first", "ms": 1.25}], [{"what": "second"}]]
