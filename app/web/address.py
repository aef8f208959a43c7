"""Decide which machines can be reached: a name is resolved once, and only its checked addresses are used."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from app.errors import AddressDeniedError, FetchError, InvalidURLError, SettingsError
from app.text.sentence import sentence
from app.web.urls import normalise_host

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host as text; raises OSError if it has none."""

_LOOKUPS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="webrag-dns")


_METADATA: Final = frozenset(map(ip_address, (
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200", "192.0.0.192",
    "fd00:ec2::23", "fd00:ec2::254", "fd20:ce::254",
)))  # fmt: skip
"""Addresses where cloud machines publish their own credentials."""

METADATA_REASON: Final = sentence("a cloud metadata service")
LINK_LOCAL: Final = sentence("a link-local address")
THIS_COMPUTER: Final = sentence("this computer")
_PRIVATE: Final = sentence("a private network")
_RESERVED: Final = sentence("a reserved address")
_UNSPECIFIED: Final = sentence("an unspecified address")
_PROVIDERS: Final = sentence("a provider's internal network")
_MULTICAST: Final = sentence("a multicast address")
_DISGUISED: Final = sentence("an IPv4 address written as IPv6")
_NEVER_OPEN: Final = IPv4Network("169.254.0.0/16")  # Used by many cloud services, but never by pages that people read.
_NEVER_HINT: Final = "WebRAG never reads such addresses. Use another address of this page."
_INSIDE_HINT: Final = "Enter this address yourself. Public pages cannot lead to networks that you allowed."
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
_TEREDO: Final = IPv6Network("2001::/32")
_CARRIERS: Final = (
    *((IPv6Network(network), 0) for network in ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96")),
    (_NAT64, 0), (_LOCAL_NAT64, 0), (IPv6Network("2002::/16"), 80), (_TEREDO, 64),
)  # fmt: skip
"""IPv6 networks whose addresses contain an IPv4 one, and its bit shift: IPv4-mapped, IPv4-translated, IPv4-compatible (RFC 4291), NAT64
(RFC 6052, RFC 8215), 6to4 (RFC 3056), the server of Teredo (RFC 4380).
"""
_ISATAP: Final = 0x5EFE
_32_BITS: Final = 0xFFFF_FFFF
_GLOBAL_IPV6: Final = IPv6Network("2000::/3")

_SERVICE_PORTS: Final = frozenset((
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115,
    117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601,
    636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
    10080,
))  # fmt: skip
"""The ports that browsers block (WHATWG Fetch, "port blocking"): a line-based service could take an HTTP request for its own protocol."""

# The IANA special-purpose address registries, listed here because `ipaddress` changes between versions of Python.
_SPECIAL: Final = tuple(
    (ip_network(network), reason)
    for reason, networks in (
        (_UNSPECIFIED, "0.0.0.0/8 ::/128"),
        (THIS_COMPUTER, "127.0.0.0/8 ::1/128"),
        (_PRIVATE, "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10"),
        (_PROVIDERS, "100.64.0.0/10"),
        (LINK_LOCAL, "169.254.0.0/16 fe80::/10"),
        (
            _RESERVED,
            "192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4",
        ),
        (_RESERVED, "2001::/23 2001:db8::/32 3fff::/20"),
        (_MULTICAST, "224.0.0.0/4 ff00::/8"),
        (_DISGUISED, "::/96 ::ffff:0:0/96 2002::/16"),
    )
    for network in networks.split()
)


class AddressPolicy:
    """Allows only public addresses, and the ones that the user opened.

    `allow_networks` opens networks ("10.1.0.0/16"). `allow_hosts` opens a name with any address ("wiki.corp", or "*.corp" for all names
    below it). `deny_hosts` blocks a site with its subdomains in any case. Cloud metadata and 169.254.0.0/16 are always blocked.
    """

    def __init__(
        self,
        allow_networks: Iterable[str] = (),
        allow_hosts: Iterable[str] = (),
        deny_hosts: Iterable[str] = (),
        *,
        resolver: Resolver | None = None,
    ) -> None:
        self._networks = tuple(ip_network(text, strict=False) for text in allow_networks)
        self._names, self._parents = _host_rules(allow_hosts)
        self.deny(deny_hosts)
        self._resolver = resolver or system_resolver

    def deny(self, hosts: Iterable[str]) -> None:
        """Replace the list of blocked sites."""
        self._denied = frozenset().union(*_host_rules(hosts))

    def check_host(self, host: str) -> None:
        """Raise AddressDeniedError if the user blocked this site."""
        if any(name in self._denied for name in _with_parents(host)):
            hint = "Unblock it in Settings > Crawling."
            raise AddressDeniedError(sentence("{} is on your list of blocked sites.", host), hint=hint)

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """Return the addresses to connect to, all checked; within `public_only()`, only public ones.

        Raises AddressDeniedError if a single address or the port is blocked, FetchError if the name is unknown.
        """
        self.check_host(host)
        if port in _SERVICE_PORTS:
            raise AddressDeniedError(
                sentence(
                    "{}:{} is blocked: port {} is reserved for services other than the web, such as email.",
                    host,
                    port,
                    port,
                ),
                hint="Use another port. Browsers block this one too.",
            )
        addresses = await self._lookup(host, port)
        for address in addresses:
            reason, hint = self.refusal(host, address), None
            if reason and _is_never_open(ip_address(address)):
                hint = _NEVER_HINT
            elif not reason and _PUBLIC_ONLY.get():
                reason, hint = kind_of(address), _INSIDE_HINT
            if reason:
                where = "" if address == host else f" ({address})"
                raise AddressDeniedError(sentence("{} is blocked: it leads to {}{}.", host, reason, where), hint=hint)
        return addresses

    @property
    def has_openings(self) -> bool:
        """Whether the user opened anything in addition to the public internet."""
        return bool(self._networks or self._names or self._parents)

    async def is_own(self, host: str, port: int) -> bool:
        """Whether all addresses of the host are in networks that the user opened."""
        if not self._networks:
            return False
        return all(self._opened(ip_address(address)) for address in await self._lookup(host, port))

    async def is_inside(self, host: str, port: int) -> bool:
        """Whether the host is outside the public internet; False for a host without an address."""
        try:
            return any(kind_of(address) for address in await self._lookup(host, port))
        except FetchError:
            return False

    async def is_public(self, host: str, port: int) -> bool:
        """Whether all addresses of the host are public. Raises FetchError if none is known."""
        return not any(kind_of(address) for address in await self._lookup(host, port))

    def refusal(self, host: str, address: str) -> str:
        """Return why connections to this address of the host are blocked; empty if they are allowed."""
        plain = ip_address(address)
        if _is_never_open(plain):
            return METADATA_REASON if any(form in _METADATA for form in forms_of(plain)) else LINK_LOCAL
        ip = _unwrapped(plain)
        is_named = host in self._names or any(parent in self._parents for parent in _with_parents(host)[1:])
        return "" if is_named or self._opened(ip) else special_purpose(ip)

    def _opened(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    async def _lookup(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = tuple(dict.fromkeys(await self._resolver(host, port)))
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = sentence("The host {} was not found ({}).", host, reason)
            raise FetchError(message, hint=_DNS_HINT, title=FetchError.unreachable_title) from error
        if not found:
            message = sentence("The host {} does not have an IP address.", host)
            raise FetchError(message, hint=_DNS_HINT, title=FetchError.unreachable_title)
        return found


_DNS_HINT: Final = "Check the spelling of the address and your internet connection."


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the operating system, on separate threads so that a slow name does not block other work."""
    lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    rows = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, lookup)
    return [str(row[4][0]) for row in rows]


_PUBLIC_ONLY: ContextVar[bool] = ContextVar("_PUBLIC_ONLY", default=False)


@contextmanager
def public_only() -> Iterator[None]:
    """Block addresses that only the user opened, for targets that a public page leads to."""
    token = _PUBLIC_ONLY.set(True)
    try:
        yield
    finally:
        _PUBLIC_ONLY.reset(token)


def forms_of(address: Address) -> tuple[Address, ...]:
    """Return the address and every IPv4 address that it can contain."""
    if address.version == 4:
        return (address,)
    value = int(address)
    found = [(value >> shift) & _32_BITS for network, shift in _CARRIERS if address in network]
    if (value >> 32) & 0xFFFF == _ISATAP:
        found.append(value & _32_BITS)
    if address in _TEREDO:
        found.append(~value & _32_BITS)
    if address in _LOCAL_NAT64:
        # RFC 6052: after a prefix of 48 to 64 bits. Bits 64 to 71 do not belong to the IPv4 address.
        bits = ((value >> 64) << 56 | (value & ((1 << 56) - 1))) & ((1 << 120) - 1)
        found += [(bits >> (120 - length - 32)) & _32_BITS for length in (48, 56, 64)]
    return (address, *map(IPv4Address, dict.fromkeys(found)))


def _is_never_open(address: Address) -> bool:
    return any(form in _METADATA or (form.version == 4 and form in _NEVER_OPEN) for form in forms_of(address))


def kind_of(address: str) -> str:
    """Return the kind of non-public address that a connection reaches; empty for a public one."""
    return special_purpose(_unwrapped(ip_address(address)))


def special_purpose(address: Address) -> str:
    """Return the kind of non-public address; empty for a public one."""
    for network, reason in _SPECIAL:
        if address in network:
            return reason
    if address.version == 6 and address not in _GLOBAL_IPV6:
        return _RESERVED
    return ""


def _unwrapped(address: Address) -> Address:
    """Return the IPv4 address in a NAT64 one (RFC 6052), which IPv6-only networks use to reach IPv4."""
    if address.version == 6 and address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _host_rules(entries: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return plain names, and names written as "*.name"."""
    plain: set[str] = set()
    wild: set[str] = set()
    for entry in entries:
        try:
            (wild if entry.startswith("*.") else plain).add(normalise_host(entry.removeprefix("*.").strip("[]")))
        except InvalidURLError as error:
            hint = (
                "Correct the list of blocked or allowed sites. It contains names such as example.com or *.example.com."
            )
            raise SettingsError(sentence("{} is not a host name.", repr(entry)), hint=hint) from error
    return frozenset(plain), frozenset(wild)


def _with_parents(host: str) -> list[str]:
    labels = host.split(".")
    return [".".join(labels[index:]) for index in range(len(labels))]
