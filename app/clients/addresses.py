"""Entries that reach WebRAG by its address instead of by the bridge: which of them name an old one, and the change to the new one.

When another program has the usual port, such an entry leads a client to that program, with the token. The bridge asks for a proof
and needs no change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from app.clients.config_file import ConfigText, entry_of, read_config, with_entry
from app.clients.profile import SERVER_NAME, ClientProfile
from app.clients.registrar import RegistrationPlan, plan_of_change, renewable
from app.errors import ClientConfigError
from app.instance import InstanceConnection, RuntimeInfo
from app.text.sentence import sentence

PROBE_SECONDS: Final = 2.0

OWN_NAMES: Final = (SERVER_NAME, f"{SERVER_NAME}-http")
"""Names of entries that the guide tells people to write by hand."""

_ADDRESS: Final = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\]):(?P<port>[0-9]{1,5})(?P<path>/_?mcp/?)")
_TOKEN: Final = re.compile(r"(?:Authorization: *)?Bearer +(?P<token>[^\s${}]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OldAddress:
    """An entry that names another port than the one that is served: where it stands, what it says and what it should say."""

    config: ConfigText
    keys: tuple[str, ...]
    address: str
    wanted: Mapping[str, Any]


def old_address(profile: ClientProfile, path: Path, running: RuntimeInfo) -> OldAddress | None:
    """The first entry of a file that leads elsewhere than to this instance; None also where another instance answers there.

    Blocks for as long as PROBE_SECONDS. Raises ClientConfigError.
    """
    config = read_config(path, profile.format)
    for place in filter(None, (profile.place, profile.nested)):
        servers = entry_of(config, place.keys)
        if not isinstance(servers, Mapping):
            continue
        for name, entry in servers.items():
            found = _found(config, (*place.keys, str(name)), entry, running)
            if found is not None and not _is_instance(found.address, running):
                return found
    return None


def names_address(profile: ClientProfile, path: Path) -> bool:
    """Whether an entry of a file that is called as ours are reaches WebRAG by an address on this computer. Raises ClientConfigError."""
    config = read_config(path, profile.format)
    for place in filter(None, (profile.place, profile.nested)):
        servers = entry_of(config, place.keys)
        for name, entry in servers.items() if isinstance(servers, Mapping) else ():
            if SERVER_NAME in str(name).lower() and isinstance(entry, Mapping) and any(_addresses(entry)):
                return True
    return False


def plan_new_address(profile: ClientProfile, path: Path, running: RuntimeInfo) -> RegistrationPlan:
    """What changes in the file. Raises ClientConfigError, also when there is nothing to change."""

    def plan() -> RegistrationPlan:
        found = old_address(profile, path, running)
        if found is None:
            raise ClientConfigError(sentence("{} names no old address of WebRAG any more.", path))
        return plan_of_change(profile, found.config, with_entry(found.config, found.keys, found.wanted))

    return renewable(plan)


def _found(config: ConfigText, keys: tuple[str, ...], entry: object, running: RuntimeInfo) -> OldAddress | None:
    """The entry, if it is surely one of ours: it has our token, or one of our names and nothing that proves it to another program."""
    name = keys[-1].lower()
    if SERVER_NAME not in name or not isinstance(entry, Mapping):
        return None
    addresses = list(_addresses(entry))
    # One that leads here too, or to two places, is not merely old: what its other addresses are for is not known.
    if len(set(addresses)) != 1 or _port(addresses[0]) == running.port:
        return None
    proofs = set(_proofs(entry))
    if proofs - {running.token} or not (proofs or name in OWN_NAMES):
        return None
    return OldAddress(config, keys, addresses[0], {key: _moved(value, running.port) for key, value in entry.items()})


def _addresses(entry: Mapping[str, object]) -> Iterator[str]:
    """The addresses of an entry that `_moved` changes."""
    for value in entry.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and _port(each) is not None:
                yield each


def _proofs(value: object, name: str = "") -> Iterator[str]:
    """Tokens, and whatever else stands under `Authorization`; what a client fills in itself (`${...}`) is none."""
    if isinstance(value, str):
        if token := _TOKEN.fullmatch(value):
            yield token["token"]
        elif name.lower() == "authorization" and "$" not in value:
            yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _proofs(each, str(key))
    elif isinstance(value, list):
        for each in value:
            yield from _proofs(each)


def _port(text: str) -> int | None:
    match = _ADDRESS.fullmatch(text)
    return int(match["port"]) if match else None


def _moved(value: Any, port: int) -> Any:
    """The value of an entry with the new port; of lists, which hold the arguments of a program, each part."""
    if isinstance(value, list):
        return [_moved(each, port) for each in value]
    match = _ADDRESS.fullmatch(value) if isinstance(value, str) else None
    return value if match is None else value[: match.start("port")] + str(port) + value[match.end("port") :]


def _is_instance(address: str, running: RuntimeInfo) -> bool:
    """Whether WebRAG listens there too, for another data directory; the token is not sent."""
    connection = InstanceConnection(replace(running, url=address), timeout=PROBE_SECONDS)
    try:
        connection.connect()
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()
    return True
