"""Background jobs of the corpus: a killed process, the clock, and a user's collections."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import Label, LabelKind
from app.errors import InvalidArgumentError, UnknownJobError
from app.library.job_records import ItemState, JobItem, JobKind, JobState
from tests.corpus.builders import DIMENSION, MODEL, document
from tests.corpus.job_worker import LINKS, START, linked

ROOT = Path(__file__).resolve().parents[2]
SITE = "https://example.org/"


def pages(*names: str, depth: int = 1) -> list[JobItem]:
    return [JobItem(SITE + name, depth) for name in names]


@pytest.fixture
def job(corpus: Corpus) -> int:
    return corpus.jobs.add(JobKind.CRAWL, SITE, '{"max_pages": 9}').id


def test_killing_the_process_of_a_job_does_not_lose_pages(path: Path) -> None:
    """Every finished page has its document stored and its links added as items."""
    command = [sys.executable, "-m", "tests.corpus.job_worker", str(path)]
    done = 0
    for kill in range(3):
        worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        assert [worker.stdout.readline() for _ in range(1 + kill)] == ["finished\n"] * (1 + kill)
        worker.kill()
        worker.communicate()
        corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
        assert corpus.verify() == []
        [job] = corpus.jobs.recent(9)
        items = {item.url: item for item in corpus.jobs.items(job.id, limit=caps.MAX_JOB_ITEMS)}
        finished = [item for item in items.values() if item.state is ItemState.STORED]
        assert START in items
        assert {url for item in finished for url in linked(item.url)} <= items.keys()
        assert all(corpus.documents.summary(item.url) is not None for item in finished)
        assert job.counts.total == len(items) == 1 + LINKS * len(finished)
        assert len(finished) > done
        done = len(finished)
        corpus.close()


def test_the_last_ended_job_is_the_newest_even_if_the_clock_is_behind(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_JOBS_KEPT", 2)
    ids = [corpus.jobs.add(JobKind.PAGES, str(number), "{}").id for number in range(3)]
    for job_id, moment in zip(ids, (5_000.0, 9_000.0, 100.0), strict=True):
        monkeypatch.setattr("app.corpus.jobs.time.time", lambda moment=moment: moment)
        ended = corpus.jobs.set_state(job_id, JobState.DONE)
        assert ended is not None
        assert ended.state is JobState.DONE
    assert [each.id for each in corpus.jobs.recent(9)] == [ids[2], ids[1]]


def test_pages_of_a_job_are_added_to_its_collection(corpus: Corpus, job: int) -> None:
    corpus.jobs.add_items(job, pages("a", "b", "c", "d"))
    ids = {name: corpus.documents.store(document(SITE + name, [f"Page {name}."])).document_id for name in "abc"}
    corpus.jobs.finish_item(job, SITE + "a", ItemState.STORED)
    assert corpus.jobs.collect(job, "Thesis") == [ids["a"]]
    corpus.jobs.finish_item(job, SITE + "b", ItemState.UNCHANGED)
    corpus.jobs.finish_item(job, SITE + "c", ItemState.FAILED, "gone")
    corpus.jobs.finish_item(job, SITE + "d", ItemState.STORED)
    assert corpus.labels.all() == [Label(LabelKind.COLLECTION, "Thesis", 2)]
    found = corpus.jobs.get(job)
    assert found is not None and found.options == '{"max_pages": 9}', (
        "the code that runs the job sees the original options"
    )
    corpus.labels.rename(LabelKind.COLLECTION, "Thesis", "Book")
    corpus.jobs.retry(job)
    corpus.jobs.finish_item(job, SITE + "c", ItemState.STORED)
    assert corpus.labels.all() == [Label(LabelKind.COLLECTION, "Book", 3)]
    corpus.labels.delete(LabelKind.COLLECTION, "Book")
    corpus.jobs.finish_item(job, SITE + "a", ItemState.STORED)
    assert corpus.labels.all() == []
    with pytest.raises(UnknownJobError):
        corpus.jobs.collect(job + 1, "Other")
    with pytest.raises(InvalidArgumentError):
        corpus.jobs.collect(job, " ")
    assert corpus.labels.all() == []


def test_a_client_follows_a_job_under_one_secret_id(corpus: Corpus, job: int) -> None:
    before = corpus.jobs.get(job)
    mine, other = corpus.jobs.task_of(job, "cursor"), corpus.jobs.task_of(job, 'c"1')
    assert mine != other and len(mine) == 48
    assert corpus.jobs.task_of(job, "cursor") == mine
    assert (corpus.jobs.of_task(mine, "cursor"), corpus.jobs.of_task(other, 'c"1')) == (job, job)
    for task_id, client in ((mine, "zed"), (other, "cursor"), ("", "cursor"), ('"', "cursor"), ("$.tasks", "cursor")):
        assert corpus.jobs.of_task(task_id, client) is None
    corpus.jobs.collect(job, "Manuals")
    after = corpus.jobs.get(job)
    assert before is not None and after is not None and after.options == before.options
    assert corpus.jobs.of_task(mine, "cursor") == job
    with pytest.raises(UnknownJobError):
        corpus.jobs.task_of(99, "cursor")
