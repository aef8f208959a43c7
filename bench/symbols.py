"""Measure symbols of Python packages: names of their documentation that are found, equal signatures, typing errors, and times.

    python bench/symbols.py --site-packages FOLDER [--inventories FOLDER] [--packages NAME ...] [--names 500] [--python PROGRAM] [--json]

FOLDER of inventories contains `objects.inv` of the documentation of these versions, as `flask.inv`. Without it, names of the packages
themselves are looked up. PROGRAM is a Python that can import the packages; only it runs their code, to compare with `inspect.signature`.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from app.corpus import Corpus
from app.errors import FileAccessError
from app.library.packages import Package, Symbol, canonical_name
from app.packages.contents import installed_contents
from support.report import Report, median, percentile

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz_"
_LINE: Final = re.compile(r"(\S+)\s+py:(\w+)\s+-?\d+\s+\S*\s+.*")
_ROLES: Final = frozenset({"class", "method", "function", "attribute", "property", "exception", "data", "module"})
INSPECT: Final = """
import importlib, inspect, json, sys
def plain(value):
    return repr(value) if value is None or isinstance(value, (bool, int, float, str, bytes)) else "..."
found = {}
for name in json.load(sys.stdin):
    parts, place, thing = name.split("."), len(name.split(".")), None
    while place and thing is None:
        try:
            thing = importlib.import_module(".".join(parts[:place]))
        except Exception:
            place -= 1
    try:
        for part in parts[place:]:
            thing = getattr(thing, part)
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            found[name] = [[each.name, each.kind.name, "" if each.default is each.empty else plain(each.default)]
                for each in signature.parameters.values()]
    except Exception:
        pass
