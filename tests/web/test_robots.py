from __future__ import annotations

import asyncio
import itertools
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from app import caps
from app.errors import AddressDeniedError, RobotsDeniedError
from app.web.address import AddressPolicy
from app.web.fetch import ROBOTS_BYTES, Fetcher
from app.web.politeness import NO_ANSWER_SECONDS, ROBOTS_RETRY_SECONDS, RobotsPolicy, lines_for
from app.web.records import Occasion
from tests.support.site import Site
from tests.web.conftest import MakeFetcher

RULES = (
    "User-agent: *\nDisallow: /private\n\n"
    "User-agent: WebRAG-Desktop\nDisallow: /not-for-us\nAllow: /not-for-us/but-this\n"
)


@pytest.fixture
def ruled(site: Site) -> Site:
    site.page("/robots.txt", RULES, content_type="text/plain")
    for path in ("/open", "/private", "/not-for-us", "/not-for-us/but-this"):
        site.page(path, "x")
    return site


async def test_automatic_fetching_obeys_the_rules_for_us(fetcher: Fetcher, ruled: Site) -> None:
    for path in ("/open", "/private", "/not-for-us/but-this"):
        assert (await fetcher.fetch(ruled.url(path), occasion=Occasion.AUTOMATIC)).status == 200
    with pytest.raises(RobotsDeniedError) as caught:
        await fetcher.fetch(ruled.url("/not-for-us"), occasion=Occasion.AUTOMATIC)
    assert caught.value.url == ruled.url("/not-for-us")
    assert ruled.count("/not-for-us") == 0
    assert ruled.count("/robots.txt") == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_the_version_of_an_agent_and_the_encoding_do_not_matter(
    fetcher: Fetcher, site: Site, encoding: str
) -> None:
    site.page("/robots.txt", "User-Agent: webrag-desktop/0.9 # ours\nDisallow: /a\n".encode(encoding))
    with pytest.raises(RobotsDeniedError):
        await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)


