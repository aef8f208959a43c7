"""Every spelling of a blocked address, requested directly and as the target of a redirect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from app.errors import AddressDeniedError, FetchError, InvalidURLError
from app.web.address import AddressPolicy
from app.web.records import Occasion
from tests.support.site import Site
from tests.web.conftest import MakeFetcher, resolver

NAMES = {
    "start.example": "127.0.0.1",
    "public.example": "93.184.215.14",
    "localhost": "127.0.0.1",
    "sub.localhost": "127.0.0.1",
    "localhost.localdomain": "127.0.0.1",
    "localhost6": "::1",
    "127.0.0.1.nip.example": "127.0.0.1",
    "metadata.google.internal": "169.254.169.254",
    "metadata": "169.254.169.254",
    "instance-data": "169.254.169.254",
    "printer.local": "192.168.1.9",
    "mixed.example": "93.184.215.14 10.0.0.1",
    "mapped.example": "::ffff:127.0.0.1",
    "translated.example": "64:ff9b::7f00:1",
}
"""A fake DNS. Only start.example is opened by name; it stands for a public site."""

LOOPBACK = (
    *("127.0.0.1", "127.0.0.1.", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F000001"),
    *("0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1", "017700000001", "0000177.0.0.1", "127.0.0.0x1", "0x7f.1."),
    *("localhost", "LOCALHOST", "localhost.", "sub.localhost", "localhost.localdomain", "localhost6"),
    *("127.0.0.1.nip.example", "mapped.example", "translated.example"),
    *("[::1]", "[0:0:0:0:0:0:0:1]", "[::0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]"),
    *("[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:7f00:1::1]"),
    *("[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2001::7f00:1]"),
    *(
        "１２７.0.0.1",
        "１２７．０．０．１",
        "127。0。0。1",
        "127｡0｡0｡1",
        "①②⑦.⓪.⓪.①",
        "𝟭𝟮𝟳.𝟬.𝟬.𝟭",
        "２１３０７０６４３３",
    ),
    *("ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "local\u00adhost", "𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭"),
)
UNSPECIFIED = ("0", "0.0.0.0", "0.1.2.3", "00", "0x0", "[::]", "[0::0]", "[::0.0.0.0]")
PRIVATE = (
    *("10.0.0.1", "10.1", "0xa.1", "167772161", "172.16.0.1", "172.31.255.255", "192.168.0.1", "0300.0250.0.1"),
    *("100.64.0.1", "100.127.255.255", "printer.local", "mixed.example", "[fc00::1]", "[fd12:3456:789a::1]"),
    *("[fec0::1]", "[::ffff:10.0.0.1]", "[::ffff:c0a8:1]", "[2002:a00:1::]", "[2002:c0a8:1::1]", "[64:ff9b::a00:1]"),
)
METADATA = (
    *("169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.16689662", "169.254.43518"),
    *("metadata.google.internal", "metadata.google.internal.", "metadata", "instance-data", "100.100.100.200"),
    *("168.63.129.16", "192.0.0.192", "[fd00:ec2::254]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]"),
    *("[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::]", "１６９.254.169.254"),
)
OTHER = (
    *("169.254.0.1", "[fe80::1]", "224.0.0.1", "239.255.255.255", "[ff02::1]", "[ff0e::1]", "240.0.0.1"),
    *("255.255.255.255", "4294967295", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.7"),
    *("203.0.113.7", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[4000::1]", "[2001:20::1]"),
)
NO_ADDRESS = (
    *(
        "http://[fe80::1%eth0]:{port}/secret",
        "http://[fe80::1%25eth0]:{port}/secret",
        "http://[::1%25lo]:{port}/secret",
    ),
    *("http://public.example@127.0.0.1:{port}/secret", "http://127.0.0.1:{port}@public.example/secret"),
    *("http://a:b@127.0.0.1:{port}/secret", "http://public.example\\@127.0.0.1:{port}/secret"),
    *("http://127.0.0.1\\@public.example:{port}/secret", "http://%31%32%37.0.0.1:{port}/secret"),
    *("http://%6c%6f%63alhost:{port}/secret", "http://256.0.0.1:{port}/secret", "http://0x100000000:{port}/secret"),
    *("http://127.0.0.1.1:{port}/secret", "http://0177.0.0.09:{port}/secret", "http://[::1:{port}/secret"),
    *("http://[::1].example:{port}/secret", "http://127.0.0.1:0/secret", "http://127.0.0.1:65536/secret"),
    *("http://127.0.0.1:{port}:80/secret", "http://local\u200bhost .example:{port}/secret", "file:///etc/passwd"),
    *("ftp://127.0.0.1:{port}/secret", "gopher://127.0.0.1:{port}/secret", "javascript:alert(1)"),
    *("data:text/html,secret", "dict://127.0.0.1:{port}/x", "ws://127.0.0.1:{port}/secret", "blob:http://127.0.0.1/"),
)
CLOSED = [f"http://{host}:{{port}}/secret" for host in (*LOOPBACK, *UNSPECIFIED, *PRIVATE, *METADATA, *OTHER)]
CLOSED += ["http://127.0.0.1\t:{port}/secret", "http://127.0.\n0.1:{port}/secret", "HTTP://127.0.0.1:{port}/secret"]
TABLE = [(url, AddressDeniedError) for url in CLOSED] + [(url, InvalidURLError) for url in NO_ADDRESS]


resolve = resolver(**{name.replace(".", "__"): addresses.split() for name, addresses in NAMES.items()})


@pytest.fixture(scope="module")
def secret() -> Iterator[Site]:
    """A site on loopback whose pages must never be seen."""
    with Site() as site:
        site.page("/secret", "secret")
        yield site


@pytest.fixture
def policy() -> AddressPolicy:
    return AddressPolicy(allow_hosts=["start.example"], resolver=resolve)


@pytest.mark.parametrize(("url", "error"), TABLE, ids=[ascii(url) for url, _ in TABLE])
async def test_blocked_addresses_are_rejected(
    make_fetcher: MakeFetcher, secret: Site, policy: AddressPolicy, url: str, error: type[FetchError]
) -> None:
    target = url.format(port=secret.port)
    fetcher = make_fetcher(policy)
    with pytest.raises(error) as caught:
        await fetcher.fetch(target)
    assert caught.value.hint
    assert error is InvalidURLError or caught.value.url.startswith("http://")
    # Header lines cannot contain line ends, and non-ASCII characters are sent as UTF-8.
    location = target.replace("\n", "").encode().decode("latin-1")
    secret.redirect("/start", location)
    with pytest.raises(FetchError if error is InvalidURLError else error):
        await fetcher.fetch(secret.url("/start", host="start.example"))
    assert secret.count("/secret") == 0


async def test_the_address_table_is_effective(make_fetcher: MakeFetcher, secret: Site) -> None:
    """The same addresses are readable once they are opened: the policy blocks them."""
    fetcher = make_fetcher(AddressPolicy(["127.0.0.0/8", "::1/128"], resolver=resolve))
    before = secret.count("/secret")
    for host in ("127.1", "2130706433", "0x7f.1", "localhost", "１２７．０．０．１", "127.0.0.1.nip.example"):
        assert (await fetcher.fetch(f"http://{host}:{secret.port}/secret")).body == b"secret"
    assert secret.count("/secret") == before + 6
    secret.requests.clear()


class Sequel:
    """Returns one answer after the other, and then the last one forever."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        return (self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]).split()


