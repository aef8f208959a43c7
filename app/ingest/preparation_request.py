"""What the preparation process is asked: to make a page and chunks of a body."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from app import caps
from app.ingest.counting import ChunkingLimits, token_counter
from app.ingest.frames import read_frame, write_frame
from app.ingest.prepared import Body


def send_request(stream: IO[bytes], body: Body, limits: ChunkingLimits) -> None:
    """Ask for a body to be prepared."""
    head = {
        "url": body.url,
        "content_type": body.content_type,
        "charset": body.charset,
        "store_url": body.store_url,
        "max_tokens": limits.max_tokens,
        "tokenizer": str(limits.tokenizer_file) if limits.tokenizer_file is not None else None,
    }
    write_frame(stream, head, body.content)
    stream.flush()


def read_request(stream: IO[bytes], counters: dict[str | None, ChunkingLimits]) -> tuple[Body, ChunkingLimits]:
    """The next request, with the counter it needs, which is kept in `counters`. Raises FrameError at the end."""
    frame = read_frame(stream, caps.MAX_FILE_BYTES)
    head = frame.head
    tokenizer, max_tokens = head["tokenizer"], head["max_tokens"]
    known = counters.get(tokenizer)
    if known is None or known.max_tokens != max_tokens:
        path = Path(tokenizer) if tokenizer is not None else None
        known = counters[tokenizer] = ChunkingLimits(max_tokens, token_counter(path), path)
    return Body(frame.payload, head["url"], head["content_type"], head["charset"], head["store_url"]), known