async def test_rules_with_wildcards_are_limited_and_do_not_hold_the_loop(
    fetcher: Fetcher, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = "".join(f"Disallow: /*a{number}$\n" for number in range(20_000))
    site.page("/robots.txt", f"User-agent: *\nDisallow: /first*x\n{many}Disallow: /last*x\nDisallow: /plain\n")
    threads, parse = list[threading.Thread](), Protego.parse

    class Rules:
        def __init__(self, parsed: Protego) -> None:
            self.parsed, self.crawl_delay = parsed, parsed.crawl_delay

        def can_fetch(self, url: str, agent: str) -> bool:
            threads.append(threading.current_thread())
            return bool(self.parsed.can_fetch(url, agent))

    monkeypatch.setattr(Protego, "parse", lambda text: Rules(parse(text)))
    allowed = [await fetcher.allowed(site.url(path)) for path in ("/first-x", "/a1", "/plain", "/last-x", "/open")]
    assert allowed == [False, False, False, True, True]
    assert len(threads) == 5 and threading.main_thread() not in threads


async def test_rules_for_other_agents_do_not_use_up_the_limit(fetcher: Fetcher, site: Site) -> None:
    others = "".join(f"User-agent: bot{number}\n{'Disallow: /*x$' + chr(10)}" * 50 for number in range(60))
    site.page("/robots.txt", f"# {'*' * 9}\n{others}User-agent: *\nCrawl-delay: 1\nDisallow: /last*x\n")
    assert not await fetcher.allowed(site.url("/last-x"))
    assert await fetcher.allowed(site.url("/open-x"))


@given(
    st.lists(
        st.builds(
            str.__add__,
            st.sampled_from(
                (
                    "User-agent:",
                    "user agent ",
                    "Disallow:",
                    "Allow: ",
                    "dissallow ",
                    "Crawl-delay: ",
                    "Sitemap:",
                    "x",
                    "",
                )
            ),
            st.sampled_from(("", "*", "webrag*", "WebRAG-Desktop", "bot", "/a", "/a*", "/b$", "2", " # x", ": y")),
        ),
        max_size=12,
    )
)
def testlines_for_other_agents_do_not_matter(lines: list[str]) -> None:
    agent, complete = "WebRAG-Desktop", Protego.parse("\n".join(lines))
    kept, _ = lines_for(agent.lower(), lines)
    parsed = Protego.parse("\n".join(kept))
    for path in ("a", "ab", "b", "bc"):
        assert parsed.can_fetch(f"http://h/{path}", agent) == complete.can_fetch(f"http://h/{path}", agent)
    assert parsed.crawl_delay(agent) == complete.crawl_delay(agent)
    assert list(parsed.sitemaps) == list(complete.sitemaps)


async def test_many_agents_with_many_rules_do_not_fill_the_memory(fetcher: Fetcher, site: Site) -> None:
    agents = "".join(f"User-agent: bot{number}\n" for number in range(5_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(10_000))
    site.page("/robots.txt", f"{agents}User-agent: *\n{rules}")
    started = time.process_time()
    assert not await fetcher.allowed(site.url("/9999"))
    assert time.process_time() - started < 10, "each of 50 million pairs of agent and rule was stored"


async def test_a_named_page_ignores_robots_txt(fetcher: Fetcher, ruled: Site) -> None:
    assert (await fetcher.fetch(ruled.url("/not-for-us"))).status == 200
    assert ruled.count("/robots.txt") == 0


@pytest.mark.parametrize(
    ("policy", "obeying"),
    [
        (RobotsPolicy.IGNORE, set()),
        (RobotsPolicy.AUTO_ONLY, {Occasion.AUTOMATIC}),
        (RobotsPolicy.ALWAYS, set(Occasion)),
    ],
)
@pytest.mark.parametrize("occasion", Occasion)
async def test_robots_policies_apply_by_occasion(
    make_fetcher: MakeFetcher, ruled: Site, policy: RobotsPolicy, obeying: set[Occasion], occasion: Occasion
) -> None:
    fetch = make_fetcher(robots_policy=policy).fetch(ruled.url("/not-for-us"), occasion=occasion)
    if occasion in obeying:
        with pytest.raises(RobotsDeniedError) as caught:
            await fetch
        # A user who named the address needs another hint.
        assert ("apply robots.txt" in caught.value.hint) == (not occasion.is_unasked)
    else:
        assert (await fetch).status == 200


async def test_robots_txt_applies_to_redirects(fetcher: Fetcher, ruled: Site) -> None:
    ruled.redirect("/way", "/not-for-us")
    with pytest.raises(RobotsDeniedError):
        await fetcher.fetch(ruled.url("/way"), occasion=Occasion.AUTOMATIC)
    assert ruled.count("/not-for-us") == 0


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_no_rules_open_everything(fetcher: Fetcher, site: Site, status: int) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /", status=status)
    site.page("/a", "x")
    for _ in range(2):
        assert (await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)).status == 200
    assert site.count("/robots.txt") == 1


async def test_unreachable_rules_close_the_site_to_automatic_fetching(
    make_fetcher: MakeFetcher, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/robots.txt", "x", status=500)
    site.page("/a", "x")
    fetcher = make_fetcher(robots_policy=RobotsPolicy.ALWAYS)
    for _ in range(2):
        with pytest.raises(RobotsDeniedError, match="could not be read"):
            await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)
    assert site.count("/robots.txt") == 2, "one try and one retry, then remembered"
    assert (await fetcher.fetch(site.url("/a"))).status == 200
    site.page("/robots.txt", "", content_type="text/plain")
    later = time.monotonic() + ROBOTS_RETRY_SECONDS + 1
    monkeypatch.setattr("app.web.politeness.time.monotonic", lambda: later)
    assert (await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)).status == 200


async def test_after_a_failed_network_the_rules_are_requested_again_soon(
    make_fetcher: MakeFetcher, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.reset("/robots.txt", b"", announce=False)
    site.page("/a", "x")
    fetcher = make_fetcher(robots_policy=RobotsPolicy.ALWAYS)
    with pytest.raises(RobotsDeniedError, match="could not be read"):
        await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)
    site.page("/robots.txt", "", content_type="text/plain")
    later = time.monotonic() + NO_ANSWER_SECONDS + 1
    monkeypatch.setattr("app.web.politeness.time.monotonic", lambda: later)
    assert (await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)).status == 200


