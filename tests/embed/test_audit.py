from __future__ import annotations

import numpy as np
import pytest

from app.embed.audit import audit, sound_text, unit
from app.errors import EmbedderError


def test_a_proper_vector_passes() -> None:
    audit(unit(np.array([3.0, -4.0, 1.0], np.float32)))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([np.nan, 1.0], "not numbers"),
        ([np.inf, 1.0], "not numbers"),
        ([[0.6, 0.8]], "not numbers"),
        ([0.0, 0.0], "length 0"),
        ([0.6, 0.9], "length 1.08"),
        ([0.5, 0.5, 0.5, 0.5], "constant"),
        ([], "length 0"),
    ],
)
def test_what_is_refused(values: list[float], words: str) -> None:
    with pytest.raises(EmbedderError, match=words):
        audit(np.array(values, np.float32))


@pytest.mark.filterwarnings("error")
def test_vectors_without_direction_fail_the_audit_after_scaling() -> None:
    for values in ([0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]):
        with pytest.raises(EmbedderError):
            audit(unit(np.array(values, np.float32)))


def test_lone_surrogates_are_replaced() -> None:
    assert sound_text("a\ud800b") == "a?b"
    assert sound_text("Grüße 😀") == "Grüße 😀"
