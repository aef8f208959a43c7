from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from app.cli import main
from app.engine.libraries import Libraries
from app.errors import (
    BusyError,
    InvalidArgumentError,
    LibraryAwayError,
    LibraryForbiddenError,
    LibrarySignInError,
    SettingsError,
)
from app.events import EventBus, LibrariesChanged
from app.library.exchange import INSTANCE, MAX_PAGES_NAMED, NodeDescription, PageIn, SearchRequest
from app.library.records import ALL, PRIVATE, SHARED
from app.orchestration.result import OrchestrationResult
from app.orchestration.shared import empty_result
from app.paths import joined_file
from app.remote import client as client_module
from app.remote.client import Breaker, KeptTokens, RemoteLibrary
from app.remote.joined import JoinedLibraries, JoinedLibrary, SignIn, checked_address, name_for
from app.remote.sign_in import NOT_AWAITED, NOT_SIGNED_IN, Tokens, _is_same_origin, signed_in, where_to_sign_in
from app.remote.sign_in import _tokens as client_tokens
from app.remote.transport import Answer, Transport
from app.retrieval.records import AskedLibraries, SharedEvidence
from app.secrets import LibrarySecret, SecretStore
from tests.support.shared_library import DESCRIBED, SharedLibrary, passage, running


@pytest.fixture
def node() -> Iterator[SharedLibrary]:
    with running(SharedLibrary(passages=(passage(1, "Leave is 28 days.", 0.8),))) as library:
        yield library


@pytest.fixture
def libraries(tmp_path: Path) -> Iterator[Libraries]:
    opened = Libraries(tmp_path, SecretStore(), EventBus())
    yield opened
    opened.close()


def joined(libraries: Libraries, node: SharedLibrary, collection: str = "") -> str:
    joining = libraries.join(node.address, node.browse, token=node.token)
    libraries.keep(joining, collection)
    return joining.library.name


# --- Joining ---


def test_an_address_and_a_sign_in_join_a_library(libraries: Libraries, node: SharedLibrary, tmp_path: Path) -> None:
    joining = libraries.join(f"{node.address}/mcp", node.browse)
    assert not libraries.names, "nothing is stored before the user's choice"
    assert [each.name for each in joining.node.collections] == ["guides", "inbox"]
    libraries.keep(joining, "inbox")
    [state] = libraries.states()
    assert (state.library.name, state.library.title, state.library.who) == ("team-handbook", "Team Handbook", "Ann")
    assert state.library.collection == "inbox"
    joining = libraries.join(node.address, node.browse)
    libraries.keep(joining)
    assert libraries.states()[0].library.collection == "inbox", "it is kept without an argument"
    with pytest.raises(InvalidArgumentError, match="'guides'"):
        libraries.keep(joining, "guides")
    libraries.keep(joining, "")
    assert not libraries.states()[0].library.collection, "no collection was chosen"
    file = (tmp_path / "libraries.json").read_text()
    assert not [token for token in node.access | node.refresh if token in file], "tokens are only in the keyring"
    with pytest.raises(InvalidArgumentError, match="'other'"):
        libraries.leave("other")
    libraries.leave("team-handbook")
    assert libraries.states() == ()


def test_a_library_with_a_shared_token_asks_for_it(libraries: Libraries, node: SharedLibrary) -> None:
    node.token = "secret"
    with pytest.raises(LibrarySignInError, match="requires an access token"):
        libraries.join(node.address, node.browse)
    with pytest.raises(LibrarySignInError, match="does not accept this token"):
        libraries.join(node.address, node.browse, token="wrong")
    assert joined(libraries, node) == "team-handbook"
    assert libraries.remote("team-handbook").describe().collections[0].name == "guides"


