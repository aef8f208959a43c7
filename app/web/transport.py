"""Connections that go to checked addresses only; TLS and Host header still carry the name."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final

import httpcore
import httpx

from app import caps
from app.web.address import AddressPolicy

_QUICKACK: Final[int | None] = getattr(socket, "TCP_QUICKACK", None)


class PromptStream(httpcore.AsyncNetworkStream):
    """A stream that acknowledges at once, where the system lets it.

    Servers that send headers and body apart wait for the acknowledgement of the headers, which systems put
    off for 40 ms and more on a connection that is used again.
    """

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream
        self._socket = stream.get_extra_info("socket")

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if _QUICKACK is not None and self._socket is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        return PromptStream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Opens sockets. Here a name becomes an address, so that no second answer of the DNS can slip in."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = (await self._policy.resolve(host, port))[: caps.MAX_ADDRESSES_TRIED]
        deadline = time.monotonic() + (timeout if timeout is not None else caps.MAX_CONNECT_SECONDS)
        connect = partial(
            self._sockets.connect_tcp, port=port, local_address=local_address, socket_options=socket_options
        )
        for address in addresses[:-1]:
            patience = min(caps.FIRST_ADDRESS_SECONDS, deadline - time.monotonic())
            try:
                return PromptStream(await connect(address, timeout=max(patience, 0.0)))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        left = max(deadline - time.monotonic(), 0.0)
        return PromptStream(await connect(addresses[-1], timeout=left))

    async def sleep(self, seconds: float) -> None:
        await self._sockets.sleep(seconds)


class CheckedTransport(httpx.AsyncHTTPTransport):
    """httpx's transport over a pool whose sockets come from CheckedBackend."""

    def __init__(self, policy: AddressPolicy, context: ssl.SSLContext, *, connections: int) -> None:
        super().__init__(verify=context, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=caps.WEB_KEEPALIVE_SECONDS,
            network_backend=CheckedBackend(policy),
        )


@cache
def tls_context() -> ssl.SSLContext:
    """Trusts the bundled list and what the system adds (a company's own authority). Made once, in 40 ms."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context
