"""Normalize URLs, so that one page has one name and no spelling bypasses the address policy."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import urljoin, urlsplit

from app import caps
from app.errors import InvalidURLError
from app.library.scope import DEFAULT_PORTS, library_of
from app.text.refresh import with_slashes
from app.text.sentence import sentence

MAX_HOST_CHARS: Final = 253
STORED_THERE: Final = "It is stored there. Query it with search or web_read_from_page, or read it with kb_read_excerpt."
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_UNSAFE: Final = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/]")
_QUERY_UNSAFE: Final = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]")
_ROUTE: Final = re.compile(r"!?/.")
_SEVERAL: Final = re.compile(r"[\s,]https?://", re.IGNORECASE)
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_BRACKETED: Final = re.compile(r"\[[0-9A-Fa-f:.](?=[^:\]]*:)[0-9A-Fa-f:.]++\](:[0-9]*)?")


def normalise_url(url: str) -> str:
    """Return the normalized form of an http(s) URL without fragment; equal results mean the same address.

    Host in lowercase ASCII (IDNA 2008 with UTS 46, numeric forms as dotted IPv4), no default port, no dot segments, percent-encoding as
    in RFC 3986 section 6.2.2. Raises InvalidURLError for other schemes, credentials and invalid URLs.
    """
    text = re.sub(r"\A<(.*)>\Z", r"\1", url.strip())  # delimiters of an address in a text (RFC 3986, appendix C)
    _check_length(text)
    if _SEVERAL.search(text):
        hint = "Pass each address separately."
        raise InvalidURLError(sentence("{} contains several addresses.", _short(text)), hint=hint, url=_short(text))
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidURLError(
            sentence("{} is not a web address ({}).", _short(text), error), url=_short(text)
        ) from error
    if parts.scheme not in DEFAULT_PORTS:
        if library := library_of(text):
            told = sentence("{} is a page in the library {}, not on the web.", _short(text), library)
            raise InvalidURLError(told, hint=STORED_THERE, url=_short(text))
        raise InvalidURLError(sentence("{} is not an http:// or https:// address.", _short(text)), url=_short(text))
    if "@" in parts.netloc:
        hint = "Remove the part before the @ from the address."
        raise InvalidURLError(sentence("The address contains a user name or password."), hint=hint)
    if "[" in parts.netloc and not _BRACKETED.fullmatch(parts.netloc):
        raise InvalidURLError(sentence("{} contains an invalid IPv6 address.", _short(text)), url=_short(text))
    path = _without_dot_segments(_PATH_UNSAFE.sub(_escape, parts.path))
    query = f"?{_QUERY_UNSAFE.sub(_escape, parts.query)}" if parts.query else ""
    try:
        netloc = _netloc(parts.scheme, host, port)
    except InvalidURLError as error:
        error.url = _short(text)
        raise
    result = f"{parts.scheme}://{netloc}{path}{query}"
    _check_length(result)
    return result


def tab_address(url: str) -> str:
    """Return the address of a browser tab: normalized, with the route of a single-page application.

    A fragment that begins with / or !/ is a route, which scripts show as a separate page. Any other is a position on one page.
    """
    address, _, fragment = url.strip().partition("#")
    if not _ROUTE.match(fragment):
        return normalise_url(address)
    result = f"{normalise_url(address)}#{_QUERY_UNSAFE.sub(_escape, fragment)}"
    _check_length(result)
    return result


def join_url(base: str, reference: str) -> str:
    """Return a link or redirect target resolved against its page and normalized. Raises InvalidURLError."""
    try:
        return normalise_url(urljoin(base, with_slashes(reference.strip())))
    except ValueError as error:
        raise InvalidURLError(sentence("{} is not a web address ({}).", _short(reference), error)) from error


def host_of(url: str) -> str:
    """Return the host of a normalized URL, without brackets and port."""
    return urlsplit(url).hostname or ""


def origin_of(url: str) -> str:
    """Return scheme, host and port of a normalized URL, without a trailing slash."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def same_site(first: str, second: str) -> bool:
    """Whether two normalized URLs have the same host, except for "www.", and port; schemes may differ."""
    return _site(first) == _site(second)


def normalise_host(host: str) -> str:
    """Return the normalized host name or address; IPv6 without brackets. Raises InvalidURLError."""
    if ":" in host:
        try:
            address = IPv6Address(host)
        except ValueError as error:
            raise InvalidURLError(sentence("{} is not an IP address.", repr(_short(host)))) from error
        if address.scope_id is not None:
            raise InvalidURLError(sentence("{} contains a network interface.", repr(_short(host))))
        return str(address)
    name = host
    if not host.isascii():
        import idna

        try:
            name = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError as error:
            raise InvalidURLError(sentence("{} is not a host name ({}).", repr(_short(host)), error)) from error
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(name)
    if len(name) > MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidURLError(sentence("{} is not a host name.", repr(_short(host))))
    return name


def _site(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.port


def _ipv4(name: str) -> str:
    """Return the dotted form of an IPv4 address in any notation (WHATWG URL, "IPv4 parser")."""
    parts = name.split(".")
    try:
        numbers = [_number(part) for part in parts]
        if len(parts) > 4 or any(number > 255 for number in numbers[:-1]):
            raise ValueError
        if numbers[-1] >= 256 ** (5 - len(parts)):
            raise ValueError
    except ValueError as error:
        raise InvalidURLError(sentence("{} is not an IP address.", repr(_short(name)))) from error
    value = numbers[-1] + sum(number << (24 - 8 * index) for index, number in enumerate(numbers[:-1]))
    return str(IPv4Address(value))


def _number(part: str) -> int:
    if not _NUMBER.fullmatch(part):
        raise ValueError(part)
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") else 10)


def _netloc(scheme: str, host: str, port: int | None) -> str:
    name = normalise_host(host)
    if port == 0:
        raise InvalidURLError(sentence("{} cannot be used with port 0.", name))
    bracketed = f"[{name}]" if ":" in name else name
    return bracketed if port in (None, DEFAULT_PORTS[scheme]) else f"{bracketed}:{port}"


def _check_length(url: str) -> None:
    if len(url) > caps.MAX_URL_CHARS:
        message = sentence("The address is longer than {} characters.", caps.MAX_URL_CHARS)
        raise InvalidURLError(message, url=_short(url))


def _escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _without_dot_segments(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _short(text: str) -> str:
    return text if len(text) <= caps.MAX_URL_CHARS_IN_ERRORS else text[: caps.MAX_URL_CHARS_IN_ERRORS - 1] + "…"
