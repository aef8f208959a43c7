"""`library`: set up a library that several people share, bring its tables up to date, say what state it is in."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from app.cli.output import CommandFailedError, Failure, say, say_json, table
from app.errors import InvalidArgumentError
from app.settings_schema import LIBRARY_VARIABLE

if TYPE_CHECKING:
    from app.pg.grants import Grants
    from app.pg.setup import LibraryState

RIGHTS: Final = {
    "collection": "collection list, collection add NAME or collection remove NAME",
    "grant": "grant COLLECTION user:ISSUER|SUBJECT reader (or writer, owner; or group:NAME)",
    "revoke": "revoke COLLECTION user:ISSUER|SUBJECT (or group:NAME)",
    "grants": "grants, without anything behind it",
}
"""The actions about collections and rights, and what stands behind each."""
INSTALL_NODE: Final = "Install the package with its extra: pip install 'webrag-desktop[node]'."


def library(options: argparse.Namespace) -> int:
    """Run one of the actions on the database."""
    try:
        from app.pg import setup
    except ImportError as error:
        raise CommandFailedError(
            Failure(
                *("BACKEND_UNAVAILABLE", "Not installed", "This installation has no driver for PostgreSQL."),
                INSTALL_NODE,
            )
        ) from error
    address = options.database or os.environ.get(LIBRARY_VARIABLE, "")
    if not address:
        raise InvalidArgumentError(
            "No database is named.", hint=f"Give --database postgresql://USER@HOST/DATABASE, or set {LIBRARY_VARIABLE}."
        )
    if options.action == "init":
        from app.embed.onnx import load_card
        from app.library.records import EmbeddingModel
        from app.paths import assets_dir

        card = load_card(assets_dir() / "model")
        setup.init(address, EmbeddingModel(card.fingerprint, card.dimension))
    elif options.action == "migrate":
        setup.migrate(address)
    elif options.action in RIGHTS:
        return _rights(options, address)
    found = setup.state(address)
    if options.json:
        say_json(asdict(found))
    else:
        say(state_text(found))
    return 0


def _rights(options: argparse.Namespace, address: str) -> int:
    """Collections, and who may do what in them."""
    from app.pg.connections import Connections, Role
    from app.pg.grants import Grants

    connections = Connections(address, Role.OWNER, size=1)
    try:
        rows = _changed_rights(Grants(connections), options.action, options.values)
    finally:
        connections.close()
    if options.json:
        say_json(rows)
    else:
        say(table([[str(value) for value in row.values()] for row in rows]) if rows else "none")
    return 0


def _changed_rights(grants: Grants, action: str, values: list[str]) -> list[dict[str, str | int]]:
    """Do what is asked for; a row for each thing that is to be told."""
    from app.pg.grants import GrantRole

    match [action, *values]:
        case ["collection", "list"]:
            known = grants.collections(grants.everything())
            return [{"name": each.name, "documents": each.documents} for each in known]
        case ["collection", "add", name]:
            grants.add_collection(name)
            return [{"added": name}]
        case ["collection", "remove", name]:
            return [{"removed": name, "documents": grants.remove_collection(name)}]
        case ["grant", name, principal, role] if role in list(GrantRole):
            grants.give(name, principal, GrantRole(role))
            return [{"collection": name, "principal": principal, "role": role}]
        case ["revoke", name, principal]:
            if not grants.take(name, principal):
                raise InvalidArgumentError(f"{principal} has no role in {name}.", hint="See webrag library grants.")
            return [{"collection": name, "revoked": principal}]
        case ["grants"]:
            rows = grants.all()
            return [{"collection": row.collection, "principal": row.principal, "role": row.role.value} for row in rows]
        case _:
            raise InvalidArgumentError(
                f"webrag library {action} is not given like this.", hint=f"Give {RIGHTS[action]}."
            )


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
