"""Runs first in the frozen program: programs that it starts get the library path of the person, not that of its own folder.

The folder is on LD_LIBRARY_PATH when the program starts, and a browser or an assistant that took our libraries for the system's
would fail. The loader has read the variable by now, so the program itself loses nothing.
"""

import os
import sys

if sys.platform.startswith("linux"):
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is None:
        os.environ.pop("LD_LIBRARY_PATH", None)
    else:
        os.environ["LD_LIBRARY_PATH"] = before
