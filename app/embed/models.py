"""The models that a user can choose: a catalogue with pinned files, their download, and folders with a card.

Added models are in folders of the data directory. A folder appears complete, checked and prepared, or not at all.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import ssl
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tomlkit

from app import __version__, caps
from app.embed import folder_of
from app.embed.embedder import RERANKER, ModelCard
from app.embed.folder import CARD_FILE, MODEL_FILE, load_card, open_model
from app.embed.preparing import prepare
from app.errors import EmbedderError, ModelNotAddedError
from app.paths import assets_dir, model_dir, models_dir
from app.settings import Settings
from app.text.sentence import sentence

if TYPE_CHECKING:
    import httpx

BUILT_IN: Final = "built-in"
NO_RERANKER: Final = "no-reranker"
"""The choice of no reranker, which is the default."""
OWN_NAMES: Final = (BUILT_IN, NO_RERANKER)
CATALOGUE_FILE: Final = "models.toml"
PUBLISHER: Final = "https://huggingface.co"
SIMILARITY_THRESHOLD: Final = 0.25
PART: Final = ".part"
"""The end of the name of a folder that is not complete."""
DOWNLOAD_SECONDS: Final = 60.0
"""The longest silence of a server."""
SPARE_BYTES: Final = 100 * caps.MIB
"""Free space that a new model leaves on the disk."""
ANOTHER_SOURCE: Final = "Use another address or folder for the files. The current model stays in use."
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

Told = Callable[[str, int, int], object]
"""Called with the step, the amount done and the whole amount. An error from it stops the work, and the next call continues."""


@dataclass(frozen=True, slots=True)
class CatalogueFile:
    """A file at the publisher, and its name in a model's folder."""

    path: str
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        return MODEL_FILE if self.path.endswith(".onnx") else Path(self.path).name


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model that can be downloaded; `card` holds the other values of its card."""

    name: str
    repository: str
    revision: str
    meaning: str
    files: tuple[CatalogueFile, ...]
    card: Mapping[str, Any]

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    @property
    def source(self) -> str:
        """The page of the publisher."""
        return f"{PUBLISHER}/{self.repository}/tree/{self.revision}"

    def card_text(self) -> str:
        values = {"name": self.name, "revision": self.revision, "source": self.source, **self.card}
        values |= {"normalise": True, "similarity_threshold": SIMILARITY_THRESHOLD}
        return tomlkit.dumps({**values, "files": {file.name: file.sha256 for file in self.files}})


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model to choose. `bytes` is its size on the disk, or of its download; `problem` says why it cannot be used."""

    name: str
    is_added: bool
    is_used: bool
    bytes: int
    licence: str = ""
    languages: tuple[str, ...] = ()
    source: str = ""
    meaning: str = ""
    problem: str = ""
    kind: str = ""


@cache
def catalogue() -> Mapping[str, CatalogueModel]:
    """Return the models that can be downloaded, by name, best first."""
    found = {}
    for name, entry in tomllib.loads((assets_dir() / CATALOGUE_FILE).read_text(encoding="utf-8")).items():
        files = tuple(CatalogueFile(**file) for file in entry.pop("files"))
        repository, revision, meaning = (entry.pop(key) for key in ("repository", "revision", "meaning"))
        found[name] = CatalogueModel(name, repository, revision, meaning, files, entry)
    return found


def known_models(settings: Settings) -> tuple[KnownModel, ...]:
    """Return the built-in model, no reranker, the catalogue, and other added or chosen models. Reads no large file."""
    chosen, root = used_names(settings), models_dir(settings.data_dir)
    added = [path.name for path in root.iterdir() if _is_name(path.name)] if root.is_dir() else []
    names = dict.fromkeys([*catalogue(), *sorted(added), *chosen])
    others = (
        _known(name, folder_of(settings, name), is_used=name in chosen, kind=RERANKER if name == chosen[1] else "")
        for name in names
        if name not in OWN_NAMES
    )
    none = KnownModel(NO_RERANKER, True, NO_RERANKER in chosen, 0, kind=RERANKER)
    return (_known(BUILT_IN, model_dir(), is_used=BUILT_IN in chosen), none, *others)


def used_names(settings: Settings) -> tuple[str, str]:
    """Return the names of the search model and of the reranker in use."""
    return settings.embedding_model_folder or BUILT_IN, settings.reranker_model or NO_RERANKER


def _known(name: str, folder: Path, *, is_used: bool, kind: str = "") -> KnownModel:
    """Return what is known of a model. `kind` is that of one without a card."""
    offer = catalogue().get(name)
    meaning = offer.meaning if offer is not None else ""
    if offer is not None and not folder.exists() and not is_used:
        card, kind = offer.card, offer.card.get("kind", "")
        licence, languages = card["licence"], tuple(card["languages"])
        return KnownModel(name, False, False, offer.bytes, licence, languages, offer.source, meaning, kind=kind)
    try:
        found = load_card(folder)
    except EmbedderError as error:
        return KnownModel(name, folder.exists(), is_used, 0, meaning=meaning, problem=error.message, kind=kind)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    facts = (size, found.licence, found.languages, found.source, meaning)
    return KnownModel(name, True, is_used, *facts, kind=found.kind)


