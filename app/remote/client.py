"""HTTP client of a joined library: search, pages, sharing. Blocking, for worker threads.

After a failure, the client pauses, so that further questions do not wait. Then a single request tries again.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar
from urllib.parse import urlsplit

from app import errors
from app.library import exchange
from app.remote.joined import JoinedLibrary, SignIn
from app.remote.replies import description, page_rows, search_reply, whole_page
from app.remote.sign_in import Tokens, renewed, signed_in, where_to_sign_in
from app.remote.transport import AWAY_HINT, MAX_ANSWER_BYTES, Answer, Transport
from app.secrets import LibrarySecret, SecretSource, SecretStore
from app.text.page_text import quoted
from app.text.sentence import sentence

QUESTION_SECONDS: Final = 3.0  # Timeout of everything that a user or an assistant waits for.
SHARE_SECONDS: Final = 30.0
AWAY_SECONDS: Final = 30.0
BUSY_SECONDS: Final = 5.0
MAX_BUSY_SECONDS: Final = 60.0  # Longest pause for a busy library. It chooses the pause, from one second to this.
PART_CHARS: Final = 1_000  # Longest part stored in a keyring under one name: Windows allows 2,560 bytes of UTF-16.
MAX_PARTS: Final = 20
MAX_REASON_CHARS: Final = 300  # Longest text of a library's refusal to show.
UNREACHED_HINT: Final = "Check the address, and that this computer is in the library's network."
TOO_MANY: Final = 429
UNAVAILABLE: Final = 503
"""With `Retry-After` it means that the library is busy, without it that the library is not available."""

T = TypeVar("T")
Show = Callable[[str], object]


class KeptTokens:
    """The credential of a library between starts, in the keyring: a refresh token or an access token."""

    def __init__(self, secrets: SecretStore, library: str) -> None:
        self._secrets = secrets
        self._library = library

    def read(self) -> str:
        """Return the stored token; empty if there is none."""
        parts: list[str] = []
        for number in range(MAX_PARTS):
            part = self._secrets.get(LibrarySecret(self._library, number)).value
            parts.append(part)
            if len(part) < PART_CHARS:
                break
        return "".join(parts)

    def write(self, token: str) -> SecretSource:
        """Store it instead of the previous one; return where it is stored."""
        parts = [token[start : start + PART_CHARS] for start in range(0, len(token) + 1, PART_CHARS)]
        # The last part is shorter than the others, which marks the end; an empty one counts as missing.
        kept = SecretSource.SESSION
        for number, part in enumerate(parts):
            name = LibrarySecret(self._library, number)
            if part:
                kept = self._secrets.set(name, part)
            else:
                self._secrets.delete(name)
        self.delete(len(parts))
        return kept

    def delete(self, first: int = 0) -> None:
        """Delete the stored token, or only its parts from `first` on."""
        for number in range(first, MAX_PARTS):
            name = LibrarySecret(self._library, number)
            if not self._secrets.get(name).value:
                return
            self._secrets.delete(name)


class Breaker:
    """Whether to send requests: none for AWAY_SECONDS after a failure, then a single one that tries again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until = 0.0
        self.reason = ""
        """The reason of the failure; empty if there is none."""

    def check(self) -> None:
        """Raise LibraryAwayError during the pause. The first request after it tries; the others wait for its result."""
        with self._lock:
            if not self.reason:
                return
            if self._clock() < self._until:
                raise errors.LibraryAwayError(self.reason, hint=AWAY_HINT)
            self._until = self._clock() + AWAY_SECONDS

    def answered(self) -> bool:
        """Record an answer; return whether the library was away before."""
        with self._lock:
            was_away, self.reason = bool(self.reason), ""
            return was_away

    def failed(self, reason: str) -> bool:
        """Record a failure; return whether it is a new one."""
        with self._lock:
            is_new, self.reason = not self.reason, reason
            self._until = self._clock() + AWAY_SECONDS
            return is_new


@dataclass(frozen=True, slots=True)
class _Done:
    """The reply to a request that succeeded and returns nothing."""


