"""Documents: stored, replaced, found by aliases, listed and deleted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.errors import InvalidArgumentError
from app.library.protocol import LibraryWriter
from app.library.records import DocumentState, ImageRecord, LinkRecord, SectionRecord, short_key
from app.library.scope import Filter
from tests.corpus.builders import document, embed

URL = "https://example.org/guide"
OTHER = "https://example.org/other"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")

ODD_TEXTS = {
    "nothing": "",
    "blanks": " \t\n\u00a0\u200b ",
    "quotes": "'; DROP TABLE documents; -- \" \\ $$ $1 %s ?",
    "beyond the basic plane": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦 🏳️‍🌈",
    "right to left": "\u202eمرحبا \u05e9\u05dc\u05d5\u05dd\u202c",
    "combining": "e\u0301 o\u0308 \u0e01\u0e33",
    "no characters": "\ufffe\uffff\U0010ffff",
    "controls": "\x01\x02\x07\x1b[31m\x7f\x85\u2028\u2029",
    "braces": '{a,"b",NULL} [1,2] (x)::int',
    "lines": "one\r\ntwo\rthree\n\n\n",
    "long word": "x" * 5_000,
    "two megabytes": "pump " * 400_000,
}


def rows(library: LibraryWriter, **wanted: object) -> list[str]:
    return [row.url.rsplit("/", 1)[1] for row in library.documents.summaries(limit=99, **wanted)]  # type: ignore[arg-type]


# one document


def test_a_document_is_returned_as_stored(library: LibraryWriter) -> None:
    given = document(
        URL,
        PARAGRAPHS,
        language="en",
        etag='"1"',
        last_modified="Mon, 23 Nov 2026 09:00:00 GMT",
        published="2026-11-23",
        note="a note",
        sections=(SectionRecord(1, "Guide", "guide", 0, 19), SectionRecord(2, "Part", None, 21, 37)),
        images=(ImageRecord("https://example.org/a.png", "a pump", "Figure 1", 4),),
        links=(LinkRecord("https://example.org/b#x", "pump", 15, 19), LinkRecord(OTHER, "Running", 21, 28)),
    )
    outcome = library.documents.store(given)
    found = library.documents.get(URL)
    assert found is not None
    assert found == library.documents.by_id(outcome.document_id)
    for name in (
        "url",
        "title",
        "text",
        "kind",
        "language",
        "content_hash",
        "etag",
        "last_modified",
        "published",
        "note",
    ):
        assert getattr(found, name) == getattr(given, name)
    assert (found.sections, found.images) == (given.sections, given.images)
    assert (found.last_crawled, found.changed_at, found.state) == (100.0, 100.0, DocumentState.TEXT)
    assert library.documents.links(outcome.document_id) == list(given.links)


def test_chunks_are_returned_as_stored(library: LibraryWriter) -> None:
    given = document(URL, PARAGRAPHS)
    outcome = library.documents.store(given)
    found = library.chunks.of_document(outcome.document_id, limit=9)
    assert [chunk.id for chunk in found] == list(outcome.new_chunk_ids)
    for ord_, (chunk, made) in enumerate(zip(found, given.chunks, strict=True)):
        assert (chunk.document_id, chunk.ord, chunk.url, chunk.title) == (outcome.document_id, ord_, URL, "A page")
        for name in (
            "section_path",
            "anchor",
            "text",
            "start",
            "end",
            "prefix_length",
            "suffix_length",
            "tokens",
        ):
            assert getattr(chunk, name) == getattr(made, name)
        assert short_key(chunk.key) == short_key(made.key)
        assert chunk.last_crawled == 100.0


def test_passages_keep_their_place_if_their_keys_were_shortened_in_another_library(library: LibraryWriter) -> None:
    given = document(URL, ("One.", "Two.", "Three."))
    short = replace(given, chunks=tuple(replace(chunk, key=short_key(chunk.key)) for chunk in given.chunks))
    first = library.documents.store(short)
    changed = library.documents.store(document(URL, ("One.", "Three.", "New.")))
    assert (changed.kept, changed.removed, len(changed.new_chunk_ids)) == (2, 1, 1)
    assert {*first.new_chunk_ids[::2]} < {chunk.id for chunk in library.chunks.of_document(first.document_id, limit=9)}
    assert library.documents.store(short).kept == 2


def test_a_document_without_chunks_is_ready_and_listed(library: LibraryWriter) -> None:
    outcome = library.documents.store(document(URL, ()))
    assert (outcome.new_chunk_ids, outcome.kept, outcome.removed) == ((), 0, 0)
    found, row = library.documents.get(URL), library.documents.summary(URL)
    assert found is not None and row is not None
    assert (found.text, found.state) == ("", DocumentState.READY)
    assert (row.chunks, row.chunks_embedded, row.tokens, row.state) == (0, 0, 0, DocumentState.READY)
    assert library.chunks.of_document(outcome.document_id, limit=9) == []
    assert library.documents.complete([outcome.document_id]) == {outcome.document_id: URL}


def test_unknown_documents_are_none(library: LibraryWriter) -> None:
    assert library.documents.get(URL) is None
    assert library.documents.by_id(2**40) is None
    assert library.documents.summary(URL) is None
    assert library.documents.links(2**40) == []
    assert library.documents.outgoing(2**40) == []
    assert library.documents.linking_to(URL, 9) == []
    assert library.chunks.of_document(2**40, limit=9) == []
    assert library.chunks.by_ids([2**40]) == []


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
def test_unusual_text_is_returned_unchanged(library: LibraryWriter, text: str) -> None:
    outcome = library.documents.store(
        document(URL, [text, "Plain words."], title=text[:200] or "none", note=text[:200])
    )
    found = library.documents.get(URL)
    assert found is not None
    assert found.text == f"{text}\n\nPlain words."
    assert (found.title, found.note) == (text[:200] or "none", text[:200])
    [first, _] = library.chunks.by_ids(outcome.new_chunk_ids)
    assert first.text == f"Head: {text} …"
    assert library.documents.text_bytes([found.id]) == {found.id: len(found.text.encode())}


@pytest.mark.parametrize("place", ["text", "title", "note", "section", "link", "identifiers"])
def test_a_nul_does_not_move_offsets(library: LibraryWriter, place: str) -> None:
    """A store that cannot store the character replaces it with a single other one."""
    given = document(URL, ["one\0two" if place == "text" else "one two", "three"])
    whole = {"title": "a\0b", "note": "a\0b", "section": "a", "link": "a"}
    given = replace(given, **{place: whole[place]}) if place in ("title", "note") else given
    if place == "section":
        given = replace(given, sections=(SectionRecord(1, "a\0b", None, 0, 3),))
    if place == "link":
        given = replace(given, links=(LinkRecord(OTHER, "a\0b", 0, 3),))
    if place == "identifiers":
        given = replace(given, chunks=tuple(replace(chunk, identifiers="a\0b") for chunk in given.chunks))
    outcome = library.documents.store(given)
    found = library.documents.get(URL)
    assert found is not None
    assert len(found.text) == len(given.text)
    for chunk in library.chunks.by_ids(outcome.new_chunk_ids):
        middle = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        assert middle == found.text[chunk.start : chunk.end]
    assert library.documents.store(given).kept == 2


@pytest.mark.parametrize("field", ["url", "title", "text", "note", "language", "etag", "alias", "link", "heading"])
def test_lone_surrogates_are_refused_without_changes(library: LibraryWriter, field: str) -> None:
    library.documents.store(document(URL, PARAGRAPHS))
    before = library.documents.get(URL)
    half = "https://example.org/\ud800"
    given = document(URL, ["New words"])
    if field == "text":
        given = replace(document(URL, []), text="New \udfff words")
    elif field == "alias":
        given = replace(given, aliases=(half,))
    elif field == "link":
        given = replace(given, links=(LinkRecord(half, "x", 0, 1),))
    elif field == "heading":
        given = replace(given, sections=(SectionRecord(1, half, None, 0, 1),))
    else:
        given = replace(given, **{field: half})
    with pytest.raises(InvalidArgumentError):
        library.documents.store(given)
    assert library.documents.get(URL) == before
    assert library.totals().documents == 1


@pytest.mark.parametrize(
    "change",
    [{"start": 1}, {"end": 999}, {"start": -1}, {"prefix_length": 0}, {"suffix_length": 99}, {"text": "Head: Other …"}],
)
def test_a_chunk_that_does_not_match_the_text_is_refused(library: LibraryWriter, change: dict[str, object]) -> None:
    given = document(URL, PARAGRAPHS)
    broken = replace(given, chunks=(replace(given.chunks[0], **change), *given.chunks[1:]))  # type: ignore[arg-type]
    with pytest.raises(InvalidArgumentError, match="does not match its text"):
        library.documents.store(broken)
    assert library.totals().documents == 0


@pytest.mark.parametrize("wrong", ["no address", "NUL in the address", "NUL in an alias", "repeated key"])
def test_documents_with_ambiguous_addresses_or_keys_are_refused(library: LibraryWriter, wrong: str) -> None:
    given = document(URL, PARAGRAPHS)
    first, second, third = given.chunks
    broken = {
        "no address": replace(given, url=""),
        "NUL in the address": replace(given, url=URL + "\0"),
        "NUL in an alias": replace(given, aliases=("https://example.org/\0",)),
        "repeated key": replace(given, chunks=(first, replace(second, key=first.key), third)),
    }[wrong]
    with pytest.raises(InvalidArgumentError):
        library.documents.store(broken)
    assert library.totals().documents == 0


# replacing


def test_storing_again_keeps_the_ids_of_unchanged_chunks(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, PARAGRAPHS))
    embed(library, first.new_chunk_ids)
    again = library.documents.store(document(URL, (PARAGRAPHS[0], "Greasing the pump", PARAGRAPHS[2])))
    assert again.document_id == first.document_id
    assert (len(again.new_chunk_ids), again.kept, again.removed) == (1, 2, 1)
    ids = [chunk.id for chunk in library.chunks.of_document(first.document_id, limit=9)]
    assert ids == [first.new_chunk_ids[0], again.new_chunk_ids[0], first.new_chunk_ids[2]]
    assert library.vectors.waiting_ids([first.document_id]) == list(again.new_chunk_ids)
    assert library.chunks.by_ids([first.new_chunk_ids[1]]) == []


def test_storing_the_same_document_again_has_no_effect(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, PARAGRAPHS))
    embed(library, first.new_chunk_ids)
    before = library.documents.get(URL)
    again = library.documents.store(document(URL, PARAGRAPHS))
    assert (again.new_chunk_ids, again.kept, again.removed) == ((), 3, 0)
    assert library.documents.get(URL) == before


def test_moved_chunks_keep_their_ids(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, PARAGRAPHS))
    embed(library, first.new_chunk_ids)
    again = library.documents.store(document(URL, PARAGRAPHS[::-1]))
    assert (again.new_chunk_ids, again.kept, again.removed) == ((), 3, 0)
    found = library.chunks.of_document(first.document_id, limit=9)
    assert [chunk.id for chunk in found] == list(first.new_chunk_ids[::-1])
    assert [(chunk.ord, chunk.start) for chunk in found] == [(0, 0), (1, 19), (2, 37)]
    assert not library.vectors.has_waiting()


def test_a_known_key_with_another_text_keeps_its_id_and_is_embedded_again(library: LibraryWriter) -> None:
    given = document(URL, PARAGRAPHS)
    outcome = library.documents.store(given)
    embed(library, outcome.new_chunk_ids)
    changed = replace(given.chunks[1], text="Intro: Running the pump …", prefix_length=7)
    again = library.documents.store(replace(given, chunks=(given.chunks[0], changed, given.chunks[2])))
    assert (again.new_chunk_ids, again.kept, again.removed) == (outcome.new_chunk_ids[1:2], 2, 0)
    assert [passage.text for passage in library.vectors.waiting(9)] == ["Intro: Running the pump …"]
    assert [hit.chunk_id for hit in library.chunks.lexical(["intro"], k=9)] == list(again.new_chunk_ids)


def test_changed_at_follows_the_content_hash(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS))
    library.documents.store(document(URL, PARAGRAPHS, last_crawled=200.0, etag='"2"'))
    same = library.documents.get(URL)
    library.documents.store(document(URL, PARAGRAPHS[:2], last_crawled=300.0))
    changed = library.documents.get(URL)
    assert same is not None and changed is not None
    assert (same.last_crawled, same.changed_at, same.etag) == (200.0, 100.0, '"2"')
    assert (changed.last_crawled, changed.changed_at, changed.etag) == (300.0, 300.0, None)


def test_structure_is_replaced_with_the_page(library: LibraryWriter) -> None:
    full = document(
        URL,
        PARAGRAPHS,
        sections=(SectionRecord(1, "Guide", "guide", 0, 19),),
        images=(ImageRecord("https://example.org/a.png", "", "", 0),),
        links=(LinkRecord(OTHER, "pump", 15, 19),),
        navigation=("https://example.org/menu",),
    )
    document_id = library.documents.store(full).document_id
    library.documents.store(document(URL, PARAGRAPHS))
    found = library.documents.get(URL)
    assert found is not None
    assert (found.sections, found.images) == ((), ())
    assert library.documents.links(document_id) == []
    assert library.documents.outgoing(document_id) == []


def test_a_new_title_reaches_chunks_and_search(library: LibraryWriter) -> None:
    outcome = library.documents.store(document(URL, PARAGRAPHS, title="Old"))
    embed(library, outcome.new_chunk_ids)
    again = library.documents.store(document(URL, PARAGRAPHS, title="Submersible"))
    assert again.kept == 3
    assert {chunk.title for chunk in library.chunks.by_ids(outcome.new_chunk_ids)} == {"Submersible"}
    assert len(library.chunks.lexical(["submersible"], k=9)) == 3
    assert library.chunks.lexical(["old"], k=9) == []
    assert library.vectors.count_waiting() == 0


def test_touching_keeps_missing_validators(library: LibraryWriter) -> None:
    outcome = library.documents.store(document(URL, PARAGRAPHS, etag='"1"', last_modified="Mon"))
    library.documents.touch(outcome.document_id, last_crawled=500.0, last_modified="Tue")
    found = library.documents.get(URL)
    assert found is not None
    assert (found.last_crawled, found.changed_at, found.etag, found.last_modified) == (500.0, 100.0, '"1"', "Tue")


def test_touching_a_deleted_document_has_no_effect(library: LibraryWriter) -> None:
    library.documents.touch(2**40, last_crawled=1.0)
    assert library.totals().documents == 0


# other addresses


def test_aliases_find_the_document_and_survive_storing_again(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS, aliases=("http://example.org/guide", URL, "")))
    assert library.documents.summary("http://example.org/guide") == library.documents.summary(URL)
    library.documents.store(document(URL, PARAGRAPHS, aliases=("https://example.org/g",)))
    library.documents.store(document(URL, PARAGRAPHS[:2]))
    for alias in ("http://example.org/guide", "https://example.org/g"):
        assert library.documents.get(alias) == library.documents.get(URL)


def test_a_page_stored_under_a_new_alias_is_merged_with_its_own_aliases(
    library: LibraryWriter,
) -> None:
    old = "http://example.org/old"
    library.documents.store(document(old, ["Old words"], aliases=("http://example.org/older",)))
    library.documents.store(document(URL, PARAGRAPHS, aliases=(old,)))
    found = library.documents.get(URL)
    assert library.totals().documents == 1
    assert library.documents.get(old) == found
    assert library.documents.get("http://example.org/older") == found
    assert library.chunks.lexical(["old"], k=9) == []


def test_several_pages_can_be_merged_in_one_step(library: LibraryWriter) -> None:
    olds = tuple(f"http://example.org/old{number}" for number in range(3))
    for old in olds:
        library.documents.store(document(old, ["Old words"]))
    library.documents.store(document(URL, PARAGRAPHS, aliases=olds))
    assert library.totals().documents == 1
    assert {library.documents.get(old) for old in olds} == {library.documents.get(URL)}


def test_a_former_alias_does_not_delete_a_page_stored_under_it_now(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS, aliases=(OTHER,)))
    library.documents.store(document(OTHER, ["Another page"]))
    library.documents.store(document(URL, PARAGRAPHS[:2], aliases=("https://example.org/c",)))
    found = library.documents.get(OTHER)
    assert found is not None
    assert found.text == "Another page"


def test_an_alias_that_becomes_a_page_is_no_longer_an_alias(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS, aliases=(OTHER,)))
    own = library.documents.store(document(OTHER, ["Another page"]))
    found = library.documents.get(OTHER)
    assert found is not None
    assert found.id == own.document_id
    assert library.totals().documents == 2


def test_an_alias_moves_to_the_document_that_claims_it_last(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS, aliases=("https://example.org/latest",)))
    library.documents.store(document(OTHER, ["New"], aliases=("https://example.org/latest",)))
    found = library.documents.summary("https://example.org/latest")
    assert found is not None
    assert found.url == OTHER


def test_aliases_are_deleted_with_their_document(library: LibraryWriter) -> None:
    document_id = library.documents.store(document(URL, PARAGRAPHS, aliases=(OTHER,))).document_id
    library.documents.delete([document_id])
    assert library.documents.get(OTHER) is None


# links


def test_text_links_come_before_menu_links_without_fragments_and_duplicates(library: LibraryWriter) -> None:
    links = tuple(
        LinkRecord(url, "word", 0, 4)
        for url in ("https://example.org/b#part", "#here", "https://example.org/a", "https://example.org/b")
    )
    menu = ("https://example.org/menu#top", "https://example.org/a", "https://example.org/z")
    document_id = library.documents.store(document(URL, PARAGRAPHS, links=links, navigation=menu)).document_id
    found = [url.rsplit("/", 1)[1] for url in library.documents.outgoing(document_id)]
    assert found == ["b", "a", "menu", "z"]


def test_pages_that_link_to_a_document_are_found_by_all_its_addresses(library: LibraryWriter) -> None:
    def linking(url: str, target: str) -> int:
        links = (LinkRecord(target, "pump", 15, 19), LinkRecord(target, "again", 15, 19))
        return library.documents.store(document(url, PARAGRAPHS, links=links)).document_id

    alias = "https://example.org/g"
    library.documents.store(document(URL, PARAGRAPHS, aliases=(alias,)))
    by_url = linking("https://a.example/", URL)
    by_alias = linking("https://b.example/", alias + "#part")
    linking("https://c.example/", URL + "/more")
    library.documents.store(document(URL, PARAGRAPHS, aliases=(alias,), links=(LinkRecord(URL, "x", 0, 1),)))
    assert [row.id for row in library.documents.linking_to(alias, 9)] == [by_url, by_alias]
    assert [row.id for row in library.documents.linking_to(URL, 1)] == [by_url]
    assert [row.url for row in library.documents.linking_to(URL + "/more", 9)] == ["https://c.example/"]


def test_addresses_with_a_prefix_are_sorted_by_code_points(
    library: LibraryWriter,
) -> None:
    for tail in ("a", "a/b", "a%", "a_", "A", "ab", "b", "é", "a/B", "a-b"):
        library.documents.store(document(f"https://example.org/{tail}", ["Words."]))

    def below(prefix: str, limit: int = 99) -> list[str]:
        return [url.removeprefix("https://example.org/") for url in library.documents.urls_below(prefix, limit)]

    assert below("https://example.org/a") == sorted(["a", "a/b", "a%", "a_", "ab", "a/B", "a-b"])
    assert below("https://example.org/a/") == ["a/B", "a/b"]
    assert below("https://example.org/", 3) == sorted(["A", "a", "a%"])
    assert below("https://example.org/a%") == ["a%"]
    assert below("https://nowhere/") == []


# rows and counts


def test_rows_are_listed_newest_first(library: LibraryWriter) -> None:
    for number, crawled in enumerate((20.0, 10.0, 30.0, 20.0)):
        library.documents.store(document(f"https://example.org/{number}", ["Words."], last_crawled=crawled))
    assert rows(library) == ["2", "3", "0", "1"]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_paging_returns_every_document_once(library: LibraryWriter, limit: int) -> None:
    for number, crawled in enumerate((3, 1, 2, 2, 2, 1, 3)):
        library.documents.store(document(f"https://example.org/{number}", ["Words."], last_crawled=float(crawled)))
    everything = library.documents.summaries(limit=99)
    found = library.documents.summaries(limit=limit)
    while page := library.documents.summaries(limit=limit, after=(found[-1].last_crawled, found[-1].id)):
        found += page
    assert found == everything
    by_offset = [
        row for offset in range(0, 8, limit) for row in library.documents.summaries(limit=limit, offset=offset)
    ]
    assert by_offset == everything


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pump", ["2", "1"]),
        ("PUMP", ["2", "1"]),
        ("100%", ["3"]),
        ("0%", ["3"]),
        ("a_b", ["4"]),
        ("c\\d", ["5"]),
        ("org/4", ["4"]),
        ("nothing", []),
        ("'", []),
        ("%", ["3"]),
        ("%" * 60_000, []),
    ],
)
def test_rows_are_found_by_a_part_of_title_or_address(library: LibraryWriter, text: str, found: list[str]) -> None:
    titles = ("Plain", "The pump", "Pumps and more", "100% cotton", "a_b", "c\\d")
    for number, title in enumerate(titles):
        made = document(f"https://example.org/{number}", ["Words."], title=title, last_crawled=float(number + 1))
        library.documents.store(made)
    assert rows(library, text=text) == found


def test_rows_count_chunks_vectors_and_tokens(library: LibraryWriter) -> None:
    outcome = library.documents.store(document(URL, PARAGRAPHS))
    embed(library, outcome.new_chunk_ids[:2])
    row = library.documents.summary(URL)
    assert row is not None
    tokens = sum(chunk.tokens for chunk in document(URL, PARAGRAPHS).chunks)
    assert (row.chunks, row.chunks_embedded, row.tokens, row.state) == (3, 2, tokens, DocumentState.TEXT)
    embed(library, outcome.new_chunk_ids[2:])
    row = library.documents.summary(URL)
    assert row is not None
    assert (row.chunks_embedded, row.state) == (3, DocumentState.READY)


def test_rows_by_id_are_limited_to_existing_documents_newest_first(library: LibraryWriter) -> None:
    ids = [
        library.documents.store(
            document(f"https://example.org/{number}", ["Words."], last_crawled=float(number + 1))
        ).document_id
        for number in range(3)
    ]
    assert [row.id for row in library.documents.summaries_of([*ids, 2**40])] == ids[::-1]
    assert library.documents.summaries_of([]) == []


def test_counts_and_totals_count_the_store(library: LibraryWriter) -> None:
    assert library.totals().documents == library.totals().chunks == library.totals().tokens == 0
    first = library.documents.store(document(URL, PARAGRAPHS))
    second = library.documents.store(document(OTHER, PARAGRAPHS[:1]))
    embed(library, first.new_chunk_ids)
    totals = library.totals()
    assert (totals.documents, totals.chunks, totals.chunks_embedded) == (2, 4, 3)
    assert totals.tokens == sum(row.tokens for row in library.documents.summaries(limit=9))
    assert totals.file_bytes > 0
    assert library.chunks.count() == 4
    assert library.documents.counts(Filter()) == (2, 4)
    assert library.documents.counts(Filter(urls=(URL,))) == (1, 3)
    assert library.documents.counts(Filter(doc_tags=(("nowhere", second.document_id, first.document_id),))) == (2, 4)
    assert library.documents.counts(Filter(urls=("https://nowhere/",))) == (0, 0)


def test_details_of_documents_are_returned_by_id(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, ["Pümpe"]))
    second = library.documents.store(document(OTHER, PARAGRAPHS))
    embed(library, first.new_chunk_ids)
    ids = [second.document_id, first.document_id, 2**40]
    assert library.documents.text_bytes(ids) == {first.document_id: 6, second.document_id: 56}
    assert set(library.documents.content_hashes(ids)) == set(ids[:2])
    assert library.documents.complete(ids) == {first.document_id: URL}
    assert (
        library.documents.text_bytes([]) == library.documents.content_hashes([]) == library.documents.complete([]) == {}
    )


def test_freshness_is_returned_in_the_requested_order_for_existing_documents(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, PARAGRAPHS, last_modified="Mon")).document_id
    second = library.documents.store(document(OTHER, ["Words."], last_crawled=70.0)).document_id
    found = library.documents.freshness([second, 2**40, first])
    assert [(each.document_id, each.url, each.last_crawled) for each in found] == [
        (second, OTHER, 70.0),
        (first, URL, 100.0),
    ]
    assert [(each.last_modified, each.changed_since_cited) for each in found] == [(None, 0), ("Mon", 0)]


# deleting


def test_deleting_removes_all_data_of_a_document(library: LibraryWriter) -> None:
    given = document(
        URL,
        PARAGRAPHS,
        aliases=("https://example.org/g",),
        sections=(SectionRecord(1, "Guide", None, 0, 5),),
        images=(ImageRecord("https://example.org/a.png", "", "", 0),),
        links=(LinkRecord("https://example.org/x", "pump", 15, 19),),
        navigation=("https://example.org/menu",),
    )
    outcome = library.documents.store(given)
    vectors = embed(library, outcome.new_chunk_ids)
    assert library.documents.delete([outcome.document_id]) == {outcome.document_id: URL}
    assert library.documents.delete([outcome.document_id]) == {}
    totals = library.totals()
    assert (totals.documents, totals.chunks, totals.tokens, totals.chunks_embedded) == (0, 0, 0, 0)
    assert library.chunks.lexical(["pump"], k=9) == []
    assert library.vectors.nearest(vectors[0], k=9) == []
    assert library.vectors.token_vectors(outcome.new_chunk_ids) == []
    assert not library.vectors.has_waiting()
    assert library.documents.linking_to("https://example.org/x", 9) == []
    assert library.documents.get("https://example.org/g") is None


def test_many_documents_are_deleted_in_one_step_and_others_stay(library: LibraryWriter) -> None:
    ids = [
        library.documents.store(document(f"https://example.org/{number}", ["Words."])).document_id
        for number in range(5)
    ]
    removed = library.documents.delete([*ids[:3], 2**40, ids[0]])
    assert removed == {each: f"https://example.org/{number}" for number, each in enumerate(ids[:3])}
    assert rows(library) == ["4", "3"]


def test_ids_are_never_reused(library: LibraryWriter) -> None:
    first = library.documents.store(document(URL, PARAGRAPHS))
    library.documents.delete([first.document_id])
    second = library.documents.store(document(URL, PARAGRAPHS))
    assert second.document_id > first.document_id
    assert min(second.new_chunk_ids) > max(first.new_chunk_ids)


def test_documents_stay_marked_until_they_are_deleted(library: LibraryWriter) -> None:
    ids = [
        library.documents.store(document(f"https://example.org/{number}", ["Words."])).document_id
        for number in range(4)
    ]
    library.documents.mark_for_deletion(ids[:2])
    library.documents.mark_for_deletion(ids[1:3])
    assert library.documents.pending_deletions() == ids[:3]
    library.documents.delete(ids[:1])
    assert library.documents.pending_deletions() == ids[1:3]
    library.documents.delete(library.documents.pending_deletions())
    assert library.documents.pending_deletions() == []
    assert rows(library) == ["3"]


def test_deleting_nothing_has_no_effect(library: LibraryWriter) -> None:
    library.documents.store(document(URL, PARAGRAPHS))
    assert library.documents.delete([]) == {}
    assert library.totals().documents == 1


def test_pages_read_together_equal_pages_read_separately(library: LibraryWriter) -> None:
    ids = [
        library.documents.store(document(f"https://example.org/{name}", ["Text"])).document_id for name in ("a", "b")
    ]
    found = library.documents.by_ids([ids[1], 2**40, ids[0]])
    assert found == [library.documents.by_id(ids[1]), library.documents.by_id(ids[0])]
    assert library.documents.by_ids([]) == []


def test_the_sources_with_the_most_pages_are_counted(library: LibraryWriter) -> None:
    for url in (URL, OTHER, "https://a.example/x/y", "https://b.example/"):
        library.documents.store(document(url, PARAGRAPHS))
    assert list(library.documents.roots(2).items()) == [("example.org", 2), ("a.example", 1)]
    assert library.documents.labels() == [] and library.documents.labels(["a.example", "\0"]) == []
