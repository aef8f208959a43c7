"""Vectors of the short texts that describe links; rounds and questions meet the same links again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from app import caps
from app.embed.embedder import PassageEmbedding

EmbedPassages = Callable[[Sequence[str]], list[PassageEmbedding]]


class LinkVectors:
    """Remembers the MAX_LINK_VECTORS last used ones. Thread-safe."""

    def __init__(self, embed: EmbedPassages) -> None:
        self._embed = embed
        self._known: OrderedDict[str, PassageEmbedding] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        """One for each text. Raises EmbedderError."""
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known.update(zip(missing, self._embed(missing), strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = known[text]
                self._known.move_to_end(text)
            while len(self._known) > caps.MAX_LINK_VECTORS:
                self._known.popitem(last=False)
        return [known[text] for text in texts]
