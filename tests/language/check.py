"""Report stilted English in the repository, and fail if an area has more of it than its limit.

    python -m tests.language.check                 check everything against the limits
    python -m tests.language.check PATH...         list the findings in these files and folders
    python -m tests.language.check --commits       check the subjects of the commits since the baseline
    python -m tests.language.check --explain       list the rules with their advice

docs/internals/style.md is the guide. A line with the words "language: ok" in a comment is exempt.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.language.texts import Kind, Text, read_texts

ROOT: Final = Path(__file__).resolve().parents[2]
CHECKED: Final = (
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "assets", "app", "bench", "installer", "training", "tests",
)  # fmt: skip
GENERATED: Final = ("docs/api-contracts.md", "docs/internals/results/")
"""Their sources are checked instead."""
MADE_UP: Final = ("tests/", "bench/support/")
"""Strings in these folders are the content of invented pages, not texts of ours."""
MAX_PER_1000_WORDS: Final = {"window": 1.0, "README.md": 1.0}
"""Findings per 1,000 words that an area can have; every other area has DEFAULT_LIMIT."""
DEFAULT_LIMIT: Final = 2.0

MAX_SENTENCE_WORDS: Final[dict[Kind, int]] = {"md": 35, "table": 35, "doc": 35, "comment": 35, "str": 35, "ts": 30}
MAX_RELATIVES: Final = 3
"""Relative and interrogative words in a sentence."""
MAX_CHAINED_WORDS: Final = 20
"""A longer sentence with a semicolon should be two."""
MAX_SUBJECT_CHARS: Final = 72
SUBJECT: Final = re.compile(r"(?:feat|fix|perf|docs|test|refactor|build|ci|revert)(?:\([a-z-]+\))?: [a-z`].*[^.]")
BASELINE: Final = "e81df9f1a1f6"
"""Subjects of earlier commits are not checked."""

_RELATIVE: Final = re.compile(r"\b(?:that|which|who|whom|whose|what|whatever|where|whoever|whether)\b", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"'(*`])")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of stilted English and the wording to use instead."""

    id: str
    pattern: re.Pattern[str]
    advice: str
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Finding:
    file: str
    line: int
    kind: Kind
    rule: str
    excerpt: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.rule}: {self.excerpt}"


def load_rules() -> list[Rule]:
    """Read the rules from rules.toml."""
    every = ("md", "head", "table", "doc", "comment", "str", "ts", "subject")
    rows = tomllib.loads((Path(__file__).parent / "rules.toml").read_text("utf-8"))["rules"]
    return [
        Rule(
            row["id"],
            re.compile(row["pattern"], re.IGNORECASE if row.get("ignore-case") else 0),
            row["advice"],
            frozenset(row.get("kinds", every)),
        )
        for row in rows
    ]


def find(file: str, text: Text, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what is wrong with a text."""
    for rule in rules:
        if text.kind in rule.kinds:
            for match in rule.pattern.finditer(text.text):
                excerpt = text.text[max(0, match.start() - 15) : match.end() + 45]
                yield Finding(file, text.line, text.kind, rule.id, excerpt)
    most = MAX_SENTENCE_WORDS.get(text.kind)
    for sentence in _SENTENCE_END.split(text.text) if most else ():
        words = len(sentence.split())
        if most and words > most:
            yield Finding(file, text.line, text.kind, "long", f"{words} words: {sentence[:70]}")
        if words > MAX_CHAINED_WORDS and "; " in sentence:
            yield Finding(file, text.line, text.kind, "chained", sentence[:90])
        if len(_RELATIVE.findall(sentence)) > MAX_RELATIVES:
            yield Finding(file, text.line, text.kind, "nested", sentence[:90])


def find_in_subject(subject: str, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what is wrong with the subject of a commit."""
    if len(subject) > MAX_SUBJECT_CHARS or not SUBJECT.fullmatch(subject):
        yield Finding("commit", 0, "subject", "subject", subject)
    yield from find("commit", Text(0, "subject", subject), rules)


def files_in(path: Path) -> Iterator[Path]:
    """Yield the checked files of a folder, or the file itself."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        name = file.relative_to(ROOT).as_posix()
        is_catalogue = file.suffix == ".ts" and file.parent.name == "translations"
        if (file.suffix in (".md", ".py") or is_catalogue) and not name.startswith(GENERATED):
            yield file


def area_of(file: str, kind: Kind) -> str:
    """Name the area that a text counts for."""
    if kind in ("md", "head", "table"):
        return file if "/" not in file else "docs"
    return {"doc": "docstrings", "comment": "comments", "str": "strings", "ts": "window"}[kind]


def check(paths: Iterable[Path], rules: list[Rule]) -> tuple[list[Finding], Counter[str]]:
    """Return the findings, and the number of words by area."""
    found, words = list[Finding](), Counter[str]()
    for path in paths:
        for file in files_in(path):
            name = file.relative_to(ROOT).as_posix()
            for text in read_texts(file):
                if text.kind == "str" and name.startswith(MADE_UP):
                    continue
                words[area_of(name, text.kind)] += len(text.text.split())
                found += find(name, text, rules)
    return found, words


def over_limits(found: list[Finding], words: Counter[str]) -> tuple[str, set[str]]:
    """Return a table of the areas, and the areas over their limit."""
    counts = Counter(area_of(each.file, each.kind) for each in found)
    rows, over = [f"{'area':<18}{'findings':>9}{'words':>9}{'per 1,000':>11}{'limit':>7}"], set[str]()
    for area in sorted(words):
        rate = 1_000 * counts[area] / max(1, words[area])
        limit = MAX_PER_1000_WORDS.get(area, DEFAULT_LIMIT)
        rows.append(f"{area:<18}{counts[area]:>9}{words[area]:>9,}{rate:>11.1f}{limit:>7.1f}")
        if rate > limit:
            over.add(area)
    return "\n".join(rows), over


def commit_subjects() -> list[str]:
    """Return the subjects since the baseline; none if the history does not contain it, as in a shallow clone."""
    command = ["git", "log", "--no-merges", "--format=%s", f"{BASELINE}..HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def main(arguments: list[str] | None = None) -> int:
    """Run the check and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--commits", action="store_true")
    parser.add_argument("--explain", action="store_true")
    options = parser.parse_args(arguments)
    rules = load_rules()
    lines = list[str]()
    if options.explain:
        lines += [f"{rule.id:<14}{rule.advice}" for rule in rules]
    elif options.commits:
        lines += [str(each) for subject in commit_subjects() for each in find_in_subject(subject, rules)]
    elif options.paths:
        found, _ = check([path.resolve() for path in options.paths], rules)
        lines += map(str, found)
    else:
        found, words = check([ROOT / name for name in CHECKED], rules)
        shown, over = over_limits(found, words)
        lines += [str(each) for each in found if area_of(each.file, each.kind) in over]
        lines += [shown, "Rewrite these texts; `--explain` has the advice."] if over else []
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(bool(lines) and not options.explain)


if __name__ == "__main__":
    sys.exit(main())
