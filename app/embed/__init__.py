"""Embedding models: vectors from the bundled model or from an embedding server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from app.embed.embedder import Embedder, ModelCard
from app.paths import model_dir, models_dir
from app.secrets import SecretName, SecretStore
from app.settings import Settings
from app.slots import NetworkSlots

EmbedderFactory = Callable[[Settings, SecretStore, NetworkSlots], Embedder]

NO_MODEL: Final = ModelCard(
    name="none", revision="", dimension=384, pooling="mean", normalise=True, query_prefix="", passage_prefix="", max_tokens=256,
    similarity_threshold=0.0, licence="", fingerprint="",
)  # fmt: skip
"""Placeholder while no embedder is available; without a fingerprint, the corpus keeps its vectors."""


def model_folder(settings: Settings) -> Path:
    """Return the folder of the chosen model: the built-in one, a path, or the name of a model that the user added."""
    chosen = settings.embedding_model_folder
    return folder_of(settings, chosen) if chosen else model_dir()


def folder_of(settings: Settings, chosen: str) -> Path:
    """Return the folder of a path, or of the name of a model that the user added."""
    path = Path(chosen).expanduser()
    return path if path.is_absolute() else models_dir(settings.data_dir) / chosen


def is_multilingual(languages: Iterable[str]) -> bool:
    """Whether a chosen model runs next to the built-in one instead of replacing it: its card lists other languages than English."""
    return any(not language.lower().startswith("en") for language in languages)


def configured_embedder(settings: Settings, secrets: SecretStore, slots: NetworkSlots) -> Embedder:
    """Return the loaded embedder for these settings; requests to a server hold `slots`. Raises EmbedderError if it is not usable.

    A chosen model is never replaced by the built-in one, because every passage would be embedded again.
    """
    # Imported here: modules that only name embedders load neither the model runtime nor the network.
    if settings.embedding_server_url:
        from app.embed.http import HttpEmbedder

        return HttpEmbedder(
            settings.embedding_server_url,
            settings.embedding_model_name,
            secrets.get(SecretName.EMBEDDING_SERVER_API_KEY).value,
            prefixes=(settings.embedding_query_prefix, settings.embedding_passage_prefix),
            max_tokens=settings.embedding_tokens_size,
            slots=slots,
            # The name is not one of a model.
            centre_file=models_dir(settings.data_dir) / ".server.json",
        )
    if not settings.embedding_model_folder:
        from app.embed.onnx import OnnxEmbedder

        return OnnxEmbedder(model_dir())
    from app.embed.preparing import chosen_embedder

    return chosen_embedder(model_folder(settings))
