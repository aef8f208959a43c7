"""The commands `serve`, which runs the server without a window, and `tour`, which asks the guide through the bridge."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import urlsplit

from app import __version__, instance
from app.bridge.start import start_headless
from app.cli.calls import post
from app.cli.library import no_driver
from app.cli.output import CommandFailedError, Failure, port_lost_text, remark, say
from app.clients.probe import Session, SessionError
from app.clients.profile import server_command
from app.ending import end_after_signals, end_now, end_within
from app.errors import AlreadyRunningError, ErrorCode, NotRunningError, SettingsError
from app.paths import default_data_dir, log_dir, program
from app.secrets import SecretName, SecretStore
from app.settings import load_settings
from app.settings_schema import LIBRARY_VARIABLE

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.node import NodeOptions
    from app.events import Event, EventBus
    from app.secrets import SecretStore
    from app.settings import Settings

log = logging.getLogger(__name__)

MAX_TOKEN_FILE_BYTES: Final = 4_096
ATTACH_GRACE_SECONDS: Final = 30.0
THREADS_PER_CALL: Final = 2

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "localhost"}


def serve(options: argparse.Namespace) -> NoReturn:
    """Run until a signal, the end of input (stdio) or, with --while-attached, until no bridge is attached. Then exit."""
    from app.logs import configure_logging

    given = {
        "mcp_transport": options.transport,
        "mcp_host": options.host,
        "mcp_port": options.port,
        "mcp_tool_profile": options.tools,
        "allow_networks": options.allow_networks,
    }
    settings = load_settings(given, data_dir=options.data_dir)
    token = given_token(options.token, options.token_file, settings.mcp_transport)
    node = _node_of(settings.mcp_transport)
    if not settings.mcp_enabled:
        raise SettingsError(
            "The MCP server is turned off in the settings.",
            hint="Turn it on in Settings > Server, or run: webrag settings mcp_enabled true",
        )
    runner = asyncio.Runner()
    try:
        # Before loading anything heavy, so that the second of two concurrent starts ends immediately.
        with instance.hold_instance(settings.data_dir):
            level = "DEBUG" if settings.debug else settings.mcp_log_level
            folder = log_dir(settings.data_dir)
            configure_logging(level, log_dir=folder, to_stderr=not options.while_attached)
            if settings.mcp_transport == "stdio":
                runner.run(_serve_stdio(settings, *options.pipes))
            else:
                runner.run(_serve_http(settings, token, node, while_attached=options.while_attached))
    except AlreadyRunningError as error:
        _refuse(settings, error)
    # Closing the runner would wait for threads, which running calls may block.
    end_now(0)


def given_token(spoken: str | None, file: Path | None, transport: str) -> str:
    """Return the token in a file, or "" to use the environment or the keyring. Raises SettingsError."""
    if spoken is not None:
        raise SettingsError(
            "Other users of this computer can read a token on the command line, in the process list.",
            hint="Set MCP_AUTH_TOKEN or use --token-file. Otherwise, WebRAG uses the token in the keyring.",
        )
    if file is None:
        return ""
    if transport == "stdio":
        raise SettingsError(
            "--token-file does not work with --transport stdio, which has a single client.",
            hint="Omit it, or use --transport streamable-http.",
        )
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_TOKEN_FILE_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError(f"Cannot read the token file {file}: {reason}.") from error
    token = content.decode("ascii", "replace").strip()
    if len(content) > MAX_TOKEN_FILE_BYTES or not re.fullmatch(r"[\x21-\x7e]+", token):
        raise SettingsError(
            f"The token file {file} does not contain a token.",
            hint="A token is a single line of ASCII characters without spaces.",
        )
    if os.name == "posix" and file.stat().st_mode & 0o077:
        remark(f"Other users of this computer can read {file}. Run `chmod 600` on it.")
    return token


def _refuse(settings: Settings, error: AlreadyRunningError) -> NoReturn:
    running = instance.find_instance(settings.data_dir)
    if running is None:
        error = instance.silent_holder(settings.data_dir)
    else:
        message = f"WebRAG is already running for {settings.data_dir}: {running.url} (process {running.pid})."
        hint = "Use `webrag mcp`, which connects to the running WebRAG." if settings.mcp_transport == "stdio" else None
        error = AlreadyRunningError(message, hint=hint)
    raise CommandFailedError(Failure.of(error), status=instance.ALREADY_RUNNING_STATUS) from error


def _node_of(transport: str) -> NodeOptions | None:
    """Return the options of a node from the environment, None if no shared library is set. Raises SettingsError."""
    if not os.environ.get(LIBRARY_VARIABLE, "").strip():
        return None
    if transport == "stdio":
        raise SettingsError(
            f"{LIBRARY_VARIABLE} is set, but a shared library can only be served over HTTP.",
            hint="Use --transport streamable-http.",
        )
    try:
        from app.engine.node import NodeOptions
    except ImportError as error:
        raise no_driver() from error
    return NodeOptions.from_environment()


async def _serve_http(settings: Settings, token: str, node: NodeOptions | None, *, while_attached: bool) -> None:
    from app.events import EventBus
    from app.server.http import HttpServer
    from app.server.tools import build_registry

    bus, secrets, stopping = EventBus(), SecretStore(), asyncio.Event()
    _stop_on_signals(stopping)
    if node is not None and not (node.issuer or token or secrets.get(SecretName.MCP_AUTH_TOKEN).value):
        raise SettingsError(
            "This node has neither an access token nor an issuer, so no client could connect.",
            hint="Set MCP_AUTH_TOKEN to the same value on each node (openssl rand -hex 32), or set WEBRAG_OIDC_ISSUER for sign-in.",
        )
    token = token or secrets.server_token()
    if secrets.note:
        log.warning("%s", secrets.note)
    engine = _engine(settings, secrets, bus, node)
    server = HttpServer(
        engine,
        build_registry(settings),
        token=token,
        host=settings.mcp_host,
        port=settings.mcp_port,
        on_stop=stopping.set,
    )
    only = "" if settings.mcp_http_streamable_enabled else ", for bridges only (MCP_HTTP_STREAMABLE_ENABLED is off)"
    listening = asyncio.Lock()
    watch: AttachmentWatch | None = None

    async def listen() -> None:
        nonlocal watch
        async with listening:
            if server.url:
                return
            try:
                url = await server.start()
            except OSError as error:
                where, hint = (
                    f"{settings.mcp_host}:{settings.mcp_port}",
                    "Use another --host or --port (0 uses any free port).",
                )
                raise SettingsError(f"Cannot listen on {where}: {error}", hint=hint) from error
            lost = instance.lost_port(settings.mcp_port, url)
            _tell_others(settings, url, token, lost)
            watch = AttachmentWatch(bus, stopping) if while_attached else None
            remark(f"listening on {url}{only}")
            if lost:
                remark(port_lost_text(lost, url))

    try:
        if await _is_started(engine, stopping, listen if node is None else None):
            await listen()
            await engine.begin()
            await stopping.wait()
    finally:
        if stopping.is_set():
            end_within()
        if watch is not None:
            watch.end()
        await server.stop()
        await engine.stop()


def _tell_others(settings: Settings, url: str, token: str, lost: int) -> None:
    """Write the address for bridges. Clients that know the address and token can connect in any case."""
    parts = urlsplit(url)
    if (reachable := ANY_ADDRESS.get(parts.hostname or "")) is not None:
        # The server listens on every address; this one is for this computer.
        url = f"http://{reachable}:{parts.port}{parts.path}"
    try:
        instance.write_runtime(settings.data_dir, instance.RuntimeInfo(url, token, os.getpid(), __version__, lost))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        log.error("bridges cannot find this instance: %s", reason)
        remark(f"Cannot write the address of this instance to {settings.data_dir}: {reason}")


async def _serve_stdio(settings: Settings, source: int, sink: int) -> None:
    from app.cli.stdio import PipeClient
    from app.events import EventBus
    from app.server.protocol.mcp_server import run_stdio
    from app.server.tools import build_registry

    stopping, loop = asyncio.Event(), asyncio.get_running_loop()
    _stop_on_signals(stopping)
    client = PipeClient(source, sink, gone=partial(loop.call_soon_threadsafe, stopping.set))
    engine = _engine(settings, SecretStore(), EventBus())
    started: list[asyncio.Task[None]] = []

    async def answer() -> None:
        if not started:
            answering = run_stdio(engine, build_registry(settings), client.messages(), client.write)
            started.append(asyncio.create_task(answering))

    try:
        if await _is_started(engine, stopping, answer):
            await answer()
            (serving,) = started
            signalled = asyncio.create_task(stopping.wait())
            await engine.begin()
            await asyncio.wait({serving, signalled}, return_when=asyncio.FIRST_COMPLETED)
            end_within()
            if serving.done():
                signalled.cancel()
                serving.result()
    finally:
        await engine.stop()


def _engine(settings: Settings, secrets: SecretStore, bus: EventBus, node: NodeOptions | None = None) -> Engine:
    from app.engine import build_engine

    opens = None
    if node is not None:
        from app.engine.node import Node

        opens = partial(Node.open, node)
        # Each call waits for the database in its own thread.
        threads = ThreadPoolExecutor(THREADS_PER_CALL * node.calls, thread_name_prefix="node")
        asyncio.get_running_loop().set_default_executor(threads)
    return build_engine(settings, secrets=secrets, bus=bus, open_node=opens)


async def _is_started(
    engine: Engine, stopping: asyncio.Event, listen: Callable[[], Coroutine[Any, Any, None]] | None
) -> bool:
    """Start the engine, unless the server is to stop first. Calls `listen` early if the engine updates a library of an earlier version."""
    starting = asyncio.create_task(engine.start(begins=False, on_update=listen))
    leaving = asyncio.create_task(stopping.wait())
    await asyncio.wait({starting, leaving}, return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if starting.done():
        starting.result()
    return not starting.cancel()


class AttachmentWatch:
    """Stops the server when no bridge has been attached for a while."""

    def __init__(self, bus: EventBus, stopping: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = stopping
        self._timer: asyncio.TimerHandle | None = None
        self._unsubscribe = bus.subscribe(self._on_event)
        self._start()

    def end(self) -> None:
        """Stop watching."""
        self._unsubscribe()
        self._cancel()

    def _on_event(self, event: Event) -> None:
        from app.events import ClientsChanged

        if isinstance(event, ClientsChanged):
            self._loop.call_soon_threadsafe(self._cancel if event.names else self._start)

    def _start(self) -> None:
        self._cancel()
        self._timer = self._loop.call_later(ATTACH_GRACE_SECONDS, self._stopping.set)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _stop_on_signals(stopping: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
        else:
            loop.add_signal_handler(number, stopping.set)
    end_after_signals()


TOUR_SECONDS: Final = 60.0
TOUR_STOP_SECONDS: Final = 15.0
DOCTOR: Final = "Run `webrag doctor`."
TOUR_QUESTIONS: Final = ("What leaves this computer?", "How do I read a whole site?", "How do I add a folder of notes?")
POLL_SECONDS: Final = 0.05


def tour(options: argparse.Namespace) -> None:
    """Ask the guide three questions and explain how to connect. Stops the server if this command started it."""
    data_dir: Path = options.data_dir or default_data_dir()
    running = instance.find_instance(data_dir)
    info = running or start_headless(data_dir, port=0, seconds=TOUR_SECONDS)
    try:
        say("Your library contains the user guide. Three questions, asked as an assistant asks them:\n")
        _ask(data_dir)
    finally:
        if running is None:
            post(info, "/control/stop")
            deadline = time.monotonic() + TOUR_STOP_SECONDS
            while not _is_free(data_dir) and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
    webrag = "webrag" if shutil.which("webrag") else _shell(*program("webrag", "app"))
    command = server_command(options.data_dir)
    say(f"""\
