"""Update libraries that earlier versions of the program made, whole and interrupted, and compare everything before and after.

    python bench/upgrade.py [--versions NAME...] [--pages 150] [--copies 20] [--kills 20] [--seed 2026] [--folder DIR] [--json [FILE]]

Needs Linux and the history of this repository. Each version, unpacked from the history and run with the packages of this program, creates a
home folder: settings, assistants, secrets, a paired browser, a joined library, and a library of PAGES pages of Python's documentation,
which it reads, splits and embeds. SQL then copies these pages COPIES times to other addresses, so every text is stored COPIES + 1 times.

This version opens a copy of the home, rewrites pages and vectors in the background, and is asked questions all the time. Another copy is
interrupted by SIGKILL at random moments, half of them before it answers, half of them while it rewrites pages. After each kill, the file
is checked and compared with the original, and at the end also its answers with those of the copy that was not interrupted.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import shutil
import sys
import tempfile
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from support.grown_home import ORIGIN, QUESTIONS, answers, copied_home, grow, make_home, write_site
from support.old_programs import BEFORE, TODAY, NoHistoryError, Program, Server, data_dir, program
from support.report import Report, Row, add_json, median, print_report
from support.updated import Contents, contents_of, damage_of

NOT_INSTALLED: Final = 75
POLL_SECONDS: Final = 0.2
PACK_POLL_SECONDS: Final = 4.0
PACK_SECONDS: Final = 3_600.0
REWRITING_SECONDS: Final = 20.0
"""Latest kill after the first answer, so that several kills hit one rewriting."""
DIFFERENCE_CHARS: Final = 500
MADE: Final = "made.json"
SIDES: Final = ("", "-wal")


@dataclass
class Watched:
    """What a client of the updating server saw."""

    listening: float = 0.0
    answered: float = 0.0
    ms: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Updated:
    """A complete update without interruption."""

    seen: Watched
    packed: float
    peak_mb: float
    answers: list[str]
    contents: Contents


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", nargs="+", choices=(*BEFORE, TODAY), default=[*BEFORE], metavar="NAME")
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--folder", type=Path, help="keep programs and libraries here, and use those of an earlier run")
    add_json(parser)
    options = parser.parse_args()
    try:
        for name in options.versions:
            with tempfile.TemporaryDirectory(prefix="webrag-upgrade-", dir=options.folder) as scratch:
                _report(name, options.folder or Path(scratch), Path(scratch), options)
    except NoHistoryError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    return 0


def _report(name: str, folder: Path, scratch: Path, options: argparse.Namespace) -> None:
    old, today = program(name, folder), program(TODAY, folder)
    home = _home(old, folder, options)
    before = contents_of(data_dir(home) / "corpus.db")
    print(f"\n{name}: commit {old.commit[:8]}, {options.pages} pages in {options.copies + 1} copies", file=sys.stderr)
    update = Report(f"update of a library made {name}", as_json=options.json)
    update.add(
        {
            "what": "made by",
            "result": f"commit {old.commit[:8]}, {options.pages} pages, then {options.copies} copies of them",
        }
    )
    whole = copied_home(home, scratch / "whole")
    done = _updated(today, whole)
    for row in _rows(before, home, whole, done):
        update.add(row)
    for what, result in _kept(today, whole, home, before, done.contents).items():
        update.add({"what": what, "result": result})
    today.run(whole, "compact")
    update.add({"what": "file after `webrag compact`", "result": _mb(data_dir(whole) / "corpus.db")})
    if name != TODAY:
        update.add({"what": "what the old program says afterwards", "result": _refusal(old, whole)})
    update.end()
    if name == TODAY or not options.kills:
        return
    kills = Report(f"kills during updates of a library made {name}, one by one", as_json=options.json)
    for row in _interrupted(today, home, scratch / "interrupted", done, before, options):
        kills.add(row)
    kills.end()
    print_report(_by_kind(kills.rows), as_json=options.json, title=f"kills during updates of a library made {name}")


def _by_kind(rows: Sequence[Row]) -> list[Row]:
    kinds = dict.fromkeys(str(row["killed while"]) for row in rows)
    found: list[Row] = []
    for kind in kinds:
        own = [row for row in rows if row["killed while"] == kind]
        results = Counter(str(row["result"]) for row in own)
        found.append(
            {
                "killed while": kind,
                "kills": sum(row["kill"] != "none" for row in own),
                "update complete": sum(row["updated"] == "yes" for row in own),
                "result": ", ".join(f"{result} ({count})" for result, count in results.items()),
            }
        )
    return found


def _home(old: Program, folder: Path, options: argparse.Namespace) -> Path:
    """Return a home made by a version, from an earlier run if there is one."""
    site = folder / f"site-{options.pages}"
    home = folder / f"home-{old.commit[:8]}-{options.pages}-{options.copies}"
    if not (home / MADE).exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        if not site.exists():
            write_site(site, options.pages)
        made = make_home(old, home, site, options.pages)
        grow(data_dir(home) / "corpus.db", options.copies)
        (home / MADE).write_text(json.dumps(made))
    return home


def _updated(today: Program, home: Path) -> Updated:
    server = today.start(home)
    try:
        seen = _watched(server)
        ended, asking = threading.Event(), threading.Thread(target=lambda: _ask(server, seen, ended))
        asking.start()
        packed = _packed(server, home)
        ended.set()
        asking.join()
        peak = _peak_mb(server.process.pid)
        found = answers(server)
    finally:
        server.stop()
    return Updated(seen, packed, peak, found, contents_of(data_dir(home) / "corpus.db"))


def _watched(server: Server) -> Watched:
    """Ask from the start until the first answer."""
    seen = Watched(listening=server.wait_until_listening())
    while not seen.answered:
        text, is_error = _asked(server, QUESTIONS[0])
        if is_error:
            if text not in seen.told:
                seen.told.append(text)
            time.sleep(POLL_SECONDS)
        else:
            seen.answered = time.monotonic() - server.began
    return seen


def _asked(server: Server, question: str) -> tuple[str, bool]:
    try:
        result = server.call("search", {"query": question})
    except (urllib.error.URLError, OSError) as error:
        return str(error), True
    return result["content"][0]["text"], bool(result.get("isError"))


def _ask(server: Server, seen: Watched, ended: threading.Event) -> None:
    number = 0
    while not ended.wait(PACK_POLL_SECONDS):
        began = time.perf_counter()
        text, is_error = _asked(server, QUESTIONS[number % len(QUESTIONS)])
        seen.ms.append(1000 * (time.perf_counter() - began))
        if is_error:
            seen.told.append(text)
        number += 1


def _packed(server: Server, home: Path) -> float:
    """Wait until all pages are rewritten; return the seconds since the start."""
    import apsw

    file = data_dir(home) / "corpus.db"
    deadline = time.monotonic() + PACK_SECONDS
    while time.monotonic() < deadline:
        con = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            if not con.execute("SELECT EXISTS (SELECT 1 FROM unpacked)").get:
                return time.monotonic() - server.began
        finally:
            con.close()
        time.sleep(PACK_POLL_SECONDS)
    raise RuntimeError(f"the pages were not rewritten within {PACK_SECONDS:.0f} s")


def _peak_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"no memory figure for process {pid}")


def _rows(before: Contents, home: Path, whole: Path, done: Updated) -> Iterator[dict[str, object]]:
    counts = before.counts
    yield {
        "what": "pages, passages, pinned passages",
        "result": ", ".join(f"{counts[each]:,}" for each in ("pages", "passages", "pinned passages")),
    }
    yield {"what": "file before", "result": _mb(data_dir(home) / "corpus.db")}
    yield {"what": "file after", "result": _mb(data_dir(whole) / "corpus.db")}
    backups = list(data_dir(whole).glob("*.backup"))
    yield {"what": "backup", "result": ", ".join(f"{each.name}, {_mb(each)}" for each in backups) or "none"}
    seen = done.seen
    yield {
        "what": "seconds until it listens, answers, has rewritten all pages",
        "result": f"{seen.listening:.1f}, {seen.answered:.1f}, {done.packed:.0f}",
    }
    first = [text for text in seen.told if "%" in text]
    yield {
        "what": "told before it answers",
        "result": f"{len(first)} messages: {_details(first[-1])}" if first else "nothing",
    }
    errors = len(seen.told) - len(first)
    yield {
        "what": "questions while it rewrites",
        "result": f"{len(seen.ms)}, median {median(seen.ms or [0]):.0f} ms, slowest {max(seen.ms or [0]):.0f} ms, {errors} errors",
    }
    yield {"what": "memory peak", "result": f"{done.peak_mb:.0f} MB"}


def _details(text: str) -> str:
    return text.partition("Details: ")[2].partition("\n")[0]


def _mb(file: Path) -> str:
    return f"{sum(_size(file.with_name(file.name + side)) for side in SIDES) / 1e6:,.0f} MB"


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _kept(today: Program, whole: Path, home: Path, before: Contents, after: Contents) -> dict[str, str]:
    """Compare everything with the home before the update."""
    made: dict[str, Any] = json.loads((home / MADE).read_text())
    file = data_dir(whole) / "corpus.db"
    found = {
        "content after the update": "; ".join(before.differences(after)) or "the same",
        "damage": "; ".join(damage_of(file)) or "none",
        "vectors without signs": str(after.without_signs),
        "`webrag verify`": (today.run(whole, "verify").stdout.strip().splitlines() or ["no output"])[-1],
    }
    backup = next(iter(data_dir(whole).glob("*.backup")), None)
    if backup is not None:
        found["content of the backup"] = "; ".join(before.differences(contents_of(backup))) or "the same"
    files = (
        ".config/webrag/config.toml",
        ".config/Claude/claude_desktop_config.json",
        ".cursor/mcp.json",
        ".claude.json",
        "keyring.json",
    )
    data_files = (f".local/share/webrag/{name}" for name in ("browsers.json", "libraries.json"))
    changed = [name for name in (*files, *data_files) if _bytes(home / name) != _bytes(whole / name)]
    found["settings, assistants, secrets, browsers, joined libraries"] = ", ".join(changed) or "the same bytes"
    with today.serving(whole) as server:
        is_same = server.runtime()["token"] == made["token"]
        found["access token"] = "the same" if is_same else "another one"
        headers = {"Origin": ORIGIN, "Authorization": f"Bearer {made['browser']}"}
        try:
            found["paired browser"] = str(
                server.post("/browser/state", {"url": "https://example.org/"}, headers=headers)
            )
        except OSError as error:
            found["paired browser"] = f"refused: {error}"
    return found


def _bytes(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _refusal(old: Program, home: Path) -> str:
    done = old.run(home, "status")
    return " ".join(f"status {done.returncode}: {done.stderr or done.stdout}".replace(str(home), "~").split())


def _interrupted(
    today: Program, home: Path, place: Path, done: Updated, before: Contents, options: argparse.Namespace
) -> Iterator[dict[str, object]]:
    chance = random.Random(options.seed)
    copied_home(home, place)
    file = data_dir(place) / "corpus.db"
    applied, now = False, before
    for number in range(options.kills):
        is_opening = number < options.kills // 2
        if applied and (is_opening or not now.unpacked):
            copied_home(home, place)
        latest = done.seen.answered if is_opening else min(done.packed - done.seen.answered, REWRITING_SECONDS)
        seconds = chance.uniform(0, latest)
        server = today.start(place)
        if not is_opening:
            _watched(server)
        time.sleep(seconds)
        server.kill()
        problems = damage_of(file)
        now = contents_of(file)
        applied = now.migrations > before.migrations
        problems += before.differences(now)
        if now.without_signs:
            problems.append(f"{now.without_signs} vectors without signs")
        yield {
            "kill": number + 1,
            "killed while": "opening" if is_opening else "rewriting",
            "after s": round(seconds, 2),
            "updated": "yes" if applied else "no",
            "left to rewrite": now.unpacked,
            "result": "; ".join(problems) or "nothing lost",
        }
    ended = _updated(today, place)
    differing = [pair for pair in zip(done.answers, ended.answers, strict=True) if pair[0] != pair[1]]
    problems = [*done.contents.differences(ended.contents), *damage_of(file)]
    left = sorted(path.name for path in data_dir(place).iterdir() if path.name.startswith("."))
    if differing:
        first, second = (text.splitlines() for text in differing[0])
        lines = "; ".join(line for line in difflib.ndiff(first, second) if line[0] in "+-")
        problems.append(f"{len(differing)} of {len(QUESTIONS)} answers differ: {lines[:DIFFERENCE_CHARS]}")
    yield {
        "kill": "none",
        "killed while": "not killed",
        "after s": round(ended.packed, 2),
        "updated": "yes",
        "left to rewrite": ended.contents.unpacked,
        "result": "; ".join((*problems, *left)) or "same content and answers as without a kill, no leftovers",
    }


if __name__ == "__main__":
    sys.exit(main())