class RemoteLibrary:
    """One joined library. Calls `changed`, on any thread, when it goes offline or comes back."""

    def __init__(
        self,
        library: JoinedLibrary,
        secrets: SecretStore,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.library = library
        # Includes the address: never send the credentials of one library to another with the same name, for example of another data
        # folder.
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
        """The reason why it is not available; empty if it is, as far as known."""
        return self._breaker.reason

    def describe(self) -> exchange.NodeDescription:
        """Describe the library for the user who joined it."""
        return description(self._asked(exchange.NodeDescription, "GET", exchange.PATH))

    def unknown(self) -> Answer:
        """Request the library without a token to learn where to sign in. Raises LibraryAwayError."""
        return self._sent("GET", exchange.PATH, None, None, time.monotonic() + QUESTION_SECONDS, MAX_ANSWER_BYTES, "")

    def describe_with(self, tokens: Tokens) -> exchange.NodeDescription:
        """Describe the library for the user with these tokens. Does not store the tokens."""
        self._tokens = tokens
        return self.describe()

    def give_up(self, reason: str) -> None:
        """Record that it did not answer in time, whatever its request is waiting for."""
        if self._breaker.failed(reason):
            self._changed()

    def search(self, request: exchange.SearchRequest) -> exchange.SearchReply:
        """Return passages for a question."""
        return search_reply(
            self._asked(exchange.SearchReply, "POST", exchange.SEARCH_PATH, content=exchange.encoded(request))
        )

    def page(self, page_id: int, *, is_hidden: bool = False) -> exchange.WholePage:
        """Return a whole page; with `is_hidden`, an owner gets one in quarantine."""
        path, query = exchange.PAGE_PATH.format(page_id=page_id), {"quarantined": "true"} if is_hidden else None
        return whole_page(self._asked(exchange.WholePage, "GET", path, query=query, most=exchange.MAX_REPLY_BYTES))

    def pages(self, text: str = "", after: str = "", limit: int = 50) -> exchange.PageRows:
        """Return rows of its pages."""
        given = {"text": text, "after": after, "limit": str(limit)}
        query = {key: value for key, value in given.items() if value}
        return page_rows(self._asked(exchange.PageRows, "GET", exchange.PAGES_PATH, query=query))

    def share(self, page: exchange.PageIn) -> exchange.PageStored:
        """Store a page in it. The node embeds the page."""
        return self._asked(
            exchange.PageStored, "POST", exchange.PAGES_PATH, content=exchange.encoded(page), seconds=SHARE_SECONDS
        )

    def hidden(self, after: str = "", limit: int = exchange.MAX_PAGE_ROWS) -> exchange.PageRows:
        """Return rows of the hidden pages in collections that the user owns."""
        query = {"quarantined": "true", "limit": str(limit), **({"after": after} if after else {})}
        return page_rows(self._asked(exchange.PageRows, "GET", exchange.PAGES_PATH, query=query))

    def delete(self, page_id: int) -> None:
        """Delete a page, as the user who added it or an owner of its collection."""
        self._asked(_Done, "DELETE", exchange.PAGE_PATH.format(page_id=page_id))

    def set_quarantine(self, page_id: int, *, is_quarantined: bool) -> None:
        """Hide a page or show it again, as an owner of its collection."""
        change = exchange.encoded(exchange.PageChange(is_quarantined))
        self._asked(exchange.PageRow, "PUT", exchange.PAGE_PATH.format(page_id=page_id), content=change)

    def accept(self, tokens: Tokens) -> SecretSource:
        """Use and store the tokens of a sign-in; return where they are stored. The sign-in has shown that the library is available."""
        # An older sign-in that is being renewed must not replace this one.
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
        """Delete the credentials permanently; a renewal that is still running does not store its result."""
        with self._renewing:
            self._is_left = True
            self._tokens = None
            self._kept.delete()

    def close(self) -> None:
        """Close its connections."""
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
        most: int = MAX_ANSWER_BYTES,
    ) -> T:
        """Send a request and return the record of the reply.

        Raises LibraryAwayError, LibrarySignInError, LibraryForbiddenError, InvalidArgumentError, and BusyError until the pause requested
        by the library is over.
        """
        self._breaker.check()
        deadline = time.monotonic() + seconds
        send = partial(self._sent, method, path, content, query, deadline, most)
        try:
            while True:
                self._wait_while_busy(deadline)
                token = self._token(deadline)
                answer = send(token)
                if answer.status == 401 and self.library.sign_in.issuer:
                    # The token expired early: try once more with another.
                    answer = send(self._token(deadline, refused=token))
                busy_seconds = _busy_seconds(answer)
                if not busy_seconds:
                    break
                self._busy_until = self._clock() + busy_seconds
                self._is_there()
            if answer.status >= 500:
                raise errors.LibraryAwayError(
                    sentence("The library {} reports an error ({}).", self.title, answer.status), hint=AWAY_HINT
                )
        except errors.LibraryAwayError as error:
            if self._breaker.failed(error.message):
                self._changed()
            raise
        except errors.LibrarySignInError:
            # Report the sign-in as the reason until the user signs in.
            self._is_there()
            raise
        self._is_there()
        self._check(answer)
        try:
            return exchange.decoded(kind, answer.body)
        except errors.InvalidArgumentError as error:
            raise errors.LibraryAwayError(
                sentence("The library {} returned a response that WebRAG cannot read.", self.title),
                hint="Update WebRAG. If this does not help, contact the library's administrator.",
            ) from error

    def _is_there(self) -> None:
        """Record that it is available again."""
        if self._breaker.answered():
            self._changed()

    def _wait_while_busy(self, deadline: float) -> None:
        """Wait for the end of the library's pause. Raises BusyError if that is after the deadline."""
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
        url, seconds = f"{self.library.address}{path}", _left(deadline)
        return self._transport.send(method, url, seconds=seconds, content=content, query=query, token=token, most=most)

    def too_many(self, seconds: float) -> errors.BusyError:
        """Return the error for a question that cannot be accepted for this many seconds."""
        return errors.BusyError(
            sentence("The library {} is busy.", self.title),
            retry_after=seconds,
            hint=sentence("Try again in {} seconds.", math.ceil(seconds)),
        )

    def no_such_page(self) -> errors.NoSharedPageError:
        """Return the error for a page that does not exist or that this user cannot read."""
        return errors.NoSharedPageError(
            sentence("The library {} does not have this page, or you cannot read it.", self.title)
        )

    def _check(self, answer: Answer) -> None:
        if answer.status in (200, 201):
            return
        told = answer.json if isinstance(answer.json, dict) else {}
        reason = sentence("The library {} refused the request ({}).", self.title, answer.status)
        if told.get("error"):
            # The window can translate it if it is a sentence of this program.
            said = quoted(str(told["error"]), MAX_REASON_CHARS)[1:-1]
            reason = sentence('The library {} refused the request: "{}"', self.title, said)
        if answer.status == 401:
            raise _sign_in_again(self.title)
        if answer.status == 403:
            raise errors.LibraryForbiddenError(reason)
        if answer.status == 404 and told.get("error"):
            raise self.no_such_page()
        raise errors.InvalidArgumentError(reason)

    def _token(self, deadline: float, *, refused: str = "") -> str:
        """Return a current access token other than `refused`; one thread renews it for all."""
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
            # The stored token can be newer than this program's: another program renewed it, or the user signed in again. An issuer treats
            # the reuse of an older one as theft and ends the whole sign-in.
            try:
                fresh = self._renewed(kept, deadline)
            except errors.LibrarySignInError as error:
                raise _sign_in_again(self.title) from error
            if fresh.refresh != kept:
                self._kept.write(fresh.refresh)
            self._tokens = fresh
            return fresh.access

    def _renewed(self, kept: str, deadline: float) -> Tokens:
        try:
            return renewed(self.library.sign_in, kept, self._issuer, seconds=_left(deadline))
        except errors.LibrarySignInError:
            newer = self._kept.read()
            if newer in ("", kept):
                raise
            # Another program was faster.
            return renewed(self.library.sign_in, newer, self._issuer, seconds=_left(deadline))

    @property
    def title(self) -> str:
        """The display name."""
        return self.library.title or self.library.name