@pytest.mark.parametrize("status", [200, 302, 401, 404, 421, 429, 503])
def test_an_address_without_a_library_does_not_request_a_token(
    libraries: Libraries, node: SharedLibrary, status: int
) -> None:
    """Another site, a site with Basic authentication, or a node that does not work at the moment."""
    node.status = status
    if status in (429, 503):
        with pytest.raises(LibraryAwayError, match=rf"reports an error \({status}\)"):
            libraries.join(node.address, node.browse)
    else:
        with pytest.raises(InvalidArgumentError, match=rf"no shared library at this address \({status}\)"):
            libraries.join(node.address, node.browse)


@pytest.mark.parametrize("token", ["naïve-token", "two words", "a\nb"])
def test_a_token_that_is_invalid_in_a_header_is_refused(libraries: Libraries, node: SharedLibrary, token: str) -> None:
    node.token = "secret"
    with pytest.raises(LibrarySignInError, match="does not accept this token"):
        libraries.join(node.address, node.browse, token=token)


def test_a_refusal_in_the_browser_does_not_join_a_library(libraries: Libraries, node: SharedLibrary) -> None:
    node.consents = False
    with pytest.raises(LibrarySignInError, match=r"refused \(access_denied\)"):
        libraries.join(node.address, node.browse)
    assert libraries.states() == ()


def test_an_answer_of_another_issuer_is_refused(libraries: Libraries, node: SharedLibrary) -> None:
    node.issuer_of_others = "https://evil.example"
    with pytest.raises(LibrarySignInError, match="different sign-in provider"):
        libraries.join(node.address, node.browse)


def test_only_the_answer_of_this_sign_in_counts(node: SharedLibrary) -> None:
    """A page that the user visits at the same time can guess the port, but not the state."""
    sign_in = SignIn(node.address, f"{node.address}/authorization", f"{node.address}/token", "webrag-desktop", "", "")
    seen: list[int] = []

    def browse(url: str) -> None:
        back = httpx.QueryParams(url.partition("?")[2])["redirect_uri"]
        for query in ("code=stolen", "code=stolen&state=guess"):
            seen.append(httpx.get(f"{back}?{query}", trust_env=False).status_code)
        node.browse(url)

    tokens = signed_in(sign_in, Transport("x"), browse)
    assert seen == [404, 404]
    assert tokens.access in node.access
    assert tokens.access not in repr(tokens)


@pytest.mark.parametrize("names_itself", [True, False])
def test_an_issuer_that_identifies_itself_must_do_so_in_its_answer(node: SharedLibrary, names_itself: bool) -> None:
    node.names_itself = names_itself
    sign_in = where_to_sign_in(
        node.address, RemoteLibrary(JoinedLibrary("x", node.address), SecretStore()).unknown(), Transport("x")
    )
    seen: list[int] = []

    def browse(url: str) -> None:
        given = httpx.QueryParams(url.partition("?")[2])
        back = f"{given['redirect_uri']}?state={given['state']}&code="
        seen.append(httpx.get(f"{back}stolen&iss=https://evil.example", trust_env=False).status_code)
        if names_itself:
            seen.append(httpx.get(f"{back}stolen", trust_env=False).status_code)
        node.browse(url)

    assert signed_in(sign_in, Transport("x"), browse).access in node.access
    assert set(seen) == {404}


def test_the_page_after_the_sign_in_uses_the_language_of_the_window(node: SharedLibrary) -> None:
    sign_in = SignIn(node.address, f"{node.address}/authorization", f"{node.address}/token", "webrag-desktop", "", "")
    pages: list[httpx.Response] = []

    def browse(url: str) -> None:
        given = httpx.QueryParams(url.partition("?")[2])
        for state in ("guess", given["state"]):
            pages.append(httpx.get(f"{given['redirect_uri']}?state={state}&error=no", trust_env=False))

    with pytest.raises(LibrarySignInError):
        signed_in(sign_in, Transport("x"), browse, spoken=lambda text: f"<{text}>")
    for page, title in zip(pages, (NOT_AWAITED[0], NOT_SIGNED_IN[0]), strict=True):
        assert f"<h1>&lt;{title}&gt;</h1>" in page.text and "prefers-color-scheme" in page.text
        assert page.headers["content-security-policy"].startswith("default-src 'none'")


