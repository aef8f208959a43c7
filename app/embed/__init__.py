"""Embedding models: what makes vectors, with the bundled model or on a server of one's own."""

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
"""Stands in while no embedder can be made; without a fingerprint the corpus keeps the vectors it has."""


def configured_embedder(settings: Settings, secrets: SecretStore, slots: NetworkSlots) -> Embedder:
    """The embedder of these settings, loaded; requests to a server hold `slots`. Raises EmbedderError when it cannot be used."""
    # Loaded here: what only names embedders loads neither the model runtime nor the network.
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
