"""The image cache: its limit, order, deletion with pages, and damaged files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import caps
from app.corpus.pictures import PICTURES_FILE, PictureStore, open_pictures, picture_files, remove_pictures
from app.corpus.records import PictureIn
from app.errors import CorpusDamagedError, CorpusError

PAGE, OTHER = "https://example.org/", "https://example.org/other"
SIZE = 10_000
LIMIT = 10 * SIZE


def picture(name: str, size: int = SIZE, fill: bytes = b"\7") -> PictureIn:
    return PictureIn(f"https://example.org/{name}.png", "image/png", 40, 30, fill * size, '"1"', None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PictureStore]:
    opened = PictureStore(tmp_path / PICTURES_FILE, LIMIT)
    yield opened
    opened.close()


def names(store: PictureStore, page: str = PAGE) -> list[str]:
    return sorted(url.rsplit("/", 1)[1].removesuffix(".png") for url in store.of_page(page))


def test_an_image_is_stored_with_its_metadata(store: PictureStore) -> None:
    assert store.keep(PAGE, picture("a"))
    (kept,) = store.of_page(PAGE).values()
    assert (kept.url, kept.media_type, kept.width, kept.height) == (picture("a").url, "image/png", 40, 30)
    assert kept.content == picture("a").content == store.picture(PAGE, kept.url).content  # type: ignore[union-attr]
    assert store.known([kept.url, "https://example.org/none"])[kept.url].etag == '"1"'
    assert store.picture(OTHER, kept.url) is None


def test_the_oldest_images_are_evicted_when_the_cache_is_full(store: PictureStore) -> None:
    for number in range(14):
        assert store.keep(PAGE, picture(f"{number:02}"))
    assert names(store) == [f"{number:02}" for number in range(4, 14)]
    assert store.bytes == LIMIT
    store.touch(picture("04").url)
    store.keep(PAGE, picture("large", 2 * SIZE))
    assert names(store) == ["04", *[f"{number:02}" for number in range(7, 14)], "large"]
    assert not store.keep(PAGE, picture("huge", LIMIT + 1))
    assert store.bytes <= LIMIT


def test_a_smaller_limit_applies_immediately_and_shrinks_the_file(store: PictureStore, tmp_path: Path) -> None:
    for number in range(10):
        store.keep(PAGE, picture(f"{number}", fill=bytes([number + 1])))
    store.close()
    before = (tmp_path / PICTURES_FILE).stat().st_size
    again = PictureStore(tmp_path / PICTURES_FILE, 2 * SIZE)
    assert names(again) == ["8", "9"]
    again.close()
    assert (tmp_path / PICTURES_FILE).stat().st_size < before / 2


def test_renewing_an_image_updates_it_for_all_its_pages(store: PictureStore) -> None:
    store.keep(PAGE, picture("a"))
    store.use(OTHER, picture("a").url)
    store.keep(PAGE, picture("a", 2 * SIZE, b"\x09"))
    assert [kept.content[:1] for page in (PAGE, OTHER) for kept in store.of_page(page).values()] == [b"\x09"] * 2
    assert store.bytes == 2 * SIZE


def test_images_are_deleted_with_their_last_page_and_free_their_bytes(store: PictureStore, tmp_path: Path) -> None:
    store.keep(PAGE, picture("shared", 100, b"shared picture "))
    store.use(OTHER, picture("shared").url)
    store.keep(PAGE, picture("own", 100, b"own picture "))
    store.forget_page(PAGE)
    assert (names(store), names(store, OTHER)) == ([], ["shared"])
    store.forget_page(OTHER)
    assert (store.bytes, store.pages()) == (0, [])
    store.close()
    left = b"".join(path.read_bytes() for path in picture_files(tmp_path) if path.exists())
    assert b"own picture" not in left and b"shared picture" not in left


def test_images_that_a_page_no_longer_shows_are_deleted(store: PictureStore) -> None:
    store.keep(PAGE, picture("a"))
    store.keep(PAGE, picture("b"))
    store.forget_page(PAGE, but=[picture("b").url])
    assert names(store) == ["b"] and store.shown_by(PAGE) == {picture("b").url}


def test_the_images_of_a_page_are_limited_in_bytes(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / PICTURES_FILE, 4 * caps.MAX_PAGE_PICTURE_BYTES)
    for number in range(5):
        store.keep(PAGE, picture(f"{number}", caps.MAX_PAGE_PICTURE_BYTES // 3))
    assert len(store.of_page(PAGE)) == 3
    store.close()


@pytest.mark.parametrize("content", [b"not a database at all" * 400, b"SQLite format 3\0" + bytes(5_000)])
def test_a_damaged_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / PICTURES_FILE).write_bytes(content)
    store = open_pictures(tmp_path, LIMIT)
    assert store is not None and store.keep(PAGE, picture("a"))
    store.close()


def test_damage_found_later_clears_the_cache_and_is_reported_once(store: PictureStore, tmp_path: Path) -> None:
    for number in range(9):
        store.keep(PAGE, picture(f"{number}"))
    store.close()
    file = tmp_path / PICTURES_FILE
    whole = bytearray(file.read_bytes())
    whole[4_096:] = b"\xaa" * (len(whole) - 4_096)
    file.write_bytes(whole)
    again = open_pictures(tmp_path, LIMIT)
    assert again is not None
    for _ in range(2):
        try:
            again.of_page(PAGE)
            again.keep(PAGE, picture("new"))
        except CorpusError:
            continue
    assert names(again) == ["new"]
    again.close()


def test_a_cache_that_cannot_be_opened_again_after_damage_reports_every_use(
    store: PictureStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(path: Path) -> None:
        raise CorpusError("The disk is full.")

    monkeypatch.setattr("app.corpus.pictures._connect", no_room)
    with pytest.raises(CorpusError), store._reading():
        raise CorpusDamagedError("damaged")
    with pytest.raises(CorpusError):
        store.of_page(PAGE)
    with pytest.raises(CorpusError):
        store.forget_page(PAGE)


def test_a_file_of_another_version_is_replaced(store: PictureStore, tmp_path: Path) -> None:
    store.keep(PAGE, picture("a"))
    store._con.pragma("user_version", 99)
    store.close()
    again = open_pictures(tmp_path, LIMIT)
    assert again is not None and again.bytes == 0
    again.close()


def test_without_a_usable_folder_nothing_is_stored_or_raised(tmp_path: Path) -> None:
    assert open_pictures(tmp_path / "gone", LIMIT) is None
    remove_pictures(tmp_path / "gone")


def test_removing_deletes_all_files(store: PictureStore, tmp_path: Path) -> None:
    store.keep(PAGE, picture("a"))
    store.close()
    remove_pictures(tmp_path)
    assert not list(tmp_path.iterdir())
