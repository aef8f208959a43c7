"""Errors that WebRAG raises on purpose. Models see `code`, dialogs show `title` and the message, and `hint` names the next step."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

Detail = str | int | float | bool


class ErrorCode(StrEnum):
    """Error codes that assistants and other clients can receive."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    SCOPE_VIOLATION = "SCOPE_VIOLATION"
    BACKEND_UNAVAILABLE = "BACKEND_UNAVAILABLE"
    TIMEOUT = "TIMEOUT"
    BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class WebRAGError(Exception):
    """Base class of all errors raised on purpose. `details` are plain values for programs that handle the error."""

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
    """The caller passed an invalid value."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Invalid input"
    default_hint = "Correct the value and try again."


class ScopeViolationError(WebRAGError):
    """The call names a project that this instance does not have."""

    code = ErrorCode.SCOPE_VIOLATION
    title = "Outside the scope"
    default_hint = "Omit scope.project_id, or use the project of this WebRAG."


class UnknownLabelError(InvalidArgumentError):
    """There is no collection or tag with this name."""

    title = "Collection not found"


class PassageExpiredError(InvalidArgumentError):
    """The passage or its session has expired or does not belong to this caller."""

    title = "Passage no longer available"
    default_hint = (
        "Search again and use a passage ID from the new results. IDs are only valid in the connection that searched."
    )
    default_details: ClassVar[Mapping[str, Detail]] = {"reason": "expired"}


class UnknownPassageError(PassageExpiredError):
    """The caller never had this passage. Also raised for passages of other owners, so that their existence stays secret."""

    title = "Unknown passage"


class LibraryNotJoinedError(InvalidArgumentError):
    """The address belongs to a shared library that is not joined or is turned off."""

    title = "Library not joined"
    default_hint = "Join it or turn it on in Settings > Shared libraries, or with webrag shared in a terminal."

    def __init__(self, library: str) -> None:
        super().__init__(f"You have not joined the shared library {library}, or it is turned off.")


class NoSharedPageError(InvalidArgumentError):
    """A shared library does not have this page, or the user has no access to it."""

    title = "Page not found"
    default_hint = "It may have been withdrawn. Search the library for its topic."


class SettingsError(InvalidArgumentError):
    """A setting in the file, the environment or the command line is invalid."""

    title = "Invalid setting"


class DataFolderError(SettingsError):
    """The data folder cannot be used."""

    title = "Data folder not usable"
    default_hint = "Start WebRAG Desktop and choose another folder, or pass a different --data-dir."


class FetchError(WebRAGError):
    """A web page could not be fetched."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Page could not be read"
    unreachable_title = "Site not reachable"
    default_hint = "Check that the address opens in a browser, then try again."

    def __init__(self, message: str, *, url: str = "", hint: str | None = None, title: str = "") -> None:
        super().__init__(message, hint=hint)
        self.url = url
        self.title = title or self.title


class InvalidURLError(FetchError):
    """The address is not an http(s) URL."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Not a web address"
    default_hint = "Enter a full address that starts with http:// or https://."


class AddressDeniedError(FetchError):
    """The address policy forbids this host or network."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Address not allowed"
    default_hint = "If this is your own network, allow it in Settings > Crawling."


class RobotsDeniedError(FetchError):
    """robots.txt forbids automatic fetching of this address."""

    title = "Blocked by robots.txt"
    default_hint = "Request this address directly to open it anyway, as a browser would."


class NoIndexError(RobotsDeniedError):
    """The page forbids indexing. `links` are the URLs that it links to."""

    title = "Page must not be indexed"

    def __init__(self, message: str, *, url: str = "", links: tuple[str, ...] = ()) -> None:
        super().__init__(message, url=url)
        self.links = links


class ContentProtectedError(FetchError):
    """The page requires a sign-in or payment, or the site refused access (401, 403)."""

    title = "Sign-in or payment required"
    default_hint = (
        "Save the page with the browser extension (Settings > Browsers), or save it as a file and add the file."
    )

    @property
    def may_open_in_browser(self) -> bool:
        """Whether the user's browser may show it, unlike a file with a password."""
        return self.hint == self.default_hint


class HTTPStatusError(FetchError):
    """The server returned an error status."""

    title = "The site returned an error"
    gone_title = "Page not found"
    busy_title = "Too many requests to the site"
    broken_title = "The site has a problem"

    def __init__(self, message: str, *, url: str, status: int, hint: str | None = None, title: str = "") -> None:
        titles = {404: self.gone_title, 410: self.gone_title, 429: self.busy_title}
        usual = titles.get(status, self.broken_title if status >= 500 else self.title)
        super().__init__(message, url=url, hint=hint, title=title or usual)
        self.status = status


class TooManyRedirectsError(FetchError):
    """The redirect chain is too long or circular."""

    title = "Too many redirects"


