"""A joined library over HTTP: its questions, its pages, what is shared with it. Blocking, for worker threads.

A library that did not answer is left alone for a while, so that no question waits for it again; after that one request tries.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar
from urllib.parse import urlsplit

from app.errors import (
    BusyError,
    InvalidArgumentError,
    LibraryAwayError,
    LibraryForbiddenError,
    LibrarySignInError,
    LibraryTokenNeededError,
    NoSharedPageError,
)
from app.library.exchange import (
    MAX_PAGE_ROWS,
    MAX_REPLY_BYTES,
    PAGE_PATH,
    PAGES_PATH,
    PATH,
    SEARCH_PATH,
    NodeDescription,
    PageChange,
    PageIn,
    PageRow,
    PageRows,
    PageStored,
    SearchReply,
    SearchRequest,
    WholePage,
    decoded,
    encoded,
)
from app.remote.joined import JoinedLibrary, SignIn
from app.remote.replies import description, page_rows, search_reply, whole_page
from app.remote.sign_in import Tokens, renewed, signed_in, where_to_sign_in
from app.remote.transport import AWAY_HINT, Answer, Transport
from app.secrets import LibrarySecret, SecretSource, SecretStore
from app.text.page_text import quoted
from app.text.sentence import sentence

QUESTION_SECONDS: Final = 3.0
"""For everything that a person or an assistant waits for."""
SHARE_SECONDS: Final = 30.0
AWAY_SECONDS: Final = 30.0
BUSY_SECONDS: Final = 5.0
MAX_BUSY_SECONDS: Final = 60.0
"""How long a library that is busy is left alone: as long as it says, from a second to this."""
PART_CHARS: Final = 1_000
"""Of what is kept in a keyring under one name: Windows takes 2,560 bytes of UTF-16."""
MAX_PARTS: Final = 20
MAX_REASON_CHARS: Final = 300
"""Of what a library says when it refuses something."""

UNREACHED_HINT: Final = "Check the address, and that this computer is in the network of the library."

TOO_MANY: Final = 429
UNAVAILABLE: Final = 503
"""With the time after which it may be asked again it says that it is busy, without that it is away."""

T = TypeVar("T")
Show = Callable[[str], object]


class KeptTokens:
    """What opens a library between starts: the token that renews, or the one that opens it. In the keyring."""

    def __init__(self, secrets: SecretStore, library: str) -> None:
        self._secrets = secrets
        self._library = library

    def read(self) -> str:
        """What is kept; empty for nothing."""
        parts: list[str] = []
        for number in range(MAX_PARTS):
            part = self._secrets.get(LibrarySecret(self._library, number)).value
            parts.append(part)
            if len(part) < PART_CHARS:
                break
        return "".join(parts)

    def write(self, token: str) -> SecretSource:
        """Keep it in place of the last one; where it is kept."""
        parts = [token[start : start + PART_CHARS] for start in range(0, len(token) + 1, PART_CHARS)]
        # The last part is shorter than the others, so that a reader knows where it ends; an empty one is none.
        kept = SecretSource.SESSION
        for number, part in enumerate(parts):
            name = LibrarySecret(self._library, number)
            if part:
                kept = self._secrets.set(name, part)
            else:
                self._secrets.delete(name)
        self._delete_from(len(parts))
        return kept

    def delete(self) -> None:
        """Forget it."""
        self._delete_from(0)

    def _delete_from(self, first: int) -> None:
        for number in range(first, MAX_PARTS):
            name = LibrarySecret(self._library, number)
            if not self._secrets.get(name).value:
                return
            self._secrets.delete(name)


class Breaker:
    """Whether a library may be asked: not for AWAY_SECONDS after it did not answer, then by one request that tries."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until = 0.0
        self.reason = ""
        """Why it is away; empty while it is not."""

    def check(self) -> None:
        """Raise LibraryAwayError while it is left alone. The first request after that tries, the others wait for what becomes of it."""
        with self._lock:
            if not self.reason:
                return
            if self._clock() < self._until:
                raise LibraryAwayError(self.reason, hint=AWAY_HINT)
            self._until = self._clock() + AWAY_SECONDS

    def answered(self) -> bool:
        """It is there; whether it was away before."""
        with self._lock:
            was_away, self.reason = bool(self.reason), ""
            return was_away

    def failed(self, reason: str) -> bool:
        """It did not answer; whether that is new."""
        with self._lock:
            is_new, self.reason = not self.reason, reason
            self._until = self._clock() + AWAY_SECONDS
            return is_new


