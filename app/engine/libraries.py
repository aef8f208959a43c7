"""Shared libraries that this desktop joined: searched together with the private one, read by address, and given shared pages.

Loaded only after the first library was joined.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from app import errors
from app.events import EventBus, LibrariesChanged
from app.ingest.pipeline import FILE_SCHEME
from app.library import exchange, records
from app.library.scope import LIBRARY_PAGE_TEMPLATE, PAGE_ADDRESS, place_of
from app.orchestration.page_queries import PageAnswers, PageHit, PageQuery
from app.orchestration.result import OrchestrationResult, SourceFailure
from app.orchestration.shared import empty_result, evidence_of, joined_evidence, person, with_shared
from app.remote.client import QUESTION_SECONDS, RemoteLibrary, Show, opened_by
from app.remote.client import Joining as Joining
from app.remote.joined import MAX_TITLE_CHARS, JoinedLibraries, JoinedLibrary, checked_address, name_for
from app.retrieval.evidence import hold_no_answer
from app.retrieval.records import AskedLibraries, SharedEvidence
from app.scratch.resources import MARKDOWN, Artifact
from app.scratch.store import unknown
from app.secrets import SecretSource, SecretStore
from app.text.page_text import address as shown_address
from app.text.page_text import one_line
from app.text.sentence import joined, listing, sentence
from app.text.terms import estimate_tokens

log = logging.getLogger(__name__)

THREADS: Final = 8  # Libraries searched at the same time.
UNANSWERED_HINT: Final = "Ask again in 30 s, or ask only the private library."
SHARED_FIELDS: Final = ("title", "text", "kind", "language", "sections", "published", "last_crawled")


@dataclass(frozen=True, slots=True)
class LibraryState:
    """A joined library and its state: `away` says why it does not respond; `signed_out`: sign in again."""

    library: JoinedLibrary
    away: str = ""
    signed_out: bool = False


class Libraries:
    """The joined libraries of one data folder. Requests block for a limited time; `LibrariesChanged` on the bus announces every change."""

    def __init__(self, data_dir: Path, secrets: SecretStore, bus: EventBus) -> None:
        self._file = JoinedLibraries(data_dir)
        self._secrets = secrets
        self._bus = bus
        self._lock = threading.Lock()
        self._stamp = (-1, 0)
        self._remotes: dict[str, RemoteLibrary] = {}
        self._signed_out: set[str] = set()
        self._threads = concurrent.futures.ThreadPoolExecutor(THREADS, thread_name_prefix="library")
        # Waiting for libraries must not block the threads that read the private library.
        self._waiting = concurrent.futures.ThreadPoolExecutor(THREADS, thread_name_prefix="libraries")

    def close(self) -> None:
        """Close connections; running questions end as if the library were away."""
        with self._lock:
            remotes, self._remotes, self._stamp = tuple(self._remotes.values()), {}, (-1, 0)
        for remote in remotes:
            remote.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._waiting.shutdown(wait=False, cancel_futures=True)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the libraries that are on, including changes by other programs. None while their file cannot be read."""
        try:
            return tuple(name for name, remote in self._current().items() if remote.library.is_on)
        except errors.SettingsError as error:
            log.warning("%s", error)
            return ()

    def states(self) -> tuple[LibraryState, ...]:
        """Return every joined library by name. Raises SettingsError for a file that cannot be read."""
        return tuple(
            LibraryState(remote.library, remote.away, name in self._signed_out)
            for name, remote in self._current().items()
        )

    def asked(self, library: str, default: str = records.ALL) -> tuple[bool, tuple[str, ...]]:
        """Return whether an argument means the private library, and which joined ones. Raises InvalidArgumentError for an unknown name."""
        wanted = library or default
        on = self.names
        if wanted == records.PRIVATE:
            return True, ()
        if wanted in (records.ALL, records.SHARED):
            return wanted == records.ALL or not on, on
        if wanted in on:
            return False, (wanted,)
        if not library:
            # The setting of an assistant may name a library that the user has left.
            return True, ()
        raise errors.InvalidArgumentError(
            sentence("The library {} does not exist or is turned off.", repr(wanted)),
            hint=sentence("Available libraries: {}.", ", ".join((records.ALL, records.PRIVATE, *on))),
        )

    def ask(
        self,
        library: str,
        question: str,
        *,
        limit: int,
        model: records.EmbeddingModel | None,
        pages: Sequence[str] = (),
    ) -> AskedLibraries | None:
        """Start searching the libraries in an argument; None if that is only the private one.

        With `pages`, only pages of the same sites are searched, and pages of joined libraries by their address. If all are of joined
        libraries, the private one is not searched. Raises InvalidArgumentError, also for pages of a library that is not searched.
        """
        asks_private, names = self.asked(library)
        if not names:
            return None
        shared = [
            match for match in map(PAGE_ADDRESS.fullmatch, pages) if match is not None and match["library"] in names
        ]
        sites = tuple(dict.fromkeys(filter(None, map(_site_of, pages))))
        if pages and not sites and not shared:
            return None
        if shared and len(shared) == len(pages):
            asks_private, names = False, tuple(name for name in names if name in {match["library"] for match in shared})
        remotes = [self.remote(name) for name in names]
        named = [tuple(int(each["id"]) for each in shared if each["library"] == name) for name in names]
        deadline = time.monotonic() + QUESTION_SECONDS
        request = exchange.SearchRequest(question.strip(), limit=max(1, min(limit, exchange.MAX_PASSAGES)))
        futures = [
            self._threads.submit(self._search, remote, request, sites, ids)
            for remote, ids in zip(remotes, named, strict=True)
        ]

        def wait() -> SharedEvidence:
            parts, failures = list[SharedEvidence](), list[errors.WebRAGError]()
            for place, (remote, future) in enumerate(zip(remotes, futures, strict=True)):
                try:
                    reply, is_cut = future.result(max(0.0, deadline - time.monotonic()))
                except errors.WebRAGError as error:
                    failures.append(error)
                    parts.append(self._failed(remote, error, asks_private))
                except TimeoutError:
                    # A library that was not contacted yet, because others kept all threads waiting, is not away.
                    late: errors.WebRAGError = remote.too_many(QUESTION_SECONDS)
                    if not future.cancel():
                        said = sentence(
                            "The library {} did not respond within {} s.", remote.title, f"{QUESTION_SECONDS:g}"
                        )
                        late = errors.LibraryAwayError(said)
                        remote.give_up(said)
                    failures.append(late)
                    parts.append(self._failed(remote, late, asks_private))
                else:
                    self._signed_out.discard(remote.library.name)
                    parts.append(evidence_of(remote.library.name, remote.title, reply, place, model))
                    if is_cut:
                        note = sentence(
                            "The library {} has more pages of these sites than the {} that were searched. Ask only that library to search"
                            " all of them.",
                            remote.title,
                            exchange.MAX_PAGES_NAMED,
                        )
                        parts.append(SharedEvidence(notes=(note,)))
            if failures and not asks_private and len(failures) == len(remotes):
                raise _unanswered(failures, joined_evidence(parts).notes)
            return joined_evidence(parts)

        return AskedLibraries(names, asks_private, wait)

    async def answered(
        self,
        asked: AskedLibraries,
        query: str,
        own: Callable[[], Coroutine[Any, Any, OrchestrationResult]],
        *,
        keeps_own: bool,
    ) -> OrchestrationResult:
        """Return the result of the private library, if it is searched, with the passages of joined ones.

        With `keeps_own`, all private passages stay (for named pages). Raises the private library's error if the others found nothing.
        """
        shared = asyncio.get_running_loop().run_in_executor(self._waiting, asked.wait)
        result, failure = empty_result(query), None
        try:
            result = await own() if asked.asks_private else result
        except errors.WebRAGError as error:
            failure = error
        found = await shared
        if failure is not None:
            if not found.chunks or hold_no_answer(found):
                raise failure
            url = getattr(failure, "url", "")
            failures = (SourceFailure(url, failure.code, failure.message),) if url else ()
            result = replace(result, failures=failures, notes=() if url else (failure.message,))
        return await asyncio.to_thread(with_shared, result, found, keeps_own=keeps_own)

    def artifact(self, library: str, page_id: int) -> Artifact:
        """Return a page of a joined library for reading. Raises LibraryNotJoinedError, NoSharedPageError, LibraryAwayError and similar."""
        page = self._asked_remote(library).page(page_id)
        uri = LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=page_id)
        content = records.PassageIn(
            "", place_of(page.row.url).tag, page.row.title, page.text, page.row.url, media_type=MARKDOWN
        )
        changed = page.row.changed_at or page.row.last_crawled
        return Artifact(uri, uri, content, changed, len(page.text.encode("utf-8", "replace")))

    def document(self, uri: str, *, is_hidden: bool = False) -> records.Document:
        """Return a page of a joined library as a document; a hidden one for an owner. Raises LibraryAwayError and similar errors."""
        remote, page_id = self._page_of(uri)
        page = remote.page(page_id, is_hidden=is_hidden)
        return records.Document(
            id=-page_id,
            url=uri,
            text=page.text,
            state=records.DocumentState.READY,
            last_modified=page.last_modified,
            published=page.published,
            sections=page.sections,
            **exchange.same_fields(page.row, exchange.ROW_FIELDS),
        )

    def summary(self, uri: str) -> records.DocumentSummary:
        """Return a page of a joined library as a row with that address. Raises LibraryAwayError and similar errors."""
        remote, page_id = self._page_of(uri)
        page = remote.page(page_id)
        return replace(row_of(remote.library.name, page.row), tokens=estimate_tokens(page.text))

    def read(self, uri: str, queries: Sequence[str], limit: int) -> PageAnswers:
        """Return the passages of a page of a joined library that best match each query.

        Raises InvalidArgumentError for an invalid address, LibraryAwayError and similar errors.
        """
        remote, page_id = self._page_of(uri)
        page = remote.page(page_id)
        most = max(1, min(limit, exchange.MAX_PASSAGES))
        found = [
            remote.search(exchange.SearchRequest(query, pages=(page_id,), limit=most)).passages for query in queries
        ]
        answers = (PageQuery(query, tuple(map(_hit, each))) for query, each in zip(queries, found, strict=True))
        note = f"From the shared library {remote.library.name}; on the web: {shown_address(page.row.url)}"
        address = uri.strip().partition("#")[0]
        return PageAnswers(address, page.row.title, page.row.last_crawled, tuple(answers), note)

    def share(
        self, library: str, collection: str, document: records.Document, links: Sequence[records.LinkRecord] = ()
    ) -> str:
        """Store the text of a private page in a library, which embeds it. Return the change: stored, updated or unchanged.

        Sends the name of a file and a distinguishing hash, but not its folders.

        Raises LibraryAwayError, LibraryForbiddenError, InvalidArgumentError.
        """
        url = document.url
        if url.startswith(FILE_SCHEME):
            mark = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:12]
            url = f"{FILE_SCHEME}///{mark}/{url.rstrip('/').rpartition('/')[2]}"
        kept = tuple(link for link in links if not link.url.startswith(FILE_SCHEME))
        fields = exchange.same_fields(document, SHARED_FIELDS)
        return self.remote(library).share(exchange.PageIn(url, collection=collection, links=kept, **fields)).state

    def remote(self, name: str) -> RemoteLibrary:
        """Return a joined library, whose requests raise LibraryAwayError and similar errors. Raises InvalidArgumentError."""
        remote = self._current().get(name)
        if remote is None:
            raise errors.InvalidArgumentError(
                sentence("You have not joined a library named {}.", repr(name)),
                hint=errors.LibraryNotJoinedError.default_hint,
            )
        return remote

    def join(
        self,
        address: str,
        show: Show,
        *,
        token: str = "",
        client_id: str = "",
        cancelled: threading.Event | None = None,
        spoken: Callable[[str], str] = str,
    ) -> Joining:
        """Sign the user in, with a token or in the browser, in which `show` opens an address. Does not store anything yet.

        `spoken` translates the sentences of the page that ends the sign-in. Raises LibrarySignInError, LibraryAwayError,
        InvalidArgumentError.
        """
        address = checked_address(address)
        known = next((each.library for each in self.states() if each.library.address == address), None)
        host = urlsplit(address).hostname or ""
        trial = known or JoinedLibrary("joining", address, title=host)
        opened = opened_by(trial, show, token=token, client_id=client_id, cancelled=cancelled, spoken=spoken)
        title = one_line(opened.node.name or host, MAX_TITLE_CHARS)
        named = known or JoinedLibrary(name_for(title, frozenset()), address)
        who = person(opened.node.who.name or opened.node.who.subject)
        library = replace(named, title=title, who=who, sign_in=opened.library.sign_in, is_on=True)
        return replace(opened, library=self._placed(library))

    def keep(self, joining: Joining, collection: str | None = None) -> SecretSource:
        """Join a library after the sign-in; return whether the credentials outlive this session. By default, the target collection of
        shared pages stays the same.

        Raises InvalidArgumentError for a collection that the user may not write to.
        """
        if collection:
            _check_writable(collection, joining.node.collections)
        with self._file.changing:
            library = self._placed(joining.library)
            self._file.put(replace(library, collection=library.collection if collection is None else collection))
        kept = self.remote(library.name).accept(joining.tokens)
        self._signed_out.discard(library.name)
        self._tell()
        return kept

    def change(self, name: str, *, is_on: bool | None = None, collection: str | None = None) -> bool:
        """Turn a library on or off, or change the target of shared pages. Return False if the write access could not be checked.

        Raises InvalidArgumentError, also for a collection that the user may not write to.
        """
        self._file.get(name)
        is_checked = True
        if collection:
            try:
                _check_writable(collection, self.remote(name).describe().collections)
            except (errors.LibraryAwayError, errors.LibrarySignInError) as error:
                # The library refuses forbidden pages when they are shared; without a keyring, only the application can
                # ask.
                log.info("cannot check the collection of library %s: %s", name, error)
                is_checked = False
        # The request took time; keep changes that another program made in the meantime.
        with self._file.changing:
            library = self._file.get(name)
            on = library.is_on if is_on is None else is_on
            chosen = library.collection if collection is None else collection
            self._file.put(replace(library, is_on=on, collection=chosen))
        self._tell()
        return is_checked

    def leave(self, name: str) -> None:
        """Leave a library and delete its credentials. The library itself stays unchanged. Raises InvalidArgumentError."""
        remote = self.remote(name)
        remote.forget()
        self._file.remove(name)
        self._tell()

    def _placed(self, library: JoinedLibrary) -> JoinedLibrary:
        """Return a library with a unique name and title, or with its own if it is already joined."""
        known = {each.library.address: each.library for each in self.states()}
        own = known.pop(library.address, None)
        name, title = own.name if own is not None else library.name, library.title
        taken = frozenset(each.name for each in known.values())
        if name in taken:
            name = name_for(title, taken)
        if title in {each.title for each in known.values()}:
            title = f"{title} ({name})"
        return replace(library, name=name, title=title, collection=(own or library).collection)

    def _page_of(self, uri: str) -> tuple[RemoteLibrary, int]:
        """Return the library and the number of a page address. Raises LibraryNotJoinedError, also for a library that is off."""
        match = PAGE_ADDRESS.fullmatch(uri.strip().partition("#")[0])
        if match is None:
            raise unknown()
        return self._asked_remote(match["library"]), int(match["id"])

    def _asked_remote(self, name: str) -> RemoteLibrary:
        """Return the library in a page address. Raises LibraryNotJoinedError, also for one that is off."""
        remote = self._current().get(name)
        if remote is None or not remote.library.is_on:
            raise errors.LibraryNotJoinedError(name)
        return remote

    def _current(self) -> dict[str, RemoteLibrary]:
        """Return a client for each library; recreated after the file has changed."""
        with self._lock:
            stamp = self._file.stamp
            if stamp != self._stamp:
                libraries = self._file.all()
                # Other threads may be reading the previous dictionary, so it stays unchanged.
                before, made = self._remotes, dict[str, RemoteLibrary]()
                for library in libraries:
                    remote = before.get(library.name)
                    if remote is None or remote.library.address != library.address:
                        remote = RemoteLibrary(library, self._secrets, self._tell)
                    remote.library = library
                    made[library.name] = remote
                for name, remote in before.items():
                    if made.get(name) is not remote:
                        remote.close()
                self._remotes, self._stamp = made, stamp
            return self._remotes

    def _search(
        self, remote: RemoteLibrary, request: exchange.SearchRequest, sites: Sequence[str], named: Sequence[int]
    ) -> tuple[exchange.SearchReply, bool]:
        """Return the library's reply, and whether it has more pages of the sites than one search covers."""
        is_cut = False
        if sites or named:
            found = [remote.pages(site, limit=exchange.MAX_PAGES_NAMED) for site in sites]
            rows = [
                row for site, each in zip(sites, found, strict=True) for row in each.pages if _site_of(row.url) == site
            ]
            ids = tuple(dict.fromkeys((*named, *(row.page_id for row in rows))))
            is_cut = len(ids) > exchange.MAX_PAGES_NAMED or any(each.next for each in found)
            if not ids:
                return exchange.SearchReply(), is_cut
            request = replace(request, pages=ids[: exchange.MAX_PAGES_NAMED])
        reply = remote.search(request)
        if named and not reply.passages and reply.unknown and set(named) <= set(reply.unknown):
            raise remote.no_such_page()
        return replace(reply, unknown=tuple(each for each in named if each in reply.unknown)), is_cut

    def _failed(self, remote: RemoteLibrary, error: errors.WebRAGError, asks_private: bool) -> SharedEvidence:
        """Return the notes for a result about a library that returned nothing."""
        name = remote.library.name
        log.info("library %s: %s", name, error)
        if isinstance(error, errors.LibrarySignInError):
            said = sentence("The library {} asks you to sign in again.", remote.title)
            if name not in self._signed_out:
                self._signed_out.add(name)
                self._tell()
        elif isinstance(error, errors.LibraryAwayError):
            said = sentence("The library {} does not respond.", remote.title)
        elif isinstance(error, errors.BusyError):
            said = sentence("The library {} is busy. Ask again in a few seconds.", remote.title)
        else:
            said = sentence("The library {} returned nothing: {}", remote.title, error.message)
        rest = sentence("These results come from your private library only.")
        return SharedEvidence(notes=(said, rest if asks_private else sentence("It was not searched.")))

    def _tell(self) -> None:
        self._bus.publish(LibrariesChanged(self.names))


