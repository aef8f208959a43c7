"""A bridge that records all messages and creates results of any length. It runs the real command between assistant and application.

The assistant is registered with it instead of `webrag mcp`, so that the messages of the application can be compared with the input of the
model. Each message is a line of the file: {"from": "assistant" or "server", "message": …}. For the documentation pages `characters-N` and
`greek-characters-N`, it returns a text of N characters, to find out how much of a result an assistant accepts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.integration.application import WEBRAG

SIZED: Final = "characters-"
GREEK: Final = "greek-characters-"
WORDS: Final = {
    SIZED: "A text of the requested length, in words of the usual length. ",
    GREEK: "Ένα κείμενο με το μήκος που ζητήθηκε. ",
}
"""Texts by the requested page. A letter of the second one has two bytes."""

PROGRAM: Final = """\
#!{python}
import json, subprocess, sys, threading
log, lock = open({log!r}, "ab", 0), threading.Lock()
def note(who, line):
    with lock:
        log.write(b'{{"from": "' + who + b'", "message": ' + line.strip() + b"}}\\n")
        if who == b"server":
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
def sized(asked):
    path = str(asked.get("params", {{}}).get("arguments", {{}}).get("path", ""))
    kind = next((each for each in {words!r} if path.startswith(each)), "")
    if asked.get("method") != "tools/call" or not kind:
        return b""
    size = int(path.removeprefix(kind))
    result = {{"content": [{{"type": "text", "text": ({words!r}[kind] * size)[:size - 1] + "."}}]}}
    return json.dumps({{"jsonrpc": "2.0", "id": asked["id"], "result": result}}).encode() + b"\\n"
def up():
    for line in sys.stdin.buffer:
        note(b"assistant", line)
        made = sized(json.loads(line))
        if made:
            note(b"server", made)
        else:
            process.stdin.write(line)
            process.stdin.flush()
    process.stdin.close()
process = subprocess.Popen([{webrag!r}, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
threading.Thread(target=up, daemon=True).start()
for line in process.stdout:
    note(b"server", line)
sys.exit(process.wait())
"""


@dataclass(frozen=True)
class Tap:
    """Return the program and the file that it writes."""

    program: Path
    log: Path

    @classmethod
    def made_in(cls, folder: Path) -> Tap:
        folder.mkdir()
        made = cls(folder / "webrag", folder / "messages.jsonl")
        told = {"python": sys.executable, "log": str(made.log), "webrag": str(WEBRAG), "words": WORDS}
        made.program.write_text(PROGRAM.format(**told))
        made.program.chmod(0o755)
        return made

    def messages(self, sender: str, method: str = "") -> list[dict[str, Any]]:
        """Return the messages of one side, all or only of one method."""
        return [each for who, each in self._lines() if who == sender and (not method or each.get("method") == method)]

    def results(self) -> list[dict[str, Any]]:
        """Return the results of calls in their order."""
        calls = {each["id"] for each in self.messages("assistant", "tools/call")}
        return [each["result"] for each in self.messages("server") if each.get("id") in calls and "result" in each]

    def was_called(self, tool: str) -> bool:
        """Whether the assistant called the tool."""
        return any(each["params"]["name"] == tool for each in self.messages("assistant", "tools/call"))

    def _lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        if self.log.exists():
            for line in self.log.read_text("utf-8").splitlines():
                said = json.loads(line)
                yield said["from"], said["message"]
