"""`library`: set up a library that several people share, bring its tables up to date, say what state it is in, fill and copy it.
`libraries`: shared libraries that this computer asks beside its own: join one, leave it, switch it, say what is joined.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.cli.output import CommandFailedError, Failure, remark, say, say_json, table
from app.durations import time_span
from app.errors import InvalidArgumentError, LibrarySignInError
from app.events import EventBus
from app.paths import default_data_dir, model_dir
from app.secrets import SecretSource, SecretStore
from app.settings_schema import LIBRARY_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.engine.libraries import Libraries
    from app.engine.libraries import LibraryState as JoinedState
    from app.library.records import EmbeddingModel
    from app.pg.connections import Connections
    from app.pg.documents import HiddenPage, PgDocuments
    from app.pg.grants import Grants
    from app.pg.setup import LibraryState


COPIES: Final = {"import": "import FILE, a library of the desktop", "export": "export FILE, which is made"}
"""The actions that copy pages between a file and the database."""

RIGHTS: Final = {
    "collection": "collection list, collection add NAME or collection remove NAME",
    "grant": "grant COLLECTION user:ISSUER|SUBJECT reader (or writer, owner; or group:NAME)",
    "revoke": "revoke COLLECTION user:ISSUER|SUBJECT (or group:NAME)",
    "grants": "grants, without anything behind it",
    "quarantine": "quarantine, which lists the pages that are hidden, or quarantine PAGE_ID, which hides one",
    "release": "release PAGE_ID, which shows a hidden page again",
    "audit": "audit, or audit user:ISSUER|SUBJECT: the last calls; audit --forget DAYS deletes older ones",
}
"""The actions about collections and rights, hidden pages and calls, and what stands behind each."""
PAGE_ACTIONS: Final = ("quarantine", "release")
MAX_ID_DIGITS: Final = 18
HELP: Final = (*COPIES.values(), *RIGHTS.values())
MAX_CALLS_LISTED: Final = 200
TELL_EVERY: Final = 500
"""Documents between two lines about how far a copy is."""
EMBED_SECONDS: Final = 0.017
"""Of a processor for a passage, as docs/team.md has it."""
INSTALL_NODE: Final = "Install the package with its extra: pip install 'webrag-desktop[node]'."


def no_driver() -> CommandFailedError:
    """The failure of an installation that lacks what a node needs."""
    words = ("BACKEND_UNAVAILABLE", "Not installed", "This installation has no driver for PostgreSQL.")
    return CommandFailedError(Failure(*words, INSTALL_NODE))


def library(options: argparse.Namespace) -> int:
    """Run one of the actions on the database."""
    try:
        from app.pg import setup
    except ImportError as error:
        raise no_driver() from error
    address = options.database or os.environ.get(LIBRARY_VARIABLE, "")
    if not address:
        raise InvalidArgumentError(
            "No database is named.", hint=f"Give --database postgresql://USER@HOST/DATABASE, or set {LIBRARY_VARIABLE}."
        )
    if options.values and options.action not in (*COPIES, *RIGHTS):
        raise InvalidArgumentError(
            f"webrag library {options.action} takes nothing behind it.", hint="The database is named with --database."
        )
    if options.forget is not None and options.action != "audit":
        raise InvalidArgumentError("--forget belongs to webrag library audit.", hint=f"Give {RIGHTS['audit']}.")
    if (options.reindex and options.action != "migrate") or (options.yes and not options.reindex):
        raise InvalidArgumentError(
            "--reindex belongs to webrag library migrate, and --yes to --reindex.",
            hint="Give webrag library migrate --reindex.",
        )
    if options.action == "init":
        setup.init(address, own_model())
    elif options.action == "migrate" and options.reindex:
        _reindex(address, is_sure=options.yes)
    elif options.action == "migrate":
        setup.migrate(address)
    elif options.action in RIGHTS:
        return _rights(options, address)
    elif options.action in COPIES:
        return _copy(address, options)
    found = setup.state(address)
    if options.json:
        say_json(asdict(found))
    else:
        say(state_text(found))
    return 0


def own_model() -> EmbeddingModel:
    """The model that this program ships with."""
    from app.embed.onnx import load_card
    from app.library.records import EmbeddingModel

    card = load_card(model_dir())
    return EmbeddingModel(card.fingerprint, card.dimension)


def _reindex(address: str, *, is_sure: bool) -> None:
    """Make the library one of the model of this program; unless `is_sure` only say what that would be."""
    from app.pg import setup
    from app.pg.model import reindex

    own, found = own_model(), setup.state(address)
    if found.model is not None and found.model != own:
        seconds = found.chunks * EMBED_SECONDS
        words = (
            f"This makes the library ({model_text(found.model)}) one of the model of this program ({model_text(own)}). All"
            f" vectors go, and nodes of this version embed {found.chunks:,} passages anew, about {time_span(seconds)} of a processor."
            " Until then pages are found by their words, and by meaning as far as they have vectors; older nodes go on with words"
            " alone until they are renewed."
        )
        if not is_sure:
            raise InvalidArgumentError(words, hint="Make a base backup, then give --yes.")
        remark(words)
    setup.migrate(address)
    if reindex(address, own):
        remark(f"Done: {setup.state(address).waiting:,} passages wait for vectors.")
    else:
        remark("The library is of the model of this program already: nothing is embedded anew.")


def _rights(options: argparse.Namespace, address: str) -> int:
    """Collections, and who may do what in them."""
    from app.pg.connections import Connections
    from app.pg.grants import Grants
    from app.pg.sessions import Role

    connections = Connections(address, Role.OWNER, size=1)
    try:
        if options.action in PAGE_ACTIONS:
            rows = _changed_pages(connections, options.action, options.values)
        elif options.action == "audit":
            rows = _calls(connections, options.values, options.forget)
        else:
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


def _changed_pages(connections: Connections, action: str, values: list[str]) -> list[dict[str, str | int]]:
    """Hide a page or let it go, or list those that are hidden."""
    from app.pg.documents import PgDocuments
    from app.pg.grants import Grants

    rights = Grants(connections).everything()
    documents = PgDocuments(connections, lambda: rights)
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
                raise InvalidArgumentError(f"There is no page {number}.", hint="See webrag library quarantine.")
            return [
                {"page": each, "hidden" if action == "quarantine" else "shown": url} for each, url in changed.items()
            ]
        case _:
            raise InvalidArgumentError(
                f"webrag library {action} is not given like this.", hint=f"Give {RIGHTS[action]}."
            )


def _hidden(documents: PgDocuments) -> Iterator[HiddenPage]:
    """Every hidden page, read some at a time."""
    found = documents.quarantined()
    while found:
        yield from found
        found = documents.quarantined(after=found[-1].id)


def _calls(connections: Connections, values: list[str], forget: int | None) -> list[dict[str, str | int]]:
    """The last calls, newest first, of one person if one is named; or how many were deleted that are older than so many days."""
    from app.pg.grants import MAX_DAYS, Audit

    if len(values) > 1 or (forget is not None and (values or not 0 <= forget <= MAX_DAYS)):
        raise InvalidArgumentError(
            "webrag library audit is not given like this.",
            hint=f"Give {RIGHTS['audit']} (DAYS is 0 to {MAX_DAYS:,}).",
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


def _copy(address: str, options: argparse.Namespace) -> int:
    """Take pages of a corpus file over into one collection, or copy collections into a new file, which the desktop application opens."""
    from app.engine.copying import exported, imported
    from app.library.copying import Copied

    if len(options.values) != 1:
        raise InvalidArgumentError("No file is named.", hint=f"webrag library {options.action} FILE")
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
            say(f"{number:,} documents …")
    if options.json:
        say_json(asdict(done))
        return 0
    rows = [
        ["documents", f"{done.documents:,}"],
        ["passages", f"{done.chunks:,}"],
        ["vectors", f"{done.vectors:,}"],
        ["there before", f"{done.known:,}"],
        ["files left out", f"{done.left_out:,}"],
    ]
    say(table(rows))
    return 0


def model_text(model: EmbeddingModel) -> str:
    """A model by the beginning of its fingerprint, and its dimension."""
    return f"{model.fingerprint[:12]}, {model.dimension} dimensions"


def state_text(found: LibraryState) -> str:
    """One line a fact."""
    if not found.schema:
        return "There is no library in this database. Set it up once: webrag library init."
    model = model_text(found.model) if found.model else "none"
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


# --- Libraries that this computer asks ---

ACTIONS: Final = ("list", "join", "leave", "on", "off", "share-to")
MAX_TOKEN_CHARS: Final = 16_384
UNCHECKED: Final = "The library could not be asked whether you may write there; it says so when something is shared."
UNKEPT: Final = (
    "No keyring keeps the sign-in: it ended with this command, and the library asks for it again. Join in the window (Settings > Shared "
    "libraries), where it lasts until the application ends, or set up a keyring of the system and join again."
)


def libraries(options: argparse.Namespace) -> int:
    """Run one of the actions. The application and its assistants follow at once."""
    from app.engine.libraries import Libraries

    opened = Libraries(options.data_dir or default_data_dir(), SecretStore(), EventBus())
    try:
        if options.action == "join":
            _join(opened, options)
        elif options.action == "leave":
            opened.leave(_name(options))
        elif options.action in ("on", "off"):
            opened.change(_name(options), is_on=options.action == "on")
        elif options.action == "share-to" and not opened.change(_name(options), collection=options.collection or ""):
            remark(UNCHECKED)
        states = opened.states()
    finally:
        opened.close()
    if options.json:
        say_json([_entry(state) for state in states])
    else:
        say(states_text(states))
    return 0


def states_text(states: tuple[JoinedState, ...]) -> str:
    """One line a library."""
    if not states:
        return "No shared library is joined. Join one: webrag libraries join ADDRESS"
    rows = [["name", "title", "address", "", "signed in as", "shares to"]]
    for state in states:
        each = state.library
        rows.append(
            [
                each.name,
                each.title,
                each.address,
                "on" if each.is_on else "off",
                each.who or "its token",
                each.collection or "-",
            ]
        )
    return table(rows)


def _join(opened: Libraries, options: argparse.Namespace) -> None:
    token = sys.stdin.readline(MAX_TOKEN_CHARS).strip() if options.token_stdin else ""
    if options.token_stdin and not token:
        raise InvalidArgumentError("No token came.", hint="Write it to standard input, on one line.")
    try:
        joining = opened.join(_name(options), _show, token=token, client_id=options.client_id or "")
    except LibrarySignInError as error:
        if token or "token" not in error.hint:
            raise
        hint = "Ask the people who run it for the token, and write it to standard input of this command with --token-stdin."
        raise LibrarySignInError(error.message, hint=hint) from error
    kept = opened.keep(joining, options.collection)
    named = ", ".join(f"{each.name} ({each.role})" for each in joining.node.collections)
    named = named or "none yet; ask the people who run it to let you read one"
    remark(f"Joined {joining.library.title} as {joining.library.name}. Collections: {named}.")
    if kept is not SecretSource.KEYRING:
        remark(UNKEPT)


def _show(url: str) -> None:
    """Open the address where a person signs in, and print it for one who has another browser."""
    import webbrowser

    remark(f"Sign in at {url}")
    webbrowser.open(url)


def _name(options: argparse.Namespace) -> str:
    if not options.name:
        what = "address" if options.action == "join" else "name"
        raise InvalidArgumentError(f"`libraries {options.action}` needs the {what} of a library.")
    return str(options.name)


def _entry(state: JoinedState) -> dict[str, object]:
    library = asdict(state.library)
    sign_in = library.pop("sign_in")
    return {**library, "issuer": sign_in["issuer"]}
