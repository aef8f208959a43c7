"""Runs first in the frozen program: restores the user's library path for programs that it starts.

At start, LD_LIBRARY_PATH contains the folder of the program. A browser or an assistant would load our libraries instead of the system's and
fail. The loader has already read the variable, so the program itself does not need it.
"""

import os
import sys

if sys.platform.startswith("linux"):
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is None:
        os.environ.pop("LD_LIBRARY_PATH", None)
    else:
        os.environ["LD_LIBRARY_PATH"] = before
