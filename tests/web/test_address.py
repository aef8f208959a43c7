from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest

from app.errors import AddressDeniedError, FetchError, SettingsError
from app.web import address
from app.web.address import AddressPolicy, special_purpose
from app.web.fetch import Fetcher
from tests.support.site import Site
from tests.web.conftest import LOOPBACK, MakeFetcher, resolver

DENIED = (
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1"),
    *("172.31.255.255", "192.168.0.1", "100.64.0.1", "100.127.255.255", "169.254.0.1", "169.254.169.254"),
    *("100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.0.1", "192.0.2.1"),
    *(
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "192.88.99.1",
        "224.0.0.1",
        "239.255.255.255",
    ),
    *(
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "fe80::1",
    ),
    *(
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "fdff::1",
        "ff02::1",
        "2002:7f00:1::",
        "2002:a00:1::",
    ),
    *("64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2001:db8::1", "2001::1"),
    *("2001:0:4136:e378:8000:63bf:3fff:fdd2", "3fff::1", "100::1", "5f00::1", "4000::1", "fe80::1%1"),
)

PUBLIC = (
    *("8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "169.253.0.1", "223.255.255.255"),
    *("2606:4700::1111", "64:ff9b::8.8.8.8"),
)


@pytest.mark.parametrize("address", DENIED)
async def test_a_name_that_resolves_to_a_blocked_address_is_denied(address: str) -> None:
    policy = AddressPolicy(resolver=resolver(public__example=[address]))
    with pytest.raises(AddressDeniedError, match="blocked"):
        await policy.resolve("public.example", 80)


@pytest.mark.parametrize("address", PUBLIC)
async def test_public_addresses_pass(address: str) -> None:
    policy = AddressPolicy(resolver=resolver(public__example=[address]))
    assert await policy.resolve("public.example", 80) == (address,)
    assert special_purpose(ip_address("8.8.8.8")) == ""


@pytest.mark.parametrize("spelling", ["2130706433", "0x7f.1", "0177.1", "127.1"])
async def test_the_policy_itself_is_not_fooled_by_spellings(spelling: str) -> None:
    with pytest.raises(AddressDeniedError):
        await AddressPolicy().resolve(spelling, 80)


async def test_one_blocked_address_blocks_the_name() -> None:
    policy = AddressPolicy(resolver=resolver(mixed__example=["8.8.8.8", "10.0.0.1"]))
    with pytest.raises(AddressDeniedError):
        await policy.resolve("mixed.example", 80)


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://[::1]:{port}/secret",
        "http://2852039166/",
        "//127.0.0.2:{port}/secret",
        "http://intern.example:{port}/secret",
    ],
)
async def test_redirects_to_blocked_addresses_are_rejected(make_fetcher: MakeFetcher, site: Site, target: str) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["192.168.1.1"] if host == "intern.example" else [host]

    site.redirect("/start", target.format(port=site.port))
    site.page("/secret", "secret")
    fetcher = make_fetcher(AddressPolicy(["127.0.0.1/32"], resolver=resolve))
    with pytest.raises(AddressDeniedError):
        await fetcher.fetch(site.url("/start"))
    assert site.count("/secret") == 0


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.com/", "javascript:alert(1)", "gopher://x/"])
async def test_redirects_cannot_leave_the_web(fetcher: Fetcher, site: Site, target: str) -> None:
    site.redirect("/start", target)
    with pytest.raises(FetchError, match="redirects to an invalid address") as caught:
        await fetcher.fetch(site.url("/start"))
    assert caught.value.url == site.url("/start")


class RebindingResolver:
    """Returns an open address first and a blocked one from then on."""

    def __init__(self, first: str, later: str) -> None:
        self.first, self.later, self.asked = first, later, 0

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked += 1
        return [self.first if self.asked == 1 else self.later]


