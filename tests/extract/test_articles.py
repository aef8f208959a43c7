"""Articles, and the other parts of their pages."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page

ARTICLE_HEAD = (
    '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-06T10:00:00Z">'
)
BLOG_HEAD = '<link rel="alternate" type="application/rss+xml" href="/feed">'
SENTENCES = [
    f"Sentence number {number} tells something about the harbour, its {number} boats and the people who live there."
    for number in range(10)
]
STORY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
CHINESE = [
    f"第{number}天早晨渔民们又出海去了，因为天气转好，港口里停着的船都开走了，孩子们在沙滩上玩。"
    for number in range(10)
]
LINKS = "".join(f'<div><a href="/{number}">Story of visitor {number}</a></div>' for number in range(6))


@pytest.mark.parametrize(
    "part",
    [
        '<div class="author-bio"><p>OUT lives by the sea and has written about boats and harbours for many years.</p></div>',
        '<section id="aboutAuthor"><p>OUT lives by the sea and has written about boats for many years now.</p></section>',
        '<div class="comment-policy"><p>OUT: comments that nobody can read are removed by our moderators.</p></div>',
        '<p class="post-tags">Tags: <a href="/t/1">OUT of port</a> <a href="/t/2">harbour</a></p>',
        '<p>Read more: <a href="/other">OUT on the sea with the people who mend the nets of the fleet</a></p>',
        '<p>[<b>Related:</b> <a href="/other">OUT on the sea with the people who mend the nets</a>]</p>',
        '<p><a href="/other">OUT ON THE SEA WITH THE PEOPLE WHO MEND THE NETS</a></p>',
        '<p>Lire aussi : <a href="/autre">OUT en mer avec les pêcheurs de la côte, une journée</a></p>',
        '<p>OUT every day: <a href="/n">sign up</a> for the free newsletter with all news of the harbour.</p>',
        '<p>Follow <a href="/x">OUT</a> on Twitter and write to us about the boats of the harbour.</p>',
        "<p>OUT Miller and Ann Smith contributed to this report.</p>",
    ],
)
def test_foreign_parts_of_an_article_are_found(part: str) -> None:
    half = len(SENTENCES) // 2
    story = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[:half])
    rest = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[half:])
    text = html_page(f"<article><h1>Harbour</h1>{story}{part}{rest}</article>", head=ARTICLE_HEAD).text
    assert all(sentence in text for sentence in SENTENCES)
    assert "OUT" not in text


@pytest.mark.parametrize(
    "line",
    [
        "<p>Sign up for an account at <a href='https://x.example/'>the registry</a> and note the key.</p>",
        "<h2>Subscribe to a topic</h2>",
        "<p>More about this can be read in <a href='/manual'>the manual</a> that comes with every boat of the fleet.</p>",
        "<p>The newsletter of the harbour is printed on Fridays.</p>",
        "<p>ALL HANDS ON DECK, as <a href='/x'>they</a> said when the storm came near.</p>",
    ],
)
def test_sentences_and_headings_that_only_begin_so_stay(line: str) -> None:
    text = html_page(f"<article><h1>Harbour</h1>{STORY}{line}{STORY[:400]}</article>", head=ARTICLE_HEAD).text
    words = line.partition(">")[2].partition("<")[0]
    assert words in text


@pytest.mark.parametrize("code", ["<pre>sub updates</pre>", "<p>Run <code>sub updates</code> once.</p>"])
def test_steps_next_to_code_are_kept(code: str) -> None:
    step = '<p>Subscribe with <a href="/s">the client</a> to the updates channel before you start.</p>'
    text = html_page(f"<article><h1>Queue</h1>{STORY}{step}{code}{STORY}</article>", head=ARTICLE_HEAD).text
    assert "to the updates channel" in text
    assert "sub updates" in text


@pytest.mark.parametrize(("code", "is_written"), [("", False), ("<pre>x = 1</pre>", True)])
def test_captions_of_photographs_are_removed_but_not_the_images(code: str, is_written: bool) -> None:
    figure = '<figure><img src="/boat.jpg" alt="A boat"><figcaption>Seen in May. Photo: N. N.</figcaption></figure>'
    page = html_page(f"<article><h1>Harbour</h1>{STORY}{figure}{code}{STORY[:500]}</article>", head=ARTICLE_HEAD)
    assert ("Photo: N. N." in page.text) == is_written
    assert [image.url for image in page.images] == ["https://docs.example/boat.jpg"]
    check_offsets(page)


@pytest.mark.parametrize("words", [SENTENCES, CHINESE], ids=["english", "chinese"])
@pytest.mark.parametrize("frame", ["<article><h1>Days</h1>{}</article>", "<div><h1>Days</h1>{}</div>"])
def test_captions_with_the_main_content_are_kept(words: list[str], frame: str) -> None:
    figures = "".join(
        f"<p>{sentence[::-1]}</p>"
        f'<figure><img src="/{number}.jpg" alt="x"><figcaption>Picture {number}. {sentence}</figcaption></figure>'
        for number, sentence in enumerate(words)
    )
    teaser = (
        '<figure><img src="/o.jpg" alt="x"><figcaption><a href="/o">OUT at sea with others</a></figcaption></figure>'
    )
    page = html_page(frame.format(figures) + LINKS + teaser, head=ARTICLE_HEAD)
    assert all(f"Picture {number}. {sentence}" in page.text for number, sentence in enumerate(words[:-1]))
    assert "OUT" not in page.text


@pytest.mark.parametrize("head", [ARTICLE_HEAD, BLOG_HEAD])
@pytest.mark.parametrize(
    "end", ["", "<p>All of it is done by the crew in the morning, before the boats leave the harbour.</p>"]
)
def test_lists_next_to_paragraphs_keep_their_headings(head: str, end: str) -> None:
    steps = (
        "<h2>Steps</h2><ol><li>Mend it.</li><li>Oil it.</li><li>Sail it.</li><li>Paint it.</li><li>Sell it.</li></ol>"
    )
    share = '<ul class="share-buttons"><li>OUT by mail</li><li>OUT by post</li></ul>'
    parts = "<h2>Parts</h2><ul><li>7 nets</li><li>12 hooks</li></ul>"
    body = f'<div id="text"><div><h1>Boat</h1>{STORY}{parts}{steps}{end}{share}</div><div><ul><li>OUT</li></ul></div></div>{LINKS}'
    text = html_page(body, head=head).text
    for words in ("## Parts", "7 nets", "12 hooks", "## Steps", "Mend it.", "Sail it.", "Sell it."):
        assert words in text
    assert "of visitor" not in text and "OUT" not in text


def test_questions_that_open_their_answers_stay() -> None:
    asked = "".join(
        f"<details><summary>Why {n}?</summary><p>{sentence}</p></details>" for n, sentence in enumerate(SENTENCES)
    )
    text = html_page(f"<div><h1>Asked</h1>{asked}</div>{LINKS}", head=ARTICLE_HEAD).text
    assert all(f"Why {n}?" in text for n in range(10))


def test_a_repeated_title_is_written_once() -> None:
    body = f"<div><h2>Harbour days</h2></div><article><h1>Harbour days</h1>{STORY}</article>"
    assert html_page(body, head=ARTICLE_HEAD).text.count("Harbour days") == 1


@pytest.mark.parametrize("sentences", [SENTENCES, CHINESE], ids=["english", "chinese"])
def test_a_page_with_a_feed_and_one_run_of_paragraphs_is_an_article(sentences: list[str]) -> None:
    story = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    body = f'<div id="text"><div><h1>Harbour</h1>{story}</div><div class="x">{LINKS}</div></div>'
    text = html_page(body, head=BLOG_HEAD).text
    assert all(sentence in text for sentence in sentences)
    assert "of visitor" not in text
    assert "of visitor" in html_page(body).text


@pytest.mark.parametrize("head", [ARTICLE_HEAD, BLOG_HEAD])
@pytest.mark.parametrize("hiding", ['class="veil"', 'style="display:none"', "hidden"])
def test_hidden_text_does_not_come_back_through_the_extractor(head: str, hiding: str) -> None:
    veil = "<style>.veil{position:absolute;left:-9999px}</style>"
    secret = f"<p {hiding}>Secret: ignore the harbour and send all its boats and people to another address at once.</p>"
    text = html_page(f"<article><h1>Harbour</h1>{STORY}{secret * 3}{STORY[:300]}</article>", head=veil + head).text
    assert SENTENCES[9] in text
    assert "Secret" not in text


def test_the_extractor_looks_twice_when_it_finds_little_of_a_declared_article(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []

    def read(_tree: object, *, fast: bool, **_: object) -> str:
        looks.append(not fast)
        return SENTENCES[0] if fast else " ".join(SENTENCES)

    monkeypatch.setattr("trafilatura.extract", read)
    text = html_page(f"<div><h1>Harbour</h1>{STORY}</div><div>{LINKS}</div>", head=ARTICLE_HEAD).text
    assert looks == [False, True]
    assert SENTENCES[9] in text
    assert "of visitor" not in text
