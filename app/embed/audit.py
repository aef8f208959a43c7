"""What goes into a model and what comes out: checks that no embedder may skip."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.embed.embedder import Vector
from app.errors import EmbedderError

LENGTH_TOLERANCE: Final = 1e-3
LEAST_SPREAD: Final = 1e-6


def audit(vector: Vector) -> None:
    """Raise EmbedderError unless the vector is finite, of unit length and not constant."""
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise EmbedderError("The embedding model gave a vector with values that are not numbers.")
    length = float(np.linalg.norm(vector))
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise EmbedderError(f"The embedding model gave a vector of length {length:.3f} in place of 1.")
    if vector.size > 1 and float(vector.std()) < LEAST_SPREAD:
        raise EmbedderError("The embedding model gave a constant vector.")


def unit(vector: Vector) -> Vector:
    """The vector at length 1; one that has no direction stays as it is and fails the audit."""
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if 0 < length < np.inf else vector, dtype=np.float32)


def sound_text(text: str) -> str:
    """The text with lone surrogates, which JSON lets through and no tokenizer takes, replaced."""
    return text.encode("utf-8", "replace").decode()
