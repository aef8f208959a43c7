"""Test a search model before it is chosen, and estimate how long it takes to embed the library again."""

from __future__ import annotations

import math
import time
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from app.corpus.checks import count_chunks, has_second_model
from app.embed import configured_embedder, folder_of, is_multilingual, model_folder
from app.embed.embedder import RERANKER, EmbedderCheck, ModelCard, check, load_reference
from app.embed.folder import load_card
from app.embed.models import BUILT_IN, NO_RERANKER, OWN_NAMES, Told, add_model, name_of
from app.embed.reranker import FAR, NEAR, QUESTION, CrossEncoder
from app.embed.threads import embed_threads
from app.engine.maintenance import try_embedder
from app.errors import EmbedderError
from app.paths import assets_dir, corpus_file
from app.retrieval.second_look import BEST
from app.secrets import SecretStore
from app.settings import Settings, save_setting
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.web.exchange import tls_context

MAX_TOKENS_STORED: Final = 220
LONG: Final = 14
"""Repetitions of a sentence that make a passage of usual length."""


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """A tested model and the work of a change to it: passages to embed, the time in seconds and the size of their vectors.

    A reranker changes nothing stored; `check` then has its speed with a question and BEST passages. `is_beside`: the model runs next to the
    built-in one, or the built-in one loses such a model.
    """

    name: str
    card: ModelCard
    check: EmbedderCheck
    chunks: int
    seconds: float
    vector_bytes: int
    is_beside: bool = False


def add(settings: Settings, wanted: str, *, source: str = "", told: Told = lambda step, done, whole: None) -> str:
    """Add a model of the catalogue or a folder as `add_model` does, and return its name. Raises EmbedderError."""
    add_model(settings, wanted, source=source, tls=tls_context(), told=told)
    return name_of(wanted)


def try_model(settings: Settings, name: str) -> ModelTrial:
    """Load and test a model. Blocking, takes some seconds. Raises EmbedderError if it must not be used."""
    if name != BUILT_IN and load_card(folder_of(settings, name)).kind == RERANKER:
        with closing(CrossEncoder(folder_of(settings, name))) as reranker:
            reranker.check()
            begun = time.perf_counter()
            reranker.scores(QUESTION, [" ".join([NEAR] * LONG)] * BEST, math.inf)
            seconds = time.perf_counter() - begun
        return ModelTrial(name, reranker.card, EmbedderCheck(1000 * seconds, BEST / seconds, None), 0, 0.0, 0)
    of_library = has_second_model(corpus_file(settings.data_dir))
    settings = replace(settings, embedding_server_url="", embedding_model_folder="" if name == BUILT_IN else name)
    with closing(configured_embedder(settings, SecretStore(), NetworkSlots(1))) as embedder:
        try_embedder(embedder, QUESTION, NEAR, FAR)
        reference = load_reference(assets_dir() if name == BUILT_IN else model_folder(settings))
        found = check(embedder, reference, embed_threads(settings.embed_threads).background)
        card = embedder.card
    if not found.is_sound:
        raise EmbedderError(sentence("The vectors of {} differ from its reference vectors.", card.name))
    chunks = count_chunks(corpus_file(settings.data_dir))
    per_chunk = 2 * card.dimension + (1 + MAX_TOKENS_STORED) * card.dimension // 8
    is_beside = of_library if name == BUILT_IN else is_multilingual(card.languages)
    return ModelTrial(name, card, found, chunks, chunks / found.passages_per_second, chunks * per_chunk, is_beside)


def choose_model(settings: Settings, name: str) -> None:
    """Save the model as the choice for the next start. Raises SettingsError, and EmbedderError without its card."""
    if name in OWN_NAMES:
        save_setting(setting_of(RERANKER if name == NO_RERANKER else ""), None)
    else:
        save_setting(setting_of(load_card(folder_of(settings, name)).kind), name)


def setting_of(kind: str) -> str:
    """Return the setting that names the chosen model of a kind."""
    return "reranker_model" if kind == RERANKER else "embedding_model_folder"
