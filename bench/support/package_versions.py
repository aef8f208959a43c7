"""The same questions to the packages of a project and to a fetch of the newest documentation: which version answers."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.engine import Engine, build_engine
from app.kb.records import Asking, SearchRequest
from app.library.packages import Package, canonical_name
from app.library.scope import Scope
from app.packages.contents import installed_contents
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import load_settings
from support.report import Report
from tests.packages.projects import write
from tests.support.site import Site

REQUIREMENTS: Final = Path(__file__).with_name("versions")
SITE_PACKAGES: Final = ".venv/lib/python3.11/site-packages"
PACKAGE_QUESTIONS: Final = 5
MAX_SIGNATURE_CHARS: Final = 300
RESULTS: Final = 10
SEED: Final = 1


class Release:
    """A project with the packages of a file of `versions`, unpacked, not installed."""

    def __init__(self, root: Path) -> None:
        self.root, requirements = root, REQUIREMENTS / f"{root.name}.txt"
        text = requirements.read_text("utf-8")
        write(root, {"requirements.txt": text, ".venv/pyvenv.cfg": "home = /usr\n"})
        wheels = root.with_suffix(".wheels")
        options = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", requirements, "-d", wheels)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", *map(str, options)], check=True)
        for path in sorted(wheels.iterdir()):
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(root / SITE_PACKAGES)
        self.versions: dict[str, str] = dict(re.findall(r"^(\S+)==(\S+)", text, re.MULTILINE))
        self.pages: dict[str, dict[str, str]] = {}
        self.signatures: dict[str, dict[str, str]] = {}
        for info in (root / SITE_PACKAGES).glob("*.dist-info"):
            name = canonical_name("pypi", info.name.partition("-")[0])
            found = installed_contents(Package("pypi", name, self.versions[name]), info)
            self.pages[name] = {page.path: page.content.decode() for page in found.pages}
            self.signatures[name] = {
                each.name: each.signature for each in found.symbols if each.kind in ("function", "method")
            }


@dataclass(frozen=True, slots=True)
class Question:
    """A symbol whose signature differs between the two versions. `page` is its page in the newer documentation."""

    package: str
    symbol: str
    older: str
    newer: str
    page: str

    @property
    def text(self) -> str:
        return f"What is the signature of {self.symbol}, and which arguments does it take?"


@dataclass(slots=True)
class Tally:
    """Counts of answers with the signature of the locked version and of the other one, and of sources."""

    right: int = 0
    wrong: int = 0
    sources: int = 0
    foreign: int = 0

    def add(self, answer: str, right: str, wrong: str) -> None:
        self.right += _plain(right) in answer
        self.wrong += _plain(wrong) in answer


def questions(older: Release, newer: Release) -> Iterator[Question]:
    """Yield symbols of every package. Overloads, long signatures and those contained in the other one are left out."""
    chance = random.Random(SEED)
    for name in sorted(older.versions):
        before, after = older.signatures[name], newer.signatures[name]
        changed = [
            Question(name, symbol, before[symbol], after[symbol], page)
            for symbol in sorted(before.keys() & after.keys())
            for page in [next((path for path, text in newer.pages[name].items() if after[symbol] in text), "")]
            if page
            and before[symbol] not in after[symbol]
            and after[symbol] not in before[symbol]
            and "\n" not in before[symbol] + after[symbol]
            and max(len(before[symbol]), len(after[symbol])) <= MAX_SIGNATURE_CHARS
        ]
        yield from chance.sample(changed, PACKAGE_QUESTIONS)


async def measure_versions() -> bool:
    """Print which versions answer; return whether none of ours is another one than that of the lock file."""
    report, is_good = Report("Versions that answer", as_json=False), True
    with tempfile.TemporaryDirectory() as folder, Site() as site:
        older, newer = Release(Path(folder) / "older"), Release(Path(folder) / "newer")
        asked = list(questions(older, newer))
        for each in asked:
            text = newer.pages[each.package][each.page].encode()
            site.page(f"/{each.package}/{each.page}", text, content_type="text/markdown; charset=utf-8")
        engine = build_engine(load_settings({"allow_networks": "127.0.0.0/8"}, data_dir=Path(folder) / "data"))
        await engine.start(background=False)
        try:
            for release in (older, newer):
                failed = [added for added in await engine.packages.add(root=release.root) if added.failure]
                assert not failed, failed
            for locked, other in ((older, newer), (newer, older)):
                await engine.packages.scan(locked.root)
                await engine.packages.forget_project(other.root)
                looked_up, ours, fetched = Tally(), Tally(), Tally()
                for each in asked:
                    right, wrong = (each.older, each.newer) if locked is older else (each.newer, each.older)
                    version = locked.versions[each.package]
                    await _look_up(engine, each, version, right, looked_up)
                    await _ask(engine, each, version, ours)
                    ours.add(await _answer(engine, each, f"package:{each.package}"), right, wrong)
                    address = site.url(f"/{each.package}/{each.page}")
                    fetched.add(await _answer(engine, each, address), right, wrong)
                    fetched.sources += 1
                    fetched.foreign += locked is older
                for way, tally in (("library_symbol", looked_up), ("answer, search", ours), ("newest page", fetched)):
                    report.add(
                        {
                            "locked": locked.root.name,
                            "asked": way,
                            "questions": len(asked),
                            "right signature": tally.right,
                            "signature of the other version": tally.wrong,
                            "sources": tally.sources,
                            "of another version": tally.foreign,
                        }
                    )
                is_good &= not any((looked_up.wrong, looked_up.foreign, ours.wrong, ours.foreign))
        finally:
            await engine.stop()
    report.end()
    return is_good


async def _look_up(engine: Engine, question: Question, version: str, right: str, tally: Tally) -> None:
    for package, symbol in engine.docs.symbol(question.symbol, question.package).found:
        tally.sources += 1
        tally.foreign += package.version != version
        tally.right += symbol.signature == right
        tally.wrong += symbol.signature != right


async def _ask(engine: Engine, question: Question, version: str, tally: Tally) -> None:
    """Count the sources of the documentation search and of the knowledge base."""
    scope = Scope(doc_tags=(f"package:{question.package}",))
    page = await engine.kb.search(Asking("bench", None, scope), SearchRequest(question.text, RESULTS, RESULTS))
    names = [found.url.removeprefix("webrag://package/pypi/") for found in page.results]
    names += [hit.name for hit in engine.docs.search(question.text, None, question.package).hits]
    tally.sources += len(names)
    tally.foreign += sum(not name.startswith(f"{question.package}@{version}/") for name in names)


async def _answer(engine: Engine, question: Question, address: str) -> str:
    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    arguments = {"url": address, "query": question.text}
    reply = await dispatcher.call("answer", arguments, Caller("bench", charged=True))
    return _plain(reply.text)


def _plain(text: str) -> str:
    """Return a text without line ends, marks of quotes and escapes."""
    return re.sub(r"\\(?=[*_\[\]])", "", re.sub(r"[\s>]+", "", text))
