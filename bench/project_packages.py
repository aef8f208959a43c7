"""Measure the packages of projects: reading lock files, mutated lock files, and storing documentation from archives.

    python bench/project_packages.py [--projects FOLDER] [--archives FOLDER] [--mutations N]
    python bench/project_packages.py --part versions

FOLDER of projects contains one folder per project, with its lock file and manifests. FOLDER of archives contains source distributions
(`flask-3.1.3.tar.gz`) and npm packages (`fastify-5.12.8.tgz`), whose questions in `support/package_questions.jsonl` are asked. A question
is answered if one of its texts is in the first four quotes. Without folders, only the mutations are measured, on small lock files of every
kind.

`--part versions` gets the packages of `support/versions` in two versions (pip, network), and stores both. 30 questions ask for signatures
that differ between them, in a project that locks the older or the newer one. A fetch of the page in the newer documentation that has the
signature is asked the same. Both answers come from `answer`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.cli.calls import vectors_made
from app.engine import Engine, build_engine
from app.library.packages import DOWNLOADED, Package
from app.packages.archives import open_archive
from app.packages.contents import contents_of
from app.packages.manifests import LockFileError
from app.packages.projects import lock_files, read_lock_file
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import load_settings
from support.package_versions import measure_versions
from tests.packages.projects import FILES, write

LOCK_MS: Final = 300
MUTATED_SECONDS: Final = 1.0
TRIES: Final = 3
QUESTIONS: Final = Path(__file__).parent / "support" / "package_questions.jsonl"
FIFTH_QUOTE: Final = "\n5. ["


@dataclass(frozen=True, slots=True)
class Mutations:
    """Results of reading damaged lock files; `slowest` in seconds."""

    read: int
    refused: int
    slowest: float


def main() -> int:
    """Print the measurements; the status is 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description="Measure the packages of projects.")
    parser.add_argument("--projects", type=Path)
    parser.add_argument("--archives", type=Path)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--part", choices=["versions"])
    options = parser.parse_args()
    if options.part:
        return 0 if asyncio.run(measure_versions()) else 1
    is_good = True
    if options.projects is not None:
        is_good &= measure_locks(options.projects)
    found = mutate(options.mutations)
    print(f"{found.read:,} mutated lock files read, {found.refused:,} refused, slowest {found.slowest * 1000:.0f} ms")
    is_good &= found.slowest <= MUTATED_SECONDS
    if options.archives is not None:
        archives = (path for path in options.archives.iterdir() if path.name.endswith((".tar.gz", ".tgz")))
        asyncio.run(measure_archives(sorted(archives)))
    return 0 if is_good else 1


def measure_locks(folder: Path) -> bool:
    """Print packages, direct and private ones, and the best time of each lock file; return whether all are fast enough."""
    is_good = True
    for project in sorted(folder.iterdir()):
        for path, ecosystem, reader in lock_files(project):
            times = []
            for _ in range(TRIES):
                started = time.perf_counter()
                packages = read_lock_file(path, ecosystem, reader)
                times.append(1000 * (time.perf_counter() - started))
            direct, private = sum(each.is_direct for each in packages), sum(bool(each.index) for each in packages)
            print(
                f"{project.name:12} {path.name:18} {len(packages):5,} packages {direct:4} direct {private:3} private {min(times):5.0f} ms"
            )
            is_good &= min(times) <= LOCK_MS
    return is_good


def mutate(count: int, seed: int = 1) -> Mutations:
    """Read `count` lock files with random damage. Raises any error but LockFileError."""
    chance = random.Random(seed)
    kinds = sorted(FILES)
    read = refused = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            kind = kinds[number % len(kinds)]
            project = write(Path(folder) / kind, FILES[kind])
            path, ecosystem, reader = next(lock_files(project))
            path.write_bytes(_damaged(path.read_bytes(), chance))
            started = time.perf_counter()
            try:
                read_lock_file(path, ecosystem, reader)
                read += 1
            except LockFileError:
                refused += 1
            slowest = max(slowest, time.perf_counter() - started)
    return Mutations(read, refused, slowest)


def _damaged(content: bytes, chance: random.Random) -> bytes:
    """Replace, repeat or remove a few parts."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice((0, 1, 3, 20, 200)))
        pieces = (b"", chance.randbytes(chance.randint(1, 8)), content[start:end] * chance.randint(2, 50), b'{["@' * 3)
        content = content[:start] + chance.choice(pieces) + content[end:]
    return content


async def measure_archives(archives: list[Path]) -> None:
    """Print pages, time and disk space of each archive in a new library."""
    for path in archives:
        name, _, version = path.name.removesuffix(".tar.gz").removesuffix(".tgz").rpartition("-")
        package = Package("npm" if path.suffix == ".tgz" else "pypi", name.lower(), version)
        with tempfile.TemporaryDirectory() as folder:
            async with running(Path(folder)):
                pass
            before = (Path(folder) / "corpus.db").stat().st_size
            async with running(Path(folder)) as engine:
                started = time.perf_counter()
                archive = open_archive(path.read_bytes())
                sizes = {path: len(body) for path, body in archive.files.items()}
                found = contents_of(package, sizes, archive.files.__getitem__, metadata=archive.metadata)
                opened = time.perf_counter()
                added = await engine.packages._stored(package, DOWNLOADED, found)
                stored = time.perf_counter()
            embedded = time.perf_counter()
            size = (Path(folder) / "corpus.db").stat().st_size - before
            async with running(Path(folder)) as engine:
                answers = await ask(engine, package)
        print(
            f"{path.name:24} {added.pages:5,} pages {added.characters / 1e6:5.1f} MB text; opened {opened - started:4.1f} s, "
            f"searchable {stored - started:5.1f} s, all vectors {embedded - started:5.0f} s, disk {size / 1e6:5.1f} MB"
            + (f" ({added.note})" if added.note else "")
            + answers
        )


async def ask(engine: Engine, package: Package) -> str:
    """Ask the questions about a package; return how many are answered, and the mean tokens of a result."""
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    own = [row for row in rows if row["package"] == package.name]
    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    answered = tokens = 0
    for row in own:
        arguments = {"question": row["question"], "scope": {"doc_tags": [f"package:{package}"]}}
        reply = await dispatcher.call("kb.retrieve_evidence", arguments, Caller("bench", charged=True))
        text = _words(reply.text.partition(FIFTH_QUOTE)[0].replace("\n> ", "\n"))
        answered += any(_words(gold) in text for gold in row["gold"])
        tokens += engine.count_tokens(reply.text)
    return f"; {answered} of {len(own)} questions answered, {tokens / len(own):,.0f} tokens" if own else ""


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Engine]:
    """Run an engine without background work, until everything is embedded."""
    engine = build_engine(load_settings(data_dir=folder))
    await engine.start(background=False)
    try:
        yield engine
        await vectors_made(engine)
    finally:
        await engine.stop()


if __name__ == "__main__":
    sys.exit(main())
