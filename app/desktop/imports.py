"""Imports as fast as without Qt: its binding reads the source of every module that is imported, and Python keeps what was read."""

from __future__ import annotations

import linecache
import sys

BINDING = "shibokensupport.feature"


def spare_sources() -> None:
    """Let the binding ask no module for its source any more: half a second of the start and 20 MB.

    It looks for modules that use its switchable features (snake_case, true_property), and this program has none. Without
    source, as in a built application, it finds none either. A binding that works otherwise is left as it is.
    """
    import PySide6.QtCore  # noqa: F401  # brings the part of the binding that is changed

    binding = sys.modules.get(BINDING)
    if hasattr(binding, "_mod_uses_pyside"):
        setattr(binding, "_mod_uses_pyside", lambda _module: False)  # noqa: B010  # a module has no such field for mypy
    linecache.clearcache()
