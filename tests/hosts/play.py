"""The run of one assistant: registration, its list of servers, a conversation with the scripted model, and interrupted calls.

Calls are interrupted by ending the assistant, and by Escape in its terminal.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.clients.hosts import CLIENTS
from app.clients.profile import Machine, ServerCommand, System
from app.clients.registrar import apply_plan, plan_registration
from tests.hosts.model import Conversation, Model, Step
from tests.hosts.programs import PROMPT, Host, HostFolders
from tests.hosts.tap import GREEK, SIZED, Tap
from tests.hosts.terminal import Terminal
from tests.integration.application import WEBRAG, Application, start, webrag
from tests.support.site import Site

RUN_SECONDS: Final = 600
"""Time limit for an assistant. It needs about 20 seconds on a quiet computer."""
WAIT_SECONDS: Final = 60.0
PATIENCE_SECONDS: Final = 20.0
"""Seconds between two ways to end an assistant. In total, they are shorter than the delay of a held page."""
PRESS_SECONDS: Final = 1.0
"""Seconds between two presses of Escape. Some assistants require a second one, others draw their screen first."""
PRESSES: Final = 60
PRESSES_FOR_NOTHING: Final = 8
"""Time limit for assistants that do not inform the server."""
SERVING: Final = {"REQUEST_TIMEOUT_MS": "120000", "MCP_SOFT_DEADLINE": "300", "MCP_TOOL_TIMEOUT": "300"}
"""Time limit for a held page, which waits until the call ends."""
SECTIONS: Final = 40
LONG: Final = "long.md"
"""A page of a documentation folder that is too large for any result."""
LONG_SECTIONS: Final = 200
ESCAPE: Final = b"\x1b"
QUESTION: Final = "How much torque does widget part 17 need?"
SENTENCE: Final = "It is checked before it is sold, and its record stays for as long as the law asks."
SMALL: Final = frozenset({"answer", "search", "status"})
"""The tools of the profile to which the conversation switches."""
GONE: Final = "graph_paths"
"""A tool that is not used before the switch and not available after it."""
SIZES: Final = (8_000, 12_000, 24_000, 36_000, 60_000, 100_000)
"""Sizes of results in characters, to find out how much of a result the assistant passes to its model."""
GREEK_SIZE: Final = 20_000
"""Sizes for a text with two bytes per letter."""


def long_page() -> str:
    """Return about 60,000 characters of Markdown."""
    return "# Widgets\n\n" + "\n\n".join(
        f"## Part {number}\n\nIt needs {7 * number} newton metres. {SENTENCE} {SENTENCE}"
        for number in range(LONG_SECTIONS)
    )


def guide(name: str) -> str:
    """Return a long page with different content in every section."""
    parts = (
        f"<h2>Section {number:02d}</h2><p>Widget part {number:02d} needs a torque of {7 * number} newton metres. {SENTENCE} "
        f"{' '.join(f'Frame {number}.{frame} of {name} carries part {number}.' for frame in range(12))}</p>"
        for number in range(1, SECTIONS + 1)
    )
    return f"<html><head><title>{name} guide</title></head><body><main><h1>{name} guide</h1>{''.join(parts)}</main></body></html>"


class Shared:
    """Shared by all assistants: the application, the site and the model. The application is restarted with its data directory."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.data_dir, self.site, self.model = folder / "data", site, Model()
        self.application: Application = start(self.data_dir, variables=SERVING)
        notes = folder / "notes"
        notes.mkdir()
        (notes / LONG).write_text(long_page(), "utf-8")
        done = webrag("folder", "add", str(notes), "--wait", data_dir=self.data_dir)
        assert done.returncode == 0, done.stdout + done.stderr

    def restart(self) -> None:
        self.application.stop()
        self.application = start(self.data_dir, variables=SERVING)

    def offer(self, profile: str) -> None:
        """Change the tool profile of all assistants."""
        done = webrag("tools", profile, data_dir=self.data_dir)
        assert done.returncode == 0, done.stderr

    def log(self) -> str:
        """Return the application's records of its calls."""
        return (self.data_dir / "logs/webrag.log").read_text("utf-8", "replace")

    def close(self) -> None:
        self.model.close()
        if self.application.process.poll() is None:
            self.application.stop()


@dataclass(frozen=True)
class Played:
    """The outcome of a run. `sent` and `seen` are the results of the steps, as sent by the application and as read by the model.

    `broken_off` and `escaped` are the outcomes of calls during which the assistant was ended or Escape was pressed.
    """

    listed: str
    conversation: Conversation
    tap: Tap
    said: str
    broken_off: str
    escaped: str

    @property
    def sent(self) -> list[dict[str, Any]]:
        return self.tap.results()

    @property
    def seen(self) -> tuple[str, ...]:
        return self.conversation.results


