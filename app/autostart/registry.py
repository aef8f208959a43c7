"""Start at login on Windows: a value under the user's Run key."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from app.errors import AutostartError

if TYPE_CHECKING:
    from types import ModuleType

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""Where the Task Manager notes what was switched off: the first byte of the value is odd then."""
NAME = "WebRAG Desktop"
MAX_COMMAND = 260
"""Characters of a command under Run; Windows ignores longer ones."""


class RunKey:
    """`registry` is the module winreg."""

    def __init__(self, command: list[str], registry: ModuleType | None = None) -> None:
        if registry is None:
            import winreg as registry
        self._registry: Any = registry
        self._line = subprocess.list2cmdline(command)

    @property
    def is_enabled(self) -> bool:
        switched = self._read(APPROVED)
        switched_off = isinstance(switched, bytes) and bool(switched) and switched[0] % 2 == 1
        return bool(self._read(RUN)) and not switched_off

    @property
    def needs_repair(self) -> bool:
        return self.is_enabled and self._read(RUN) != self._line

    def enable(self) -> None:
        if len(self._line) > MAX_COMMAND:
            raise AutostartError(
                f"The path of this program is too long for an entry of Windows ({len(self._line)} characters).",
                hint="Install WebRAG in a folder with a shorter path.",
            )
        registry = self._registry
        try:
            with registry.CreateKey(registry.HKEY_CURRENT_USER, RUN) as key:
                registry.SetValueEx(key, NAME, 0, registry.REG_SZ, self._line)
            self._remove(APPROVED)
        except OSError as error:
            raise _refused(error) from error

    def disable(self) -> None:
        try:
            self._remove(RUN)
            self._remove(APPROVED)
        except OSError as error:
            raise _refused(error) from error

    def _read(self, path: str) -> Any:
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, path) as key:
                return registry.QueryValueEx(key, NAME)[0]
        except OSError:
            return None

    def _remove(self, path: str) -> None:
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, path, 0, registry.KEY_SET_VALUE) as key:
                registry.DeleteValue(key, NAME)
        except FileNotFoundError:
            return


def _refused(error: OSError) -> AutostartError:
    return AutostartError(f"The registry cannot be changed: {error.strerror or type(error).__name__}.")
