"""`crawl`, `jobs`, `folder`, `import`, `backup`, `export`: their calls to an instance, their output and exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.corpus.records import Folder
from app.ingest.crawling.options import CrawlOptions
from app.ingest.outcome import IngestedPage
from app.library.job_records import ItemState, JobCounts, JobItem, JobKind, JobState
from app.serialise import to_jsonable
from app.server.control.files import Exported, ExportFailure, Imported
from app.server.tools.status import JobReport
from tests.bridge.fake_instance import FakeInstance
from tests.support.jobs import SITE, items, job, preview_of

QUEUED = job(7, JobState.QUEUED, counts=JobCounts(waiting=1))
DONE = job(7, JobState.DONE, counts=JobCounts(stored=3, failed=1))
FAILED = job(7, JobState.FAILED, detail="10 of 10 pages failed.", counts=JobCounts(failed=10))


def answers(instance: FakeInstance, **results: Any) -> None:
    for method, result in results.items():
        instance.control[method] = [{"result": to_jsonable(result)}]


def asked(instance: FakeInstance) -> list[tuple[str, dict[str, Any]]]:
    return [(body["method"], body["params"]) for _, body in instance.controlled]


def run(instance: FakeInstance, *arguments: str) -> int:
    return main([*arguments, "--data-dir", str(instance.data_dir)])


def test_a_crawl_is_started_without_waiting(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    answers(instance, crawl=JobReport(QUEUED))
    assert run(instance, "crawl", SITE, "--scope", "host", "--max-pages", "30", "--max-depth", "2") == 0
    assert asked(instance) == [("crawl", {"url": SITE, "scope": "host", "max_pages": 30, "max_depth": 2})]
    printed = capsys.readouterr().out
    assert printed.startswith(f"Job 7: crawl of {SITE} — queued\n")
    assert "`webrag jobs 7 --cancel`" in printed
    assert run(instance, "crawl", SITE, "--no-refresh", "--max-depth", "0") == 0
    assert asked(instance)[1] == ("crawl", {"url": SITE, "max_depth": 0, "refresh": False})
    assert run(instance, "crawl", SITE, "--collection", "notes") == 0
    assert asked(instance)[2] == ("crawl", {"url": SITE, "collection": "notes"})


def test_a_crawl_can_be_waited_for(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    failed = (JobItem(SITE + "gone.html", 1, ItemState.FAILED, "The site answered with 404."),)
    answers(instance, crawl=JobReport(QUEUED), job_wait=JobReport(DONE, tuple(items(ItemState.STORED)), failed))
    assert run(instance, "crawl", SITE, "--wait") == 0
    assert asked(instance) == [("crawl", {"url": SITE}), ("job_wait", {"job_id": 7})]
    printed = capsys.readouterr().out
    assert f"- {SITE}gone.html — The site answered with 404." in printed
    assert "`webrag jobs 7 --retry`" in printed
    assert run(instance, "crawl", SITE, "--wait", "--json") == 0
    assert json.loads(capsys.readouterr().out)["job"]["state"] == "done"


def test_a_failed_job_is_a_failed_command(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    answers(instance, job=JobReport(FAILED))
    assert run(instance, "jobs", "7") == 1
    printed = capsys.readouterr()
    assert (
        printed.err == "error: Job 7 failed: 10 of 10 pages failed.\n"
        "hint: Retry the failed pages: `webrag jobs 7 --retry`.\n"
    )
    assert run(instance, "jobs", "7", "--json") == 1
    assert json.loads(capsys.readouterr().out)["job"]["id"] == 7


def test_a_preview_shows_the_pages_of_a_crawl(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    answers(instance, crawl_preview=preview_of(SITE, CrawlOptions()))
    assert run(instance, "crawl", SITE, "--preview") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f'"Field guide" — {SITE}'
    assert "Pages known: 41 (found by sitemap, links)" in lines
    assert "Duration:    about 41 s for 41 pages" in lines
    assert len([line for line in lines if line.startswith("- ")]) == 20
    assert lines[-1] == "... and 21 more"
    assert asked(instance)[0][0] == "crawl_preview"


@pytest.mark.parametrize(
    ("words", "method"),
    [
        ([], "job"),
        (["--wait"], "job_wait"),
        (["--pause"], "job_pause"),
        (["--resume"], "job_resume"),
        (["--cancel"], "job_cancel"),
        (["--retry"], "job_retry"),
    ],
)
def test_one_job_is_shown_or_controlled(instance: FakeInstance, words: list[str], method: str) -> None:
    answers(instance, **{method: JobReport(DONE)})
    assert run(instance, "jobs", "7", *words) == 0
    assert asked(instance) == [(method, {"job_id": 7})]


def test_a_retry_can_be_waited_for(instance: FakeInstance) -> None:
    answers(instance, job_retry=JobReport(QUEUED), job_wait=JobReport(DONE))
    assert run(instance, "jobs", "7", "--retry", "--wait") == 0
    assert [method for method, _ in asked(instance)] == ["job_retry", "job_wait"]


def test_jobs_are_a_table(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    answers(instance, jobs=[JobReport(job(12), seconds_left=36.0), JobReport(DONE)])
    assert run(instance, "jobs") == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["ID", "STATE", "KIND", "DONE", "FAILED", "LEFT", "TARGET"]
    assert first.split()[:7] == ["12", "running", "crawl", "23/41", "2", "36", "s"]
    assert second.split() == ["7", "done", "crawl", "4/4", "1", "-", SITE]
    answers(instance, jobs=[])
    assert run(instance, "jobs") == 0
    assert "No jobs." in capsys.readouterr().out


@pytest.mark.parametrize("lost", [[], [{"progress": {"detail": "half"}}, "no answer"]])
def test_a_wait_that_loses_the_application_names_the_job(
    instance: FakeInstance, lost: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    answers(instance, crawl=JobReport(QUEUED))
    instance.control["job_wait"] = lost
    assert run(instance, "crawl", SITE, "--wait") == 1
    told = capsys.readouterr().err
    assert "stopped during the call" in told
    assert "`webrag jobs` shows it" in told
    assert "ry again" not in told


@pytest.mark.parametrize("words", [["--wait"], ["--cancel"]])
def test_an_action_needs_a_job(instance: FakeInstance, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(instance, "jobs", *words) == 1
    assert "needs the ID of a job" in capsys.readouterr().err
    assert asked(instance) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["crawl"],
        ["crawl", SITE, "--scope", "web"],
        ["crawl", SITE, "--max-pages", "many"],
        ["jobs", "seven"],
        ["jobs", "7", "--pause", "--cancel"],
        ["folder"],
        ["folder", "burn"],
        ["import"],
        ["export", SITE],
        ["backup"],
        ["extract"],
    ],
)
def test_a_wrong_command_line_is_status_two(arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_folders_are_added_listed_and_removed(
    instance: FakeInstance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = job(8, JobState.QUEUED, kind=JobKind.FOLDER, target=str(tmp_path), counts=JobCounts())
    answers(instance, folder_add=JobReport(reading), folders=[Folder(1, str(tmp_path), 1_700_000_000.0, 1_234)])
    assert run(instance, "folder", "add", str(tmp_path)) == 0
    assert capsys.readouterr().out.startswith(f"Job 8: folder {tmp_path} — queued")
    assert run(instance, "folder", "list") == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["2023-11-14", "1,234", str(tmp_path)]
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "one.png").write_bytes(b"x")
    assert run(instance, "folder", "add", str(pictures)) == 0
    assert capsys.readouterr().err == "1 file skipped: 1 image.\n"
    answers(instance, job_wait=JobReport(job(8, JobState.DONE, kind=JobKind.FOLDER, target=str(pictures))))
    assert run(instance, "folder", "add", "--wait", str(pictures)) == 0
    assert asked(instance)[-2:] == [("folder_add", {"path": str(pictures)}), ("job_wait", {"job_id": 8})]
    answers(instance, folders=[Folder(1, str(tmp_path), 1.0, 1, "notes", (), "1 file skipped: 1 image.")])
    assert run(instance, "folder", "list") == 0
    assert capsys.readouterr().out.endswith(f"{tmp_path}: 1 file skipped: 1 image.\n")
    answers(instance, folder_remove=True)
    assert run(instance, "folder", "remove", "notes") == 0
    assert asked(instance)[-1] == ("folder_remove", {"path": str(Path.cwd() / "notes")})
    answers(instance, folder_remove=False)
    assert run(instance, "folder", "remove", "notes") == 1
    assert "is not a watched folder" in capsys.readouterr().err
    assert run(instance, "folder", "add") == 1


def test_imported_files_are_reported_individually(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    stored = IngestedPage("file:///n.md", "Notes", "stored", 1, 3, 400)
    failed = IngestedPage("/x.pdf", "", "failed", 0, 0, 0, "Unlock it.", "BACKEND_UNAVAILABLE", "It is locked.")
    entries = [Imported("/n.md", stored), Imported("/x.pdf", failed), Imported("/b.html", job=QUEUED)]
    instance.control["import"] = [{"result": to_jsonable(entries)}]
    assert run(instance, "import", "n.md", "/x.pdf", "/b.html") == 1
    assert asked(instance)[0][1]["paths"] == [str(Path.cwd() / "n.md"), "/x.pdf", "/b.html"]
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "/n.md: Notes (stored, 3 passages)",
        "/b.html: bookmarks, job 7 queued: 1 page; `webrag jobs 7` shows it",
    ]
    assert printed.err == "error: /x.pdf: It is locked. (BACKEND_UNAVAILABLE)\nhint: Unlock it.\n"


def test_backup_and_export_name_their_files(
    instance: FakeInstance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(instance, backup="/b.db", export=Exported(("/t/a.md", "/t/b.md")))
    assert run(instance, "backup", "b.db") == 0
    assert capsys.readouterr().out == "Copied the library to /b.db.\n"
    assert run(instance, "export", SITE, "t") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Exported 2 documents."
    assert run(instance, "export", str(tmp_path), "t") == 0
    assert asked(instance)[-1][1] == {"source": tmp_path.as_uri(), "target": str(Path.cwd() / "t")}
    for label in ("collection:My thesis", "tag:draft"):
        assert run(instance, "export", label, "t") == 0
        assert asked(instance)[-1][1]["source"] == label
    assert run(instance, "export", "docs.example.org", "t") == 1


def test_an_export_reports_files_that_were_not_written(
    instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    failure = ExportFailure(
        SITE, "INVALID_ARGUMENT", "/t/b.md already exists with other content.", "Choose an empty folder."
    )
    answers(instance, export=Exported(("/t/a.md",), (failure,) * 25))
    assert run(instance, "export", SITE, "t") == 1
    printed = capsys.readouterr()
    assert printed.out == "/t/a.md\nExported 1 of 26 documents, 25 failed.\n"
    assert printed.err.count("error: /t/b.md already exists with other content.\nhint: Choose an empty folder.\n") == 20
    assert printed.err.endswith("... and 5 more\n")
    assert run(instance, "export", SITE, "t", "--json") == 1
    assert len(json.loads(capsys.readouterr().out)["failures"]) == 25


def interrupt() -> None:
    raise KeyboardInterrupt


def interrupt_within_a_class() -> None:
    """Python 3.11 raises a RuntimeError from the interrupt; later versions raise the interrupt."""

    class Name:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    class Interrupted:
        name = Name()


def interrupt_behind_another_error() -> None:
    error = RuntimeError()
    error.__cause__ = KeyboardInterrupt()
    raise ImportError from error


@pytest.mark.parametrize("end", [interrupt, interrupt_within_a_class, interrupt_behind_another_error])
def test_an_interrupted_wait_reports_that_the_job_continues(
    end: Callable[[], None],
    instance: FakeInstance,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*_: object) -> None:
        end()

    monkeypatch.setattr("app.cli.jobs.call_method", interrupted)
    assert run(instance, "crawl", SITE, "--wait") == 130
    assert capsys.readouterr().err == "The job continues in WebRAG. `webrag jobs` shows it.\n"
    instance.stop()
    assert run(instance, "crawl", SITE, "--wait") == 130
    assert "`webrag jobs ID --wait` resumes it" in capsys.readouterr().err
    instance.start()


def test_the_help_does_not_list_the_preparation_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.ingest.worker.main", lambda: 3)
    assert main(["prepare-worker"]) == 3
    assert main([]) == 2
    assert "prepare" not in capsys.readouterr().err
