"""Error texts: the templates of the contract, and shorter ones for calls that never reached retrieval."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import BusyError, ErrorCode, FetchError, InvalidArgumentError, InvalidURLError, WebRAGError
from app.events import CallFailure
from app.logs import redact
from app.text.page_text import address, one_line

if TYPE_CHECKING:
    from app.ingest.outcome import IngestedPage

_POSIX_PATH = re.compile(
    r"(?<![\w:/.~-])(?:~|/(?:home|Users|root|tmp|var|etc|opt|usr|private|mnt|media|srv|Library))(?:/[^\s'\":,;)\]]+)+"
)
_WINDOWS_PATH = re.compile(r"(?<![\w/])(?:[A-Za-z]:\\|\\\\)(?:[^\\\n'\":]*\\)*[^\s'\":,;)\]]*")

_GIVEN: Final = "\ufffc"  # Placeholder for the caller's own path while other paths of this machine are removed.
_ARGUMENT: Final = re.compile(r"`([\w.\[\]-]+)`")  # The first name in a message about arguments: the invalid one.

FAILURE: Final = """\
[ERROR]
WebRAG encountered an error during retrieval.

Error type: {kind} ({code})
Details: {details}

The knowledge retrieval service was unable to complete this query. Possible causes:
- The URL may be unreachable or return an error.
- An external API (embedding, reranker) may be temporarily unavailable.
- The database connection may have failed.

Please inform the user of this error. Do not attempt to answer from memory — \
the tool was called because specific source material was needed.{next_step}"""

TIMEOUT: Final = """\
[ERROR]
WebRAG timed out after {seconds}s.

The orchestration pipeline did not complete within the allowed time. This may indicate:
- A very large page requiring extensive indexing.
- Many expansion iterations with slow external APIs.
- Network latency to external services.

Suggestion: Retry with expansion_budget=0 to skip expansion, or try a more specific URL.

Error type: CallTimeoutError ({code})"""

REPORT_DEFECT: Final = "Try again. If it happens again, ask the user to report it with the log file."

REFUSAL: Final = """\
[ERROR]
{opening}

Error type: {kind} ({code})
Details: {details}{next_step}"""


def failure_text(error: WebRAGError) -> str:
    """Return the full-failure template for a known error."""
    return FAILURE.format(
        kind=type(error).__name__,
        code=error.code,
        details=_details(error) + _where(error),
        next_step=_last_step(error.hint),
    )


def error_text(error: WebRAGError) -> str:
    """Return the template for a known error."""
    if isinstance(error, BusyError):
        return busy_text(error)
    return argument_text(error) if isinstance(error, InvalidArgumentError | InvalidURLError) else failure_text(error)


def failure_of(error: WebRAGError) -> CallFailure:
    """Return the error for the Activity page: details, next step and subject."""
    named = _ARGUMENT.match(error.message) if isinstance(error, InvalidArgumentError) else None
    return CallFailure(
        error.title,
        _details(error) + ("" if isinstance(error, InvalidArgumentError) else _where(error)),
        safe(error.hint),
        redact(error.url) if isinstance(error, FetchError) else "",
        named[1] if named else "",
    )


def error_fields(error: WebRAGError) -> dict[str, str]:
    """Return the error as programs of the user get it: the command line and the browser extension."""
    return {"code": error.code.value, "title": error.title, "message": error.message, "hint": error.hint}


def unread_failure(page: IngestedPage) -> CallFailure:
    """Return the same for a page that `ingest` could not read."""
    return CallFailure("Page could not be read", safe(page.failure_reason), safe(page.note), redact(page.url))


def _details(error: WebRAGError) -> str:
    """Return the message. A path from the caller stays in it, because the caller has to correct it."""
    given = str(error.details.get("path", ""))[: caps.MAX_ARGUMENT_CHARS_SHOWN]
    message = error.message
    for spelling in filter(None, (ascii(given)[1:-1], given)):
        message = message.replace(spelling, _GIVEN)
    return safe(message).replace(_GIVEN, one_line(redact(given)))


def _where(error: WebRAGError) -> str:
    """Return the address of an unreadable page if the message only names its host."""
    url = error.url if isinstance(error, FetchError) else ""
    return f" Address: {address(redact(url), caps.MAX_URL_CHARS_SHOWN)}" if url and url not in error.message else ""


def internal_text(request: str) -> str:
    """Return the full-failure template for a defect; it only refers to the log."""
    return FAILURE.format(
        kind="InternalError",
        code=ErrorCode.INTERNAL_ERROR,
        details=f"Unexpected error in WebRAG; see {request} in its log.",
        next_step=_last_step(REPORT_DEFECT),
    )


def timeout_text(seconds: float) -> str:
    return TIMEOUT.format(seconds=f"{seconds:g}", code=ErrorCode.TIMEOUT)


def argument_text(error: WebRAGError) -> str:
    """Return the text for invalid arguments: the model can correct them without telling the user."""
    return _refusal("The arguments of this call are invalid.", error)


def busy_text(error: WebRAGError) -> str:
    """Return the text for a call that was refused because there are too many."""
    return _refusal("WebRAG is busy and did not start this call.", error)


def disabled_text(message: str) -> str:
    return f"[ERROR]\n{message}\n\nError type: InvalidArgumentError ({ErrorCode.INVALID_ARGUMENT})"


def safe(text: str) -> str:
    """Return a message without secrets, user paths and line breaks, bounded in length."""
    text = redact(text)
    text = _WINDOWS_PATH.sub("[path]", _POSIX_PATH.sub("[path]", text))
    return one_line(text, caps.MAX_DETAIL_CHARS)


def _refusal(opening: str, error: WebRAGError) -> str:
    return REFUSAL.format(
        opening=opening,
        kind=type(error).__name__,
        code=error.code,
        details=_details(error),
        next_step=_next_step(error.hint),
    )


def _next_step(hint: str) -> str:
    return f"\nNext step: {safe(hint)}" if hint else ""


def _last_step(hint: str) -> str:
    """Return the same for the end of a template whose own lines are part of the contract."""
    step = _next_step(hint)
    return f"\n{step}" if step else ""
