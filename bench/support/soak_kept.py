"""What must still be there after the last restart of bench/soak.py, and what must not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from app.corpus import Corpus
from app.ingest.files import file_url
from app.paths import corpus_file
from support.crashing import version_of
from support.marked_site import MarkedPage
from support.soak_folder import NAME
from support.soak_program import Home


def losses(
    home: Home,
    base: str,
    pages: list[MarkedPage],
    versions: Mapping[str, int],
    addresses: set[str],
    files: Mapping[Path, int],
    others: Collection[str],
    pinned: set[str],
) -> Iterator[str]:
    """Yield what the library of an ended application lacks, or has without reason.

    `versions` are stored pages that had at least this version, `files` the files of the watched folder, and `others` the
    names of more files that it can contain.
    """
    corpus = Corpus.open(corpus_file(home.data), dimension=0, model="")
    try:
        for problem in corpus.verify():
            yield f"{problem.check}: {problem.detail}"
        for page in pages:
            document = corpus.documents.get(f"{base}/{page.path}")
            if document is None or page.code not in document.text:
                yield f"{page.path} {'is not complete' if document else 'is lost'}"
        for url, least in versions.items():
            document = corpus.documents.get(url)
            found = _version(Path(url).stem, document.text) if document else "lost"
            if not isinstance(found, int) or found < least:
                yield f"{url} was stored in version {least}: {found}"
        yield from (f"the crawled page {url} is lost" for url in sorted(addresses) if not corpus.documents.get(url))
        yield from _folder_problems(corpus, home.watched, files, others)
        found_pins = {each.id for each in corpus.pins.all()}
        yield from (f"the pinned passage {each} is lost" for each in sorted(pinned - found_pins))
    finally:
        corpus.close()


def _folder_problems(corpus: Corpus, folder: Path, files: Mapping[Path, int], others: Collection[str]) -> Iterator[str]:
    wanted = {file_url(path): version for path, version in files.items()}
    below = corpus.documents.urls_below(file_url(folder), 10_000)
    for url in sorted(set(below) - set(wanted)):
        if Path(url).name not in others:
            yield f"{url} is still stored, but is not in the folder"
    for url, version in wanted.items():
        document = corpus.documents.get(url)
        found = _version(NAME, document.text) if document else "not stored"
        if found != version:
            yield f"{url} has version {version} on the disk: {found}"


def _version(name: str, text: str) -> int | str:
    try:
        return version_of(name, text)
    except ValueError as error:
        return str(error)


def leftovers(home: Home) -> list[str]:
    """Return files that an ended application left in its temporary folder, and unfinished ones in its data folder."""
    found = [f"temporary: {path.name}" for path in home.temporary.iterdir()]
    return found + [path.name for path in home.data.iterdir() if path.suffix in (".tmp", ".partial", ".new")]
