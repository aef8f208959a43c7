"""A bridge that writes down what passes: the real command, between the assistant and the application.

The assistant is registered with it in place of `webrag mcp`, so that what the application sent can be held against what the model was
given. Each message is one line of the file, as {"from": "assistant" or "server", "message": …}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.integration.application import WEBRAG

PROGRAM: Final = """\
#!{python}
import json, subprocess, sys, threading
log, lock = open({log!r}, "ab", 0), threading.Lock()
def note(who, line):
    with lock:
        log.write(b'{{"from": "' + who + b'", "message": ' + line.strip() + b"}}\\n")
def up():
    for line in sys.stdin.buffer:
        note(b"assistant", line)
        process.stdin.write(line)
        process.stdin.flush()
    process.stdin.close()
process = subprocess.Popen([{webrag!r}, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
threading.Thread(target=up, daemon=True).start()
for line in process.stdout:
    note(b"server", line)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
sys.exit(process.wait())
"""


@dataclass(frozen=True)
class Tap:
    """The program and the file that it writes."""

    program: Path
    log: Path

    @classmethod
    def made_in(cls, folder: Path) -> Tap:
        folder.mkdir()
        made = cls(folder / "webrag", folder / "messages.jsonl")
        made.program.write_text(PROGRAM.format(python=sys.executable, log=str(made.log), webrag=str(WEBRAG)))
        made.program.chmod(0o755)
        return made

    def messages(self, sender: str, method: str = "") -> list[dict[str, Any]]:
        """What one side sent, all of it or one method."""
        return [each for who, each in self._lines() if who == sender and (not method or each.get("method") == method)]

    def results(self, tool: str = "") -> list[dict[str, Any]]:
        """The results of calls in their order, of all tools or of one."""
        calls = {
            each["id"]
            for each in self.messages("assistant", "tools/call")
            if not tool or each["params"]["name"] == tool
        }
        return [each["result"] for each in self.messages("server") if each.get("id") in calls and "result" in each]

    def _lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        if self.log.exists():
            for line in self.log.read_text("utf-8").splitlines():
                said = json.loads(line)
                yield said["from"], said["message"]
