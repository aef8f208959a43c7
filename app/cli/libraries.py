"""`libraries`: shared libraries that this computer asks beside its own: join one, leave it, switch it, say what is joined."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from app.cli.output import remark, say, say_json, table
from app.errors import InvalidArgumentError
from app.events import EventBus
from app.paths import default_data_dir
from app.secrets import SecretSource, SecretStore

if TYPE_CHECKING:
    from app.engine.libraries import Libraries, LibraryState

ACTIONS: Final = ("list", "join", "leave", "on", "off", "share-to")
MAX_TOKEN_CHARS: Final = 16_384


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
        elif options.action == "share-to":
            opened.change(_name(options), collection=options.collection or "")
        states = opened.states()
    finally:
        opened.close()
    if options.json:
        say_json([_entry(state) for state in states])
    else:
        say(states_text(states))
    return 0


def states_text(states: tuple[LibraryState, ...]) -> str:
    """One line a library."""
    if not states:
        return "No shared library is joined. Join one: webrag libraries join ADDRESS"
    rows = [["name", "title", "address", "", "signed in as", "shares to"]]
    for state in states:
        each = state.library
        rows.append(
            [each.name, each.title, each.address, "on" if each.is_on else "off", each.who, each.collection or "-"]
        )
    return table(rows)


def _join(opened: Libraries, options: argparse.Namespace) -> None:
    token = sys.stdin.readline(MAX_TOKEN_CHARS).strip() if options.token_stdin else ""
    if options.token_stdin and not token:
        raise InvalidArgumentError("No token came.", hint="Write it to standard input, on one line.")
    joining = opened.join(_name(options), _show, token=token, client_id=options.client_id or "")
    kept = opened.keep(joining, options.collection or "")
    named = ", ".join(f"{each.name} ({each.role})" for each in joining.node.collections) or "none yet"
    remark(f"Joined {joining.library.title} as {joining.library.name}. Collections: {named}.")
    if kept is not SecretSource.KEYRING:
        remark("The sign-in lasts for this command only: no keyring keeps it.")


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


def _entry(state: LibraryState) -> dict[str, object]:
    library = asdict(state.library)
    sign_in = library.pop("sign_in")
    return {**library, "issuer": sign_in["issuer"]}