async def test_a_name_cannot_be_rebound_between_check_and_connection(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/", "<p>public</p>", headers={"Connection": "close"})
    dns = RebindingResolver("127.0.0.1", "10.0.0.1")
    fetcher = make_fetcher(AddressPolicy(["127.0.0.1/32"], resolver=dns))
    await fetcher.fetch(site.url(host="rebind.example"))
    assert dns.asked == 1
    assert site.requests[0].headers["host"] == f"rebind.example:{site.port}"
    with pytest.raises(AddressDeniedError, match=r"10\.0\.0\.1"):
        await fetcher.fetch(site.url(host="rebind.example"))
    assert len(site.requests) == 1


async def test_allowed_networks_and_hosts_open_what_they_name() -> None:
    names = resolver(wiki__corp=["10.1.2.3"], a__docs__corp=["10.1.2.4"], docs__corp=["10.1.2.4"], x__corp=["10.9.9.9"])
    by_network = AddressPolicy(["10.1.0.0/16"], resolver=names)
    assert await by_network.resolve("wiki.corp", 80) == ("10.1.2.3",)
    with pytest.raises(AddressDeniedError):
        await by_network.resolve("x.corp", 80)
    by_name = AddressPolicy(allow_hosts=["Wiki.corp.", "*.docs.corp"], resolver=names)
    assert await by_name.resolve("wiki.corp", 80) == ("10.1.2.3",)
    assert await by_name.resolve("a.docs.corp", 80) == ("10.1.2.4",)
    for host in ("docs.corp", "x.corp"):
        with pytest.raises(AddressDeniedError):
            await by_name.resolve(host, 80)


NEVER_OPEN = (
    *("169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.1", "100.100.100.200", "168.63.129.16"),
    *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "::ffff:169.254.169.254", "::ffff:0:169.254.169.254"),
    *("::169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "64:ff9b:1:a9fe:a9:fe00::"),
    *("64:ff9b:1:0:a9:fea9:fe00:0", "2002:a9fe:a9fe::", "2002:a9fe:aa02::1", "2001:0:a9fe:a9fe::"),
    *("2001:0:4136:e378:8000:63bf:5601:5601", "2606:4700::5efe:a9fe:a9fe", "fe80::200:5efe:169.254.169.254"),
)


@pytest.mark.parametrize("address", NEVER_OPEN)
async def test_metadata_services_never_open_in_any_spelling(address: str) -> None:
    names = resolver(meta__corp=[address])
    policy = AddressPolicy(["0.0.0.0/0", "::/0"], allow_hosts=["meta.corp"], resolver=names)
    with pytest.raises(AddressDeniedError, match=r"metadata|link-local") as caught:
        await policy.resolve("meta.corp", 80)
    assert "never read" in (caught.value.hint or "")


@pytest.mark.parametrize("address", ["::ffff:8.8.8.8", "2002:808:808::1", "10.1.2.3", "fe80::1", "64:ff9b::10.0.0.1"])
async def test_all_other_addresses_open_with_their_network(address: str) -> None:
    policy = AddressPolicy(["0.0.0.0/0", "::/0"], resolver=resolver(wiki__corp=[address]))
    assert await policy.resolve("wiki.corp", 80) == (address,)


async def test_a_public_page_cannot_lead_to_opened_networks(
    make_fetcher: MakeFetcher, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tuple(row for row in address._SPECIAL if row[1] != address.THIS_COMPUTER)
    # 127.0.0.1 stands for a machine on the public internet.
    monkeypatch.setattr(address, "_SPECIAL", (*rows, (ip_network("127.0.0.2/32"), address.THIS_COMPUTER)))
    site.redirect("/start", site.url("/inside", host="wiki.corp"))
    site.redirect("/other", site.url("/public", host="second.example"))
    site.page("/public", "<p>public</p>")
    names = resolver(wiki__corp=["127.0.0.2"], news__example=["127.0.0.1"], second__example=["127.0.0.1"])
    fetcher = make_fetcher(AddressPolicy(allow_hosts=["wiki.corp"], resolver=names))
    assert (await fetcher.fetch(site.url("/other", host="news.example"))).body == b"<p>public</p>"
    with pytest.raises(AddressDeniedError, match="redirects to a blocked address") as caught:
        await fetcher.fetch(site.url("/start", host="news.example"))
    assert "Enter this address yourself" in (caught.value.hint or "")
    with pytest.raises(FetchError, match="refused the connection"):
        await fetcher.fetch(site.url("/inside", host="wiki.corp"))
    with pytest.raises(AddressDeniedError, match=r"wiki\.corp is blocked"):
        await fetcher.fetch(site.url("/inside", host="wiki.corp"), found_on=site.url("/", host="news.example"))
    for inside in ("wiki.corp", "127.0.0.2"):
        with pytest.raises(FetchError, match="refused the connection"):
            await fetcher.fetch(site.url("/inside", host="wiki.corp"), found_on=site.url("/", host=inside))
    assert (await fetcher.fetch(site.url("/public", host="second.example"), found_on=site.url("/"))).body


@pytest.mark.parametrize("host", ["bad.example", "www.bad.example", "deep.www.bad.example", "Bad.Example."])
async def test_blocked_sites_include_their_subdomains(make_fetcher: MakeFetcher, site: Site, host: str) -> None:
    policy = AddressPolicy(LOOPBACK, ["bad.example"], ["BAD.example"], resolver=resolver(bad__example=["127.0.0.1"]))
    with pytest.raises(AddressDeniedError, match="blocked sites"):
        await make_fetcher(policy).fetch(site.url(host=host))
    policy.check_host("notbad.example")


async def test_a_redirect_to_a_blocked_site_is_rejected(make_fetcher: MakeFetcher, site: Site) -> None:
    site.redirect("/start", site.url("/there", host="sub.bad.example"))
    policy = AddressPolicy(LOOPBACK, deny_hosts=["bad.example"])
    with pytest.raises(AddressDeniedError, match="blocked sites"):
        await make_fetcher(policy).fetch(site.url("/start"))


async def test_only_machines_in_opened_networks_are_own() -> None:
    names = resolver(own__corp=["10.1.2.3"], half__corp=["10.1.2.3", "10.2.0.1"], named__corp=["10.2.0.1"])
    policy = AddressPolicy(["10.1.0.0/16"], ["named.corp"], resolver=names)
    assert await policy.is_own("own.corp", 80)
    assert not await policy.is_own("half.corp", 80)
    assert not await policy.is_own("named.corp", 80)
    assert not await AddressPolicy(resolver=names).is_own("own.corp", 80)


async def test_an_unknown_host_is_a_clear_error(make_fetcher: MakeFetcher) -> None:
    with pytest.raises(FetchError, match=r"nowhere\.example was not found") as caught:
        await make_fetcher(AddressPolicy(resolver=resolver())).fetch("http://nowhere.example/x")
    assert caught.value.url == "http://nowhere.example/x"


def test_invalid_policy_entries_are_rejected() -> None:
    with pytest.raises(ValueError, match="not a network"):
        AddressPolicy(["not a network"])
    with pytest.raises(SettingsError, match="'http://not a host' is not a host name") as caught:
        AddressPolicy(deny_hosts=["http://not a host"])
    assert "blocked or allowed sites" in caught.value.hint
