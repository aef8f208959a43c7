"""Write the tables of tested assistants and of the sizes of tools: python docs/make_hosts_table.py [FILE | --check]

The sizes of profiles are part of connect.md, the other tables of internals/results/assistants.md. FILE is the result of `make hosts`
(build/hosts.json) and becomes docs/hosts.json. `--check` only fails if a table is out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from app.server.calls.registry import BYTES_PER_TOKEN
from app.server.tools import build_registry, profile_costs
from app.settings import Settings

DOCS: Final = Path(__file__).parent
CONNECT: Final = DOCS / "connect.md"
RESULTS: Final = DOCS / "internals" / "results" / "assistants.md"
FACTS: Final = DOCS / "hosts.json"
HEAD: Final = (
    *("Assistant", "Version", "Its list", "Calls", "Model reads", "Tool descriptions", "Results complete up to"),
    *("Progress", "Changed tools", "Escape"),
)
ESCAPE: Final = {"cancelled": "ends the call", "goes on": "the call continues"}


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the rows as Markdown, in the order of the file."""
    lines = [HEAD, ("---",) * len(HEAD), *map(_cells, rows.values())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(row["title"]),
        str(row["version"]),
        "prints it" if row["connected"] else "no command",
        str(row["called"]),
        str(row["reads"]),
        "names, others on request" if row["describes"] == "when asked" else f"all, {row['tokens']:,} tokens",
        _whole(row),
        "requested" if row["progress"] else "not requested",
        "immediately" if row["follows"] else "next conversation",
        ESCAPE[row["escape"]],
    )


def _whole(row: Mapping[str, Any]) -> str:
    """Return the longest complete result: of the given lengths, or of WebRAG's own if all of those were cut."""
    longest = max(row["whole"], default=row["longest"])
    return f"{longest:,} characters{' and more' if row['whole'] == row['tried'] else ''}"


def costs() -> str:
    """Return the size of each profile in a conversation."""
    lines = ["| Profile | Tools | Tokens, about |\n|---|---|---|\n"]
    lines += [
        f"| `{name}` | {cost.tools} | {cost.about} |\n"
        for name, cost in profile_costs(Settings(data_dir=Path("unused"))).items()
    ]
    return "".join(lines)


def tool_sizes() -> str:
    """Return the size of each tool, the largest first."""
    registry = build_registry(Settings(data_dir=Path("unused")))
    each = ", ".join(
        f"`{registry.wire_name(spec)}` {registry.tokens_of(spec)} ({len(spec.description.encode()) // BYTES_PER_TOKEN})"
        for spec in sorted(registry.listed(), key=registry.tokens_of, reverse=True)
    )
    return f"{each}.\n"


def _replace(page: str, name: str, text: str) -> str:
    """Replace the text between two marks of the page."""
    between = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- end of {name} -->)", re.DOTALL)
    return between.sub(lambda _: text, page)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FACTS)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    facts = options.file.read_text("utf-8")
    pages = {page: page.read_text("utf-8") for page in (CONNECT, RESULTS)}
    results = _replace(pages[RESULTS], "tried", table(json.loads(facts)))
    made = {CONNECT: _replace(pages[CONNECT], "costs", costs()), RESULTS: _replace(results, "tools", tool_sizes())}
    if options.check:
        return int(pages != made)
    FACTS.write_text(facts, "utf-8")
    for page, text in made.items():
        page.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