@dataclass(frozen=True, slots=True)
class Joining:
    """A library after the sign-in that is not joined yet, with its description for the user and the credentials."""

    library: JoinedLibrary
    node: exchange.NodeDescription
    tokens: Tokens


def opened_by(
    library: JoinedLibrary,
    show: Show,
    *,
    token: str = "",
    client_id: str = "",
    cancelled: threading.Event | None = None,
    spoken: Callable[[str], str] = str,
) -> Joining:
    """Sign a user in to a library: `show` opens an address in the browser, unless a token is given. Nothing is stored.

    `spoken` translates the sentences of the final page of the sign-in.

    Raises LibrarySignInError, LibraryAwayError, InvalidArgumentError.
    """
    host = urlsplit(library.address).hostname or ""
    trial, transport = RemoteLibrary(library, SecretStore()), Transport(sentence("The sign-in of {}", host))
    try:
        if not token.isascii() or not token.isprintable() or " " in token:
            # Characters that are not allowed in a header would look like a missing answer.
            raise errors.LibrarySignInError(sentence("The token contains characters that are not allowed."))
        sign_in, tokens = SignIn(), Tokens(token, token, float("inf"))
        if not token:
            sign_in = where_to_sign_in(library.address, trial.unknown(), transport)
            if not sign_in.issuer:
                raise errors.LibraryTokenNeededError(sentence("{} requires an access token.", host))
            sign_in = replace(sign_in, client_id=client_id or sign_in.client_id)
            tokens = signed_in(sign_in, transport, show, cancelled=cancelled, spoken=spoken)
        trial.library = replace(library, sign_in=sign_in)
        return Joining(trial.library, trial.describe_with(tokens), tokens)
    except errors.LibraryAwayError as error:
        raise errors.LibraryAwayError(error.message, hint=UNREACHED_HINT) from error
    except errors.LibrarySignInError as error:
        if not token:
            raise
        raise errors.LibrarySignInError(
            sentence("{} does not accept this token.", host),
            hint="Check the token, or contact the library's administrator.",
        ) from error
    finally:
        trial.close()
        transport.close()


def _left(deadline: float) -> float:
    """Return the remaining seconds; a short time if the deadline has passed."""
    return max(0.05, deadline - time.monotonic())


def _busy_seconds(answer: Answer) -> float:
    """Return the pause in seconds requested by a busy library; 0 if it is not busy."""
    given = answer.headers.get("retry-after", "")
    if answer.status != TOO_MANY and not (answer.status == UNAVAILABLE and given):
        return 0.0
    return min(max(1.0, float(given)), MAX_BUSY_SECONDS) if given.isascii() and given.isdecimal() else BUSY_SECONDS


def _sign_in_again(title: str) -> errors.LibrarySignInError:
    return errors.LibrarySignInError(sentence("The library {} does not accept your sign-in.", title))
