"""Records of the doctor's checks, and its checks of this computer: data directory, port, library, model and keyring."""

from __future__ import annotations

import errno
import shutil
import socket
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app import caps
from app.errors import SettingsError, WebRAGError
from app.instance import is_healthy, read_runtime
from app.paths import corpus_file
from app.secrets import SecretName, SecretStore
from app.settings import load_settings
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.secrets import SecretStore
    from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Check:
    """A check. `detail` is the finding and `hint` the next step, empty if there is nothing to do.

    `skipped`: the check does not apply. That is not a failure.
    """

    name: str
    ok: bool
    detail: str
    hint: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """One configuration file and the connection that it describes. Times are in milliseconds."""

    path: str
    command: tuple[str, ...]
    checks: tuple[Check, ...]
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class ClientReport:
    """A client with the reports of its files."""

    name: str
    title: str
    found: bool
    files: tuple[FileReport, ...] = ()


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The command of this installation, all clients, and this computer. `ok` if all checks passed."""

    ok: bool
    clients: tuple[ClientReport, ...]
    machine: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckEvent:
    """Called for each check with its client (`title`) and configuration file (`path`, empty if none)."""

    title: str
    path: str
    check: Check


Listener = Callable[[CheckEvent], None]


def ignore(event: CheckEvent) -> None:
    """A listener that ignores checks."""


@dataclass(slots=True)
class CheckList:
    """The checks of one place. Each one is passed on immediately."""

    title: str
    path: str = ""
    listener: Listener = ignore
    checks: list[Check] = field(default_factory=list)
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    def add(self, name: str, ok: bool, detail: str, hint: str = "", *, skipped: bool = False) -> bool:
        """Record a check and return whether it passed."""
        check = Check(name, ok, detail, "" if ok and not skipped else hint, skipped)
        self.checks.append(check)
        self.listener(CheckEvent(self.title, self.path, check))
        return ok

    def report(self, command: tuple[str, ...] = ()) -> FileReport:
        return FileReport(self.path, command, tuple(self.checks), self.tools, self.start_ms, self.list_ms)


def check_machine(data_dir: Path, listener: Listener, store: SecretStore | None = None) -> tuple[Check, ...]:
    """Check this computer. Every failed check has one next step. If given, `store` is used instead of the keyring."""
    findings = CheckList("This computer", "", listener)
    try:
        settings = load_settings(data_dir=data_dir)
    except SettingsError as error:
        findings.add("settings", False, error.message, error.hint)
        return tuple(findings.checks)
    findings.add("settings", True, sentence("readable"))
    checks = {"library": _corpus, "embedding model": _model, "reranker": _reranker}
    for name, check in {"data directory": _data_directory, "application": _running, **checks}.items():
        try:
            check(findings, settings)
        except WebRAGError as error:
            findings.add(name, False, error.message, error.hint)
    store = SecretStore() if store is None else store
    source = store.get(SecretName.MCP_AUTH_TOKEN).source
    if store.note:
        hint = sentence("Unlock or install a system keyring, or set secrets in environment variables.")
        findings.add("keyring", True, store.note, hint, skipped=True)
    else:
        findings.add("keyring", True, sentence("available; access token: {}", source.value))
    return tuple(findings.checks)


def _data_directory(findings: CheckList, settings: Settings) -> None:
    folder = settings.data_dir
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(b"x")
        free = shutil.disk_usage(folder).free
    except OSError as error:
        hint = sentence("Check its permissions, or choose another folder with --data-dir.")
        findings.add("data directory", False, sentence("cannot write to {0} ({1})", folder, error), hint)
        return
    space = sentence("{}, {} free", folder, f"{free / 1e9:.1f} GB")
    findings.add("data directory", free >= caps.LOW_DISK_BYTES, space, sentence("Free some space on this disk."))


def _running(findings: CheckList, settings: Settings) -> None:
    import psutil

    info = read_runtime(settings.data_dir)
    if info is None:
        findings.add("application", True, sentence("not running; starts with the first assistant"), skipped=True)
        _check_port(findings, settings)
    elif is_healthy(info):
        findings.add("application", True, sentence("version {0} responds at {1}", info.version, info.url))
        if info.wanted_port:
            hint = sentence(
                "Quit that program and restart WebRAG, or update the address in every assistant that uses it."
            )
            lost = sentence(
                "another program uses port {}; assistants that use this address may connect to it", info.wanted_port
            )
            findings.add("port", False, lost, hint)
    elif psutil.pid_exists(info.pid):
        detail = sentence("process {0} does not respond at {1}", info.pid, info.url)
        findings.add("application", False, detail, sentence("Quit WebRAG in its tray menu and start it again."))
    else:
        detail = sentence("not running; the next start cleans up after an unclean exit")
        findings.add("application", True, detail, sentence("Start WebRAG."), skipped=True)


def _check_port(findings: CheckList, settings: Settings) -> None:
    """Check whether the port is free, unless WebRAG itself listens on it."""
    host, port = settings.mcp_host, settings.mcp_port
    if not port:
        findings.add("port", True, sentence("any free port"))
        return
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
    except OSError as error:
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            hint = sentence(
                "After the start, update assistants that connect by address. Settings > Server shows the new address."
            )
            findings.add(
                "port", True, sentence("{} is not free; WebRAG uses the next free port", port), hint, skipped=True
            )
        else:
            hint, why = sentence("Choose another address and port in Settings > Server."), error.strerror or error
            findings.add("port", False, sentence("cannot use {0} ({1})", f"{host}:{port}", why), hint)
        return
    findings.add("port", True, sentence("{} is free", f"{host}:{port}"))


def _corpus(findings: CheckList, settings: Settings) -> None:
    from app.corpus.checks import estimate_reclaimable, quick_check

    path = corpus_file(settings.data_dir)
    if not path.exists():
        findings.add("library", True, sentence("none yet; created at the first start"), skipped=True)
        return
    problem, finished = quick_check(path)
    spare = 0 if problem else estimate_reclaimable(path)
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    sound = sentence("no damage found, {}", size) if finished else sentence("no damage found so far, {}", size)
    if spare:
        sound = sentence("{}; webrag compact frees about {} MB", sound, f"{spare / 1e6:.0f}")
    findings.add(
        "library", not problem, problem or sound, sentence("Restore a backup, or run webrag verify in a terminal.")
    )


def _model(findings: CheckList, settings: Settings) -> None:
    if settings.embedding_server_url:
        own = sentence("your own server: {}", settings.embedding_server_url)
        findings.add("embedding model", True, own, skipped=True)
        return
    from app.embed import configured_embedder
    from app.slots import NetworkSlots

    with closing(configured_embedder(settings, SecretStore(), NetworkSlots(1))) as model:
        size = model.embed_query("one text").vector.shape[0]
    right = size == model.card.dimension
    detail = sentence("{0}, {1} dimensions", model.card.name, size)
    findings.add("embedding model", right, detail, sentence("Reinstall the application."))


def _reranker(findings: CheckList, settings: Settings) -> None:
    if not settings.reranker_model:
        return
    from app.embed import folder_of
    from app.embed.reranker import CrossEncoder

    with closing(CrossEncoder(folder_of(settings, settings.reranker_model))) as reranker:
        ms = reranker.check()
    findings.add("reranker", True, f"{reranker.card.name}, {ms:.0f} ms")