def test_scopes_with_an_address_are_requested_unchanged(node: SharedLibrary) -> None:
    """Entra ID puts the address of the program before the scope and rejects it twice."""
    named = {"resource": f"{node.address}/mcp", "authorization_servers": [node.address], "webrag_client_id": "7f-3c"}
    scopes = ["api://webrag/library:read", "api://webrag/library:write", "api://webrag/library:admin"]
    node.lies[DESCRIBED] = json.dumps({**named, "scopes_supported": scopes}).encode()
    remote = RemoteLibrary(JoinedLibrary("x", node.address), SecretStore())
    sign_in = where_to_sign_in(node.address, remote.unknown(), Transport("x"))
    assert sign_in.scope.split() == [*scopes[:2], "offline_access"]
    assert (sign_in.client_id, sign_in.resource) == ("7f-3c", "")
    seen: list[str] = []
    cancelled = threading.Event()

    def browse(url: str) -> None:
        seen.append(url)
        cancelled.set()

    with pytest.raises(LibrarySignInError):
        signed_in(sign_in, Transport("x"), browse, cancelled=cancelled)
    assert "resource=" not in seen[0] and "prompt=" not in seen[0]


def test_a_sign_in_can_be_canceled(node: SharedLibrary, libraries: Libraries) -> None:
    cancelled = threading.Event()
    with pytest.raises(LibrarySignInError, match="canceled"):
        libraries.join(node.address, lambda url: cancelled.set(), cancelled=cancelled)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("library.example.org", "https://library.example.org"),
        (" https://Library.example.org/mcp ", "https://library.example.org"),
        ("https://h.example:8443/team/library/v1", "https://h.example:8443/team"),
        ("http://127.0.0.1:7000/", "http://127.0.0.1:7000"),
    ],
)
def test_addresses_of_libraries_are_normalized(typed: str, address: str) -> None:
    assert checked_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    ["", "http://library.example.org", "https://ann:pw@h.example", "ftp://h.example", "https://[", "https://h:x"],
)
def test_other_addresses_are_refused_as_libraries(typed: str) -> None:
    with pytest.raises(InvalidArgumentError):
        checked_address(typed)


def test_generated_names_are_free_and_unambiguous() -> None:
    assert name_for("Team Handbook!", frozenset()) == "team-handbook"
    assert name_for("All", frozenset()) == "all-2" and name_for("Shared", frozenset()) == "shared-2"
    assert name_for("team", frozenset()) == "team", "the default name of a node"
    assert name_for("日本", frozenset({"library"})) == "library-2"


@pytest.mark.parametrize(
    "row", ['{"name": "../x", "address": "https://h.example"}', '{"name": "x", "address": "http://h.example"}']
)
def test_an_unreadable_file_does_not_count_as_missing(tmp_path: Path, row: str) -> None:
    (tmp_path / "libraries.json").write_text(f"[{row}]")
    with pytest.raises(SettingsError, match="Cannot read"):
        JoinedLibraries(tmp_path).all()


def test_changes_by_another_program_are_noticed(libraries: Libraries, node: SharedLibrary, tmp_path: Path) -> None:
    name = joined(libraries, node)
    told: list[tuple[str, ...]] = []
    bus = EventBus()
    other = Libraries(tmp_path, SecretStore(), bus)
    bus.subscribe(lambda event: told.append(event.names) if isinstance(event, LibrariesChanged) else None)
    assert other.names == (name,)
    other.change(name, is_on=False)
    assert (told, libraries.names) == ([()], ())
    other.close()


def test_two_libraries_can_be_joined_at_the_same_time(libraries: Libraries, node: SharedLibrary) -> None:
    """Both libraries had the same free name during sign-in, as can one library twice."""
    with running(SharedLibrary()) as other:
        joinings = [libraries.join(each.address, each.browse) for each in (node, other, node)]
        for joining in joinings:
            libraries.keep(joining)
        found = {state.library.name: state.library for state in libraries.states()}
        assert {name: each.address for name, each in found.items()} == {
            "team-handbook": node.address,
            "team-handbook-2": other.address,
        }
        assert [each.title for each in found.values()] == ["Team Handbook", "Team Handbook (team-handbook-2)"]
        for name in found:
            assert libraries.remote(name).describe().name == "Team Handbook"


