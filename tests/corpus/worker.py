"""A process that works on a corpus: `python -m tests.corpus.worker PATH NAME COUNT`.

Stores COUNT documents (0: forever), replaces every other one, embeds them, deletes some; prints one line for each.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.corpus import Corpus
from tests.corpus.builders import DIMENSION, MODEL, document, embed

PARTS = 12


def work(corpus: Corpus, name: str, number: int) -> None:
    url = f"https://{name}.example/{number}"
    parts = [f"{name} {number} part {part} " + "word " * 60 for part in range(PARTS)]
    document_id = corpus.documents.store(document(url, parts)).document_id
    own = corpus.vectors.waiting(PARTS, chunk_ids=corpus.vectors.waiting_ids([document_id]))
    embed(corpus, [passage.chunk_id for passage in own], seed=number)
    if number % 2:
        outcome = corpus.documents.store(document(url, [*parts[3:], *(f"new {n} {number}" for n in range(3))]))
        embed(corpus, outcome.new_chunk_ids, seed=number + 1)
    if number % 5 == 4:
        found = corpus.documents.summary(f"https://{name}.example/{number - 2}")
        assert found is not None
        assert corpus.documents.delete([found.id])
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main(path: str, name: str, count: str) -> None:
    corpus = Corpus.open(Path(path), dimension=DIMENSION, model=MODEL)
    number = 0
    while not int(count) or number < int(count):
        work(corpus, name, number)
        number += 1
    corpus.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
