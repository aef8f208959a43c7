"""Hives."""


class Hive:
    """One."""

    def warm(self) -> None:
        return None