STEPS: Final = ("answer", "missing", "limit", "data", *map(str, SIZES), "greek", "fewer tools", "restart", "gone")
"""Return the steps of the conversation, in order."""


def conversation(shared: Shared, host: Host) -> tuple[Step, ...]:
    """Return the steps of STEPS."""
    site, path = shared.site, f"/{host.name}"
    site.page(f"{path}/guide", guide(host.title), delay=0.5)
    page = site.url(f"{path}/guide")
    return (
        Step("answer", {"url": page, "query": QUESTION}),
        Step("answer", {"url": site.url(f"{path}/missing"), "query": QUESTION}),
        Step("get_doc_page", {"path": LONG}),
        Step("kb_retrieve_evidence", {"question": QUESTION}),
        *(Step("get_doc_page", {"path": f"{SIZED}{size}"}) for size in SIZES),
        Step("get_doc_page", {"path": f"{GREEK}{GREEK_SIZE}"}),
        Step("status", {}, before=lambda: shared.offer("simple")),
        Step("search", {"query": QUESTION, "source_urls": [page], "top_k": 1}, before=shared.restart),
        Step(GONE, {"from_id": "d1", "to_id": "d2"}),
    )


def play(shared: Shared, host: Host, folder: Path) -> Played:
    """Run everything in a separate folder. Restores the tools of the full profile at the end."""
    place, environment = set_up(shared, host, folder)
    listed = _run(host, host.listing, place, environment) if host.listing else ""
    tap = _tapped(shared, host, folder, place, environment)
    try:
        talk = shared.model.play(host.full_name, *conversation(shared, host))
        said = _run(host, host.run, place, environment)
    finally:
        shared.offer("full")
    try:
        broken_off = _break_off(shared, host, place, environment)
        escaped = _escape(shared, host, place, environment)
    finally:
        _end_what_stays(place.home)
    return Played(listed, talk, tap, said, broken_off, escaped)


def set_up(shared: Shared, host: Host, folder: Path) -> tuple[HostFolders, dict[str, str]]:
    """Register an assistant in a separate folder; return its folders and environment variables."""
    place = HostFolders(folder / "home", folder / "work", shared.model.url)
    place.home.mkdir(parents=True)
    place.folder.mkdir(exist_ok=True)
    environment = place.environment(host.variables(place))
    host.before(place)
    if host.client:
        _register(shared, host, environment)
    host.after(place)
    return place, environment


def converse(shared: Shared, host: Host, folder: Path, question: str, *steps: Step) -> tuple[Conversation, Tap]:
    """Ask an assistant a question; return its conversation and messages."""
    place, environment = set_up(shared, host, folder)
    tap = _tapped(shared, host, folder, place, environment)
    talk = shared.model.play(host.full_name, *steps)
    try:
        said = _run(host, tuple(question if each == PROMPT else each for each in host.run), place, environment)
    finally:
        _end_what_stays(place.home)
    assert len(talk.results) == len(steps), said[-2_000:]
    return talk, tap


