"""The tables of assistants that were tried and of what tools cost, in connect.md: python docs/make_hosts_table.py [FILE | --check]

FILE is what `make hosts` wrote (build/hosts.json); it becomes docs/hosts.json, which the first is made of. `--check` writes
nothing and fails where a table does not fit.
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
PAGE: Final = DOCS / "connect.md"
FACTS: Final = DOCS / "hosts.json"
HEAD: Final = (
    *("Assistant", "Version", "Its list", "Calls", "Its model reads", "Told of tools", "Results are whole up to"),
    *("Progress", "Other tools", "Escape"),
)
ESCAPE: Final = {"cancelled": "ends the call", "goes on": "the call goes on"}


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """The rows as Markdown, in the order of the file."""
    lines = [HEAD, ("---",) * len(HEAD), *map(_cells, rows.values())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(row["title"]),
        str(row["version"]),
        "names WebRAG" if row["connected"] else "has none",
        str(row["called"]),
        str(row["reads"]),
        "names; the rest when it asks" if row["describes"] == "when asked" else f"everything, {row['tokens']:,} tokens",
        _whole(row),
        "asked for" if row["progress"] else "not asked for",
        "at once" if row["follows"] else "next conversation",
        ESCAPE[row["escape"]],
    )


def _whole(row: Mapping[str, Any]) -> str:
    """The longest result that arrived whole: of those of a given length, or of WebRAG's own where each of those was cut."""
    longest = max(row["whole"], default=row["longest"])
    return f"{longest:,} characters{' and more' if row['whole'] == row['tried'] else ''}"


def costs() -> str:
    """What each profile takes of a conversation, and what each tool does, the dearest first."""
    settings = Settings(data_dir=Path("unused"))
    registry = build_registry(settings)
    lines = ["| profile | tools | tokens, about |\n|---|---|---|\n"]
    lines += [f"| `{name}` | {cost.tools} | {cost.about} |\n" for name, cost in profile_costs(settings).items()]
    by_cost = sorted(registry.listed(), key=registry.tokens_of, reverse=True)
    each = ", ".join(
        f"`{registry.wire_name(spec)}` {registry.tokens_of(spec)} ({len(spec.description.encode()) // BYTES_PER_TOKEN})"
        for spec in by_cost
    )
    return f"{''.join(lines)}\nTool by tool, and how much of it is the description: {each}.\n"


def _put(page: str, name: str, text: str) -> str:
    """The page with other text between two marks."""
    between = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- end of {name} -->)", re.DOTALL)
    return between.sub(lambda _: text, page)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FACTS)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    facts = options.file.read_text("utf-8")
    before = PAGE.read_text("utf-8")
    after = _put(_put(before, "tried", table(json.loads(facts))), "costs", costs())
    if options.check:
        return int(before != after)
    FACTS.write_text(facts, "utf-8")
    PAGE.write_text(after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
