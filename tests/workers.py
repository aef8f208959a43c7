"""A plugin for pytest: collect once, then share the test files among forked processes.

Collecting the suite takes longer than any of its files, and every newly started process would repeat it. Processes forked afterwards have
all tests in memory. `WORKERS=n` in the environment sets their number. Without fork, or with one process, pytest runs the tests itself.

A process requests its next file before it runs the last test of the current one, so that session fixtures survive between files. If a
process dies, its current test has failed, and a new process continues after it.
"""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import pytest

WORKERS: Final = "WORKERS"
WORKER: Final = "SUITE_WORKER"
"""The environment variable with the name of the process that runs a test."""

SHARED: Final = ("postgres", "world")
"""Session fixtures that take seconds. One process for each runs the files that use it; the others help when no other files are left."""

_Group = list[Any]


@dataclass
class _Worker:
    """A forked process in its parent: `running` is the started test, `left` are the remaining ones.

    It prefers the files with the fixture `preferred`, a number in SHARED from 1, or those without any.
    """

    process: int
    pipe: Connection
    left: list[str] = field(default_factory=list)
    running: str = ""
    preferred: int = 0


def _is_shared() -> bool:
    return hasattr(os, "fork") and sys.platform != "darwin" and int(os.environ.get(WORKERS, "1")) > 1


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the collected tests in several processes, or leave them to pytest if that is not possible."""
    if not _is_shared() or session.config.option.collectonly or session.testsfailed:
        return None
    terminal: Any = session.config.pluginmanager.getplugin("terminalreporter")
    terminal.showfspath = False  # Tests of several files end alternately.
    groups = [list(items) for _, items in groupby(session.items, lambda item: item.nodeid.partition("::")[0])]
    _Parent(session, groups).run(int(os.environ[WORKERS]))
    return True


class _Parent:
    """The parent, which assigns the files and reports the outcomes of their tests."""

    def __init__(self, session: pytest.Session, groups: list[_Group]) -> None:
        self._session = session
        self._items = {item.nodeid: item for group in groups for item in group}
        self._queues: list[list[list[str]]] = [[] for _ in range(len(SHARED) + 1)]
        for group in groups:
            used = {name for item in group for name in getattr(item, "fixturenames", ())}
            which = next((number for number, name in enumerate(SHARED, 1) if name in used), 0)
            self._queues[which].append([item.nodeid for item in group])
        self._again: list[list[str]] = []
        self._workers: dict[Connection, _Worker] = {}
        self._started = 0

    def run(self, count: int) -> None:
        for _ in range(count):
            self._start()
        try:
            while self._workers:
                for pipe in wait(list(self._workers)):
                    assert isinstance(pipe, Connection)
                    self._receive(self._workers[pipe])
                if self._session.shouldfail:
                    raise self._session.Failed(self._session.shouldfail)
                if self._session.shouldstop:
                    raise self._session.Interrupted(self._session.shouldstop)
        finally:
            for worker in self._workers.values():
                worker.pipe.close()
                os.waitpid(worker.process, 0)

    def _start(self) -> None:
        ours, theirs = Pipe()
        self._started += 1
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if not process:
            for pipe in (ours, *self._workers):
                pipe.close()
            _run_worker(self._session, self._items, theirs, f"worker{self._started}")
        theirs.close()
        preferred = self._started if self._started <= len(SHARED) else 0
        self._workers[ours] = _Worker(process, ours, preferred=preferred)

    def _receive(self, worker: _Worker) -> None:
        hook = self._session.config.hook
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._ended(worker)
            return
        if kind == "next":
            queues = (self._again, self._queues[worker.preferred], *self._queues)
            tests = next((queue.pop(0) for queue in queues if queue), [])
            worker.left += tests
            worker.pipe.send(tests)
        elif kind == "begin":
            worker.running = value
            worker.left.remove(value)
        else:
            worker.running = ""
            for data in value:
                report = hook.pytest_report_from_serializable(config=self._session.config, data=data)
                hook.pytest_runtest_logreport(report=report)

    def _ended(self, worker: _Worker) -> None:
        del self._workers[worker.pipe]
        worker.pipe.close()
        _, status = os.waitpid(worker.process, 0)
        if worker.running:
            item = self._items[worker.running]
            told = f"The process ended in this test: {os.waitstatus_to_exitcode(status)}"
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", told, "call")
            self._session.config.hook.pytest_runtest_logreport(report=report)
        if worker.left:
            self._again.append(worker.left)
        if worker.running or worker.left:
            self._start()


class _Reporter:
    """A worker's reporter, which collects the reports of a test for the parent."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports: list[Any] = []

    def taken(self) -> list[Any]:
        reports, self._reports = self._reports, []
        return reports

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._reports.append(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))


def _run_worker(session: pytest.Session, items: dict[str, Any], pipe: Connection, name: str) -> None:
    """Run tests until none are left, then end the process."""
    status = 1
    try:
        _run_tests(items, pipe, _become_worker(session.config, name))
        status = 0
    except (BrokenPipeError, EOFError, ConnectionResetError):
        status = 2  # The parent has stopped.
    except BaseException:  # noqa: BLE001 (the process ends here, whatever it was)
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


def _become_worker(config: pytest.Config, name: str) -> _Reporter:
    """Give the process its own resources that cannot be shared: captured output, a folder for files, a reporter."""
    os.environ[WORKER] = name
    plugins = config.pluginmanager
    capture: Any = plugins.getplugin("capturemanager")
    for stream in (capture._global_capturing.out, capture._global_capturing.err):
        if hasattr(stream, "targetfd"):
            # The same objects with separate files, because libraries keep the `sys.stderr` of their import.
            with TemporaryFile() as fresh:
                os.dup2(fresh.fileno(), stream.tmpfile.fileno())
                os.dup2(fresh.fileno(), stream.targetfd)
    for silent in ("terminalreporter", "suite-recorder"):
        plugins.unregister(name=silent)
    reporter = _Reporter(config)
    plugins.register(reporter, "suite-reporter")
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    folder = Path(factory.getbasetemp()) / name
    folder.mkdir()
    factory._basetemp = folder
    return reporter


def _run_tests(items: dict[str, Any], pipe: Connection, reporter: _Reporter) -> None:
    def asked() -> list[Any]:
        pipe.send(("next", None))
        return [items[name] for name in pipe.recv()]

    tests = asked()
    while tests:
        item = tests.pop(0)
        if not tests:
            tests = asked()
        pipe.send(("begin", item.nodeid))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=tests[0] if tests else None)
        pipe.send(("end", reporter.taken()))
