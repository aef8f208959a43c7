"""A hosted embedder: any server with the OpenAI-compatible POST /v1/embeddings."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import random
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import numpy as np

from app import caps
from app.embed.embedder import ModelCard, PassageEmbedding, QueryEmbedding, Vector, audit, fingerprint_of, unit
from app.embed.folder import subjects
from app.embed.preparing import codes_of, packed
from app.errors import EmbedderError
from app.paths import replace_file
from app.serialise import read_json, sound_text
from app.slots import NetworkSlots
from app.text.sentence import sentence

EMBED_HTTP_BATCH: Final = 32
EMBED_HTTP_SECONDS: Final = 60.0
MAX_REQUESTS: Final = 2
"""Simultaneous requests to an embedding server."""
EMBED_HTTP_RESPONSE_BYTES: Final = 32 * caps.MIB

SIMILARITY_THRESHOLD: Final = 0.25
"""For centered vectors."""
PROBE: Final = "dimension"

log = logging.getLogger(__name__)

_HINT: Final = "Check the address and model in Settings > Search model, and the key in Settings > API keys."


class HttpEmbedder:
    """Embeds on a server; see Embedder. There are no token vectors; tokens are counted as UTF-8 bytes / 4.

    `url` is the server's, with or without "/v1". The dimension comes from the first response, so `card` may send a request. `api_key` is
    sent only to that server. `prefixes` come before each query and passage. With `centre_file`, vectors are relative to
    their mean over the bundled texts, which is requested once and stored there. Each request holds one of `slots`, so that threads wait
    here while the network is busy. Queries take precedence over passages.
    """

    def __init__(
        self,
        url: str,
        model: str,
        api_key: str = "",
        *,
        prefixes: tuple[str, str] = ("", ""),
        max_tokens: int = 512,
        timeout_seconds: float = EMBED_HTTP_SECONDS,
        slots: NetworkSlots | None = None,
        centre_file: Path | None = None,
    ) -> None:
        base = url.rstrip("/").removesuffix("/v1")
        self._url, self._model, self._max_tokens = f"{base}/v1/embeddings", model, max_tokens
        self._host = ""
        with suppress(ValueError):
            self._host = (urlsplit(base).hostname or "") if base.lower().startswith(("http://", "https://")) else ""
        if not self._host:
            raise EmbedderError(sentence("The address of the embedding server is not a web address."), hint=_HINT)
        key = api_key.strip()
        if not (key.isascii() and key.isprintable()):
            raise EmbedderError(sentence("The key of the embedding server contains invalid characters."), hint=_HINT)
        self._timeout_seconds, self._prefixes = timeout_seconds, prefixes
        headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._client = httpx.Client(timeout=timeout_seconds, headers=headers, trust_env=False)
        self._slots = slots or NetworkSlots(MAX_REQUESTS)
        self._lock = threading.Lock()
        self._card: ModelCard | None = None
        self._centre_file, self._centre = centre_file, np.zeros(1, np.float32)

    @property
    def card(self) -> ModelCard:
        if self._card is None:
            self._embed([PROBE], urgent=True)
        assert self._card is not None
        return self._card

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text.encode("utf-8", "replace")) // 4) for text in texts]

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        """Ignore `context`, because such a server returns no token vectors."""
        vector = self._embed([self._prefixes[0] + text], urgent=True)[0]
        return QueryEmbedding(vector, np.empty((0, vector.size), np.float32), ())

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), EMBED_HTTP_BATCH):
            batch = [self._prefixes[1] + text for text in texts[start : start + EMBED_HTTP_BATCH]]
            vectors += self._embed(batch, urgent=False)
        no_bits = [np.empty((0, -(-vector.size // 8)), np.uint8) for vector in vectors]
        return [PassageEmbedding(vector, bits) for vector, bits in zip(vectors, no_bits, strict=True)]

    def release_memory(self, idle_seconds: float) -> bool:
        """Do nothing: the model is on the server."""
        return False

    def make_ready(self) -> None:
        """There is nothing to load."""

    def close(self) -> None:
        self._client.close()

    def _embed(self, texts: Sequence[str], *, urgent: bool) -> list[Vector]:
        """Return the checked vectors of one request, in the order of the texts."""
        vectors = self._vectors(texts, urgent=urgent)
        with self._lock:
            if self._card is None:
                self._card = self._card_of(vectors[0].size)
        _check_dimension(vectors, self._card.dimension)
        centred = [unit(vector - self._centre) for vector in vectors]
        for vector in centred:
            audit(vector)
        return centred

    def _vectors(self, texts: Sequence[str], *, urgent: bool) -> list[Vector]:
        """Return the checked vectors of one request before centering."""
        status, body = self._post(texts, urgent)
        if status >= 500:
            time.sleep(random.uniform(*caps.SERVER_ERROR_PAUSE_SECONDS))
            status, body = self._post(texts, urgent)
        if status != 200:
            raise EmbedderError(sentence("The embedding server {} returned status {}.", self._host, status), hint=_HINT)
        try:
            data = read_json(body)["data"]
            rows = {int(entry.get("index", position)): entry["embedding"] for position, entry in enumerate(data)}
            vectors = [unit(np.array(rows[position], dtype=np.float32)) for position in range(len(texts))]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
            raise EmbedderError(
                sentence("The embedding server {} returned an invalid response.", self._host), hint=_HINT
            ) from error
        for vector in vectors:
            audit(vector)
        return vectors

    def _card_of(self, dimension: int) -> ModelCard:
        """Return the card of a server with this dimension, and set the centre."""
        parts: dict[str, Any] = {"url": self._url, "model": self._model, "dimension": dimension}
        if any(self._prefixes):
            parts["prefixes"] = self._prefixes
        is_calibrated = True
        if self._centre_file is not None:
            # The texts, not the mean: it varies in the last digits, and a lost file must not embed every passage again.
            parts["centre"] = hashlib.sha256("\n".join(subjects()).encode()).hexdigest()
            self._centre, is_calibrated = self._read_centre(fingerprint_of(parts), dimension) or self._make_centre(
                fingerprint_of(parts), dimension
            )
        return ModelCard(
            name=self._model,
            revision="",
            dimension=dimension,
            pooling="server",
            normalise=True,
            query_prefix=self._prefixes[0],
            passage_prefix=self._prefixes[1],
            max_tokens=self._max_tokens,
            similarity_threshold=SIMILARITY_THRESHOLD,
            licence="",
            fingerprint=fingerprint_of(parts),
            calibrated=is_calibrated,
        )

    def _read_centre(self, fingerprint: str, dimension: int) -> tuple[Vector, bool] | None:
        """Return the stored centre of this server, and whether signs represent its vectors well."""
        assert self._centre_file is not None
        try:
            stored = json.loads(self._centre_file.read_bytes())
            centre = np.frombuffer(base64.b64decode(stored["vector"]), "<f4")
            if stored["fingerprint"] == fingerprint and centre.size == dimension and np.isfinite(centre).all():
                return centre, bool(stored["calibrated"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.debug("%s", error)
        return None

    def _make_centre(self, fingerprint: str, dimension: int) -> tuple[Vector, bool]:
        """Request the vectors of the bundled texts, and store their mean."""
        assert self._centre_file is not None
        rows: list[Vector] = []
        for start in range(0, len(texts := subjects()), EMBED_HTTP_BATCH):
            batch = [self._prefixes[1] + text for text in texts[start : start + EMBED_HTTP_BATCH]]
            rows += self._vectors(batch, urgent=False)
        _check_dimension(rows, dimension)
        made = np.array(rows)
        centre = made.mean(axis=0)
        codes = codes_of(np.array([unit(row) for row in made - centre]), made[:0])
        log.info("vectors of %s: %s", self._host, codes)
        stored = {"fingerprint": fingerprint, "vector": packed(centre, "<f4"), "calibrated": codes.are_sound}
        try:
            replace_file(self._centre_file, json.dumps(stored))
        except OSError as error:
            log.warning("cannot store the mean vector of the embedding server: %s", error)
        return centre, codes.are_sound

    def _post(self, texts: Sequence[str], urgent: bool) -> tuple[int, bytes]:
        """Return status and body. Raises EmbedderError without a complete response."""
        payload = {"model": self._model, "input": [sound_text(text) for text in texts]}
        with self._slots.hold_blocking(urgent=urgent):
            deadline = time.monotonic() + self._timeout_seconds
            try:
                with self._client.stream("POST", self._url, json=payload) as response:
                    body = bytearray()
                    for piece in response.iter_raw():
                        body += piece
                        if len(body) > EMBED_HTTP_RESPONSE_BYTES:
                            raise EmbedderError(
                                sentence("The embedding server {} returned a response that is too large.", self._host),
                                hint=_HINT,
                            )
                        if time.monotonic() > deadline:
                            raise httpx.ReadTimeout("total time")
                    return response.status_code, bytes(body)
            except httpx.TimeoutException as error:
                raise EmbedderError(
                    sentence("The embedding server {} did not respond in time.", self._host), hint=_HINT
                ) from error
            except (httpx.HTTPError, httpx.InvalidURL, RuntimeError, UnicodeError) as error:
                raise EmbedderError(
                    sentence("WebRAG cannot reach the embedding server {}.", self._host), hint=_HINT
                ) from error


def _check_dimension(vectors: Sequence[Vector], dimension: int) -> None:
    other = next((vector.size for vector in vectors if vector.size != dimension), dimension)
    if other != dimension:
        message = sentence("The embedding server returned {} dimensions instead of {}.", other, dimension)
        raise EmbedderError(message, hint="It may run another model now. Restart WebRAG to use that model.")
