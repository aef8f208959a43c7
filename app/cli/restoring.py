"""`restore`: put a backup in the place of the corpus, while nothing uses it."""

from __future__ import annotations

import argparse

from app.bridge.find import find_instance
from app.cli.output import ProgressLine, say, say_json
from app.errors import AlreadyRunningError
from app.instance import Holding, hold_instance
from app.paths import corpus_file


def restore(options: argparse.Namespace) -> int:
    """Check a backup and put it in place; the corpus that was there is kept beside it."""
    from app.corpus.replacing import put_in_place
    from app.serialise import to_jsonable
    from app.server.render.text import plural
    from app.settings import load_settings

    settings = load_settings(data_dir=options.data_dir)
    running = find_instance(settings.data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses the corpus.", hint="Quit it, then restore."
        )
    with hold_instance(settings.data_dir, Holding.COMMAND), ProgressLine(shown=not options.json) as line:
        line.show("Checking the backup…")
        restored = put_in_place(options.file, corpus_file(settings.data_dir))
    if options.json:
        say_json(to_jsonable(restored))
        return 0
    say(f"Restored {plural(restored.documents, 'document')} with {plural(restored.chunks, 'chunk')}.")
    if restored.kept:
        say(f"The corpus before is kept as {restored.kept}.")
    return 0