async def test_one_request_serves_all_that_wait_for_it(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/robots.txt", RULES, content_type="text/plain", delay=0.1)
    site.page("/open", "x")
    fetcher = make_fetcher(concurrency=1)
    await asyncio.gather(*(fetcher.fetch(site.url("/open"), occasion=Occasion.AUTOMATIC) for _ in range(5)))
    assert site.count("/robots.txt") == 1


async def test_a_huge_file_is_cut_instead_of_rejected(fetcher: Fetcher, site: Site) -> None:
    filler = "# nothing to see here\n" * (ROBOTS_BYTES // 22 + 1)
    site.page("/robots.txt", RULES + filler + "User-agent: *\nDisallow: /\n", content_type="text/plain")
    site.page("/open", "x")
    assert (await fetcher.fetch(site.url("/open"), occasion=Occasion.AUTOMATIC)).status == 200
    with pytest.raises(RobotsDeniedError):
        await fetcher.fetch(site.url("/not-for-us"), occasion=Occasion.AUTOMATIC)


async def test_crawl_delay_spaces_the_requests(fetcher: Fetcher, site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nCrawl-delay: 0.4\n", content_type="text/plain")
    site.page("/a", "x")
    await asyncio.gather(*(fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC) for _ in range(3)))
    times = [seen.at for seen in site.requests if seen.path == "/a"]
    assert all(0.3 < later - sooner < 1.2 for sooner, later in itertools.pairwise(times))


async def test_the_rules_for_a_crawl_come_from_robots_txt(fetcher: Fetcher, ruled: Site) -> None:
    assert await fetcher.allowed(ruled.url("/open#part"))
    assert not await fetcher.allowed(ruled.url("/not-for-us"))
    assert await fetcher.crawl_delay(ruled.url("/open")) is None
    assert [seen.path for seen in ruled.requests] == ["/robots.txt"]


async def test_the_ignore_policy_allows_everything(make_fetcher: MakeFetcher, ruled: Site) -> None:
    fetcher = make_fetcher(robots_policy=RobotsPolicy.IGNORE)
    assert await fetcher.allowed(ruled.url("/not-for-us"))
    assert await fetcher.crawl_delay(ruled.url("/open")) is None
    assert ruled.requests == []


async def test_sitemaps_are_listed_in_robots_txt(make_fetcher: MakeFetcher, site: Site) -> None:
    lines = [
        "Sitemap: /maps/a.xml",
        "Sitemap: https://other.example/b.xml.gz",
        "Sitemap: /maps/a.xml",
        "Sitemap: ftp://other.example/c.xml",
        "Sitemap: http://user:secret@other.example/d.xml",
        "User-agent: *\nDisallow: /\nCrawl-delay: 1.5",
    ]
    site.page("/robots.txt", "\n".join(lines), content_type="text/plain")
    for policy in RobotsPolicy:
        fetcher = make_fetcher(robots_policy=policy)
        found = await fetcher.sitemaps(site.url("/docs/x"))
        assert found == (site.url("/maps/a.xml"), "https://other.example/b.xml.gz")
    assert await fetcher.crawl_delay(site.url("/docs/x")) == 1.5
    assert not await fetcher.allowed(site.url("/docs/x"))


async def test_sitemaps_are_counted(fetcher: Fetcher, site: Site) -> None:
    lines = "".join(f"Sitemap: /{number}.xml\n" for number in range(caps.MAX_SITEMAPS + 9))
    site.page("/robots.txt", lines, content_type="text/plain")
    assert len(await fetcher.sitemaps(site.url())) == caps.MAX_SITEMAPS


async def test_a_missing_robots_txt_means_no_sitemaps_and_rules(fetcher: Fetcher, site: Site) -> None:
    assert await fetcher.sitemaps(site.url()) == ()
    assert await fetcher.allowed(site.url("/a"))
    assert await fetcher.crawl_delay(site.url("/a")) is None


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_unreachable_robots_txt_disallows_everything(fetcher: Fetcher, site: Site, status: int) -> None:
    site.page("/robots.txt", "Sitemap: /a.xml", status=status)
    assert not await fetcher.allowed(site.url("/a"))
    assert await fetcher.crawl_delay(site.url("/a")) is None
    with pytest.raises(RobotsDeniedError, match="could not be read"):
        await fetcher.sitemaps(site.url("/a"))


async def test_blocked_addresses_are_reported_by_the_fetch(make_fetcher: MakeFetcher, site: Site) -> None:
    fetcher = make_fetcher(AddressPolicy())
    assert await fetcher.allowed(site.url("/a"))
    for question in (fetcher.sitemaps(site.url("/a")), fetcher.crawl_delay(site.url("/a"))):
        with pytest.raises(AddressDeniedError):
            await question


async def test_a_blocked_address_is_named_as_blocked(make_fetcher: MakeFetcher, site: Site) -> None:
    with pytest.raises(AddressDeniedError):
        await make_fetcher(AddressPolicy()).fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)
