"""A process that works on a job forever and reports each page: `python -m tests.corpus.job_worker PATH`."""

from __future__ import annotations

import sys
from pathlib import Path

from app.corpus import Corpus
from app.library.job_records import ItemState, JobItem, JobKind
from tests.corpus.builders import DIMENSION, MODEL, document

START = "https://example.org/1"
LINKS = 2


def linked(url: str) -> list[str]:
    """Return the addresses that this page links to; no two pages link to the same one."""
    base, number = url.rsplit("/", 1)
    return [f"{base}/{int(number) * LINKS + place}" for place in range(LINKS)]


def main(path: str) -> None:
    corpus = Corpus.open(Path(path), dimension=DIMENSION, model=MODEL)
    jobs = corpus.jobs.recent(1)
    job = jobs[0] if jobs else corpus.jobs.add(JobKind.CRAWL, START, "{}")
    corpus.jobs.add_items(job.id, [JobItem(START, 0)])
    while True:
        [item] = corpus.jobs.next_items(job.id, 1)
        corpus.documents.store(document(item.url, [f"page {item.url}", "a second paragraph"]))
        found = [JobItem(url, item.depth + 1) for url in linked(item.url)]
        corpus.jobs.finish_item(job.id, item.url, ItemState.STORED, found=found)
        sys.stdout.write("finished\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