class BodyTooLargeError(FetchError):
    """The body exceeds the size limit, before or after decompression."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Page too large"
    default_hint = "Use a more specific page of the site."


class UnsupportedContentError(FetchError):
    """WebRAG cannot extract text from this content type."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "File type not supported"
    default_hint = (
        "WebRAG reads Markdown, HTML, PDF, Office and OpenDocument files, e-books, notebooks, source code, email, archives"
        " and text."
    )


class DamagedFileError(UnsupportedContentError):
    """A file is of a known type, but cannot be read."""

    title = "Damaged file"


class FetchTimeoutError(FetchError):
    """The site did not respond in time."""

    code = ErrorCode.TIMEOUT
    title = "The site took too long to respond"
    default_hint = "Try again, or increase the page timeout in Settings > Crawling."


class StillReadingError(FetchTimeoutError):
    """The call timed out before its page was read. The job `job_id` continues; 0 if no job could be started."""

    title = "The page is still being read"

    def __init__(self, url: str, job_id: int) -> None:
        self.job_id = job_id
        job = f" (job {job_id})" if job_id else ""
        argument = f"job_id={job_id}" if job_id else "the address"
        super().__init__(
            f"{url} is still being read{job}; call `search` in 30 s.",
            url=url,
            hint=f"WebRAG continues in the background. Call `status` with {argument} for progress.",
        )


class EmptyPageError(FetchError):
    """The page does not contain readable text, for example a JavaScript skeleton. `frames` are the pages that it shows in frames."""

    title = "No readable text on this page"
    default_hint = "The page may need JavaScript. Try a print or plain-text version of it."

    def __init__(self, message: str, *, url: str = "", hint: str | None = None, frames: tuple[str, ...] = ()) -> None:
        super().__init__(message, url=url, hint=hint)
        self.frames = frames


class EmptyFileError(EmptyPageError):
    """A file other than a web page does not contain readable text."""

    title = "No readable text in this file"
    default_hint = "Check that the file opens in its program and contains text. WebRAG does not read text in images."


class SkeletonPageError(EmptyPageError):
    """The page needs JavaScript. `markdown_url` is the Markdown version that it links to, if any."""

    title = "Page needs JavaScript"

    def __init__(
        self, message: str, *, url: str = "", markdown_url: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, url=url, hint=hint)
        self.markdown_url = markdown_url


class RenderError(FetchError):
    """The optional page renderer is missing, failed or timed out."""

    title = "Could not render the page"
    default_hint = "Try again, or save the page with the browser extension (Settings > Browsers)."


class PreparationError(FetchError):
    """The separate process that parses large or untrusted files crashed or timed out. Nothing was stored."""

    title = "Could not read the file safely"
    default_hint = "The file may be damaged. Try a smaller or simpler version of it."


class SearchError(WebRAGError):
    """The search provider was not reachable or returned an unusable response."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Web search failed"
    default_hint = "Try again in a minute, or choose another provider in Settings > Search provider."


class SearchNotSetUpError(SearchError):
    """The search provider is not set up: a key or an address is missing."""

    title = "Web search is not set up"


class SearchKeyError(SearchError):
    """The provider rejected the key, or the key is not valid for this service."""

    title = "API key rejected"


class SearchQueryError(SearchError):
    """The provider does not support this query, region or language."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Search not possible"
    default_hint = "Use a shorter query, a two-letter country code as region, and a language code such as en or pt-BR."


class SearchLimitError(SearchError):
    """The provider's rate limit is reached. `retry_after` is in seconds, or None if the provider does not name it."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Search limit reached"

    def __init__(self, message: str, *, retry_after: float | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class SearchTimeoutError(SearchError):
    """The provider did not respond in time."""

    code = ErrorCode.TIMEOUT
    title = "Search timed out"
    default_hint = "Try again, or increase the page timeout in Settings > Crawling."


class FileAccessError(WebRAGError):
    """A file or folder is not readable, or is outside the added folders."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "File or folder not accessible"
    default_hint = "Check that it exists, that you can read it, and that it is not a link to another location."


class UnknownJobError(InvalidArgumentError):
    """There is no background job with this ID, or its state does not allow the action."""

    title = "Job not found"
    default_hint = "Activity > Jobs, status without arguments, and webrag jobs in a terminal list all jobs."


