"""Which machines may be reached: a name is resolved once, and only its checked addresses are connected to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from app.errors import AddressDeniedError, FetchError
from app.web.urls import normalise_host

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host, as text; raises OSError when it has none."""

_LOOKUPS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="webrag-dns")


def _table(*rows: tuple[str, str]) -> tuple[tuple[Network, str], ...]:
    return tuple((ip_network(network), reason) for network, reason in rows)


_METADATA: Final = frozenset(
    map(ip_address, ("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"))
)
"""Where cloud machines hand out their own credentials."""

METADATA_REASON: Final = "a cloud metadata service"
THIS_COMPUTER: Final = "this computer"
_METADATA_HINT: Final = "Such addresses are never read, whatever the settings allow."

_NAT64: Final = IPv6Network("64:ff9b::/96")
_GLOBAL_IPV6: Final = IPv6Network("2000::/3")

# IANA special-purpose address registries, written out because `ipaddress` changes with the version of Python.
_SPECIAL: Final = _table(
    ("0.0.0.0/8", "an unspecified address"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "a provider's internal network"),
    ("127.0.0.0/8", THIS_COMPUTER),
    ("169.254.0.0/16", "a link-local address"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "a reserved address"),
    ("192.0.2.0/24", "a reserved address"),
    ("192.88.99.0/24", "a reserved address"),
    ("192.168.0.0/16", "a private network"),
    ("198.18.0.0/15", "a reserved address"),
    ("198.51.100.0/24", "a reserved address"),
    ("203.0.113.0/24", "a reserved address"),
    ("224.0.0.0/4", "a multicast address"),
    ("240.0.0.0/4", "a reserved address"),
    ("::/128", "an unspecified address"),
    ("::1/128", THIS_COMPUTER),
    ("::/96", "an IPv4 address in disguise"),
    ("::ffff:0:0/96", "an IPv4 address in disguise"),
    ("2001::/23", "a reserved address"),
    ("2001:db8::/32", "a reserved address"),
    ("2002::/16", "an IPv4 address in disguise"),
    ("3fff::/20", "a reserved address"),
    ("fc00::/7", "a private network"),
    ("fe80::/10", "a link-local address"),
    ("fec0::/10", "a private network"),
    ("ff00::/8", "a multicast address"),
)


class AddressPolicy:
    """Public addresses only, apart from what the user opened.

    `allow_networks` opens networks ("10.1.0.0/16"); `allow_hosts` opens a name wherever it leads
    ("wiki.corp", or "*.corp" for all names below it); `deny_hosts` closes a site with its subdomains,
    whatever else is allowed. Cloud metadata addresses never open.
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
        """Close these sites from now on, and no others."""
        self._denied = frozenset().union(*_host_rules(hosts))

    def check_host(self, host: str) -> None:
        """Raise AddressDeniedError when the user closed this site."""
        if any(name in self._denied for name in _with_parents(host)):
            hint = "Unblock it in Settings > Crawling."
            raise AddressDeniedError(f"{host} is on the list of blocked sites.", hint=hint)

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses to connect to, all of them checked.

        Raises AddressDeniedError when a single one is denied, FetchError when the name is unknown.
        """
        self.check_host(host)
        addresses = await self._lookup(host, port)
        for address in addresses:
            if reason := self.refusal(host, address):
                where = "" if address == host else f" ({address})"
                hint = _METADATA_HINT if reason == METADATA_REASON else None
                raise AddressDeniedError(f"{host} is blocked: it leads to {reason}{where}.", hint=hint)
        return addresses

    async def is_own(self, host: str, port: int) -> bool:
        """Whether all addresses of the host are in networks that the user opened."""
        if not self._networks:
            return False
        return all(self._opened(ip_address(address)) for address in await self._lookup(host, port))

    def refusal(self, host: str, address: str) -> str:
        """Why this address of the host may not be connected to; empty when it may."""
        ip = _unwrapped(ip_address(address))
        if ip in _METADATA:
            return METADATA_REASON
        if self._opened(ip) or self._named(host):
            return ""
        return special_purpose(ip)

    def _named(self, host: str) -> bool:
        return host in self._names or any(parent in self._parents for parent in _with_parents(host)[1:])

    def _opened(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    async def _lookup(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = tuple(dict.fromkeys(await self._resolver(host, port)))
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FetchError(f"The name {host} could not be found: {reason}.", hint=_DNS_HINT) from error
        if not found:
            raise FetchError(f"The name {host} has no address.", hint=_DNS_HINT)
        return found


_DNS_HINT: Final = "Check the spelling of the address and the connection to the internet."


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The operating system's answer, got on own threads so that a slow name blocks nobody else."""
    lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    rows = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, lookup)
    return [str(row[4][0]) for row in rows]


def kind_of(address: str) -> str:
    """What kind of non-public address a connection to this one reaches; empty for a public one."""
    return special_purpose(_unwrapped(ip_address(address)))


def special_purpose(address: Address) -> str:
    """What kind of non-public address this is; empty for a public one."""
    for network, reason in _SPECIAL:
        if address in network:
            return reason
    if address.version == 6 and address not in _GLOBAL_IPV6:
        return "a reserved address"
    return ""


def _unwrapped(address: Address) -> Address:
    """The IPv4 address behind a NAT64 one (RFC 6052), the only way to IPv4 where a network has none."""
    if address.version == 6 and address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _host_rules(entries: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Plain names, and names written as "*.name"."""
    plain: set[str] = set()
    wild: set[str] = set()
    for entry in entries:
        (wild if entry.startswith("*.") else plain).add(normalise_host(entry.removeprefix("*.").strip("[]")))
    return frozenset(plain), frozenset(wild)


def _with_parents(host: str) -> list[str]:
    labels = host.split(".")
    return [".".join(labels[index:]) for index in range(len(labels))]