@dataclass(frozen=True, slots=True)
class _Done:
    """What a library says that did what was asked and has nothing to tell."""


class RemoteLibrary:
    """One joined library. `changed` is called when it goes away or comes back, on whatever thread saw it."""

    def __init__(
        self,
        library: JoinedLibrary,
        secrets: SecretStore,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.library = library
        # With its address: what opens one library is never shown to another that has its name, of another data folder say.
        self._kept = KeptTokens(secrets, f"{library.name} {library.address}")
        self._changed = changed
        self._breaker = Breaker(clock)
        self._clock = clock
        self._busy_until = 0.0
        self._transport = Transport(sentence("The library {}", library.title or library.name))
        self._issuer = Transport(sentence("The sign-in of the library {}", library.title or library.name))
        self._renewing = threading.Lock()
        self._is_left = False
        self._tokens: Tokens | None = None

    @property
    def away(self) -> str:
        """Why it cannot be asked at present; empty while it can, as far as is known."""
        return self._breaker.reason

    def describe(self) -> NodeDescription:
        """What it is to the person who joined it."""
        return description(self._asked(NodeDescription, "GET", PATH))

    def unknown(self) -> Answer:
        """What it answers to somebody who shows no token: where to sign in. Raises LibraryAwayError."""
        return self._sent("GET", PATH, None, None, time.monotonic() + QUESTION_SECONDS, 0, "")

    def describe_with(self, tokens: Tokens) -> NodeDescription:
        """What it is to the person whose tokens these are; they are kept nowhere."""
        self._tokens = tokens
        return self.describe()

    def give_up(self, reason: str) -> None:
        """It did not answer in time, wherever its request is stuck."""
        if self._breaker.failed(reason):
            self._changed()

    def search(self, request: SearchRequest) -> SearchReply:
        """Passages of it for a question."""
        return search_reply(self._asked(SearchReply, "POST", SEARCH_PATH, content=encoded(request)))

    def page(self, page_id: int, *, is_hidden: bool = False) -> WholePage:
        """A whole page; one that is in quarantine to an owner who asks for it as such."""
        path, query = PAGE_PATH.format(page_id=page_id), {"quarantined": "true"} if is_hidden else None
        return whole_page(self._asked(WholePage, "GET", path, query=query, most=MAX_REPLY_BYTES))

    def pages(self, text: str = "", after: str = "", limit: int = 50) -> PageRows:
        """Rows of its pages."""
        given = {"text": text, "after": after, "limit": str(limit)}
        query = {key: value for key, value in given.items() if value}
        return page_rows(self._asked(PageRows, "GET", PAGES_PATH, query=query))

    def share(self, page: PageIn) -> PageStored:
        """Store a page in it; its vectors are made there."""
        return self._asked(PageStored, "POST", PAGES_PATH, content=encoded(page), seconds=SHARE_SECONDS)

    def hidden(self, after: str = "", limit: int = MAX_PAGE_ROWS) -> PageRows:
        """Rows of the pages in quarantine of the collections that the person owns."""
        query = {"quarantined": "true", "limit": str(limit), **({"after": after} if after else {})}
        return page_rows(self._asked(PageRows, "GET", PAGES_PATH, query=query))

    def delete(self, page_id: int) -> None:
        """Remove a page, as who added it or as an owner of its collection."""
        self._asked(_Done, "DELETE", PAGE_PATH.format(page_id=page_id))

    def set_quarantine(self, page_id: int, *, is_quarantined: bool) -> None:
        """Hide a page from everybody, or let it go, as an owner of its collection."""
        change = encoded(PageChange(is_quarantined))
        self._asked(PageRow, "PUT", PAGE_PATH.format(page_id=page_id), content=change)

    def accept(self, tokens: Tokens) -> SecretSource:
        """Use and keep what a sign-in gave; whether it outlives this session. It is there, as the sign-in saw."""
        # An older sign-in that is being renewed must not take the place of this one.
        with self._renewing:
            self._is_left = False
            self._tokens = tokens
            lasting = tokens.refresh if self.library.sign_in.issuer else tokens.access
            if lasting:
                kept = self._kept.write(lasting)
            else:
                self._kept.delete()
                kept = SecretSource.SESSION
        self._is_there()
        return kept

    def forget(self) -> None:
        """Delete what opens it, for good: what is being renewed meanwhile is kept nowhere."""
        with self._renewing:
            self._is_left = True
            self._tokens = None
            self._kept.delete()

    def close(self) -> None:
        """Let go of its connections."""
        self._transport.close()
        self._issuer.close()

    def _asked(
        self,
        kind: type[T],
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        query: dict[str, str] | None = None,
        seconds: float = QUESTION_SECONDS,
        most: int = 0,
    ) -> T:
        """The record that comes back.

        Raises LibraryAwayError, LibrarySignInError, LibraryForbiddenError, InvalidArgumentError, and BusyError until the time that the
        library asked for is over.
        """
        self._breaker.check()
        deadline = time.monotonic() + seconds
        try:
            while True:
                self._wait_while_busy(deadline)
                token = self._token(deadline)
                answer = self._sent(method, path, content, query, deadline, most, token)
                if answer.status == 401 and self.library.sign_in.issuer:
                    # The token ended early: one more try with another.
                    token = self._token(deadline, refused=token)
                    answer = self._sent(method, path, content, query, deadline, most, token)
                busy_seconds = _busy_seconds(answer)
                if not busy_seconds:
                    break
                self._busy_until = self._clock() + busy_seconds
                self._is_there()
            if answer.status >= 500:
                raise LibraryAwayError(
                    sentence("The library {} does not work at present ({}).", self.title, answer.status), hint=AWAY_HINT
                )
        except LibraryAwayError as error:
            if self._breaker.failed(error.message):
                self._changed()
            raise
        except LibrarySignInError:
            # What keeps the person out is the sign-in, and that is said until they sign in.
            self._is_there()
            raise
        self._is_there()
        self._check(answer)
        try:
            return decoded(kind, answer.body)
        except InvalidArgumentError as error:
            raise LibraryAwayError(
                sentence("The library {} gave an answer that is not understood.", self.title),
                hint="It may be newer: update WebRAG, or ask the people who run it.",
            ) from error

    def _is_there(self) -> None:
        """It does not count as away any more."""
        if self._breaker.answered():
            self._changed()

    def _wait_while_busy(self, deadline: float) -> None:
        """Wait until the library may be asked again. Raises BusyError if that is after the deadline."""
        wait = self._busy_until - self._clock()
        if wait <= 0:
            return
        if time.monotonic() + wait >= deadline:
            raise self.too_many(wait)
        time.sleep(wait)

    def _sent(
        self,
        method: str,
        path: str,
        content: bytes | None,
        query: dict[str, str] | None,
        deadline: float,
        most: int,
        token: str,
    ) -> Answer:
        extra = {"most": most} if most else {}
        url = f"{self.library.address}{path}"
        return self._transport.send(
            method, url, seconds=_left(deadline), content=content, query=query, token=token, **extra
        )

    def too_many(self, seconds: float) -> BusyError:
        """The error of a question that finds no place for so long."""
        return BusyError(
            sentence("The library {} has too many questions at present.", self.title),
            retry_after=seconds,
            hint=sentence("Ask again in {} s.", math.ceil(seconds)),
        )

    def no_such_page(self) -> NoSharedPageError:
        """The error for a page that it does not have, or not for this person."""
        return NoSharedPageError(sentence("The library {} has no such page for you.", self.title))

    def _check(self, answer: Answer) -> None:
        if answer.status in (200, 201):
            return
        told = answer.json if isinstance(answer.json, dict) else {}
        reason = sentence("The library {} refused this ({}).", self.title, answer.status)
        if told.get("error"):
            # What it says is known to the window where it is a sentence of this program.
            said = quoted(str(told["error"]), MAX_REASON_CHARS)[1:-1]
            reason = sentence('The library {} refused this: "{}"', self.title, said)
        if answer.status == 401:
            raise _sign_in_again(self.title)
        if answer.status == 403:
            raise LibraryForbiddenError(reason)
        if answer.status == 404 and told.get("error"):
            raise self.no_such_page()
        raise InvalidArgumentError(reason)

    def _token(self, deadline: float, *, refused: str = "") -> str:
        """What opens the library now, another one than was `refused`; one thread renews it for all."""
        sign_in = self.library.sign_in
        with self._renewing:
            now = self._tokens
            if now is not None and now.ends_at > time.monotonic() and now.access != refused:
                return now.access
            kept = "" if self._is_left else self._kept.read()
            if not kept:
                raise _sign_in_again(self.title)
            if not sign_in.issuer:
                return kept
            # What is kept may be newer than what this program got: another one renewed it, or the person signed in again. An older one
            # that comes back looks stolen to the issuer, which then ends the whole sign-in.
            try:
                fresh = self._renewed(kept, deadline)
            except LibrarySignInError as error:
                raise _sign_in_again(self.title) from error
            if fresh.refresh != kept:
                self._kept.write(fresh.refresh)
            self._tokens = fresh
            return fresh.access

    def _renewed(self, kept: str, deadline: float) -> Tokens:
        try:
            return renewed(self.library.sign_in, kept, self._issuer, seconds=_left(deadline))
        except LibrarySignInError:
            newer = self._kept.read()
            if newer in ("", kept):
                raise
            # Another program was faster.
            return renewed(self.library.sign_in, newer, self._issuer, seconds=_left(deadline))

    @property
    def title(self) -> str:
        """What it is called for people."""
        return self.library.title or self.library.name


@dataclass(frozen=True, slots=True)
class Opened:
    """What a sign-in came to: how it is done, what the library is to the person, and what opens it from now on."""

    sign_in: SignIn
    node: NodeDescription
    tokens: Tokens


def opened_by(
    library: JoinedLibrary,
    show: Show,
    *,
    token: str = "",
    client_id: str = "",
    cancelled: threading.Event | None = None,
    spoken: Callable[[str], str] = str,
) -> Opened:
    """Sign a person in to a library: `show` opens an address in the browser, unless a token is given. Nothing is kept.

    `spoken` says the sentences of the page that ends the sign-in in the person's language.

    Raises LibrarySignInError, LibraryAwayError, InvalidArgumentError.
    """
    host = urlsplit(library.address).hostname or ""
    trial, transport = RemoteLibrary(library, SecretStore()), Transport(sentence("The sign-in of {}", host))
    try:
        if not token.isascii() or not token.isprintable() or " " in token:
            # What stands in no header: it would seem that nothing answers.
            raise LibrarySignInError(sentence("The sign-in gave a token that cannot be used."))
        sign_in, tokens = SignIn(), Tokens(token, token, float("inf"))
        if not token:
            sign_in = where_to_sign_in(library.address, trial.unknown(), transport)
            if not sign_in.issuer:
                raise LibraryTokenNeededError(sentence("{} is opened by a token.", host))
            sign_in = replace(sign_in, client_id=client_id or sign_in.client_id)
            tokens = signed_in(sign_in, transport, show, cancelled=cancelled, spoken=spoken)
        trial.library = replace(library, sign_in=sign_in)
        return Opened(sign_in, trial.describe_with(tokens), tokens)
    except LibraryAwayError as error:
        raise LibraryAwayError(error.message, hint=UNREACHED_HINT) from error
    except LibrarySignInError as error:
        if not token:
            raise
        raise LibrarySignInError(
            sentence("{} does not take this token.", host), hint="Check the token, or ask the people who run it."
        ) from error
    finally:
        trial.close()
        transport.close()


def _left(deadline: float) -> float:
    """The seconds until then; a moment for what comes too late."""
    return max(0.05, deadline - time.monotonic())


def _busy_seconds(answer: Answer) -> float:
    """After how long a library that is busy wants to be asked again; 0 for one that is not."""
    given = answer.headers.get("retry-after", "")
    if answer.status != TOO_MANY and not (answer.status == UNAVAILABLE and given):
        return 0.0
    return min(max(1.0, float(given)), MAX_BUSY_SECONDS) if given.isascii() and given.isdecimal() else BUSY_SECONDS


def _sign_in_again(title: str) -> LibrarySignInError:
    return LibrarySignInError(sentence("The library {} does not know you (any more).", title))