def _unanswered(failures: Sequence[errors.WebRAGError], said: Sequence[str]) -> errors.WebRAGError:
    """Return the error of a question that none of its libraries answered."""
    first, message = failures[0], joined(said)
    if isinstance(first, errors.BusyError):
        return errors.BusyError(message, retry_after=first.retry_after, hint=first.hint)
    if isinstance(first, errors.LibrarySignInError):
        return errors.LibrarySignInError(message)
    if isinstance(first, errors.LibraryForbiddenError | errors.InvalidArgumentError):
        return type(first)(message, hint=first.hint)
    return errors.LibraryAwayError(message, hint=UNANSWERED_HINT)


def _check_writable(collection: str, known: Sequence[exchange.Collection]) -> None:
    names = [each.name for each in known if each.role in ("writer", "owner")]
    if collection not in names:
        may = sentence("You cannot write to any collection. Ask the library's administrator.")
        if names:
            may = sentence("You can write to: {}.", listing(names))
        raise errors.InvalidArgumentError(sentence("You cannot share pages to {}.", repr(collection)), hint=may)


def row_of(library: str, row: exchange.PageRow) -> records.DocumentSummary:
    """Return a page of a joined library in the form of a private row: with its address there and a negative page number."""
    return records.DocumentSummary(
        id=-row.page_id,
        url=LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=row.page_id),
        state=records.DocumentState.READY,
        chunks=row.passages,
        chunks_embedded=row.passages_embedded,
        tokens=0,
        note="",
        doc_tag=place_of(row.url).tag,
        flags=row.flags,
        added_by=person(row.added_by),
        **exchange.same_fields(row, exchange.ROW_FIELDS),
    )


def _hit(found: exchange.FoundPassage) -> PageHit:
    passage_id = str(found.chunk_id)
    return PageHit(passage_id, found.text, found.relevance, None, found.section_path, start=found.start, end=found.end)


def _site_of(url: str) -> str:
    if PAGE_ADDRESS.match(url):
        return ""
    try:
        return (urlsplit(url if "://" in url else f"https://{url}").hostname or "").removeprefix("www.")
    except ValueError:
        return ""