class CorpusError(WebRAGError):
    """The corpus file cannot be opened."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Cannot open the library"
    default_hint = "Run webrag verify in a terminal to find the cause."


class CorpusDamagedError(CorpusError):
    """A part of the corpus file is corrupt. The requested data may be missing."""

    title = "Library damaged"
    default_hint = (
        "Restore the latest backup or repair the library in Settings > Storage, or with webrag restore in a terminal."
    )


class DiskFullError(CorpusError):
    """The disk of the corpus is full. Reading still works."""

    title = "Disk full"
    default_hint = "Free some disk space. WebRAG then continues automatically."


class CorpusTooNewError(CorpusError):
    """A newer version of WebRAG wrote the file."""

    title = "Library created by a newer version"
    default_hint = "Update WebRAG Desktop, or start it with a different data directory (--data-dir)."


class DamagedCopyError(CorpusError):
    """The file and its write-ahead log were copied at different times and do not match."""

    title = "Damaged copy of a library"
    default_hint = "Quit WebRAG before you copy its folder, or restore a backup."


class LibraryUpdatingError(CorpusError):
    """A new version of the program updates the file of an earlier one."""

    title = "Library is being updated"
    default_hint = "Try again in a minute. No page is lost."


class CorpusBusyError(CorpusError):
    """Another process locked the file for longer than the busy timeout, or too many reads are queued in this process."""

    title = "Library busy"
    default_hint = "Try again in a few seconds."


class LibraryAwayError(CorpusError):
    """The database of a shared library is not reachable."""

    title = "Library not reachable"
    default_hint = "Check that the database server is running and reachable. WebRAG reconnects automatically."


class LibraryForbiddenError(CorpusError):
    """A shared library denied the request because the user lacks permission."""

    code = ErrorCode.SCOPE_VIOLATION
    title = "Access denied by the library"
    default_hint = "Ask an owner of the collection or the administrator of the library."


class DatabaseRefusesError(LibraryForbiddenError):
    """The database of a shared library denied access to WebRAG itself: wrong credentials or role."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    default_hint = "Ask your database administrator for the role webrag_node, or webrag_owner to run init and migrate."


class LibrarySignInError(WebRAGError):
    """The user is not signed in to a shared library, or the sign-in has expired."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Sign in to the library"
    default_hint = "Sign in again in Settings > Shared libraries, or with webrag shared join in a terminal."


class LibraryTokenNeededError(LibrarySignInError):
    """A shared library uses one access token for all users instead of a sign-in."""

    default_hint = "Ask the library's administrator for the access token and enter it."


class EmbedderError(WebRAGError):
    """Embedding failed. Keyword search still works."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Search model not available"
    default_hint = "Reinstall WebRAG, or choose another model in Settings > Search model."


class ModelNotAddedError(EmbedderError):
    """A model could not be downloaded, copied or removed."""

    title = "Search model not added"
    default_hint = "The current model stays in use."


class EmbeddingMismatchError(EmbedderError):
    """Stored vectors come from a different embedding model."""

    title = "Library uses a different search model"
    default_hint = "WebRAG is re-embedding your pages. Until it is done, it finds them by keyword only."


class GraphDisabledError(WebRAGError):
    """The graph is turned off."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Graph turned off"
    default_hint = "Turn it on in Settings > Graph. Until then, use kb.search."


class AlreadyRunningError(WebRAGError):
    """Another instance uses this data directory."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Already running"
    default_hint = "Use the running WebRAG, or pass a different --data-dir."


class NotRunningError(WebRAGError):
    """No running instance uses this data directory."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Not running"
    default_hint = "Start WebRAG Desktop, or run webrag serve in a terminal."


class PausedError(WebRAGError):
    """The user paused the running instance."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Paused"
    default_hint = "Resume WebRAG in its window or tray menu, then try again."


class BusyError(WebRAGError):
    """Too many simultaneous calls, or too many in a short time."""

    code = ErrorCode.BUDGET_EXCEEDED
    title = "Busy"
    default_hint = "Wait the given number of seconds, then call again."

    def __init__(self, message: str, *, retry_after: float, hint: str | None = None) -> None:
        super().__init__(message, hint=hint, details={"retryAfter": math.ceil(10 * retry_after) / 10})
        self.retry_after = retry_after


class CallTimeoutError(WebRAGError):
    """A call exceeded its hard time limit."""

    code = ErrorCode.TIMEOUT
    title = "Timed out"
    default_hint = "Retry with expansion_budget=0, or request a more specific page."


class ClientConfigError(WebRAGError):
    """A client's configuration file cannot be changed safely; nothing was written."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Assistant configuration not changed"
    default_hint = "Repair the file manually, then try again."


class PairingError(WebRAGError):
    """A browser could not be paired."""

    code = ErrorCode.INVALID_ARGUMENT
    title = "Browser not paired"
    default_hint = "Show a new code in Settings > Browsers and enter it in the extension."


class UpdateCheckError(WebRAGError):
    """The update feed is invalid."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Update check failed"


class WorkCancelledError(WebRAGError):
    """The user canceled a long operation, which did not produce a result."""

    title = "Canceled"
    default_hint = "Nothing was changed."


class AutostartError(WebRAGError):
    """The system's list of login items cannot be changed."""

    code = ErrorCode.BACKEND_UNAVAILABLE
    title = "Could not change start at login"
    default_hint = "Try again, or change it in your system settings."
