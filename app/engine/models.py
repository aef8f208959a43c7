"""Test a search model before it is chosen, and estimate how long it takes to embed the library again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from app.corpus.checks import count_chunks
from app.embed import configured_embedder, model_folder
from app.embed.embedder import EmbedderCheck, ModelCard, check, load_reference
from app.embed.models import BUILT_IN, Told, add_model, name_of
from app.embed.threads import embed_threads
from app.engine.maintenance import try_embedder
from app.errors import EmbedderError
from app.paths import assets_dir, corpus_file
from app.secrets import SecretStore
from app.settings import Settings, save_setting
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.web.exchange import tls_context

QUESTION: Final = "How do I open a file?"
NEAR: Final = "To open a file, choose it in the dialog and press the button."
FAR: Final = "Whales breathe air and must surface while they sleep."
MAX_TOKENS_STORED: Final = 220


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """A tested model and the work of a change to it: passages to embed, the time in seconds and the size of their vectors."""

    name: str
    card: ModelCard
    check: EmbedderCheck
    chunks: int
    seconds: float
    vector_bytes: int


def add(settings: Settings, wanted: str, *, source: str = "", told: Told = lambda step, done, whole: None) -> str:
    """Add a model of the catalogue or a folder as `add_model` does, and return its name. Raises EmbedderError."""
    add_model(settings, wanted, source=source, tls=tls_context(), told=told)
    return name_of(wanted)


def try_model(settings: Settings, name: str) -> ModelTrial:
    """Load and test a model. Blocking, takes some seconds. Raises EmbedderError if it must not be used."""
    settings = replace(settings, embedding_server_url="", embedding_model_folder="" if name == BUILT_IN else name)
    embedder = configured_embedder(settings, SecretStore(), NetworkSlots(1))
    try:
        try_embedder(embedder, QUESTION, NEAR, FAR)
        reference = load_reference(assets_dir() if name == BUILT_IN else model_folder(settings))
        found = check(embedder, reference, embed_threads(settings.embed_threads).background)
        card = embedder.card
    finally:
        embedder.close()
    if not found.is_sound:
        raise EmbedderError(sentence("The vectors of {} differ from its reference vectors.", card.name))
    chunks = count_chunks(corpus_file(settings.data_dir))
    per_chunk = 2 * card.dimension + (1 + MAX_TOKENS_STORED) * card.dimension // 8
    return ModelTrial(name, card, found, chunks, chunks / found.passages_per_second, chunks * per_chunk)


def choose_model(name: str) -> None:
    """Save the model as the choice for the next start. Raises SettingsError."""
    save_setting("embedding_model_folder", None if name == BUILT_IN else name)
