"""The bridge as a client sees it: a process with pipes."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
ANSWER_SECONDS = 240.0 if sys.platform == "win32" else 30.0
"""Processes start slowly under Wine."""


class BridgeProcess:
    """`webrag mcp` over pipes. Records every printed line unchanged."""

    def __init__(self, data_dir: Path, *, collect: bool = True, **environ: str) -> None:
        command = [sys.executable, "-m", "app", "mcp", "--data-dir", str(data_dir)]
        environment = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**environment, **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: list[bytes] = []
        self._queue: queue.Queue[bytes] = queue.Queue()
        if collect:
            threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._queue.put(line)

    def send_raw(self, content: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any] | None = None, *, id: int | str | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if id is not None:
            message["id"] = id
        self.send_raw(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def receive(self, timeout: float = ANSWER_SECONDS) -> Any:
        return json.loads(self._queue.get(timeout=timeout))

    def silent(self, seconds: float) -> bool:
        try:
            self._queue.put(self._queue.get(timeout=seconds))
        except queue.Empty:
            return True
        return False

    def call(self, tool: str, arguments: dict[str, Any] | None = None, *, id: int | str = 1) -> None:
        self.send("tools/call", {"name": tool, "arguments": arguments or {}}, id=id)

    def initialize(self, version: str = "2025-06-18") -> Any:
        info = {"name": "Test Client", "version": "1.0"}
        self.send("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": info}, id=0)
        return self.receive()

    def know_tools(self) -> None:
        """Perform the handshake and list the tools, so that the bridge knows which calls can be repeated."""
        self.initialize()
        self.send("notifications/initialized")
        self.send("tools/list", id="tools")
        assert self.receive()["id"] == "tools"

    def close_input(self, timeout: float = ANSWER_SECONDS) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
