"""A folder of mixed files, imported by the real program: what was read and what was left out must add up."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from support import format_hostile as files
from support.application import WEBRAG
from support.report import Row

SECONDS: Final = 900
_READ: Final[dict[str, Callable[[str], bytes]]] = {
    "md": lambda text: f"# {text}\n\nWords of {text}.\n".encode(),
    "txt": lambda text: f"Words of {text}.\n".encode(),
    "html": lambda text: f"<html><body><p>Words of {text}.</p></body></html>".encode(),
    "csv": lambda text: f"Name,Words\n{text},some\n".encode(),
    "py": lambda text: f'"""Words of {text}."""\n\nNUMBER = 1\n'.encode(),
    "yaml": lambda text: f"name: {text}\n".encode(),
    "rst": lambda text: f"{text}\n{'=' * 40}\n\nWords of {text}.\n".encode(),
    "ipynb": lambda text: json.dumps({"cells": [{"cell_type": "markdown", "source": text}], "metadata": {}}).encode(),
    "docx": lambda text: files.word(f"<w:p><w:r><w:t>Words of {text}.</w:t></w:r></w:p>"),
    "xlsx": lambda text: files.sheet(f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'),
    "odt": lambda text: files.opendocument("text", f"<text:p>Words of {text}.</text:p>"),
    "epub": lambda text: files.book('<itemref idref="c"/>', f"<html><body><p>Words of {text}.</p></body></html>"),
}
_LEFT_OUT: Final = ("png", "mp3", "exe", "ttf", "sqlite", "strange")
_REASON: Final = re.compile(r"([\d,]*\d) ([^,]+?)(?:, |\.$)")
_SHARES: Final = (80, 15)
"""Of 100 files, so many can be read and have unsupported suffixes; the others are cut Word documents."""


def make_folder(folder: Path, number: int) -> dict[str, int]:
    """Write the files and return how many there are of each kind."""
    shutil.rmtree(folder, ignore_errors=True)
    counts = {"readable": 0, "unsupported": 0, "damaged": 0}
    for place in range(number):
        inside = folder / f"part{place % 9}"
        inside.mkdir(parents=True, exist_ok=True)
        if place % 100 < _SHARES[0]:
            suffix = list(_READ)[place % len(_READ)]
            (inside / f"file{place}.{suffix}").write_bytes(_READ[suffix](f"file number {place}"))
            counts["readable"] += 1
        elif place % 100 < sum(_SHARES):
            (inside / f"file{place}.{_LEFT_OUT[place % len(_LEFT_OUT)]}").write_bytes(b"\0" * 200)
            counts["unsupported"] += 1
        else:
            (inside / f"file{place}.docx").write_bytes(_READ["docx"](f"file number {place}")[:200])
            counts["damaged"] += 1
    return counts


def folder_row(folder: Path, number: int) -> Row:
    """Import a folder of so many files, and compare what the program says about it."""
    counts = make_folder(folder, number)
    data = folder.with_name(f"{folder.name}-data")
    shutil.rmtree(data, ignore_errors=True)
    environment = {**os.environ, "WEBRAG_CONFIG": str(data / "config.toml")}
    command = [str(WEBRAG), "folder", "add", "--wait", "--data-dir", str(data), "--json", str(folder)]
    started = time.monotonic()
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    seconds = time.monotonic() - started
    job = json.loads(run.stdout)["job"]
    stored, failed = job["counts"]["stored"], job["counts"]["failed"]
    reasons = {kind: int(count.replace(",", "")) for count, kind in _REASON.findall(job["detail"].partition(": ")[2])}
    left_out = sum(reasons.values())
    told = {"stored": stored, "failed": failed, "left out": left_out, "kinds": len(reasons)}
    is_right = (stored, failed, left_out) == (counts["readable"], counts["damaged"], counts["unsupported"])
    return {
        **counts,
        **told,
        "adds up": "yes" if is_right and stored + failed + left_out == number else "no",
        "s": seconds,
    }
