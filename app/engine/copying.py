"""Copies a library between a corpus file and the database of a shared library. Only for the command line, while nothing else runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from app.corpus import Corpus
from app.errors import InvalidArgumentError
from app.library.copying import Copied, check_models, copy_all, copy_in_batches
from app.pg import setup
from app.pg.library import PgLibrary
from app.pg.sessions import Rights, Role
from app.text.sentence import listing, sentence


def imported(
    address: str, file: Path, collections: Sequence[str], *, with_vectors: bool, with_files: bool
) -> Iterator[Copied]:
    """Copy the documents of a corpus file into one collection and yield the progress; can be run again to continue.

    `collections` names the target if there are several. Raises InvalidArgumentError, and EmbeddingMismatchError for vectors of another
    model.
    """
    if not os.access(file, os.R_OK) or not file.is_file():
        raise InvalidArgumentError(sentence("{} does not exist, or you do not have permission to read it.", file))
    with ExitStack() as opened:
        connected = _opened(address)
        opened.callback(setup.build_indexes, address)
        library = opened.enter_context(connected)
        known = library.collections()
        named = collections or list(known)
        if len(named) != 1 or named[0] not in known:
            raise InvalidArgumentError(
                sentence("The target collection is not clear."),
                hint=sentence("Pass --collection with one of: {}.", listing(sorted(known))),
            )
        corpus = opened.enter_context(closing(Corpus.open(file, dimension=0, model="")))
        source = corpus.second if corpus.second is not None and corpus.second.model == library.model else corpus
        if with_vectors:
            check_models(source.model.fingerprint if source.model else None, library.model.fingerprint)
        setup.drop_search_indexes(address)
        target = library.within(Rights((known[named[0]],), (known[named[0]],)))
        yield from copy_in_batches(source.copies(), target, with_vectors=with_vectors, with_files=with_files)


def exported(address: str, file: Path, collections: Sequence[str], *, with_vectors: bool) -> Iterator[Copied]:
    """Copy the documents of the given or all collections into a new corpus file and yield the progress after each one.

    If an address is in several collections, the file has the last one. Raises InvalidArgumentError.
    """
    if file.exists():
        raise InvalidArgumentError(sentence("{} already exists.", file), hint="Choose a new file name.")
    with _opened(address) as library:
        known = library.collections()
        unknown = [name for name in collections if name not in known]
        if unknown:
            raise InvalidArgumentError(
                sentence("The library does not have a collection {}.", unknown[0]),
                hint=sentence("Available collections: {}.", listing(sorted(known))),
            )
        source = library.within(Rights(tuple(known[name] for name in collections or known)))
        model = library.model
        with closing(Corpus.open(file, dimension=model.dimension, model=model.fingerprint)) as corpus:
            # Only one thread can write to a file.
            yield from copy_all(source.copies(), corpus, with_vectors=with_vectors, with_files=True)


def _opened(address: str) -> closing[PgLibrary]:
    model = setup.state(address).model
    if model is None:
        raise InvalidArgumentError(
            sentence("This database does not contain a library."), hint="Set it up once: webrag admin init."
        )
    return closing(PgLibrary.open("library", address, model, role=Role.OWNER))