json.dump(found, sys.stdout)
"""


def main() -> int:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description="Measure symbols of Python packages.")
    parser.add_argument("--site-packages", type=Path, default=Path(sysconfig.get_paths()["purelib"]))
    parser.add_argument("--inventories", type=Path)
    parser.add_argument("--packages", nargs="*", default=[], help="only these distributions; default: all")
    parser.add_argument("--names", type=int, default=500)
    parser.add_argument("--python", help="a Python that can import the packages")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.db"
        with closing(Corpus.open(path, dimension=1, model="none")) as corpus:
            run(corpus, path, options, chance)
    return 0


def run(corpus: Corpus, path: Path, options: argparse.Namespace, chance: random.Random) -> None:
    """Store the packages, and measure lookups of their names."""
    stored = stores(corpus, path, options.site_packages, options.packages, Report("Packages", as_json=options.json))
    names = sorted({name for each in _inventories(options.inventories) for name in inventory(each)})
    if not names:
        names = sorted(each.name for each in stored.values() if each.kind != "alias")
    sample = chance.sample(names, min(options.names, len(names)))
    measure(corpus, sample, chance, Report("Names", as_json=options.json))
    if options.python:
        compare(corpus, stored, options.python, options.names, chance, Report("Signatures", as_json=options.json))


def stores(corpus: Corpus, path: Path, site: Path, only: Sequence[str], report: Report) -> dict[str, Symbol]:
    """Store the symbols of installed distributions, and return them by name."""
    stored: dict[str, Symbol] = {}
    for place in sorted(site.glob("*.dist-info")):
        name, _, version = place.name.removesuffix(".dist-info").rpartition("-")
        package = Package("pypi", canonical_name("pypi", name), version)
        if only and package.name not in only:
            continue
        started = time.process_time()
        try:
            symbols = installed_contents(package, place).symbols
        except FileAccessError as error:
            print(error.message, file=sys.stderr)
            continue
        read = time.process_time()
        size = path.stat().st_size
        corpus.packages.put_symbols(corpus.packages.add(package, "installed"), symbols)
        corpus.compact()
        stored.update((each.name, each) for each in symbols)
        report.add(
            {
                "package": package.shown,
                "symbols": len(symbols),
                "aliases": sum(each.kind == "alias" for each in symbols),
                "read CPU s": round(read - started, 2),
                "store CPU s": round(time.process_time() - read, 2),
                "MB": round((path.stat().st_size - size) / 1e6, 2),
            }
        )
    report.end()
    return stored


def measure(corpus: Corpus, names: Sequence[str], chance: random.Random, report: Report) -> None:
    """Look up whole names, their ends, and names with a typing error; print shares, misses and times."""
    times: dict[str, list[float]] = {"whole": [], "end": [], "error": []}
    missed: dict[str, list[str]] = {"whole": [], "end": [], "error": []}
    tried = dict.fromkeys(times, 0)
    for name in names:
        right = _places(corpus, name, times["whole"])
        tried["whole"] += 1
        if not right:
            missed["whole"].append(name)
            continue
        end = ".".join(name.split(".")[-2:])
        if end != name:
            tried["end"] += 1
            if not right & _places(corpus, end, times["end"]):
                missed["end"].append(name)
        wrong = mistyped(name, chance)
        started = time.perf_counter()
        found = corpus.packages.find_symbols(wrong)
        if not found.found:
            times["error"].append(time.perf_counter() - started)
            tried["error"] += 1
            if not any(right & _places(corpus, near, []) for near in found.nearest):
                missed["error"].append(f"{wrong} ({', '.join(found.nearest)})")
    for kind in times:
        took = [1000 * each for each in times[kind]] or [0.0]
        report.add(
            {
                "name": kind,
                "tried": tried[kind],
                "found %": round(100 * (1 - len(missed[kind]) / max(1, tried[kind])), 1),
                "p50 ms": round(median(took), 2),
                "p95 ms": round(percentile(took, 0.95), 2),
            }
        )
    report.end()
    for kind, lost in missed.items():
        print(f"missed ({kind}): {', '.join(lost) or 'none'}", file=sys.stderr)


def _places(corpus: Corpus, name: str, times: list[float]) -> set[tuple[str, str, int]]:
    """Return where the symbols of a name are defined."""
    started = time.perf_counter()
    found = corpus.packages.find_symbols(name)
    times.append(time.perf_counter() - started)
    return {(package.name, symbol.file, symbol.line) for package, symbol in found.found}


def mistyped(name: str, chance: random.Random) -> str:
    """Return the name with one letter of its last part missing, added, replaced or exchanged with the next one."""
    head, dot, last = name.rpartition(".")
    place = chance.randrange(len(last))
    letter = chance.choice(LETTERS)
    changed = chance.choice(
        (
            last[:place] + last[place + 1 :],
            last[:place] + letter + last[place:],
            last[:place] + letter + last[place + 1 :],
            last[:place] + last[place + 1 : place + 2] + last[place : place + 1] + last[place + 2 :],
        )
    )
    return f"{head}{dot}{changed}"


def compare(
    corpus: Corpus, stored: dict[str, Symbol], python: str, count: int, chance: random.Random, report: Report
) -> None:
    """Compare plain functions with what `inspect.signature` says in a process that imports them."""
    plain = sorted(
        name
        for name, each in stored.items()
        if each.kind in ("function", "method")
        and each.signature.startswith(("def ", "async def "))
        and "\n" not in each.signature
    )
    sample = chance.sample(plain, min(count, len(plain)))
    run = subprocess.run([python, "-c", INSPECT], input=json.dumps(sample), capture_output=True, text=True, check=True)
    real: dict[str, list[list[str]]] = json.loads(run.stdout)
    different = []
    for name, parameters in real.items():
        ((_, symbol),) = [each for each in corpus.packages.find_symbols(name).found if each[1].name == name]
        ours = list(_parameters(symbol.signature))
        same = len(ours) == len(parameters) and all(
            left[:2] == right[:2]
            and (("..." in (left[2], right[2]) and bool(left[2]) == bool(right[2])) or left[2] == right[2])
            for left, right in zip(ours, parameters, strict=True)
        )
        if not same:
            different.append(f"{name} {symbol.signature} / {parameters}")
    share = round(100 * (1 - len(different) / max(1, len(real))), 1)
    report.add({"plain functions": len(sample), "importable": len(real), "equal %": share})
    report.end()
    print(f"different: {'; '.join(different) or 'none'}", file=sys.stderr)


def _parameters(signature: str) -> Iterator[list[str]]:
    """Yield name, kind and default of each parameter, with "..." for defaults that are not literals."""
    head, _, rest = signature.partition("(")
    word = "async def" if head.startswith("async") else "def"
    (function,) = ast.parse(f"{word} f({rest}: ...").body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for each, default in zip(positional, [*defaults, *arguments.defaults], strict=True):
        kind = "POSITIONAL_ONLY" if each in arguments.posonlyargs else "POSITIONAL_OR_KEYWORD"
        yield [each.arg, kind, _default(default)]
    if arguments.vararg is not None:
        yield [arguments.vararg.arg, "VAR_POSITIONAL", ""]
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield [each.arg, "KEYWORD_ONLY", _default(default)]
    if arguments.kwarg is not None:
        yield [arguments.kwarg.arg, "VAR_KEYWORD", ""]


def _default(value: ast.expr | None) -> str:
    if value is None:
        return ""
    return repr(value.value) if isinstance(value, ast.Constant) and value.value is not ... else "..."


def _inventories(folder: Path | None) -> list[Path]:
    return sorted(folder.glob("*.inv")) if folder is not None else []


def inventory(path: Path) -> Iterator[str]:
    """Yield the names of Python objects of the package in an inventory."""
    head, _, rest = path.read_bytes().partition(b"zlib.\n")
    if not head.startswith(b"# Sphinx inventory version 2"):
        raise ValueError(f"{path} is not an inventory")
    for line in zlib.decompress(rest).decode().splitlines():
        found = _LINE.match(line)
        if found is not None and found[2] in _ROLES and found[1].startswith(f"{path.stem}."):
            yield found[1]


if __name__ == "__main__":
    sys.exit(main())
