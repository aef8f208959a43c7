"""`erase`: delete what is kept, by kind, while nothing uses it."""

from __future__ import annotations

import argparse

from app.bridge.find import find_instance
from app.cli.output import say
from app.errors import AlreadyRunningError, InvalidArgumentError
from app.instance import Holding, hold_instance


def erase(options: argparse.Namespace) -> int:
    """Delete the kinds that are named; without --yes only say what that would be."""
    from app.engine.erasing import Kept, erase
    from app.secrets import SecretStore
    from app.settings import load_settings

    kinds = [Kept(kind) for kind in dict.fromkeys(options.kinds)]
    data_dir = load_settings(data_dir=options.data_dir).data_dir
    words = ", ".join(kinds)
    if not options.yes:
        raise InvalidArgumentError(
            f"This deletes for good: {words} ({data_dir}).", hint="Make a backup, then give --yes."
        )
    running = find_instance(data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses them.", hint="Quit it, or delete in its settings."
        )
    with hold_instance(data_dir, Holding.COMMAND):
        erase(data_dir, kinds, SecretStore())
    say(f"Deleted: {words}.")
    return 0
