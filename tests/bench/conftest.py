"""The benchmarks are programs beside the application; their modules are found where they lie."""

from __future__ import annotations

import sys
from pathlib import Path

BENCH = str(Path(__file__).resolve().parents[2] / "bench")

if BENCH not in sys.path:
    sys.path.insert(0, BENCH)
