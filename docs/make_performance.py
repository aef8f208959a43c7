"""docs/performance.md anew, from what the benches wrote: python docs/make_performance.py [--check | --run [NAME...]]

Each file of docs/performance/ is what one bench wrote with `--json FILE`. `--check` writes nothing and fails when the page does
not fit the files. `--run` runs the benches first, all or those named, one after the other, with what SECTIONS names; some
take an hour, and want a machine that does nothing else. A file made with other arguments is called a small run on the page.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "performance.md"
FOLDER: Final = DOCS / "performance"
HEAD: Final = """\
# Performance

Made by `python docs/make_performance.py` from the files in [performance](performance), each of which a bench wrote with `--json FILE`
(`python docs/make_performance.py --run` makes all of them anew). Times are in milliseconds and depend on the machine, which is named with
its load; a goal beside a figure is meant for two quiet cores.
"""


PHASES: Final = frozenset({"analysis", "retrieval", "reranking", "expansion", "locality", "merge", "other", "outside"})
"""Parts of a call that the bench tells and the page leaves out."""

_NO_SMALLER: Final = re.compile(r" --(?:no-baseline|folder \S+|seed \S+)")
"""Options that make a run no smaller."""


@dataclass(frozen=True, slots=True)
class Section:
    """One bench on the page: what it shows, the command for the figures that count, and what of its output is shown."""

    heading: str
    words: str
    command: str
    tables: tuple[str, ...] = ()
    """Titles of the tables shown, by what they end with; all when empty."""
    without: frozenset[str] = frozenset()
    """Columns left out."""


SECTIONS: Final[dict[str, Section]] = {
    "latency": Section("One client", "How long a call takes, as a client sees it.", "bench/latency.py", without=PHASES),
    "load_clients": Section(
        "Five clients at once",
        "Each makes its calls as fast as they are answered.",
        "bench/load.py --clients 5 --calls 150",
        ("Time of each tool", "Outcomes", "Rate"),
        frozenset({"n", "max ms"}),
    ),
    "load_minutes": Section(
        "Twenty clients and a crawl",
        "Memory, files and threads have to stay flat, and nobody is left behind.",
        "bench/load.py --minutes 30",
        ("Outcomes", "Fairness", "What the application used", "Rate"),
    ),
    "library": Section("The window over many pages", "", "bench/library.py --pages 50000"),
    "store_100000": Section("A large library", "", "bench/store.py --chunks 100000"),
    "store_1000000": Section("A very large library", "", "bench/store.py --chunks 1000000"),
    "crash": Section(
        "Killed and started again",
        "The program is killed at random moments of its work, and files are copied while they are written.",
        "bench/crash.py",
        ("by kind", "by how they were made"),
    ),
    "fuzz": Section("Damaged input", "Everything that reads what others wrote, with random damage.", "bench/fuzz.py"),
    "tool_calls": Section("Odd arguments", "Every tool, through the official client.", "bench/tool_calls.py"),
    "hops": Section(
        "Files on the way of a call",
        "How many modules of the program a reader has to follow.",
        "bench/hops.py",
        without=frozenset({"by package", "functions", "calls"}),
    ),
}


def page(folder: Path) -> str:
    """The page for the files of a folder."""
    return "\n".join([HEAD, *(part(name, folder / f"{name}.json") for name in SECTIONS)])


def part(name: str, file: Path) -> str:
    """One section: heading, command, machine, tables."""
    section = SECTIONS[name]
    lines = [f"## {section.heading}\n"]
    if section.words:
        lines.append(f"{section.words}\n")
    if not file.exists():
        return "\n".join([*lines, f"Not measured yet: `{section.command}`.\n"])
    run = json.loads(file.read_text("utf-8"))
    lines.append(f"`{run['command']}`, {run['day']}, {run['machine']}.\n")
    if _NO_SMALLER.sub("", run["command"]) != section.command:
        lines.append(
            f"**A small run**, which shows the form and not what to expect; the whole one is `{section.command}`.\n"
        )
    reports = [each for each in run["reports"] if not section.tables or each["title"].endswith(section.tables)]
    for report in reports:
        if len(reports) > 1:
            lines.append(f"{report['title'].rpartition(': ')[2]}:\n")
        lines += tables([{key: row[key] for key in row if key not in section.without} for row in report["rows"]])
    return "\n".join(lines)


def tables(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The rows as Markdown; one with a column that the table lacks begins another."""
    some: list[Mapping[str, Any]] = []
    for row in rows:
        if some and not set(row) <= set(some[0]):
            yield _table(some)
            some = []
        some.append(row)
    if some:
        yield _table(some)


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    columns = [name for name in rows[0] if any(row.get(name, "") != "" for row in rows)]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(_shown(row.get(name, '')) for name in columns)} |" for row in rows]
    return "\n".join([*lines, ""])


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")


def run(names: Sequence[str]) -> None:
    """Make files anew. Raises CalledProcessError for a bench that fails; those before it are written."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or SECTIONS:
        command = [sys.executable, *shlex.split(SECTIONS[name].command), "--json", str(FOLDER / f"{name}.json")]
        subprocess.run(command, cwd=DOCS.parent, check=True)


def main(arguments: list[str]) -> int:
    """Write or check the page; the result is the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--run", nargs="*", metavar="NAME", choices=tuple(SECTIONS))
    options = parser.parse_args(arguments)
    if options.run is not None:
        run(options.run)
    made = page(FOLDER)
    if not options.check:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        print(f"{PAGE.name} is out of date: run `python docs/make_performance.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
