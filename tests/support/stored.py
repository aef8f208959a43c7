"""Documents stored in a corpus without web or extraction, for tests of higher layers."""

from __future__ import annotations

from collections.abc import Sequence

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn, ImageRecord, LinkRecord, passage_text

MODEL = "test-model"


def store(
    corpus: Corpus,
    url: str,
    paragraphs: Sequence[str],
    *,
    title: str = "",
    sections: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
    images: Sequence[ImageRecord] = (),
) -> int:
    """Store one chunk per paragraph. `sections` contains the section of each, `links` are (anchor text, url) found in the text."""
    text = "\n\n".join(paragraphs)
    chunks, position = [], 0
    for number, paragraph in enumerate(paragraphs):
        path = (sections[number],) if sections else ()
        end = position + len(paragraph)
        chunks.append(ChunkIn(f"{url}#{number}", path, None, paragraph, position, end, 0, 0, len(paragraph) // 4 + 1))
        position = end + 2
    records = [
        LinkRecord(target, anchor, text.index(anchor), text.index(anchor) + len(anchor)) for anchor, target in links
    ]
    document = DocumentIn(
        url,
        title,
        text,
        str(hash(text)),
        "web",
        tuple(chunks),
        links=tuple(records),
        images=tuple(images),
        last_crawled=1.0,
    )
    return corpus.documents.store(document).document_id


def embed_all(corpus: Corpus, embedder: Embedder) -> None:
    """Embed every waiting chunk."""
    while batch := corpus.vectors.waiting(32):
        made = [(passage.chunk_id, embedder.embed_passages([passage_text(passage)])[0]) for passage in batch]
        corpus.vectors.store([EmbeddingIn(chunk_id, m.vector, m.token_bits) for chunk_id, m in made])
