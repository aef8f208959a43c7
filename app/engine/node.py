"""A node, that is, `webrag serve` for a shared library: identities, rights to read and write, and the audit log.

Only such a server loads this module; it needs the extra `node`.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Final, Self
from urllib.parse import urlsplit

from app.errors import CorpusBusyError, InvalidArgumentError, LibraryForbiddenError, SettingsError, WebRAGError
from app.events import CallFinished, Event
from app.library.exchange import MAX_NAME_CHARS, is_secure
from app.library.records import ALL, PRIVATE, EmbeddingModel
from app.memory import lasting_task
from app.pg.connections import POOL_SIZE
from app.pg.grants import MAX_DAYS, Call, Grant, GrantRole, rights_of
from app.pg.library import PgLibrary
from app.pg.sessions import Rights, UnknownRights, acting_with, current_rights, rights_to_note
from app.pg.writing import nothing_writable
from app.settings_schema import LIBRARY_NAME, LIBRARY_VARIABLE
from app.text.sentence import listing, sentence

log = logging.getLogger(__name__)

NAME_VARIABLE: Final = "WEBRAG_LIBRARY_NAME"
REPLICA_VARIABLE: Final = "WEBRAG_LIBRARY_REPLICA"  # The address of a second, read-only server.
POOLER_VARIABLE: Final = "WEBRAG_LIBRARY_POOLER"
"""`true` if a pooler that gives each transaction another session is in front of the server."""
ISSUER_VARIABLE: Final = "WEBRAG_OIDC_ISSUER"
AUDIENCE_VARIABLE: Final = "WEBRAG_OIDC_AUDIENCE"
PUBLIC_URL_VARIABLE: Final = "WEBRAG_PUBLIC_URL"
CLIENT_ID_VARIABLE: Final = "WEBRAG_OIDC_CLIENT_ID"
"""The client id of the desktop program at the issuer, if the issuer lets it be chosen."""
GROUPS_VARIABLE: Final = "WEBRAG_OIDC_GROUPS_CLAIM"
SCOPE_PREFIX_VARIABLE: Final = "WEBRAG_OIDC_SCOPE_PREFIX"
"""Prefix of scopes at the sign-in, such as `api://webrag/` with Entra ID."""
CALLS_VARIABLE: Final = "WEBRAG_NODE_CALLS"
AUDIT_VARIABLE: Final = "WEBRAG_AUDIT_DAYS"  # How many days calls stay in the audit log; 0 keeps them forever.
READ_SCOPE: Final = "library:read"
WRITE_SCOPE: Final = "library:write"
ADMIN_SCOPE: Final = "library:admin"
ALL_SCOPES: Final = frozenset({READ_SCOPE, WRITE_SCOPE, ADMIN_SCOPE})
DEFAULT_NAME: Final = "team"
DEFAULT_GROUPS: Final = "groups"
MAX_OPTION_CHARS: Final = 400
DEFAULT_CALLS: Final = 32
MAX_CALLS: Final = 256  # Calls that run at the same time, quick and slow ones.
GRANT_SECONDS: Final = 5.0  # Seconds for which grants are cached: a revoked grant works no longer than this.
RIGHTS_SECONDS: Final = 15.0
"""Seconds that a request waits for the grants of a user. Longer than the database takes to report that it is busy or away."""
MAX_REMEMBERED: Final = 5_000  # Users whose grants are cached.
AUDIT_SECONDS: Final = 1.0  # Calls within this time are recorded together.
MAX_AUDIT_WAITING: Final = 10_000  # Unrecorded calls while the database is away; the oldest are dropped first.
AUDIT_BATCH: Final = 500
GATE: Final = "gate"  # Recorded instead of a tool if a known user was refused any.
DEFAULT_AUDIT_DAYS: Final = 365
FORGET_SECONDS: Final = 86_400.0  # Seconds between two deletions of old calls by a node.


@dataclass(frozen=True, slots=True)
class Identity:
    """An authenticated caller. `subject` is `user:ISSUER|SUB` or that of TOKEN; `groups` and `scopes` come from the access token."""

    subject: str
    name: str = ""
    groups: tuple[str, ...] = ()
    scopes: frozenset[str] = frozenset()

    @property
    def principals(self) -> tuple[str, ...]:
        """Return the names by which grants refer to this user."""
        return (self.subject, *(f"group:{group}" for group in self.groups))


TOKEN: Final = Identity("token", "token", scopes=ALL_SCOPES)
"""Anyone with the shared token of the node: all collections, to read and to write."""


@dataclass(frozen=True, slots=True)
class NodeOptions:
    """The settings of a node from the environment. `issuer` is empty if a shared token opens it.

    `audience` has one or more names separated by spaces; `groups` is the claim with the groups of a user.
    """

    address: str
    name: str = DEFAULT_NAME
    issuer: str = ""
    audience: str = ""
    public_url: str = ""
    calls: int = DEFAULT_CALLS
    replica: str = ""
    is_pooled: bool = False
    client_id: str = ""
    groups: str = DEFAULT_GROUPS
    scope_prefix: str = ""
    audit_days: int = DEFAULT_AUDIT_DAYS

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self | None:
        """Return the options, or None for a program with its own library. Raises SettingsError."""
        address = environ.get(LIBRARY_VARIABLE, "").strip()
        if not address:
            return None
        names = {"issuer": ISSUER_VARIABLE, "audience": AUDIENCE_VARIABLE, "public_url": PUBLIC_URL_VARIABLE}
        given = {field: environ.get(variable, "").strip() for field, variable in names.items()}
        missing = [names[field] for field, value in given.items() if not value]
        is_set = next((names[field] for field in ("issuer", "audience") if given[field]), "")
        if is_set and missing:
            raise SettingsError(
                sentence("{} is set, but not {}.", is_set, " and ".join(missing)), hint="Set all three variables."
            )
        for field in ("issuer", "public_url"):
            url, is_safe = given[field], False
            with suppress(ValueError):
                parts = urlsplit(url)
                is_safe = bool(parts.hostname and is_secure(parts.scheme, parts.hostname))
            if url and not is_safe:
                raise SettingsError(sentence("{} must be an address that starts with https://.", names[field]))
        name = environ.get(NAME_VARIABLE, "").strip() or DEFAULT_NAME
        if not LIBRARY_NAME.fullmatch(name) or name in (PRIVATE, ALL):
            raise SettingsError(
                sentence("{} cannot be {}.", NAME_VARIABLE, repr(name[:80])),
                hint="Choose another name."
                if name in (PRIVATE, ALL)
                else "Use up to 63 lowercase letters, digits and hyphens, starting with a letter or digit.",
            )
        replica, pooler = environ.get(REPLICA_VARIABLE, "").strip(), environ.get(POOLER_VARIABLE, "").strip().lower()
        if pooler not in ("", "true", "false"):
            raise SettingsError(sentence("{} must be true or false, not {}.", POOLER_VARIABLE, repr(pooler[:20])))
        return cls(
            address=address,
            name=name,
            **given,
            calls=_number(CALLS_VARIABLE, environ, DEFAULT_CALLS, 1, MAX_CALLS),
            replica=replica,
            is_pooled=pooler == "true",
            client_id=_one_word(CLIENT_ID_VARIABLE, environ),
            groups=_one_word(GROUPS_VARIABLE, environ) or DEFAULT_GROUPS,
            scope_prefix=_one_word(SCOPE_PREFIX_VARIABLE, environ),
            audit_days=_number(AUDIT_VARIABLE, environ, DEFAULT_AUDIT_DAYS, 0, MAX_DAYS),
        )


def _number(variable: str, environ: Mapping[str, str], usual: int, least: int, most: int) -> int:
    """Return the number in a variable, or `usual` if it is not set. Raises SettingsError."""
    text = environ.get(variable, "").strip() or str(usual)
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise SettingsError(
            sentence("{} must be a number from {} to {}, not {}.", variable, least, most, repr(text[:20]))
        )
    return int(text)


def _one_word(variable: str, environ: Mapping[str, str]) -> str:
    """Return the value of a variable. Raises SettingsError for characters that a header or list cannot contain."""
    value = environ.get(variable, "").strip()
    if (
        len(value) > MAX_OPTION_CHARS
        or not value.isascii()
        or any(each in ' \\"' or not each.isprintable() for each in value)
    ):
        raise SettingsError(sentence("{} must be one word of letters, digits and symbols.", variable))
    return value


class Node:
    """The shared library of a node and the rights of its callers.

    `shared` has the rights of the running call, or none outside a call. `own` has the node's own rights, for background work.
    """

    def __init__(self, options: NodeOptions, library: PgLibrary) -> None:
        self.options = options
        self.shared = library
        self.own = library.within(self._own_rights)
        self._own = (Rights(), -GRANT_SECONDS)
        self._remembered: OrderedDict[Identity, tuple[tuple[Grant, ...], float]] = OrderedDict()
        self._asking: dict[Identity, asyncio.Task[tuple[Grant, ...]]] = {}
        self._calls: deque[Call] = deque(maxlen=MAX_AUDIT_WAITING)
        self._noting: asyncio.Task[None] | None = None
        self._forget_at = -math.inf

    @classmethod
    def open(cls, options: NodeOptions, model: EmbeddingModel) -> Self:
        """Connect. Raises the errors of PgLibrary.open."""
        library = PgLibrary.open(
            options.name,
            options.address,
            model,
            replica=options.replica,
            is_pooled=options.is_pooled,
            size=max(options.calls, POOL_SIZE),
        )
        library.warm()
        return cls(options, library)

    def start(self) -> None:
        """Start recording calls."""
        self._noting = lasting_task(self._note_calls(), "audit")

    async def close(self) -> None:
        """Record pending calls, as far as the database accepts them, and close the connections."""
        if self._noting is not None:
            self._noting.cancel()
            await asyncio.gather(self._noting, return_exceptions=True)
            with suppress(WebRAGError):
                await asyncio.to_thread(self._write_calls)
        await asyncio.to_thread(self.shared.close)

    # rights

    async def acting_as(self, identity: Identity, collections: Sequence[str] = ()) -> AbstractContextManager[None]:
        """Return a context with the rights of this user, restricted to these collections if any are given.

        Raises InvalidArgumentError for a collection that the user may not read, as for an unknown one, and the errors of an unavailable
        database.
        """
        grants = await self.grants_of(identity)
        if collections:
            known = {grant.collection for grant in grants}
            unknown = [name for name in collections if name not in known]
            if unknown:
                raise InvalidArgumentError(
                    sentence("No collection {}, or you do not have access to it.", repr(unknown[0][:MAX_NAME_CHARS])),
                    hint=sentence("You have access to: {}.", listing(sorted(known)) or "none"),
                )
            grants = tuple(grant for grant in grants if grant.collection in collections)
        rights = rights_of(grants, identity.subject)
        if identity != TOKEN:
            rights = replace(rights, principals=identity.principals)
        if WRITE_SCOPE not in identity.scopes:
            rights = replace(rights, writable=())
        return acting_with(rights)

    async def writing_to(self, collection: str) -> AbstractContextManager[None]:
        """Return a context that reads and writes only this collection, with the rights of the running call.

        Reads too, so that a page stored elsewhere is also fetched into this one. Raises LibraryForbiddenError if the call may not write
        at all, and InvalidArgumentError for a collection that it may not write, as for an unknown one.
        """
        rights = current_rights()
        if not rights.writable:
            raise nothing_writable()
        known = await asyncio.to_thread(self.shared.collections)
        number = known.get(collection)
        if number is None or number not in rights.writable:
            own = sorted(name for name, each in known.items() if each in rights.writable)
            raise InvalidArgumentError(
                sentence("No collection {}, or you cannot write to it.", repr(collection[:MAX_NAME_CHARS])),
                hint=sentence("You can write to: {}.", listing(own)),
            )
        return acting_with(replace(rights, readable=(number,), writable=(number,)))

    def failing_with(self, error: WebRAGError, identity: Identity) -> AbstractContextManager[None]:
        """Return a context in which everything that needs the rights of this user fails with the error that prevented reading them."""
        return acting_with(UnknownRights(error, identity.subject))

    async def grants_of(self, identity: Identity) -> tuple[Grant, ...]:
        """Return the user's grants: the highest one for each collection, by collection name.

        Concurrent requests of a user share one query. Raises CorpusBusyError after RIGHTS_SECONDS.
        """
        grants, read_at = self._remembered.get(identity, ((), -math.inf))
        if time.monotonic() - read_at < GRANT_SECONDS:
            return grants
        asking = self._asking.get(identity)
        if asking is None:
            asking = self._asking[identity] = asyncio.create_task(self._asked(identity))
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.wait_for(asyncio.shield(asking), RIGHTS_SECONDS)
        except TimeoutError as error:
            raise CorpusBusyError(sentence("Too many calls are waiting for the database.")) from error

    async def _asked(self, identity: Identity) -> tuple[Grant, ...]:
        began = time.monotonic()
        try:
            grants = await asyncio.to_thread(self._grants, identity)
        finally:
            del self._asking[identity]
        self._remembered[identity] = (grants, began)
        self._remembered.move_to_end(identity)
        while len(self._remembered) > MAX_REMEMBERED:
            self._remembered.popitem(last=False)
        return grants

    def _grants(self, identity: Identity) -> tuple[Grant, ...]:
        if identity == TOKEN:
            return tuple(
                Grant(each.id, each.name, identity.subject, GrantRole.OWNER)
                for each in self.shared.grants.collections(Rights())
            )
        return tuple(sorted(self.shared.grants.of(identity.principals), key=lambda grant: grant.collection))

    def _own_rights(self) -> Rights:
        rights, at = self._own
        if time.monotonic() - at >= GRANT_SECONDS:
            rights = self.shared.grants.everything()
            self._own = (rights, time.monotonic())
        return rights

    def for_whom(self) -> Rights:
        """Return the key that separates callers: a page is stored in a collection that its requester may write to."""
        return current_rights()

    def refusal(self) -> LibraryForbiddenError | None:
        """Return why no page is fetched for this caller (it could not be stored), or None."""
        return None if current_rights().writable else nothing_writable()

    # records

    def on_event(self, event: Event) -> None:
        """Record a call that ended, and stop its searches.

        Runs in the context of the call, so it has the call's rights.
        """
        if isinstance(event, CallFinished):
            rights = rights_to_note()
            if rights.subject:
                facts = (event.tool, rights.readable, event.outcome, event.duration_ms)
                self._calls.append(Call(rights.subject, event.client, *facts))
            if event.outcome != "ok":
                self.shared.stop_waiting(event.call_id)

    def note_refused(self, identity: Identity, client: str, outcome: str) -> None:
        self._calls.append(Call(identity.subject, client, GATE, (), outcome, 0.0))

    async def _note_calls(self) -> None:
        while True:
            await asyncio.sleep(AUDIT_SECONDS)
            try:
                await asyncio.to_thread(self._write_calls)
            except WebRAGError as error:
                log.warning("%d calls wait to be noted: %s", len(self._calls), error)
                continue
            try:
                await asyncio.to_thread(self._forget_calls)
            except WebRAGError as error:
                log.warning("cannot delete calls older than %d days: %s", self.options.audit_days, error)

    def _write_calls(self) -> None:
        while batch := [self._calls.popleft() for _ in range(min(AUDIT_BATCH, len(self._calls)))]:
            try:
                self.shared.audit.add(batch)
            except WebRAGError:
                # New calls may have filled the queue: then the oldest are dropped.
                places = MAX_AUDIT_WAITING - len(self._calls)
                self._calls.extendleft(reversed(batch[max(0, len(batch) - places) :]))
                raise

    def _forget_calls(self) -> None:
        """Delete old calls in steps until there are none; then again after FORGET_SECONDS."""
        if not self.options.audit_days or time.monotonic() < self._forget_at:
            return
        # A failure waits like a finished run: it is logged, and recording continues.
        self._forget_at = time.monotonic() + FORGET_SECONDS
        if gone := self.shared.audit.forget_some(self.options.audit_days):
            log.info("deleted %d calls older than %d days", gone, self.options.audit_days)
            self._forget_at = time.monotonic()
