"""The packages in this program and their licenses, from their bundled metadata."""

from __future__ import annotations

import re
import sys
import sysconfig
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from app.paths import model_dir, models_dir

MAX_LICENCE_CHARS: Final = 400_000
OWN: Final = "webrag-desktop"
LICENCE_FILE: Final = re.compile(r"(?i)(licen[cs]e|copying|notice|third.?party)[^/]*$")
MAX_LICENCE_WORDS: Final = 60
_CLASSIFIER: Final = "License :: "


@dataclass(frozen=True, slots=True)
class Package:
    """One package; `text` holds its license files, or is empty."""

    name: str
    version: str
    licence: str
    page: str
    text: str = ""


def packages(data_dir: Path | None = None) -> tuple[Package, ...]:
    """Return this program, Python, all runtime packages and the models, also those in `data_dir`, by name. Takes about 100 ms."""
    found = {canonicalize_name(each.metadata["Name"]): each for each in _needed()}
    version = ".".join(map(str, sys.version_info[:3]))
    text = _read(Path(sysconfig.get_path("stdlib"), "LICENSE.txt"))
    python = Package("Python", version, "PSF-2.0", "https://www.python.org/", text or sys.copyright)
    return tuple(
        sorted([*map(_package, found.values()), python, *_models(data_dir)], key=lambda each: each.name.casefold())
    )


def _needed() -> list[Distribution]:
    """Return the distributions that the program requires, directly or indirectly; all available ones if it is not installed."""
    try:
        waiting = [(distribution(OWN), "")]
    except PackageNotFoundError:
        return list(distributions())
    found: dict[tuple[str, str], Distribution] = {}
    while waiting:
        each, extra = waiting.pop()
        wanted = (canonicalize_name(each.metadata["Name"]), extra)
        if wanted in found:
            continue
        found[wanted] = each
        for line in each.requires or ():
            with suppress(InvalidRequirement, PackageNotFoundError):
                requirement = Requirement(line)
                if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                    needed = distribution(requirement.name)
                    waiting += [(needed, name) for name in ("", *requirement.extras)]
    return list({name: each for (name, _), each in found.items()}.values())


def _package(each: Distribution) -> Package:
    facts = each.metadata
    texts: list[str] = []
    for file in each.files or ():
        if LICENCE_FILE.search(file.name) and file.suffix not in (".py", ".pyc"):
            texts.append(_read(Path(str(file.locate()))))
    links = [line.partition(",")[2].strip() for line in facts.get_all("Project-URL", [])]
    classes = [line for line in facts.get_all("Classifier", []) if line.startswith(_CLASSIFIER)]
    plain = " ".join(_fact(each, "License").split())
    short = plain if len(plain) <= MAX_LICENCE_WORDS else ""
    named = short or ", ".join(line.rpartition("::")[2].strip() for line in classes) or plain[:MAX_LICENCE_WORDS]
    return Package(
        facts["Name"],
        each.version,
        _fact(each, "License-Expression") or named,
        next((link for link in [_fact(each, "Home-page"), *links] if link.startswith("http")), ""),
        "\n\n".join(dict.fromkeys(filter(None, texts))),
    )


def _fact(each: Distribution, name: str) -> str:
    return next(iter(each.metadata.get_all(name, [])), "")


def _models(data_dir: Path | None) -> list[Package]:
    from app.embed import folder_of, model_folder
    from app.embed.folder import load_card
    from app.errors import EmbedderError
    from app.settings import load_settings

    made = []
    added = sorted(models_dir(data_dir).glob("*")) if data_dir is not None else []
    chosen = []
    if data_dir is not None:
        settings = load_settings(data_dir=data_dir)
        chosen = [model_folder(settings), folder_of(settings, settings.reranker_model)]
    for folder in dict.fromkeys((model_dir(), *added, *chosen)):
        try:
            card = load_card(folder)
        except EmbedderError:
            continue
        text = "\n\n".join(filter(None, (_read(folder / "NOTICE"), _read(folder / "LICENSE"))))
        made.append(Package(card.name, card.revision[:7], card.licence, card.source, text))
    return made


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(MAX_LICENCE_CHARS).strip()
    except OSError:
        return ""
