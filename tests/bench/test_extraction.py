"""The comparison of extracted texts with reference texts: words of the reader, and the folds of pages."""

from __future__ import annotations

from app.extract import extract
from extraction import Run, Truth, comparison, fold_of, reader_text


def test_the_number_of_a_heading_is_read_and_that_of_a_list_is_not() -> None:
    body = b"<main><h2>2. Harbour</h2><ol><li>Boats</li></ol><blockquote><p>Sea</p></blockquote></main>"
    page = extract(body, url="https://docs.example/a", content_type="text/html", charset="utf-8")
    assert reader_text(page).split() == ["2.", "Harbour", "Boats", "Sea"]


def test_pages_of_a_site_are_in_one_fold_and_pages_without_one_are_spread() -> None:
    site = {fold_of(f"a/{n}", Truth("aeb", "article", f"https://news.example/{n}", ""), 4) for n in range(50)}
    assert len(site) == 1
    lost = {fold_of(f"a/{n}", Truth("moz", "article", "http://fakehost/test/page.html", ""), 4) for n in range(50)}
    assert lost == {0, 1, 2, 3}


def test_each_kind_is_compared_on_all_of_its_pages_and_on_each_fold() -> None:
    truth = {f"m/{n}": Truth("moz", "article", "http://fakehost/x", "one two three four") for n in range(20)}
    truth["w"] = Truth("wcxb-dev", "forum", "https://forum.example/", "one two")
    runs = {"ours": Run(dict.fromkeys(truth, "one two three four"), 1.0), "theirs": Run({}, 1.0)}
    articles, forum = comparison(truth, runs, 2)
    assert (articles["pages"], articles["ours"], articles["theirs"]) == (20, 1.0, 0.0)
    assert articles["ours by fold"] == [1.0, 1.0]
    assert forum["ours"] == 0.6667
    assert sorted(forum["ours by fold"], key=str) == [0.6667, None]  # type: ignore[call-overload]