def _register(shared: Shared, host: Host, environment: Mapping[str, str]) -> None:
    """Register the assistant as a user does."""
    done = subprocess.run(
        [str(WEBRAG), "register", "--client", host.client, "--force", "--data-dir", str(shared.data_dir)],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _tapped(shared: Shared, host: Host, folder: Path, place: HostFolders, environment: Mapping[str, str]) -> Tap:
    """Register the assistant again with a bridge that records the messages."""
    tap = Tap.made_in(folder / "tap")
    _connect(host, ServerCommand(str(tap.program), ("mcp", "--data-dir", str(shared.data_dir))), place, environment)
    return tap


def _connect(host: Host, command: ServerCommand, place: HostFolders, environment: Mapping[str, str]) -> None:
    """Replace the command in the entry, as registering does."""
    if host.by_hand is not None:
        host.by_hand(place, command.command, command.args)
        return
    profile = next(each for each in CLIENTS if each.name == host.client)
    machine = Machine(System.LINUX, Path(environment["HOME"]), environment)
    for plan in plan_registration(profile, command, machine):
        apply_plan(plan)


def _run(host: Host, arguments: tuple[str, ...], place: HostFolders, environment: Mapping[str, str]) -> str:
    """Return the complete output of a command."""
    with _started(host, arguments, place, environment) as process:
        said, _ = process.communicate(timeout=RUN_SECONDS)
        return said.decode("utf-8", "replace")


@contextlib.contextmanager
def _started(host: Host, arguments: tuple[str, ...], place: HostFolders, environment: Mapping[str, str]) -> Any:
    """Run a process group and end all of it."""
    process = subprocess.Popen(
        [*host.command, *arguments],
        env=dict(environment),
        cwd=place.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=WAIT_SECONDS)


class _SlowCall:
    """Return a call of `answer` that waits until its page is released."""

    def __init__(self, shared: Shared, host: Host, name: str) -> None:
        self._site, self._path, self._shared = shared.site, f"/{host.name}/{name}", shared
        self.let_go = shared.site.held_back(self._path, guide(host.title))
        self._began = len(shared.log())
        url = shared.site.url(self._path)
        shared.model.play(host.full_name, Step("answer", {"url": url, "query": QUESTION}))

    def is_running(self) -> bool:
        return self._site.count(self._path) > 0

    def outcome(self) -> str:
        """Return the application's record of the call, or an empty string."""
        found = re.search(r"call \d+: answer (\S+) after", self._shared.log()[self._began :])
        return found[1] if found else ""


def _break_off(shared: Shared, host: Host, place: HostFolders, environment: Mapping[str, str]) -> str:
    """Return the outcome of a call during which the assistant is ended, or an empty string if no call began."""
    call = _SlowCall(shared, host, "slow")
    try:
        with _started(host, host.run, place, environment) as process:
            _wait(lambda: call.is_running() or process.poll() is not None, RUN_SECONDS)
            # Some assistants interpret the first one as "stop the answer", others wait for their tools first.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                _wait(lambda: call.outcome() != "", PATIENCE_SECONDS)
        _end_what_stays(place.home)
        _wait(lambda: call.outcome() != "", PATIENCE_SECONDS)
        return call.outcome()
    finally:
        call.let_go.set()


def _escape(shared: Shared, host: Host, place: HostFolders, environment: Mapping[str, str]) -> str:
    """Return the outcome of a call during which Escape is pressed, or the terminal output if no call began."""
    host.before_terminal(place)
    call = _SlowCall(shared, host, "escaped")
    # With this variable, some assistants do not use the terminal interactively.
    variables = {name: value for name, value in environment.items() if name != "CI"} | {"TERM": "xterm-256color"}
    try:
        with Terminal([*host.command, *host.at_terminal], place.folder, variables) as terminal:
            _wait(lambda: call.is_running() or terminal.has_ended(), RUN_SECONDS)
            if not call.is_running():
                return terminal.shown()
            for _ in range(PRESSES if host.escape_ends else PRESSES_FOR_NOTHING):
                terminal.write(ESCAPE)
                _wait(lambda: call.outcome() != "", PRESS_SECONDS)
                if call.outcome():
                    return call.outcome()
            return "goes on"
    finally:
        call.let_go.set()


def _end_what_stays(home: Path) -> None:
    """End processes that an assistant left in its home folder. One of them keeps a process for its next start."""
    mark = f"HOME={home}".encode()
    for each in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in each.read_bytes().split(b"\0"):
                os.kill(int(each.parent.name), signal.SIGKILL)


def _wait(condition: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
    """Wait for a condition until the time limit."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


# --- Text that the model read ---


def whole_text(result: Mapping[str, Any], seen: str) -> bool:
    """Whether the model read the text of a result, directly or inside JSON."""
    text = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
    written = (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1])
    return any(each.strip() in seen for each in written)


def whole_structure(result: Mapping[str, Any], seen: str) -> bool:
    """Whether the model read every text of the structured content."""
    texts = list(_texts(result.get("structuredContent")))
    return bool(texts) and all(json.dumps(text, ensure_ascii=False)[1:-1] in seen for text in texts)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) and value else []


@contextlib.contextmanager
def at_terminal(
    folder: Path, site: Site, host: Host, step: Step
) -> Iterator[tuple[Terminal, Tap, Shared, Conversation]]:
    """Run an assistant in its terminal whose model requests one tool. Yield the terminal, the messages and the conversation."""
    shared = Shared(folder, site)
    try:
        place, environment = set_up(shared, host, folder)
        tap = _tapped(shared, host, folder, place, environment)
        host.before_terminal(place)
        talk = shared.model.play(host.full_name, step)
        variables = {name: value for name, value in environment.items() if name != "CI"}
        variables |= {"TERM": "xterm-256color", "BROWSER": "true"}
        with Terminal([*host.command, *host.at_terminal], place.folder, variables) as terminal:
            yield terminal, tap, shared, talk
    finally:
        _end_what_stays(folder / "home")
        shared.close()
