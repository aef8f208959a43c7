"""WebRAG Desktop: grounded, cited answers from web pages for every assistant on the computer."""

import os

__version__ = "1.0.0"

# onnxruntime reads this at its first import: it must not report usage to its vendor, which its API cannot prevent completely.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# numpy's BLAS reads this at its first import: the matrix products are small, so more threads would only spin.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
