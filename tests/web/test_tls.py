"""TLS with a pinned address: the certificate and the server still see the name."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.errors import AddressDeniedError, FetchError
from app.web.address import AddressPolicy
from tests.support.site import Site
from tests.web.conftest import LOOPBACK, MakeFetcher, resolver

pytest.importorskip("cryptography")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass
class Secure:
    """A site behind TLS with a certificate for docs.example, and the names that its clients sent."""

    site: Site
    certificate: Path
    names: list[str | None]


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[Secure]:
    certificate = _self_signed(tmp_path / "docs.pem", "docs.example")
    names: list[str | None] = []
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda connection, name, ctx: names.append(name)
    with Site() as site:
        site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
        site.page("/", "<p>secret</p>")
        yield Secure(site, certificate, names)


def _self_signed(path: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


async def test_certificate_and_host_are_checked_against_the_name(
    make_fetcher: MakeFetcher, secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(cafile=secure.certificate)
    monkeypatch.setattr("app.web.exchange.tls_context", lambda: context)
    names = resolver(docs__example=["127.0.0.1"], other__example=["127.0.0.1"])
    fetcher = make_fetcher(AddressPolicy(LOOPBACK, resolver=names))
    result = await fetcher.fetch(f"https://docs.example:{secure.site.port}/")
    assert result.body == b"<p>secret</p>"
    assert secure.names == ["docs.example"]
    assert secure.site.requests[0].headers["host"] == f"docs.example:{secure.site.port}"
    with pytest.raises(FetchError, match=r"certificate of other\.example is not valid.*[Mm]ismatch"):
        await fetcher.fetch(f"https://other.example:{secure.site.port}/")


async def test_unknown_certificate_authorities_are_rejected(make_fetcher: MakeFetcher, secure: Secure) -> None:
    with pytest.raises(FetchError, match=r"certificate of 127\.0\.0\.1 is not valid \(self-signed") as caught:
        await make_fetcher().fetch(f"https://127.0.0.1:{secure.site.port}/")
    assert caught.value.url == f"https://127.0.0.1:{secure.site.port}/"


async def test_no_tls_where_tls_was_expected(make_fetcher: MakeFetcher, site: Site) -> None:
    with pytest.raises(FetchError, match="Cannot connect securely"):
        await make_fetcher().fetch(f"https://127.0.0.1:{site.port}/")


async def test_an_https_only_fetch_rejects_redirects_to_http(
    make_fetcher: MakeFetcher, secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(cafile=secure.certificate)
    monkeypatch.setattr("app.web.exchange.tls_context", lambda: context)
    fetcher = make_fetcher(AddressPolicy(LOOPBACK, resolver=resolver(docs__example=["127.0.0.1"])))
    with Site() as plain:
        plain.page("/", "<p>changed on the way</p>")
        secure.site.redirect("/feed", plain.url("/"))
        feed = f"https://docs.example:{secure.site.port}/feed"
        assert (await fetcher.fetch(feed)).body == b"<p>changed on the way</p>"
        with pytest.raises(AddressDeniedError, match="https"):
            await fetcher.fetch(feed, https_only=True)
        assert (await fetcher.fetch(feed.replace("/feed", "/"), https_only=True)).body == b"<p>secret</p>"