def add_model(
    settings: Settings,
    wanted: str,
    *,
    source: str = "",
    tls: ssl.SSLContext | bool = True,
    told: Told = lambda step, done, whole: None,
) -> ModelCard:
    """Add a model of the catalogue, or a copy of the model in a folder, and return its card.

    `source` is a folder with the files, or a server with the publisher's paths. The default is the setting, or else the publisher.
    Raises EmbedderError. Complete files are kept for the next call.
    """
    offer, name = catalogue().get(wanted), name_of(wanted)
    target = models_dir(settings.data_dir) / name
    if not _is_name(name) or name in OWN_NAMES:
        raise ModelNotAddedError(sentence("{} cannot be the name of a model.", name), hint="Rename the folder.")
    if target.exists():
        raise ModelNotAddedError(sentence("{} is already added.", name), hint="Remove it first to add it again.")
    part = target.with_name(name + PART)
    try:
        part.mkdir(parents=True, exist_ok=True)
        if offer is not None:
            _collect(offer, part, source or settings.embedding_model_mirror or PUBLISHER, tls, told)
            (part / CARD_FILE).write_text(offer.card_text(), encoding="utf-8")
        else:
            shutil.rmtree(part)
            part.mkdir()
            folder = Path(wanted).expanduser()
            for file in (CARD_FILE, *open_model(folder).hashes):
                try:
                    shutil.copyfile(folder / file, part / file)
                except FileNotFoundError as error:
                    said = sentence("WebRAG cannot read {}: {}.", folder / file, error.strerror)
                    raise ModelNotAddedError(said) from error
        prepare(part, lambda done, whole: told(sentence("Preparing {}", name), done, whole))
        card = load_card(part)
        part.rename(target)
    except OSError as error:
        raise ModelNotAddedError(sentence("WebRAG cannot write to {}: {}.", part, error.strerror or error)) from error
    return card


def name_of(wanted: str) -> str:
    """Return the name that a model of the catalogue or a folder gets."""
    return wanted if wanted in catalogue() else Path(wanted).expanduser().absolute().name


def remove_model(settings: Settings, name: str) -> None:
    """Delete an added model and what a canceled download left. Raises ModelNotAddedError."""
    folder = models_dir(settings.data_dir) / name
    places = [folder, folder.with_name(name + PART)] if _is_name(name) else []
    there = [place for place in places if place.is_dir()]
    if name in used_names(settings):
        raise ModelNotAddedError(sentence("{} is in use.", name), hint="Choose another model first.")
    if not there:
        raise ModelNotAddedError(sentence("{} is not an added model.", name))
    for place in there:
        shutil.rmtree(place)


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not name.endswith(PART)


def _collect(offer: CatalogueModel, part: Path, source: str, tls: ssl.SSLContext | bool, told: Told) -> None:
    """Fetch the files that are not complete yet. Raises ModelNotAddedError."""
    present = {path.name: path.stat().st_size for path in part.iterdir() if path.is_file()}
    missing = [file for file in offer.files if present.get(file.name) != file.bytes]
    wanted = sum(file.bytes for file in missing)
    if shutil.disk_usage(part).free < wanted + SPARE_BYTES:
        raise ModelNotAddedError(
            sentence("{} needs {} MB of free space.", offer.name, wanted // caps.MIB),
            hint="Free some space on this disk.",
        )
    if not source.lower().startswith(("http://", "https://")):
        folder = Path(source).expanduser()
        for file in missing:
            found = next((path for path in (folder / file.path, folder / file.name) if path.is_file()), None)
            if found is None:
                raise ModelNotAddedError(sentence("{} does not contain {}.", folder, file.path), hint=ANOTHER_SOURCE)
            shutil.copyfile(found, part / file.name)
            _check(part / file.name, file)
        return
    headers = {"User-Agent": f"WebRAG-Desktop/{__version__}", "Accept-Encoding": "identity"}
    import httpx

    try:
        httpx.URL(source)
    except httpx.InvalidURL as error:
        raise ModelNotAddedError(
            sentence("{} is not a web address ({}).", source, error), hint=ANOTHER_SOURCE
        ) from error
    with httpx.Client(
        headers=headers, timeout=DOWNLOAD_SECONDS, trust_env=False, follow_redirects=True, max_redirects=5, verify=tls
    ) as client:
        for file in missing:
            address = f"{source.rstrip('/')}/{offer.repository}/resolve/{offer.revision}/{file.path}"
            begun = part / (file.name + PART)
            _download(client, address, begun, file, lambda done, whole: told(offer.name, done, whole))
            _check(begun, file)
            begun.replace(part / file.name)


def _download(
    client: httpx.Client, address: str, begun: Path, file: CatalogueFile, told: Callable[[int, int], object]
) -> None:
    """Write the file, after the bytes that an earlier call wrote. Raises ModelNotAddedError."""
    import httpx

    have = begun.stat().st_size if begun.exists() else 0
    host, reason = httpx.URL(address).host, ""
    if have >= file.bytes:
        return
    try:
        with client.stream("GET", address, headers={"Range": f"bytes={have}-"} if have else {}) as reply:
            has_lost_encryption = address.startswith("https:") and reply.url.scheme != "https"
            if reply.status_code not in (200, 206) or has_lost_encryption:
                raise ModelNotAddedError(
                    sentence("{} returned status {} for {}.", host, reply.status_code, file.path), hint=ANOTHER_SOURCE
                )
            if not reply.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
                have = 0
            with begun.open("ab" if have else "wb") as out:
                for piece in reply.iter_raw():
                    out.write(piece)
                    have += len(piece)
                    told(have, file.bytes)
                    if have > file.bytes:
                        return
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
    if have < file.bytes:
        raise ModelNotAddedError(
            sentence(
                "The download of {} from {} was interrupted: {}.", file.path, host, reason or "the file is too short"
            ),
            hint="Try again: the download continues where it stopped.",
        )


def _check(path: Path, file: CatalogueFile) -> None:
    """Delete a file that differs from the catalogue. Raises ModelNotAddedError."""
    with path.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
    if digest != file.sha256:
        path.unlink()
        raise ModelNotAddedError(
            sentence("{} is not the file that WebRAG expects: its SHA-256 is wrong.", file.path), hint=ANOTHER_SOURCE
        )
