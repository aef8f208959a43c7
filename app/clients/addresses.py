"""Find entries that reach WebRAG by an outdated address instead of through the bridge, and update them.

If another program uses the default port, such an entry connects a client to that program and sends it the token. The bridge demands a
proof, so its entry does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from app.clients.config_file import ConfigText, entry_of, read_config, with_entry
from app.clients.profile import SERVER_NAME, ClientProfile
from app.clients.registrar import PlanAction, RegistrationPlan, renewable
from app.errors import ClientConfigError
from app.instance import InstanceConnection, RuntimeInfo
from app.text.sentence import sentence

PROBE_SECONDS: Final = 2.0
OWN_NAMES: Final = (SERVER_NAME, f"{SERVER_NAME}-http")  # Names that the guide gives to manually written entries.
_ADDRESS: Final = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\]):(?P<port>[0-9]{1,5})(?P<path>/_?mcp/?)")
_TOKEN: Final = re.compile(r"(?:Authorization: *)?Bearer +(?P<token>[^\s${}]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OldAddress:
    """An entry with another port than the current one: its location, its address and the corrected entry."""

    config: ConfigText
    keys: tuple[str, ...]
    address: str
    wanted: Mapping[str, Any]


def old_address(profile: ClientProfile, path: Path, running: RuntimeInfo) -> OldAddress | None:
    """Return the first entry of a file with an outdated address, or None if another instance responds there.

    Blocks for up to PROBE_SECONDS. Raises ClientConfigError.
    """
    for config, keys, entry in _entries(profile, path):
        found = _found(config, keys, entry, running)
        if found is not None and not _is_instance(found.address, running):
            return found
    return None


def names_address(profile: ClientProfile, path: Path) -> bool:
    """Whether an entry of a file with a name like ours reaches WebRAG by an address on this computer. Raises ClientConfigError."""
    return any(
        SERVER_NAME in keys[-1].lower() and isinstance(entry, Mapping) and any(_addresses(entry))
        for _, keys, entry in _entries(profile, path)
    )


def _entries(profile: ClientProfile, path: Path) -> Iterator[tuple[ConfigText, tuple[str, ...], object]]:
    """Yield the keys and the value of each server in a file."""
    config = read_config(path, profile.format)
    for place in filter(None, (profile.place, profile.nested)):
        servers = entry_of(config, place.keys)
        for name, entry in servers.items() if isinstance(servers, Mapping) else ():
            yield config, (*place.keys, str(name)), entry


def plan_new_address(profile: ClientProfile, path: Path, running: RuntimeInfo) -> RegistrationPlan:
    """Plan the update of an outdated address. Raises ClientConfigError, also if there is none."""

    def plan() -> RegistrationPlan:
        found = old_address(profile, path, running)
        if found is None:
            raise ClientConfigError(
                sentence("{} no longer contains an outdated WebRAG address.", path), hint="No change is needed."
            )
        after = with_entry(found.config, found.keys, found.wanted)
        return RegistrationPlan(profile.name, path, PlanAction.UPDATE, found.config, after)

    return renewable(plan)


def _found(config: ConfigText, keys: tuple[str, ...], entry: object, running: RuntimeInfo) -> OldAddress | None:
    """Return the entry if it is clearly ours: it has our token, or one of our names and no credentials for another program."""
    name = keys[-1].lower()
    if SERVER_NAME not in name or not isinstance(entry, Mapping):
        return None
    addresses = list(_addresses(entry))
    # An entry that also names the current port, or several addresses, is not just outdated: the use of the others is unknown.
    if len(set(addresses)) != 1 or _port(addresses[0]) == running.port:
        return None
    proofs = set(_proofs(entry))
    if proofs - {running.token} or not (proofs or name in OWN_NAMES):
        return None
    return OldAddress(config, keys, addresses[0], {key: _moved(value, running.port) for key, value in entry.items()})


def _addresses(entry: Mapping[str, object]) -> Iterator[str]:
    """Yield the addresses of an entry that `_moved` changes."""
    for value in entry.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and _port(each) is not None:
                yield each


def _proofs(value: object, name: str = "") -> Iterator[str]:
    """Yield tokens and other values of `Authorization`, except placeholders that the client fills in (`${...}`)."""
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
    """Return a value with the new port. In lists of program arguments, replaces it in each item."""
    if isinstance(value, list):
        return [_moved(each, port) for each in value]
    match = _ADDRESS.fullmatch(value) if isinstance(value, str) else None
    return value if match is None else value[: match.start("port")] + str(port) + value[match.end("port") :]


def _is_instance(address: str, running: RuntimeInfo) -> bool:
    """Whether WebRAG also listens there, for another data directory. Does not send the token."""
    try:
        with closing(InstanceConnection(replace(running, url=address), timeout=PROBE_SECONDS)) as connection:
            connection.connect()
    except (OSError, HTTPException, ValueError):
        return False
    return True
