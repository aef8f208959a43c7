from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EMBED_ONCE = """
from app.embed import OnnxEmbedder
from app.paths import assets_dir
import time
OnnxEmbedder(assets_dir() / "model").embed_query("one question")
time.sleep(1)
"""


def test_the_model_runtime_leaves_no_trace_in_the_home_directory(tmp_path: Path) -> None:
    """With its reporting on, the runtime keeps a device id and a queue of events below ~/.cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment["HOME"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", EMBED_ONCE], env=environment, check=True, timeout=60)
    assert not [str(path) for path in tmp_path.rglob("*") if path.is_file()]
