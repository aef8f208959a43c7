"""Commands for shared libraries: `admin` sets up and runs one on PostgreSQL; `shared` joins, lists and leaves them."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.cli.output import CommandFailedError, Failure, remark, table, tell
from app.durations import time_span
from app.errors import InvalidArgumentError, LibrarySignInError
from app.paths import default_data_dir
from app.secrets import SecretSource, SecretStore
from app.settings import load_settings
from app.settings_schema import LIBRARY_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.library.records import EmbeddingModel
    from app.pg.connections import Connections
    from app.pg.documents import HiddenPage, PgDocuments
    from app.pg.grants import Grants
    from app.pg.setup import LibraryState

COPIES: Final = {
    "import": "import FILE: copy a private library into the database",
    "export": "export FILE: copy pages to a new file",
}
"""Actions that copy pages between a file and the database, with their usage."""

RIGHTS: Final = {
    "collection": "collection list, collection add NAME or collection remove NAME",
    "grant": "grant COLLECTION user:ISSUER|SUBJECT ROLE (group:NAME for a group; ROLE is reader, writer or owner)",
    "revoke": "revoke COLLECTION user:ISSUER|SUBJECT (group:NAME for a group)",
    "grants": "grants: list all roles",
    "quarantine": "quarantine: list hidden pages; quarantine PAGE_ID: hide a page",
    "release": "release PAGE_ID: unhide a page",
    "audit": "audit [user:ISSUER|SUBJECT]: list the latest calls; audit --forget DAYS: delete older calls",
}
"""Actions on collections, roles, hidden pages and the audit log, with their usage."""
PAGE_ACTIONS: Final = ("quarantine", "release")
MAX_ID_DIGITS: Final = 18
HELP: Final = (*COPIES.values(), *RIGHTS.values())
MAX_CALLS_LISTED: Final = 200
TELL_EVERY: Final = 500  # Documents between two progress lines of a copy.
EMBED_SECONDS: Final = 0.017  # CPU time to embed one passage.
INSTALL_NODE: Final = "Install it: pip install 'webrag-desktop[node]'."


def no_driver() -> CommandFailedError:
    """The error of an installation without the database driver."""
    words = ("BACKEND_UNAVAILABLE", "Not installed", "This installation does not include a PostgreSQL driver.")
    return CommandFailedError(Failure(*words, INSTALL_NODE))


def library(options: argparse.Namespace) -> None:
    """Run an `admin` action on the database."""
    try:
        from app.pg import setup
    except ImportError as error:
        raise no_driver() from error
    address = options.database or os.environ.get(LIBRARY_VARIABLE, "")
    if not address:
        raise InvalidArgumentError(
            "No database given.", hint=f"Pass --database postgresql://USER@HOST/DATABASE, or set {LIBRARY_VARIABLE}."
        )
    if options.values and options.action not in (*COPIES, *RIGHTS):
        raise InvalidArgumentError(
            f"`webrag admin {options.action}` does not accept values.", hint="Pass the database with --database."
        )
    if options.forget is not None and options.action != "audit":
        raise InvalidArgumentError("--forget only works with `webrag admin audit`.", hint=_usage("audit"))
    if (options.reindex and options.action != "migrate") or (options.yes and not options.reindex):
        raise InvalidArgumentError(
            "--reindex only works with `webrag admin migrate`, and --yes only with --reindex.",
            hint="Run `webrag admin migrate --reindex`.",
        )
    if options.action == "init":
        setup.init(address, own_model(options.data_dir))
    elif options.action == "migrate" and options.reindex:
        _reindex(address, own_model(options.data_dir), is_sure=options.yes)
    elif options.action == "migrate":
        setup.migrate(address)
    elif options.action in RIGHTS:
        _rights(options, address)
        return
    elif options.action in COPIES:
        _copy(address, options)
        return
    found = setup.state(address)
    tell(found, state_text(found), as_json=options.json)


def _usage(action: str) -> str:
    return f"Usage: webrag admin {RIGHTS[action]}."


def own_model(data_dir: Path | None = None) -> EmbeddingModel:
    """Return the model of this installation, or of its embedding server. Raises EmbedderError."""
    from app.embed import configured_embedder
    from app.library.records import EmbeddingModel
    from app.slots import NetworkSlots

    settings = load_settings(data_dir=data_dir)
    with closing(configured_embedder(settings, SecretStore(), NetworkSlots(1))) as embedder:
        return EmbeddingModel(embedder.card.fingerprint, embedder.card.dimension)


def _reindex(address: str, own: EmbeddingModel, *, is_sure: bool) -> None:
    """Switch the library to the model of this installation. Unless `is_sure`, raise an error that says what this would do."""
    from app.pg import setup
    from app.pg.setup import reindex

    found = setup.state(address)
    if found.model is not None and found.model != own:
        seconds = found.chunks * EMBED_SECONDS
        words = (
            f"This switches the library from model {model_text(found.model)} to {model_text(own)}. It deletes all vectors, and nodes of"
            f" this version embed {found.chunks:,} passages again (about {time_span(seconds)} of CPU time). Until then, semantic search"
            " covers only passages that are already embedded. Older nodes use keyword search until you update them."
        )
        if not is_sure:
            raise InvalidArgumentError(words, hint="Make a base backup, then confirm with --yes.")
        remark(words)
    setup.migrate(address)
    if reindex(address, own):
        remark(f"Done: {setup.state(address).waiting:,} passages are not embedded yet.")
    else:
        remark("The library already uses the model of this version. Nothing was changed.")


def _rights(options: argparse.Namespace, address: str) -> None:
    """Run an action on collections, roles, hidden pages or the audit log."""
    from app.pg.connections import Connections
    from app.pg.grants import Grants
    from app.pg.sessions import Role

    with closing(Connections(address, Role.OWNER, size=1)) as connections:
        if options.action in PAGE_ACTIONS:
            rows = _changed_pages(connections, options.action, options.values)
        elif options.action == "audit":
            rows = _calls(connections, options.values, options.forget)
        else:
            rows = _changed_rights(Grants(connections), options.action, options.values)
    shown = table([[str(value) for value in row.values()] for row in rows]) if rows else "none"
    tell(rows, shown, as_json=options.json)


def _changed_rights(grants: Grants, action: str, values: list[str]) -> list[dict[str, str | int]]:
    """Run an action on collections or roles and return the rows to print."""
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
                raise InvalidArgumentError(
                    f"{principal} does not have a role in {name}.", hint="List the roles: webrag admin grants."
                )
            return [{"collection": name, "revoked": principal}]
        case ["grants"]:
            rows = grants.all()
            return [{"collection": row.collection, "principal": row.principal, "role": row.role.value} for row in rows]
        case _:
            raise InvalidArgumentError(f"Invalid arguments for `webrag admin {action}`.", hint=_usage(action))


def _changed_pages(connections: Connections, action: str, values: list[str]) -> list[dict[str, str | int]]:
    """Hide or unhide a page, or list the hidden pages."""
    from app.pg.connections import Access
    from app.pg.documents import PgDocuments
    from app.pg.grants import Grants

    rights = Grants(connections).everything()
    documents = PgDocuments(Access(connections, lambda: rights))
    match [action, *values]:
        case ["quarantine"]:
            return [
                {
                    "page": each.id,
                    "collection": each.collection,
                    "url": each.url,
                    "added_by": each.added_by,
                    "flags": ", ".join(each.flags),
                }
                for each in _hidden(documents)
            ]
        case [_, number] if number.isascii() and number.isdecimal() and len(number) <= MAX_ID_DIGITS:
            changed = documents.set_quarantine([int(number)], is_quarantined=action == "quarantine")
            if not changed:
                raise InvalidArgumentError(
                    f"There is no page {number}.", hint="List the hidden pages: webrag admin quarantine."
                )
            return [
                {"page": each, "hidden" if action == "quarantine" else "shown": url} for each, url in changed.items()
            ]
        case _:
            raise InvalidArgumentError(f"Invalid arguments for `webrag admin {action}`.", hint=_usage(action))


def _hidden(documents: PgDocuments) -> Iterator[HiddenPage]:
    """Yield every hidden page, read in batches."""
    found = documents.quarantined()
    while found:
        yield from found
        found = documents.quarantined(after=found[-1].id)


def _calls(connections: Connections, values: list[str], forget: int | None) -> list[dict[str, str | int]]:
    """Return the latest calls, newest first; or delete calls older than `forget` days and return their number."""
    from app.pg.grants import MAX_DAYS, Audit

    if len(values) > 1 or (forget is not None and (values or not 0 <= forget <= MAX_DAYS)):
        raise InvalidArgumentError(
            "Invalid arguments for `webrag admin audit`.", hint=f"Usage: {RIGHTS['audit']}. DAYS is 0 to {MAX_DAYS:,}."
        )
    if forget is not None:
        return [{"deleted": Audit(connections).forget(forget)}]
    return [
        {
            "at": call.at.isoformat(timespec="seconds") if call.at is not None else "",
            "subject": call.subject,
            "client": call.client,
            "tool": call.tool,
            "outcome": call.outcome,
            "ms": round(call.ms),
        }
        for call in Audit(connections).recent(MAX_CALLS_LISTED, *values)
    ]


def _copy(address: str, options: argparse.Namespace) -> None:
    """Copy a private library into a collection, or collections into a new file that the desktop application can open."""
    from app.engine.copying import exported, imported
    from app.library.copying import Copied

    if len(options.values) != 1:
        raise InvalidArgumentError("No file given.", hint=f"Usage: webrag admin {options.action} FILE.")
    file, names = Path(options.values[0]).expanduser(), options.collection or ()
    has_vectors = not options.without_vectors
    if options.action == "import":
        steps = imported(address, file, names, with_vectors=has_vectors, with_files=options.files)
    else:
        steps = exported(address, file, names, with_vectors=has_vectors)
    done = Copied()
    for number, step in enumerate(steps, 1):
        done = step
        if not number % TELL_EVERY and not options.json:
            remark(f"{number:,} documents copied")
    rows = [
        ["documents", f"{done.documents:,}"],
        ["passages", f"{done.chunks:,}"],
        ["vectors", f"{done.vectors:,}"],
        ["already there", f"{done.known:,}"],
        ["files skipped", f"{done.left_out:,}"],
    ]
    tell(done, table(rows), as_json=options.json)


def model_text(model: EmbeddingModel) -> str:
    """Name a model by the start of its fingerprint and its dimension."""
    return f"{model.fingerprint[:12]}, {model.dimension} dimensions"


def state_text(found: LibraryState) -> str:
    """Format the state of a shared library, one line per fact."""
    if not found.schema:
        return "This database does not contain a library. Set it up once: webrag admin init."
    model = model_text(found.model) if found.model else "none"
    schema = f"{found.schema}, {found.pending} behind: run webrag admin migrate" if found.pending else f"{found.schema}"
    rows = [
        ["PostgreSQL", found.server],
        ["pgvector", found.vector],
        ["schema", schema],
        ["model", model],
        ["collections", ", ".join(found.collections)],
        ["documents", f"{found.documents:,}"],
        ["passages", f"{found.chunks:,}"],
        ["not embedded yet", f"{found.waiting:,}"],
        ["size", f"{found.bytes / 1e6:,.0f} MB"],
    ]
    return table(rows)


ACTIONS: Final = ("list", "join", "leave", "on", "off", "share-to")
MAX_TOKEN_CHARS: Final = 16_384
UNCHECKED: Final = "WebRAG could not check whether you have write access. The library checks it when you share a page."
UNKEPT: Final = (
    "WebRAG could not save your sign-in because this system has no keyring. Set up a system keyring and join again, or join in the window "
    "(Settings > Shared libraries), where the sign-in lasts until you quit WebRAG."
)


def libraries(options: argparse.Namespace) -> None:
    """Run a `shared` action. A running application applies the change immediately."""
    from app.engine.libraries import Libraries
    from app.events import EventBus

    with closing(Libraries(options.data_dir or default_data_dir(), SecretStore(), EventBus())) as opened:
        if options.action == "join":
            token = sys.stdin.readline(MAX_TOKEN_CHARS).strip() if options.token_stdin else ""
            if options.token_stdin and not token:
                raise InvalidArgumentError(
                    "No token on standard input.", hint="Write the token to standard input as a single line."
                )
            try:
                joining = opened.join(_name(options), _show, token=token, client_id=options.client_id or "")
            except LibrarySignInError as error:
                if token or "token" not in error.hint:
                    raise
                hint = (
                    "Ask the administrator for the access token. Run this command with --token-stdin and write the token"
                    " to standard input."
                )
                raise LibrarySignInError(error.message, hint=hint) from error
            kept = opened.keep(joining, options.collection)
            named = ", ".join(f"{each.name} ({each.role})" for each in joining.node.collections)
            named = named or "none yet; ask the administrator for access to one"
            remark(f"Joined {joining.library.title} as {joining.library.name}. Collections: {named}.")
            if kept is not SecretSource.KEYRING:
                remark(UNKEPT)
        elif options.action == "leave":
            opened.leave(_name(options))
        elif options.action in ("on", "off"):
            opened.change(_name(options), is_on=options.action == "on")
        elif options.action == "share-to" and not opened.change(_name(options), collection=options.collection or ""):
            remark(UNCHECKED)
        states = opened.states()
    entries = [asdict(state.library) for state in states]
    for entry in entries:
        entry["issuer"] = entry.pop("sign_in")["issuer"]
    rows = [["name", "title", "address", "", "signed in as", "shares to"]]
    for state in states:
        each, on = state.library, "on" if state.library.is_on else "off"
        rows.append([each.name, each.title, each.address, on, each.who or "access token", each.collection or "-"])
    none = "You have not joined a shared library. Join one: webrag shared join ADDRESS"
    tell(entries, table(rows) if states else none, as_json=options.json)


def _show(url: str) -> None:
    """Open the sign-in page, and print its address for use in a different browser."""
    import webbrowser

    remark(f"Sign in at {url}")
    webbrowser.open(url)


def _name(options: argparse.Namespace) -> str:
    if not options.name:
        what = "ADDRESS" if options.action == "join" else "NAME"
        raise InvalidArgumentError("No library given.", hint=f"Usage: webrag shared {options.action} {what}.")
    return str(options.name)
