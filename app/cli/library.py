"""`library`: set up a library that several people share, bring its tables up to date, say what state it is in."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from app.cli.output import CommandFailedError, Failure, say, say_json, table
from app.errors import InvalidArgumentError

if TYPE_CHECKING:
    from app.pg.setup import LibraryState

ADDRESS_VARIABLE: Final = "WEBRAG_LIBRARY"


def library(options: argparse.Namespace) -> int:
    """Run one of the actions on the database."""
    try:
        from app.pg import setup
    except ImportError as error:
        raise CommandFailedError(
            Failure(
                *("BACKEND_UNAVAILABLE", "Not installed", "This installation has no driver for PostgreSQL."),
                "Install the package with its extra: pip install 'webrag-desktop[node]'.",
            )
        ) from error
    address = options.database or os.environ.get(ADDRESS_VARIABLE, "")
    if not address:
        raise InvalidArgumentError(
            "No database is named.", hint=f"Give --database postgresql://USER@HOST/DATABASE, or set {ADDRESS_VARIABLE}."
        )
    if options.action == "init":
        from app.embed.onnx import load_card
        from app.library.records import EmbeddingModel
        from app.paths import assets_dir

        card = load_card(assets_dir() / "model")
        setup.init(address, EmbeddingModel(card.fingerprint, card.dimension))
    elif options.action == "migrate":
        setup.migrate(address)
    found = setup.state(address)
    if options.json:
        say_json(asdict(found))
    else:
        say(state_text(found))
    return 0


def state_text(found: LibraryState) -> str:
    """One line a fact."""
    if not found.schema:
        return "There is no library in this database. Set it up once: webrag library init."
    model = f"{found.model.fingerprint[:12]}, {found.model.dimension} dimensions" if found.model else "none"
    schema = (
        f"{found.schema}, {found.pending} to be migrated: webrag library migrate"
        if found.pending
        else f"{found.schema}"
    )
    rows = [
        ["PostgreSQL", found.server],
        ["pgvector", found.vector],
        ["schema", schema],
        ["model", model],
        ["collections", ", ".join(found.collections)],
        ["documents", f"{found.documents:,}"],
        ["passages", f"{found.chunks:,}"],
        ["without vectors", f"{found.waiting:,}"],
        ["size", f"{found.bytes / 1e6:,.0f} MB"],
    ]
    return table(rows)
