"""What went wrong on the way to a page, in plain sentences."""

from __future__ import annotations

import math
import ssl
import time
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from app.errors import AddressDeniedError, ContentProtectedError, FetchError, FetchTimeoutError, HTTPStatusError
from app.web.urls import host_of


def timeout_error(url: str, seconds: float) -> FetchTimeoutError:
    """The exchange was cut off at its time limit."""
    milliseconds = round(seconds * 1000)
    return FetchTimeoutError(
        f"{host_of(url)} did not deliver the page in time (REQUEST_TIMEOUT_MS is {milliseconds}).", url=url
    )


def transport_error(error: Exception, url: str, seconds: float) -> FetchError:
    """A FetchError for a failure below HTTP: connecting, TLS, a broken or garbled answer."""
    host = host_of(url)
    if isinstance(error, httpx.TimeoutException):
        return timeout_error(url, seconds)
    if certificate := _cause(error, ssl.SSLCertVerificationError):
        return FetchError(
            f"The certificate of {host} is not valid: {getattr(certificate, 'verify_message', certificate)}.",
            url=url,
            hint="Check the date of this computer. A company's own authority must be known to the system.",
        )
    if _cause(error, ssl.SSLError):
        message, hint = f"No secure connection to {host} could be made.", "Try the address with http://."
        return FetchError(message, url=url, hint=hint)
    if isinstance(error, httpx.ConnectError):
        reason = "refused the connection" if _cause(error, ConnectionRefusedError) else "cannot be reached"
        return FetchError(f"{host} {reason}.", url=url)
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError):
        return FetchError(f"{host} broke off the connection before the page was complete.", url=url)
    return FetchError(f"The connection to {host} failed: {str(error) or type(error).__name__}.", url=url)


def status_error(status: int, url: str, retry_after: float | None) -> FetchError:
    """The error for a status that is neither success nor redirect nor an asked-for 304."""
    host = host_of(url)
    if status in (401, 402, 403):
        return ContentProtectedError(f"content protected: {host} answered {_named(status)}.", url=url)
    if status == 404:
        message, hint = f"{host} has no page at this address (404).", "Check the address for mistakes."
    elif status == 410:
        message, hint = f"{host} has removed this page for good (410).", "Look for the page's new place."
    elif status == 429 or (status == 503 and retry_after is not None):
        wait = "for fewer requests" if retry_after is None else f"to wait {seconds_text(retry_after)}"
        message, hint = f"{host} asks {wait} ({status}).", "Try again after that time."
    elif status >= 500:
        message, hint = f"{host} has a problem of its own: {_named(status)}.", "Try again later."
    else:
        message, hint = f"{host} answered {_named(status)}.", "Check that the address opens in a browser."
    return HTTPStatusError(message, url=url, status=status, hint=hint)


def redirected(error: AddressDeniedError, start: str, url: str) -> AddressDeniedError:
    """The refusal of an address that nobody named but a redirect."""
    return AddressDeniedError(
        f"{host_of(start)} redirects to a closed address. {error.message}", url=url, hint=error.hint
    )


def seconds_text(seconds: float) -> str:
    """Whole seconds in words, rounded up."""
    whole = math.ceil(seconds)
    return "1 second" if whole == 1 else f"{whole} seconds"


def retry_after_seconds(value: str | None) -> float | None:
    """Seconds from a Retry-After header, a number or a date; None when it is missing or garbage."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _cause(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """The first exception of this kind in the chain of causes."""
    current: BaseException | None = error
    while current is not None:
        if isinstance(current, kind):
            return current
        current = current.__cause__ or current.__context__
    return None
