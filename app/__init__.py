"""WebRAG Desktop: grounded, cited answers from web pages for every assistant on the machine."""

import os

__version__ = "0.1.0"

# Read by onnxruntime when it is first imported: it must not report usage to its maker, and no call of its API prevents all of it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Read by numpy's BLAS when it is first imported: the products here are small, more threads only spin against each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
