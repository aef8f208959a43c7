"""Run the property tests with new random examples, many more than the suite uses.

    python bench/properties.py [--examples N] [PATH...]

PATH are test files or folders; the default is every file with properties. A failure is printed with a line that reproduces the example.
Tests that set their own number of examples keep it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SECONDS: Final = 3_600
"""Timeout of one property."""


def main() -> int:
    """Run pytest and return its exit status."""
    parser = argparse.ArgumentParser(description="Search for examples that break a property test.")
    parser.add_argument("--examples", type=int, default=1_000, help="examples per property (default 1000)")
    parser.add_argument("paths", nargs="*", help="test files or folders")
    options = parser.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", f"--timeout={SECONDS}"]
    command += ["--hypothesis-profile=random", *(options.paths or stating_properties())]
    environment = {**os.environ, "PROPERTY_EXAMPLES": str(options.examples), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def stating_properties() -> list[str]:
    """Return the test files that use hypothesis."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in files if "from hypothesis" in file.read_text("utf-8")]


if __name__ == "__main__":
    sys.exit(main())
