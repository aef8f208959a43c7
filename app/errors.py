"""The error tree: every failure a reader can meet, with what happened and what to do next.

`code` is the taxonomy word a model sees, `title` and `str(error)` are made for a dialog, `hint` says the next step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

Detail = str | int | float | bool


class ErrorCode(StrEnum):
    """The closed set of codes that leave the program."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    SCOPE_VIOLATION = "SCOPE_VIOLATION"
    BACKEND_UNAVAILABLE = "BACKEND_UNAVAILABLE"
    TIMEOUT = "TIMEOUT"
    BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class WebRAGError(Exception):
    """Base of all errors raised on purpose. `details` are plain values for a program that reads the error."""

    code: ClassVar[ErrorCode] = ErrorCode.INTERNAL_ERROR
    title: str = "Something went wrong"
    default_hint: ClassVar[str] = "See the log file for details."
    default_details: ClassVar[Mapping[str, Detail]] = {}

    def __init__(self, message: str, *, hint: str | None = None, details: Mapping[str, Detail] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint if hint is not None else self.default_hint
        self.details: dict[str, Detail] = {**self.default_details, **(details or {})}


class InvalidArgumentError(WebRAGError):
    """A value given by the caller cannot be used."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Invalid input"
    default_hint = "Correct the value and try again."


class ScopeViolationError(WebRAGError):
    """The call names a project that this instance does not hold."""

    code = ErrorCode.SCOPE_VIOLATION
    title = "Outside the scope"
    default_hint = "Leave out scope.project_id, or give the project of this instance."


class UnknownLabelError(InvalidArgumentError):
    """No collection or tag has the name that was given."""

    title = "No such collection"


class PassageExpiredError(InvalidArgumentError):
    """The passage, its session or its address is not known to this caller, or no longer."""

    title = "Passage expired"
    default_hint = "Use a passage id of its results; ids belong to the connection that searched."
    default_details: ClassVar[Mapping[str, Detail]] = {"reason": "expired"}


class UnknownPassageError(PassageExpiredError):
    """The caller never had this passage. Another owner's passage gets the same answer, which keeps secret what others have."""

    title = "Unknown passage"


class LibraryNotJoinedError(InvalidArgumentError):
    """An address of a shared library that this program did not join, or that is switched off."""

    title = "Library not joined"
    default_hint = "See Settings > Shared libraries, or run webrag shared in a terminal."

    def __init__(self, library: str) -> None:
        super().__init__(f"The shared library {library} is not joined here, or is switched off.")


class NoSharedPageError(InvalidArgumentError):
    """A page that a shared library does not have, or not for this person."""

    title = "No such page"
    default_hint = "It may have been withdrawn. Search the library for what it is about."


class SettingsError(InvalidArgumentError):
    """A setting in the file, the environment or the command line is unusable."""

    title = "Setting not usable"


class DataFolderError(SettingsError):
    """The folder that holds everything cannot be used."""

    title = "Data folder not usable"
    default_hint = "Start WebRAG Desktop and choose another folder, or give another --data-dir."


class FetchError(WebRAGError):
    """A page could not be read from the web."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Page could not be read"
    unreachable_title = "The site cannot be reached"
    default_hint = "Check that the address opens in a browser, then try again."

    def __init__(self, message: str, *, url: str = "", hint: str | None = None, title: str = "") -> None:
        super().__init__(message, hint=hint)
        self.url = url
        self.title = title or self.title


class InvalidURLError(FetchError):
    """The address is not an http(s) URL."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Not a web address"
    default_hint = "Give a full address that starts with http:// or https://."


class AddressDeniedError(FetchError):
    """The address policy forbids this host or network."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Address not allowed"
    default_hint = "If this network is yours, allow it in Settings > Crawling."


class RobotsDeniedError(FetchError):
    """robots.txt forbids automatic fetching of this address."""

    title = "The site does not want programs to read it"
    default_hint = "Name the address explicitly to read it as a person would."


class NoIndexError(RobotsDeniedError):
    """The page itself asks programs not to index it. `links` are the addresses it links to."""

    title = "Page asks not to be indexed"

    def __init__(self, message: str, *, url: str = "", links: tuple[str, ...] = ()) -> None:
        super().__init__(message, url=url)
        self.links = links


class ContentProtectedError(FetchError):
    """The page is behind a sign-in, a paywall or a refusal (401, 403)."""

    title = "Sign-in or payment needed"
    default_hint = "Keep the page from your browser with the WebRAG extension (Settings > Browsers), or save it as a file and add that."


class HTTPStatusError(FetchError):
    """The server answered with an error status."""

    title = "The site answered with an error"
    gone_title = "Page not found"
    busy_title = "The site asked for patience"
    broken_title = "The site has a problem"

    def __init__(self, message: str, *, url: str, status: int, hint: str | None = None, title: str = "") -> None:
        titles = {404: self.gone_title, 410: self.gone_title, 429: self.busy_title}
        usual = titles.get(status, self.broken_title if status >= 500 else self.title)
        super().__init__(message, url=url, hint=hint, title=title or usual)
        self.status = status


class TooManyRedirectsError(FetchError):
    """The redirect chain is longer than allowed or runs in a circle."""

    title = "Too many redirects"


class BodyTooLargeError(FetchError):
    """The body is larger than the cap, before or after decompression."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Page too large"
    default_hint = "Use a more specific page of the same site."


class UnsupportedContentError(FetchError):
    """The content type cannot be turned into text."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Kind of file not supported"
    default_hint = (
        "WebRAG reads Markdown, HTML, PDF, Office and OpenDocument files, e-books, notebooks, source code, email, archives"
        " and text."
    )


class FetchTimeoutError(FetchError):
    """The site did not answer in time."""

    code = ErrorCode.TIMEOUT
    title = "The site did not answer in time"
    default_hint = "Try again, or give pages more time in Settings > Crawling."


class StillReadingError(FetchTimeoutError):
    """The time for a call is over before its page is read; the job `job_id` goes on with it, 0 when none could be begun."""

    title = "The page is still being read"

    def __init__(self, url: str, job_id: int) -> None:
        self.job_id = job_id
        job = f" (job {job_id})" if job_id else ""
        look = f"`status` with job_id={job_id}" if job_id else "`status` with the address"
        super().__init__(
            f"{url} is still being read{job}; call `search` in 30 s.",
            url=url,
            hint=f"It is read on in the background; {look} says how far it is.",
        )


class EmptyPageError(FetchError):
    """The page holds no readable text (for instance a JavaScript skeleton)."""

    title = "No readable text on this page"
    default_hint = "The page may need JavaScript. Look for a printable or plain version of it."


class SkeletonPageError(EmptyPageError):
    """The page is built by JavaScript in the browser. `markdown_url` is a Markdown version that it names, if any."""

    title = "Page needs JavaScript"

    def __init__(
        self, message: str, *, url: str = "", markdown_url: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, url=url, hint=hint)
        self.markdown_url = markdown_url


class RenderError(FetchError):
    """The optional page renderer is missing, failed or took too long."""

    title = "Page could not be rendered"
    default_hint = (
        "Try again, or open the page in your browser and keep it with the WebRAG extension (Settings > Browsers)."
    )


class PreparationError(FetchError):
    """The separate process that reads large and foreign files ended or took too long; nothing was stored."""

    title = "File could not be read safely"
    default_hint = "The file may be damaged. Try a smaller or simpler version of it."


class SearchError(WebRAGError):
    """The search provider could not be asked, or answered nothing usable."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Web search failed"
    default_hint = "Try again in a minute, or choose another provider in Settings > Search provider."


class SearchNotSetUpError(SearchError):
    """No search provider can be asked: a key or an address is missing."""

    title = "Web search is not set up"


class SearchKeyError(SearchError):
    """The provider refused the key, or the key may not use this service."""

    title = "Search key refused"


class SearchQueryError(SearchError):
    """The provider cannot do what was asked: query, region or language."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Search not possible"
    default_hint = "Use a shorter query, a two-letter country as region and a code such as en or pt-BR as language."


class SearchLimitError(SearchError):
    """The provider takes no more requests for now. `retry_after` is in seconds, None when it does not say."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Search limit reached"

    def __init__(self, message: str, *, retry_after: float | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class SearchTimeoutError(SearchError):
    """The provider did not answer in time."""

    code = ErrorCode.TIMEOUT
    title = "Search took too long"
    default_hint = "Try again, or give pages more time in Settings > Crawling."


class FileAccessError(WebRAGError):
    """A file or folder cannot be read, or lies outside the folders that were added."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "File or folder not usable"
    default_hint = "Check that it exists and can be read, and that it is no link to another place."


class UnknownJobError(InvalidArgumentError):
    """There is no background job with this number, or it cannot do this in its state."""

    title = "No such job"
    default_hint = (
        "See Activity > Jobs for all jobs; status without arguments lists them too, and webrag jobs in a terminal."
    )


class CorpusError(WebRAGError):
    """The corpus file cannot be used."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Library not usable"
    default_hint = "Run webrag verify in a terminal to see what is wrong."


class CorpusDamagedError(CorpusError):
    """A part of the corpus file cannot be read any more; what is asked may be missing there."""

    title = "Library damaged"
    default_hint = (
        "Restore the newest automatic backup, or save what can still be read: Settings > Storage, or"
        " webrag restore in a terminal."
    )


class DiskFullError(CorpusError):
    """Nothing can be written, because the disk that holds the corpus has no room; reading goes on."""

    title = "Disk full"
    default_hint = "Free some space; storing goes on by itself then."


class CorpusTooNewError(CorpusError):
    """The file was written by a newer version of the program."""

    title = "Library made by a newer version"
    default_hint = "Update WebRAG Desktop, or start with another data directory (--data-dir)."


class DamagedCopyError(CorpusError):
    """File and write-ahead log were copied at different moments and do not belong together."""

    title = "Damaged copy of a library"
    default_hint = "Quit WebRAG before its folder is copied, or restore a backup."


class CorpusBusyError(CorpusError):
    """Another process held the file longer than the busy timeout, or too many readings of this one were before this one."""

    title = "Library busy"
    default_hint = "Try again in a few seconds."


class LibraryAwayError(CorpusError):
    """The database of a shared library does not answer."""

    title = "Library does not answer"
    default_hint = "Check that the database server runs and can be reached; it is used again by itself then."


class LibraryForbiddenError(CorpusError):
    """A shared library refuses what was asked of it: the person may not do this."""

    code = ErrorCode.SCOPE_VIOLATION
    title = "Library refuses"
    default_hint = "Ask an owner of the collection, or the people who run the library."


class DatabaseRefusesError(LibraryForbiddenError):
    """The database of a shared library refuses the program itself: its sign-in, or its role."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    default_hint = "Ask whoever runs the database for the role webrag_node, or webrag_owner to set up and migrate."


class LibrarySignInError(WebRAGError):
    """A shared library does not know who asks, or no longer."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Sign in to the library"
    default_hint = "Sign in again: Settings > Shared libraries, or webrag shared join in a terminal."


class LibraryTokenNeededError(LibrarySignInError):
    """A shared library has no sign-in of its own: one token opens it for everybody."""

    default_hint = "Ask the people who run it for the token and enter it."


class EmbedderError(WebRAGError):
    """Vectors cannot be made; keyword search goes on."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "The model for search by meaning cannot be used"
    default_hint = "Reinstall the application, or choose another model in Settings > Embedder."


class EmbeddingMismatchError(EmbedderError):
    """Stored vectors come from another model than the one in use."""

    title = "Library made with another model"
    default_hint = "Pages are found by their words while they are prepared again for search by meaning."


class GraphDisabledError(WebRAGError):
    """The graph of the corpus is switched off."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Graph switched off"
    default_hint = "Turn it on in Settings > Graph. Until then use kb.search."


class AlreadyRunningError(WebRAGError):
    """Another instance owns this data directory."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Already running"
    default_hint = "Use the running instance, or give another --data-dir."


class NotRunningError(WebRAGError):
    """No instance answers for this data directory."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Not running"
    default_hint = "Start WebRAG Desktop, or run webrag serve in a terminal."


class PausedError(WebRAGError):
    """The person at the computer told the running instance not to serve for now."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Paused"
    default_hint = "Resume WebRAG in its window or tray menu, then try again."


class BusyError(WebRAGError):
    """Too many calls at once or too many in a short time."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Busy"
    default_hint = "Wait for the seconds given and call again."

    def __init__(self, message: str, *, retry_after: float, hint: str | None = None) -> None:
        super().__init__(message, hint=hint, details={"retryAfter": math.ceil(10 * retry_after) / 10})
        self.retry_after = retry_after


class CallTimeoutError(WebRAGError):
    """A call ran into its hard time limit."""

    code = ErrorCode.TIMEOUT
    title = "Timed out"
    default_hint = "Retry with expansion_budget=0, or name a more specific page."


class ClientConfigError(WebRAGError):
    """A client's configuration file cannot be changed safely; nothing was written."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Configuration of the assistant not changed"
    default_hint = "Repair the file by hand, then try again."


class PairingError(WebRAGError):
    """A browser could not be paired."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Browser not paired"
    default_hint = "Show a new code in WebRAG (Settings > Browsers) and enter it in the extension."


class UpdateCheckError(WebRAGError):
    """The list of versions could not be understood."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "No answer about updates"


class WorkCancelledError(WebRAGError):
    """Long work was ended by the person before its end; what it was to make is not there."""

    title = "Cancelled"
    default_hint = "Nothing was changed."


class AutostartError(WebRAGError):
    """The system's list of programs to start at login cannot be changed."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Start at login not changed"
    default_hint = "Change it in the settings of your system, or try again."
