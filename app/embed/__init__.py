"""Embedding models: vectors from the bundled model or from an embedding server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.embed.embedder import Embedder, ModelCard
from app.paths import model_dir
from app.secrets import SecretName, SecretStore
from app.settings import Settings
from app.slots import NetworkSlots

EmbedderFactory = Callable[[Settings, SecretStore, NetworkSlots], Embedder]

NO_MODEL: Final = ModelCard(
    name="none",
    revision="",
    dimension=384,
    pooling="mean",
    normalise=True,
    query_prefix="",
    passage_prefix="",
    max_tokens=256,
    similarity_threshold=0.0,
    licence="",
    fingerprint="",
)
"""Placeholder while no embedder is available; without a fingerprint, the corpus keeps its vectors."""


def configured_embedder(settings: Settings, secrets: SecretStore, slots: NetworkSlots) -> Embedder:
    """Return the loaded embedder for these settings; requests to a server hold `slots`. Raises EmbedderError if it is not usable."""
    # Imported here: modules that only name embedders load neither the model runtime nor the network.
    if not settings.embedding_server_url:
        from app.embed.onnx import OnnxEmbedder

        return OnnxEmbedder(model_dir())
    from app.embed.http import HttpEmbedder

    return HttpEmbedder(
        settings.embedding_server_url,
        settings.embedding_model_name,
        secrets.get(SecretName.EMBEDDING_SERVER_API_KEY).value,
        max_tokens=settings.embedding_tokens_size,
        slots=slots,
    )
