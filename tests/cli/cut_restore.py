"""Restore a backup repeatedly, each time killed one step later, and print the corpus after each attempt.

The steps are Python's file operations. Arguments: the data directory to copy and the backup.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

from app.corpus import Corpus
from app.corpus.restore import prepare, swap

STEPS = ("os.rename", "os.remove", "shutil.copyfile", "open")
MOST_STEPS = 100


def main() -> None:
    template, backup = map(Path, sys.argv[1:])
    for last in range(1, MOST_STEPS):
        data = template.with_name(f"cut-{last}")
        shutil.copytree(template, data)
        child = os.fork()
        if child == 0:
            _restore_until(last, backup, data)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(f"{status} {' '.join(_addresses(data / 'corpus.db'))}\n")
        sys.stdout.flush()
        if status == 0:
            return


def _restore_until(last: int, backup: Path, data: Path) -> None:
    left = last

    def cut(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in STEPS and str(data) in str(arguments):
            left -= 1
            if left == 0:
                os._exit(9)

    sys.addaudithook(cut)
    # The name of the kept copy contains the time in seconds.
    time.strftime = lambda *_: "now"
    swap(prepare(backup, data / "corpus.db"), data / "corpus.db")
    os._exit(0)


def _addresses(path: Path) -> list[str]:
    corpus = Corpus.open(path, dimension=384, model="m")
    try:
        assert corpus.verify() == []
        return sorted(row.url.rpartition("/")[2] for row in corpus.documents.summaries(limit=10))
    finally:
        corpus.close()


if __name__ == "__main__":
    main()