@pytest.mark.parametrize(
    "answers",
    [
        ("127.0.0.1", "127.0.0.2"),
        ("127.0.0.1", "169.254.169.254"),
        ("127.0.0.1", "127.0.0.1 10.0.0.1"),
        ("127.0.0.1", "::ffff:127.0.0.1"),
        ("127.0.0.1", "::1 127.0.0.1"),
    ],
)
@pytest.mark.parametrize("path", ["/again", "/elsewhere"])
async def test_a_name_that_resolves_differently_is_blocked(
    make_fetcher: MakeFetcher, site: Site, answers: tuple[str, ...], path: str
) -> None:
    """The first answer is open (127.0.0.1 stands for a public address), the next one is not."""
    site.redirect("/again", "/secret", headers={"Connection": "close"})
    site.redirect("/elsewhere", site.url("/secret", host="other.example"), headers={"Connection": "close"})
    site.page("/secret", "secret")
    fetcher = make_fetcher(AddressPolicy(["127.0.0.1/32"], resolver=Sequel(*answers)))
    with pytest.raises(AddressDeniedError):
        await fetcher.fetch(site.url(path, host="rebind.example"))
    assert [seen.path for seen in site.requests] == [path]


async def test_robots_and_sitemaps_use_the_same_policy(make_fetcher: MakeFetcher, secret: Site) -> None:
    secret.redirect("/robots.txt", f"http://127.0.0.1:{secret.port}/secret")
    fetcher = make_fetcher(AddressPolicy(allow_hosts=["start.example"], resolver=resolve))
    start = secret.url("/x", host="start.example")
    for question in (fetcher.sitemaps(start), fetcher.fetch(start, occasion=Occasion.AUTOMATIC)):
        with pytest.raises(AddressDeniedError):
            await question
    assert secret.count("/secret") == 0


@pytest.mark.parametrize("port", [1, 7, 22, 23, 25, 110, 143, 465, 514, 587, 993, 6667, 10080])
@pytest.mark.parametrize("redirects", [False, True])
async def test_ports_of_other_services_are_blocked(make_fetcher: MakeFetcher, port: int, redirects: bool) -> None:
    """Even in an open network, a line of a request could be a command to a mail server or a shell."""
    fetcher = make_fetcher(AddressPolicy(("127.0.0.0/8",)))
    with Site() as site:
        site.redirect("/away", f"http://127.0.0.1:{port}/")
        asked = site.url("/away") if redirects else f"http://127.0.0.1:{port}/"
        with pytest.raises(AddressDeniedError, match=f"port {port} is reserved for services"):
            await fetcher.fetch(asked)


@pytest.mark.parametrize("port", [80, 443, 3000, 8000, 8080, 8443, 8765])
async def test_ports_that_pages_come_from_are_open(port: int) -> None:
    policy = AddressPolicy(allow_networks=("127.0.0.0/8",))
    assert await policy.resolve("127.0.0.1", port) == ("127.0.0.1",)
