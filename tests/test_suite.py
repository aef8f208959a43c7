"""The runner of the suite names and forgives a test that fails among others and passes alone, but no other failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

RUNNER = Path(__file__).with_name("suite.py")
CHANCE = """
import os
from pathlib import Path

def test_beside_others():
    seen = Path(__file__).with_name("seen")
    first = not seen.exists()
    seen.touch()
    assert not first

def test_fine():
    pass
"""
ALWAYS = "def test_always():\n    assert False\n"
CRASH = "import os\n\ndef test_crash():\n    os._exit(7)\n"
CRASH_ONCE = CHANCE.replace("assert not first", "first and os._exit(7)").replace("test_beside_others", "test_crash")
COLLECTION = "import nothing_of_that_name\n"
SKIPPED_LATER = CHANCE.replace('"seen"', '"later"').replace(
    "assert not first", "assert not first\n    __import__('pytest').skip('now')"
)
LOST = ("test_1.py::test_always", "test_2.py::test_beside_others", "test_3.py::test_teardown")
TEARDOWN = """
import pytest

@pytest.fixture
def bad():
    yield
    raise RuntimeError

def test_teardown(bad):
    pass
"""


def run(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    for number, text in enumerate(files):
        (folder / f"test_{number}.py").write_text(text, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, str(RUNNER), "--jobs", "2", str(folder)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=250
    )


def test_a_test_that_only_fails_with_others_is_listed_and_does_not_fail_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, CHANCE)
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("failed with others, passed alone:\n  test_0.py::test_beside_others")


def test_finished_files_of_a_crashed_process_do_not_block_the_run(tmp_path: Path) -> None:
    fine = "".join(f"def test_{each}():\n    pass\n" for each in range(3))  # Files with more tests come first.
    done = run(tmp_path, *[fine] * 20, CRASH_ONCE)
    assert done.returncode == 0, done.stdout
    assert "failed with others, passed alone:\n  test_20.py::test_crash" in done.stdout


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ((CHANCE, ALWAYS, SKIPPED_LATER, TEARDOWN), "\n  ".join(("failed twice:", *LOST)) + "\n"),
        ((CHANCE, CRASH), "  test_1.py::test_crash"),
        ((CHANCE, COLLECTION), "(could not be collected)"),
    ],
    ids=["fails again, is skipped the second time, or at its end", "crashes again", "collection"],
)
def test_other_failures_fail_the_run(tmp_path: Path, files: tuple[str, ...], word: str) -> None:
    done = run(tmp_path, *files)
    assert done.returncode != 0, done.stdout
    assert word in done.stdout
