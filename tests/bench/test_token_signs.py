"""Formats of stored passage tokens: their content and their comparison."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from app.retrieval.rerank import best_matches
from support.token_signs import Spread, Way, by_likeness, by_position, fit_scale, gain, ways
from support.token_states import States, TokenStates

TEXT = "The pump lifts water from the river to the upper basin of the mill, which two valves close."


@pytest.fixture(scope="module")
def model() -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(assets_dir() / "model")
    yield embedder
    embedder.close()


def test_token_vectors_have_the_signs_that_are_stored_and_are_remembered(model: OnnxEmbedder, tmp_path: Path) -> None:
    stored = model.embed_passage(TEXT).token_bits
    for file in (None, tmp_path / "states.db", tmp_path / "states.db"):
        states = TokenStates(model, file)
        assert np.array_equal(model.with_marks_merged(TEXT, np.packbits(states.of(TEXT) > 0, axis=1)), stored)
        states.close()
    again = TokenStates(model, tmp_path / "states.db")
    again.of(TEXT)
    assert again.made == 0
    again.close()


@pytest.fixture(scope="module")
def states() -> States:
    """Return nine tokens. The first and the last are the same, and so are the second and the third."""
    rows = np.random.default_rng(1).normal(size=(9, 384)).astype(np.float32)
    rows[8], rows[2] = rows[0] + 0.01, rows[1] + 0.01
    return rows


def test_tokens_become_fewer_and_their_directions_stay(states: States) -> None:
    assert [len(by_position(count)(states)) for count in (2, 3)] == [5, 3]
    for neighbours in (True, False):
        assert [len(by_likeness(count, neighbours=neighbours)(states)) for count in (2, 3, 9)] == [5, 3, 1]
        assert by_likeness(2, neighbours=neighbours)(states[:1]).shape == (1, 384)
        assert by_likeness(2, neighbours=neighbours)(states[:0]).shape == (0, 384)
    total = (states / np.linalg.norm(states, axis=1, keepdims=True)).sum(axis=0)
    for pooled in (by_position(2), by_likeness(2, neighbours=True), by_likeness(3, neighbours=False)):
        assert np.allclose(pooled(states).sum(axis=0), total, atol=1e-4)


def test_the_most_alike_become_one_token_and_only_neighbours_if_so_wanted(states: States) -> None:
    unit = states / np.linalg.norm(states, axis=1, keepdims=True)
    apart, beside = [0, 4, 8], [4, 0, 8]
    both = unit[0] + unit[8]
    assert np.allclose(by_likeness(2, neighbours=False)(states[apart]), [both, unit[4]], atol=1e-5)
    assert np.allclose(by_likeness(2, neighbours=True)(states[beside]), [unit[4], both], atol=1e-5)
    assert not np.allclose(by_likeness(2, neighbours=True)(states[apart])[0], both, atol=1e-2)


def test_every_encoding_has_its_size_and_finds_a_token_again(states: States) -> None:
    spread = Spread()
    spread.add(np.random.default_rng(2).normal(size=(500, 384)).astype(np.float32))
    query = states[:2] / np.linalg.norm(states[:2], axis=1, keepdims=True)
    other = np.random.default_rng(3).normal(size=(9, 384)).astype(np.float32)
    for way in ways(spread):
        made, strange = way.bits(states), way.bits(other)
        assert made.shape[1] in (48, 32, 24, 16) and len(made) in (9, 5, 3)
        found = way.matches(best_matches, query, [made, strange])
        assert found.shape == (2, 2) and (found[0] > found[1]).all(), way.name
        assert way.bytes == made.nbytes + strange.nbytes and way.passages == 2


def test_scales_are_fitted_to_the_cosines_of_today(states: States) -> None:
    rng = np.random.default_rng(4)
    passages = [rng.normal(size=(9, 384)).astype(np.float32) for _ in range(20)]
    queries = [rng.normal(size=(3, 384)).astype(np.float32) for _ in range(5)]
    queries = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in queries]
    kinds = [Way("today"), Way("fewer", by_position(3))]
    made = {way.name: [way.bits(each) for each in passages] for way in kinds}
    near = [list(range(20))] * len(queries)
    fit_scale(kinds, queries, near, made)
    assert (kinds[0].scale, kinds[0].offset) == pytest.approx((1, 0), abs=1e-5)
    means = [np.mean([way.matches(best_matches, q, made[way.name]).mean() for q in queries]) for way in kinds]
    assert means[1] == pytest.approx(means[0], abs=1e-4)


@pytest.mark.parametrize(
    ("order", "expected"),
    [([], 0.0), ([False], 0.0), ([True, False], 1.0), ([False, True], 0.6309), ([True] * 12, 1.0)],
)
def test_gain_counts_what_answers_by_its_place(order: list[bool], expected: float) -> None:
    assert gain(order) == pytest.approx(expected, abs=1e-4)
