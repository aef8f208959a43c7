"""The tools beside WebRAG: their list, installation, pages and memory."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil

from app.extract import page_markdown
from app.paths import assets_dir
from support.baselines import BASE, SiteReader
from support.questions import Question, by_site
from support.spans import holds_any

SAMPLE_SECONDS: Final = 0.2
COMMAND_SECONDS: Final = 3_600
MODEL_IN_CACHE: Final = "models--Qdrant--all-MiniLM-L6-v2-onnx"
"""Where fastembed looks for the model that WebRAG ships."""
WITHOUT_DOWNLOADS: Final = {"ONNXRUNTIME_NODE_INSTALL_CUDA": "skip"}
"""The install script of onnxruntime-node would download libraries for graphics cards from elsewhere."""
MODEL_OF_TRANSFORMERS: Final = "Xenova/all-MiniLM-L6-v2"
"""Where Transformers.js looks for it."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool of peers.toml."""

    name: str
    package: str
    job: str
    settings: str
    command: Sequence[str]
    tool: str
    arguments: Mapping[str, object]
    environment: Mapping[str, str] = field(default_factory=dict)
    once: Sequence[str] = ()
    each_site: Sequence[str] = ()
    sites: Sequence[str] = ()
    reads: Sequence[Mapping[str, Any]] = ()


class NotInstalledError(Exception):
    """A tool cannot be installed or prepared. The message is the last error that its registry or program printed."""


class MemoryOfChildren:
    """Samples the memory of all processes that this one started."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._ended = threading.Event()

    def __enter__(self) -> MemoryOfChildren:
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            total = 0
            for each in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    total += each.memory_full_info().pss
            self.peak = max(self.peak, total / 2**20)


def size_mb(folder: Path) -> float:
    """Return the size of all files in the folder in MB, each counted once."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 2**20


def remembered(file: Path, work: Callable[[], None]) -> float:
    """Return the seconds of the work, which is done unless the file with its duration exists."""
    if not file.exists():
        started = time.perf_counter()
        work()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{time.perf_counter() - started}\n", encoding="utf-8")
    return float(file.read_text(encoding="utf-8"))


def install(package: str, cache: Path) -> tuple[Path, float, float]:
    """Install `pip NAME` or `npm NAME` into an own environment. Returns its folder of programs, its size in MB and the seconds.

    Raises:
        NotInstalledError: The registry is not available or has no such package.
    """
    manager, name = package.split(" ", 1)
    folder = cache / "environments" / hashlib.sha1(package.encode(), usedforsecurity=False).hexdigest()[:12]
    commands = {
        "pip": [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(folder / "bin" / "python"),
            "install",
            "--quiet",
            "--retries",
            "1",
            name,
        ],
        "npm": ["npm", "install", "--loglevel", "error", "--no-fund", "--no-audit", "--prefix", str(folder), name],
    }

    def work() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        if manager == "pip":
            venv.create(folder)
        run(commands[manager], WITHOUT_DOWNLOADS)

    seconds = remembered(folder / "installed", work)
    return folder / {"pip": "bin", "npm": "node_modules/.bin"}[manager], size_mb(folder), seconds


def run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run a command of a tool or registry without showing its output.

    Raises:
        NotInstalledError: It failed.
    """
    try:
        subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            timeout=COMMAND_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = f"{getattr(error, 'stderr', None) or error}".strip().splitlines()
        raise NotInstalledError(
            next((line for line in reversed(said) if "error:" in line.lower()), said[-1])
        ) from error


def choose_pages(questions: Sequence[Question], sites: Path, into: Path, others: int) -> None:
    """Write the pages of each site that are served to `into/html`, and as WebRAG reads them to `into/markdown`. `others` 0: all pages."""
    for site, asked in by_site(questions).items():
        reader, folder = SiteReader(sites / site), sites / site
        paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.htm*"))
        pages = {path: page for path in paths if (page := reader.page(path)) is not None}
        gold = [span for question in asked for span in question.gold]
        named = {question.seed_path for question in asked}
        needed = {path for path, page in pages.items() if path in named or holds_any(page.text, gold)}
        rest = sorted(pages.keys() - needed)
        kept = needed | set(random.Random(site).sample(rest, min(others, len(rest))) if others else rest)
        for path in sorted(kept):
            for kind, name in (("html", path), ("markdown", f"{path}.md")):
                target = into / kind / site / name
                target.parent.mkdir(parents=True, exist_ok=True)
                text = page_markdown(pages[path]).replace(BASE, "") if kind == "markdown" else None
                target.write_bytes(
                    text.encode("utf-8", "replace") if text is not None else (folder / path).read_bytes()
                )


def lay_out_weights(folder: Path) -> None:
    """Lay out the model of WebRAG as the caches of fastembed and Transformers.js."""
    snapshot, other = folder / MODEL_IN_CACHE / "snapshots" / "local", folder / MODEL_OF_TRANSFORMERS
    for place, model in ((snapshot, "model.onnx"), (other, "onnx/model.onnx")):
        (place / model).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(assets_dir() / "model" / "model.onnx", place / model)
        shutil.copyfile(assets_dir() / "model" / "tokenizer.json", place / "tokenizer.json")
        (place / "config.json").write_text('{"model_type": "bert", "pad_token_id": 0}', encoding="utf-8")
        settings = '{"tokenizer_class": "BertTokenizer", "model_max_length": 256, "pad_token": "[PAD]"}'
        (place / "tokenizer_config.json").write_text(settings, encoding="utf-8")
    (folder / MODEL_IN_CACHE / "refs").mkdir(exist_ok=True)
    (folder / MODEL_IN_CACHE / "refs" / "main").write_text("local", encoding="utf-8")


def filled(value: Any, names: Mapping[str, str]) -> Any:
    """Return the value with the names in its texts."""
    if isinstance(value, str):
        return value.format_map(names)
    if isinstance(value, Mapping):
        return {key: filled(each, names) for key, each in value.items()}
    return [filled(each, names) for each in value] if isinstance(value, list) else value


def readable(text: str) -> str:
    """Return the texts in a JSON result, in which escapes would join words, or the text itself."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return "\n".join(_texts(found))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
