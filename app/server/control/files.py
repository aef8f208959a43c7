"""The methods of `/control/call` about files: import, export, backup. Paths are absolute, of the machine of the instance."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.corpus.migrations import is_corpus_file
from app.errors import FileAccessError
from app.paths import corpus_file
from app.progress import ProgressCallback
from app.server.control.exporting import export_documents
from app.server.control.importing import import_files
from app.server.control.method import Arguments, ControlMethod
from app.server.tools import schemas

if TYPE_CHECKING:
    from app.engine import Engine


async def _import(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await import_files(engine, [Path(path) for path in arguments["paths"]], progress)


async def _export(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await export_documents(engine, arguments["source"], Path(arguments["target"]), progress)


async def _export_docs(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return str(await asyncio.to_thread(engine.docs.export, arguments["name"], Path(arguments["target"])))


async def _backup(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    target = Path(arguments["target"])
    await asyncio.to_thread(_check_target, target, corpus_file(engine.settings.data_dir))
    await engine.maintenance.backup(target)
    return str(target)


def _check_target(target: Path, corpus: Path) -> None:
    """Nothing but an older backup may be replaced. Raises FileAccessError."""
    hint = "Name a new file."
    try:
        if target.exists() and corpus.exists() and target.samefile(corpus):
            raise FileAccessError(f"{target} is the corpus itself.", hint=hint)
        if target.is_dir() or (target.exists() and not is_corpus_file(target)):
            raise FileAccessError(f"{target} exists and is no backup.", hint=hint)
    except OSError as error:
        raise FileAccessError(f"{target} cannot be used: {error.strerror}.", hint=hint) from error


FILE_METHODS: Final[Mapping[str, ControlMethod]] = {
    "import": ControlMethod(
        _import,
        {"paths": {"type": "array", "items": schemas.PATH, "minItems": 1, "maxItems": caps.MAX_IMPORTED_FILES}},
        ("paths",),
        goes_on=True,
    ),
    "export": ControlMethod(_export, {"source": schemas.URL, "target": schemas.PATH}, ("source", "target")),
    "export_docs": ControlMethod(
        _export_docs, {"name": schemas.SHORT_TEXT, "target": schemas.PATH}, ("name", "target")
    ),
    "backup": ControlMethod(_backup, {"target": schemas.PATH}, ("target",)),
}