These are the most important quotes. Assistants also get the passages around them:

All passages      {webrag} search "{TOUR_QUESTIONS[0]}"
Add a page        {webrag} ingest ADDRESS
Add a site        {webrag} crawl ADDRESS
Watch a folder    {webrag} folder add FOLDER

Connect an assistant:

All assistants    {webrag} register          (with --dry-run, it only shows the changes)
Claude Code       {_shell("claude", "mcp", "add", "--scope", "user", "webrag", "--", command.command, *command.args)}
VS Code           {_shell("code", "--add-mcp", json.dumps({"name": "webrag", **command.entry()}, ensure_ascii=False))}
Others            this entry, in claude_desktop_config.json, ~/.cursor/mcp.json or the file of your client:
{json.dumps({"mcpServers": {"webrag": command.entry()}}, indent=2, ensure_ascii=False)}

Then quit the assistant completely and start it again. It starts WebRAG if needed.
Check the connection: {webrag} doctor""")


def _ask(data_dir: Path) -> None:
    line = [*program("webrag", "app"), "mcp", "--data-dir", str(data_dir)]
    try:
        with closing(Session(line, os.environ)) as session:
            session.initialize(timeout=TOUR_SECONDS)
            for question in TOUR_QUESTIONS:
                call = {"name": "search", "arguments": {"query": question}}
                result = session.request("tools/call", call, timeout=TOUR_SECONDS)
                text = "\n".join(block.get("text", "") for block in result["content"])
                if result.get("isError"):
                    failure = Failure(ErrorCode.INTERNAL_ERROR.value, "The question failed", text, DOCTOR)
                    raise CommandFailedError(failure)
                quotes = text.partition("[CITATIONS]\n")[2].partition("\n\n[")[0]
                quotes = quotes or "No quote found: your library does not contain the guide."
                say(f"{question}\n{textwrap.indent(quotes, '  ')}\n")
    except SessionError as error:
        raise NotRunningError(f"The bridge {error}.", hint=DOCTOR) from error


def _is_free(data_dir: Path) -> bool:
    """Whether no process owns the data folder, which a server releases last."""
    try:
        with instance.hold_instance(data_dir):
            return True
    except AlreadyRunningError:
        return False


def _shell(*words: str) -> str:
    """Quote the words as a command line for the shell of this system."""
    arguments: Sequence[str] = words
    return subprocess.list2cmdline(arguments) if sys.platform == "win32" else shlex.join(arguments)