@pytest.mark.parametrize("leaves", [False, True])
def test_concurrent_changes_of_the_list_do_not_undo_each_other(
    libraries: Libraries, node: SharedLibrary, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    """The first writer has read the libraries when the second one begins."""
    with running(SharedLibrary()) as other:
        joinings = [libraries.join(each.address, each.browse) for each in (node, other)]
        if leaves:
            libraries.keep(joinings[0])
        put, begun, second = JoinedLibraries.put, threading.Event(), threading.Event()

        def slow(file: JoinedLibraries, library: JoinedLibrary) -> None:
            if not begun.is_set():
                begun.set()
                second.wait(0.3)
            put(file, library)

        monkeypatch.setattr(JoinedLibraries, "put", slow)
        calls: list[Callable[[], object]] = [partial(libraries.keep, each) for each in joinings]
        if leaves:
            calls = [
                partial(libraries.change, "team-handbook", is_on=False),
                partial(libraries.leave, "team-handbook"),
            ]
        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(calls[0])
            assert begun.wait(60)
            threads.submit(calls[1]).result(60)
            second.set()
            first.result(60)
        assert [each.library.name for each in libraries.states()] == (
            [] if leaves else ["team-handbook", "team-handbook-2"]
        )


def test_a_change_within_the_clock_resolution_is_noticed(tmp_path: Path) -> None:
    """Clocks of some file systems only tick every few milliseconds."""
    file, stamps = JoinedLibraries(tmp_path), []
    for name in ("one", "two"):
        file.put(JoinedLibrary(name, f"https://{name}.example"))
        os.utime(joined_file(tmp_path), ns=(1, 1))
        stamps.append(file.stamp)
    assert stamps[0] != stamps[1]


def test_changes_by_another_program_during_a_request_are_kept(
    libraries: Libraries, node: SharedLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = joined(libraries, node)
    other, ask = JoinedLibraries(tmp_path), libraries.remote(name).describe

    def describe() -> NodeDescription:
        other.put(replace(other.get(name), is_on=False))
        return ask()

    monkeypatch.setattr(libraries.remote(name), "describe", describe)
    libraries.change(name, collection="inbox")
    assert (other.get(name).is_on, other.get(name).collection) == (False, "inbox")


def test_the_list_can_be_read_while_it_changes(libraries: Libraries, node: SharedLibrary) -> None:
    name = joined(libraries, node)
    read = libraries._current()
    libraries.change(name, is_on=False)
    assert list(libraries._current()) == list(read) == [name]


# --- Tokens ---


class Renewing:
    """Simulates a renewal of a sign-in that lasts until `ends`."""

    def __init__(self) -> None:
        self.began, self.ends = threading.Event(), threading.Event()

    def __call__(self, *_: object, **__: object) -> Tokens:
        self.began.set()
        assert self.ends.wait(60)
        return Tokens("renewed", "renewed-next", float("inf"))


@pytest.mark.parametrize("signs_in", [False, True])
def test_a_running_renewal_does_not_replace_anything(
    node: SharedLibrary, monkeypatch: pytest.MonkeyPatch, signs_in: bool
) -> None:
    """It replaces neither a new sign-in nor the missing one of a library that was left in the meantime."""
    renewing = Renewing()
    monkeypatch.setattr(client_module, "renewed", renewing)
    sign_in = SignIn(node.address, f"{node.address}/authorization", f"{node.address}/token")
    remote = RemoteLibrary(JoinedLibrary("team", node.address, sign_in=sign_in), SecretStore())
    remote._kept.write("old")
    asking = threading.Thread(target=remote._token, args=(time.monotonic() + 60,))
    asking.start()
    assert renewing.began.wait(60)
    new = Tokens("new", "new-next", float("inf"))
    changing = (
        threading.Thread(target=remote.accept, args=(new,)) if signs_in else threading.Thread(target=remote.forget)
    )
    changing.start()
    changing.join(0.3)
    renewing.ends.set()
    asking.join()
    changing.join()
    assert remote._kept.read() == ("new-next" if signs_in else "")
    if signs_in:
        assert remote._token(time.monotonic() + 60) == "new"
    else:
        with pytest.raises(LibrarySignInError):
            remote._token(time.monotonic() + 60)
    remote.close()


def test_a_renewal_without_a_new_refresh_token_keeps_the_last_one() -> None:
    told = {"access_token": "a", "refresh_token": "", "token_type": "Bearer", "expires_in": 300}
    answer = Answer(200, {}, json.dumps(told).encode())
    assert client_tokens(answer, "last").refresh == "last"
    assert "access_token" not in repr(answer)


@pytest.mark.parametrize(
    ("named", "is_same"),
    [
        ("https://library.example.org:443/x", True),
        ("https://Library.Example.org/x", True),
        ("https://library.example.org:8443/x", False),
        ("http://library.example.org:443/x", False),
        ("https://ann@library.example.org/x", False),
        ("https://library.example.org.evil.example/x", False),
        ("https://library.example.org:x/", False),
    ],
)
def test_a_library_is_recognized_by_any_form_of_its_address(named: str, is_same: bool) -> None:
    assert _is_same_origin(named, "https://library.example.org") is is_same


def test_long_tokens_are_stored_in_parts_and_replaced_completely() -> None:
    secrets = SecretStore()
    kept = KeptTokens(secrets, "team")
    for token in ("a" * 2_500, "b" * 2_000, "c" * 10, ""):
        kept.write(token)
        assert kept.read() == token
    kept.write("d" * 3_000)
    kept.delete()
    assert not any(secrets.get(LibrarySecret("team", part)).value for part in range(5))


def test_an_expired_token_is_renewed_once_for_all_threads(node: SharedLibrary, libraries: Libraries) -> None:
    remote = RemoteLibrary(JoinedLibrary("team", node.address), SecretStore())
    joining = libraries.join(node.address, node.browse)
    remote.library = replace(remote.library, sign_in=joining.library.sign_in)
    remote.accept(joining.tokens)
    node.access.clear()
    threads = [threading.Thread(target=remote.describe) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert node.renewals == 1
    node.access.clear()
    node.refresh.clear()
    with pytest.raises(LibrarySignInError, match="does not accept your sign-in"):
        remote.describe()
    remote.close()


def test_a_token_renewed_by_another_program_is_used(node: SharedLibrary, libraries: Libraries) -> None:
    """Issuers end a sign-in when an older token is used."""
    joining = libraries.join(node.address, node.browse)
    secrets = SecretStore()
    first, second = (RemoteLibrary(joining.library, secrets) for _ in range(2))
    first.accept(joining.tokens)
    for remote in (second, first, second, first):
        node.access.clear()
        remote.describe()
    assert node.renewals == 4
    first.close()
    second.close()


# --- Unavailable ---


def test_a_library_that_does_not_answer_gets_a_pause_and_recovers(
    node: SharedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "QUESTION_SECONDS", 0.3)
    now, told = [100.0], []
    node.token = "t"
    secrets = SecretStore()
    remote = RemoteLibrary(JoinedLibrary("team", node.address), secrets, lambda: told.append(1), lambda: now[0])
    remote._kept.write("t")
    question = SearchRequest("How long is leave?")
    assert remote.search(question).passages[0].page_id == 1
    node.status = 503
    with pytest.raises(LibraryAwayError, match="503") as failure:
        remote.search(question)
    assert "automatically" in failure.value.hint and "database" not in failure.value.hint
    node.status = 0
    with pytest.raises(LibraryAwayError):
        remote.search(question)
    assert (len(told), bool(remote.away)) == (1, True)
    now[0] += client_module.AWAY_SECONDS
    assert remote.search(question).passages
    assert (len(told), remote.away) == (2, "")
    remote.close()


@pytest.mark.parametrize(
    ("status", "again", "seconds"), [(429, "7", 7), (429, "", 5), (429, "9" * 9, 60), (503, "3", 3)]
)
def test_a_busy_library_is_retried_at_its_given_time_and_does_not_count_as_down(
    node: SharedLibrary, status: int, again: str, seconds: int
) -> None:
    now = [100.0]
    node.token = "t"
    remote = RemoteLibrary(JoinedLibrary("team", node.address), SecretStore(), clock=lambda: now[0])
    remote._kept.write("t")
    question = SearchRequest("How long is leave?")
    node.status, node.retry_after = status, again
    with pytest.raises(BusyError, match="is busy") as busy:
        remote.search(question)
    assert busy.value.retry_after == pytest.approx(seconds)
    node.status = 0
    now[0] += seconds - 0.5
    with pytest.raises(BusyError):
        remote._wait_while_busy(0)
    assert len(node.asked) == 1 and not remote.away, "it gets a pause but does not count as down"
    now[0] += 0.5
    assert remote.search(question).passages
    remote.close()


def test_a_running_program_has_one_id_for_its_libraries(node: SharedLibrary) -> None:
    node.token, node.status = "t", 429
    for _ in range(2):
        remote = RemoteLibrary(JoinedLibrary("team", node.address), SecretStore())
        remote._kept.write("t")
        with pytest.raises(BusyError):
            remote.describe()
        remote.close()
    [first, second] = [named for _, named in node.asked]
    assert first == second and INSTANCE.fullmatch(first)


def test_a_required_sign_in_is_reported_and_the_library_works_afterwards(
    node: SharedLibrary, libraries: Libraries
) -> None:
    joining = libraries.join(node.address, node.browse)
    now = [100.0]
    remote = RemoteLibrary(joining.library, SecretStore(), clock=lambda: now[0])
    remote.give_up("No network.")
    now[0] += client_module.AWAY_SECONDS
    for _ in range(2):
        with pytest.raises(LibrarySignInError):
            remote.describe()
    assert not remote.away
    remote.give_up("No network.")
    remote.accept(joining.tokens)
    assert not remote.away and remote.describe().name == "Team Handbook"
    remote.close()


def test_a_library_skipped_because_of_a_silent_one_does_not_count_as_down(
    node: SharedLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.libraries.THREADS", 1)
    monkeypatch.setattr("app.engine.libraries.QUESTION_SECONDS", 0.3)
    libraries = Libraries(tmp_path, SecretStore(), EventBus())
    with running(SharedLibrary(passages=node.passages)) as other:
        joined(libraries, node)
        joined(libraries, other)
        node.silent = True
        asked = libraries.ask(ALL, "How long is leave?", limit=5, model=None)
        assert asked is not None
        notes = asked.wait().notes
        assert "The library Team Handbook does not respond." in notes
        assert any("(team-handbook-2) is busy" in note for note in notes)
        assert [bool(state.away) for state in libraries.states()] == [True, False]
        node.released.set()
        assert not other.asked, "no call is waiting for it"
    libraries.close()


async def test_the_private_library_is_searched_while_waiting_for_others(libraries: Libraries) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    read, was_read = threading.Event(), []

    def wait() -> SharedEvidence:
        was_read.append(read.wait(60))
        return SharedEvidence()

    async def own() -> OrchestrationResult:
        await asyncio.to_thread(read.set)
        return empty_result("How long is leave?")

    await libraries.answered(AskedLibraries(("team",), True, wait), "How long is leave?", own, keeps_own=False)
    assert was_read == [True]


def test_a_single_request_checks_whether_the_library_is_back() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    assert breaker.failed("away")
    now[0] = client_module.AWAY_SECONDS
    breaker.check()
    with pytest.raises(LibraryAwayError):
        breaker.check()


def test_a_silent_library_delays_an_answer_only_by_its_timeout(
    node: SharedLibrary, libraries: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.libraries.QUESTION_SECONDS", 0.2)
    joined(libraries, node)
    node.silent = True
    asked = libraries.ask(ALL, "How long is leave?", limit=5, model=None)
    assert asked is not None and asked.asks_private
    found = asked.wait()
    assert not found.chunks
    assert found.notes == (
        "The library Team Handbook does not respond.",
        "These results come from your private library only.",
    )
    assert libraries.states()[0].away


# --- Searching and sharing ---


def test_pages_of_a_site_beyond_the_limit_are_reported(libraries: Libraries, node: SharedLibrary) -> None:
    node.passages = tuple(passage(number, f"Text {number}", 0.9) for number in range(1, MAX_PAGES_NAMED + 2))
    joined(libraries, node)
    asked = libraries.ask(ALL, "How long is leave?", limit=5, model=None, pages=["https://intra.example/"])
    assert asked is not None
    found = asked.wait()
    assert len(next(given for kind, given in node.asked if kind == "search").pages) == MAX_PAGES_NAMED
    assert found.chunks and "has more pages of these sites than the 100 that were searched" in " ".join(found.notes)
    node.passages = node.passages[:3]
    asked = libraries.ask(ALL, "How long is leave?", limit=5, model=None, pages=["https://intra.example/"])
    assert asked is not None and "more pages" not in " ".join(asked.wait().notes)


def test_arguments_select_libraries(libraries: Libraries, node: SharedLibrary) -> None:
    name = joined(libraries, node)
    assert libraries.asked(PRIVATE) == (True, ())
    assert libraries.asked(ALL) == libraries.asked("") == (True, (name,))
    assert libraries.asked(SHARED) == libraries.asked(name) == (False, (name,))
    assert libraries.asked("", PRIVATE) == libraries.asked("", "left-since") == (True, ())
    with pytest.raises(InvalidArgumentError, match="does not exist or is turned off") as failure:
        libraries.asked("unknown")
    assert name in failure.value.hint


def test_a_page_is_shared_to_a_writable_collection(libraries: Libraries, node: SharedLibrary) -> None:
    name = joined(libraries, node)
    remote = libraries.remote(name)
    page = PageIn("https://h.example/a", "A", "Text of a page.", "inbox")
    assert remote.share(page).state == "stored"
    assert node.stored == [page]
    with pytest.raises(LibraryForbiddenError, match="guides"):
        remote.share(replace(page, collection="guides"))
    with pytest.raises(InvalidArgumentError, match="does not have this page"):
        remote.page(77)


def test_a_token_is_never_sent_after_a_redirect(node: SharedLibrary) -> None:
    node.status = 302
    assert Transport("x").send("GET", f"{node.address}/library/v1", seconds=60, token="t").status == 302


# --- Command line ---


def test_the_command_line_joins_lists_and_leaves(
    node: SharedLibrary, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", node.browse)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["shared", *arguments, "--data-dir", str(tmp_path)])
        return (code, *capsys.readouterr())

    assert "have not joined a shared library" in run()[1]
    code, told, remarks = run("join", node.address, "--collection", "inbox")
    assert code == 0 and "team-handbook" in told and "guides (reader), inbox (writer)" in remarks
    assert "could not save your sign-in" in remarks and "Settings > Shared libraries" in remarks
    listed = json.loads(run("list", "--json")[1])
    assert (listed[0]["name"], listed[0]["collection"], listed[0]["is_on"]) == ("team-handbook", "inbox", True)
    # Without a keyring, the sign-in ended with the command.
    code, _, remarks = run("share-to", "team-handbook", "--collection", "guides")
    assert code == 0 and "could not check" in remarks
    assert json.loads(run("list", "--json")[1])[0]["collection"] == "guides"
    run("share-to", "team-handbook")
    assert not json.loads(run("list", "--json")[1])[0]["collection"]
    run("off", "team-handbook")
    assert not json.loads(run("--json")[1])[0]["is_on"]
    assert run("leave", "team-handbook")[0] == 0
    assert run("leave", "team-handbook")[0] == 1
    assert run("join")[0] == 1
