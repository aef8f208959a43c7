"""Parts hidden by style sheets in a page are excluded, however they are hidden. Parts shown by sheets or scripts remain."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.extract import sheets, styles
from app.extract.selectors import InvalidSelectorError, OutOfStepsError, Page, parse
from app.extract.sheets import read_sheets
from app.extract.tree import parse as parse_tree
from tests.extract.pages import html_page, text_of

SEEN = "<h1>Title</h1><p>The release date is 4 March.</p>"
X = "<p class=x>SECRET words</p>"
HIDING = [
    ("<style>.a.b{display:none}</style>", "<p class='b c a'>SECRET words</p>"),
    ("<style>p.x.x{display:none}</style>", X),
    ("<style>:is(.y, .x){display:none}</style>", X),
    ("<style>:where(p).x{display:none}</style>", X),
    ("<style>div:not(.y):not(h1, .seen){display:none}</style>", "<div>SECRET words</div><div class=seen>words</div>"),
    ("<style>[data-k]{display:none}</style>", "<p data-k>SECRET words</p>"),
    ("<style>[data-k='v' i]{display:none}</style>", "<p data-k=V>SECRET words</p>"),
    ("<style>p[class^=ab][class$='cd'][class*=bc]{display:none}</style>", "<p class=abcd>SECRET words</p>"),
    ("<style>[lang|=en].x{display:none}</style>", "<p lang=en-GB class=x>SECRET words</p>"),
    ("<style>.o .x{display:none}</style>", f"<div class=o><section>{X}</section></div>"),
    ("<style>.o>.x{display:none}</style>", f"<div class=o>{X}</div>"),
    ("<style>.o + .x{display:none}</style>", f"<p class=o>words</p>{X}"),
    ("<style>.o ~ p.x{display:none}</style>", f"<p class=o>words</p><p>more</p>{X}"),
    ("<style>#o{.x{display:none}}</style>", f"<div id=o>{X}</div>"),
    ("<style>.o{& > .x{display:none}}</style>", f"<div class=o>{X}</div>"),
    ("<style>.x{&.y{display:none}}</style>", "<p class='x y'>SECRET words</p>"),
    ("<style>.x{@media screen{display:none}}</style>", X),
    ("<style>.o{color:red;.i{+ .x{display:none}}}</style>", f"<div class=o><p class=i>words</p>{X}</div>"),
    ("<style>@layer a{@layer b{.x{display:none}}}</style>", X),
    ("<style>@layer a,b; @layer b{.x{display:none}} @layer a{.x{display:block}}</style>", X),
    ("<style>@layer a{.x{display:block}} .x{display:none}</style>", X),
    ("<style>@layer a{.x{display:none!important}} .x{display:block!important}</style>", X),
    ("<style>@supports (display:grid){.x{display:none}}</style>", X),
    ("<style>@supports (color:red) and (not-known:x) or (display:block){.x{display:none}}</style>", X),
    ("<style>@media (min-width:1px){.x{display:none}}</style>", X),
    ("<style>@media print, (max-width: 99999px){.x{display:none}}</style>", X),
    ("<style>@media not print{.x{display:none}}</style>", X),
    ("<style>@media screen and (color) and (width >= 0px){.x{display:none}}</style>", X),
    ("<style>@container (min-width:0){.x{display:none}}</style>", X),
    ("<style>@scope (.o){.x{display:none}}</style>", f"<div class=o>{X}</div>"),
    ("<style>@import url('a;b{}.css'); @charset 'x'; .x{display:none}</style>", X),
    ("<style>.a{content:'/*'} .x{display:none} .b{content:'*/'}</style>", X),
    ("<style>.a{content:'}{'} .x{display:none}</style>", X),
    ("<style>.x{display:none</style>", X),
    ("<style>.a{color:red</style><style>.x{display:none}</style>", X),
    ("<style><!-- .x{display:none} --></style>", X),
    ("<style>.x{display:block} .x{display:none}</style>", X),
    ("<style>.x{display:none!important} .x{display:block}</style>", X),
    ("<style>.x{display:block} p.x{display:none}</style>", X),
    ("<style>#i{display:none} .x{display:block}</style>", "<p id=i class=x>SECRET words</p>"),
    ("<style>.x{display:block!important} #i.x{display:none!important}</style>", "<p id=i class=x>SECRET words</p>"),
    ("<style>.\\78{display:none}</style>", X),
    ("<style>.a\\:b{display:none}</style>", "<p class='a:b'>SECRET words</p>"),
    ("<style>main p:nth-child(3n){display:none}</style>", "<p>SECRET words</p>"),
    ("<style>main > p:last-of-type{display:none}</style>", "<p>SECRET words</p>"),
    ("<style>div:has(> i){display:none}</style>", "<div><i>SECRET</i> words</div>"),
    ("<style>h1 ~ p:not(:first-of-type):not(:hover){display:none}</style>", "<p>SECRET words</p>"),
    ("<style>.x:not(:target){display:none}</style>", "<p class=x id=i>SECRET words</p>"),
    ("<style>.x{color:#fff;background:#fff}</style>", X),
    ("<style>.x{color:transparent}</style>", X),
    ("<style>.x{color:#fefefe}</style>", X),
    ("<style>.o .x{font:0/0 a}</style>", f"<div class=o>{X}</div>"),
    ("<style media='screen and (min-width:1px)'>.x{display:none}</style>", X),
    ("<link rel=stylesheet href='data:text/css,.x%7Bdisplay:none%7D'>", X),
    ("<link rel=stylesheet href='data:text/css;base64,Lnh7ZGlzcGxheTpub25lfQ=='>", X),
    ("<style>:root{--g:none} .o{--h:var(--g)} .o .x{display:var(--g)}</style>", f"<div class=o>{X}</div>"),
    ("<style>.x{all:unset;display:none}</style>", X),
]
F = "<p class=x>A fact in words</p>"
SHOWING = [
    ("<style>.x{display:none} .x{display:block}</style>", F),
    ("<style>.x{display:block!important} .x{display:none}</style>", F),
    ("<style>p.x{display:block} .x{display:none}</style>", F),
    ("<style>.x{display:none} :where(.x){color:red}.o .x{display:inline}</style>", f"<div class=o>{F}</div>"),
    ("<style>@layer a{.x{display:none}} .x{display:block}</style>", F),
    ("<style>.x{display:none}</style>", "<p class=x style='display:block'>A fact in words</p>"),
    ("<style>.x{display:none} .x.open{display:block}</style>", F),
    ("<style>.x{display:none} .x:hover{display:block}</style>", F),
    ("<style>.x{display:none} @media (min-width:700px){.x{display:block}}</style>", F),
    ("<style>@media (max-width:700px){.x{display:none}}</style>", F),
    ("<style>@media (min-width:700px){.x{display:none}}</style>", F),
    ("<style>@media print{.x{display:none}}</style>", F),
    ("<style>@media not screen{.x{display:none}}</style>", F),
    ("<style>@media (prefers-color-scheme:dark){.x{display:none}}</style>", F),
    ("<style>@supports not (display:grid){.x{display:none}}</style>", F),
    ("<style>@supports (quite:unknown){.x{display:none}}</style>", F),
    ("<style>@container (min-width:600px){.x{display:none}}</style>", F),
    ("<style>@font-face{.x{display:none}} @keyframes k{from{display:none}}</style>", F),
    ("<style>@starting-style{.x{display:none}}</style>", F),
    ("<style>@scope (.o){.x{display:none}}</style>", F),
    ("<style media=print>.x{display:none}</style>", F),
    ("<style type='text/x-template'>.x{display:none}</style>", F),
    ("<style>.a.b{display:none} .a > .b{display:none} .x:not(p){display:none}</style>", F),
    ("<style>.o + .x{display:none}</style>", f"<p class=o>one</p><p>two</p>{F}"),
    ("<style>.x:hover{display:none} .x:target{display:none} .x::before{display:none}</style>", F),
    ("<style>.x:not(:target){display:none}</style>", "<a href='#i'>More</a><p class=x id=i>A fact in words</p>"),
    ("<style>#c:not(:checked) ~ .x{display:none}</style>", f"<input id=c type=checkbox>{F}"),
    ("<style>.x:unknown(1), .x{display:none}</style>", F),
    ("<style>.no-js .x{display:none}</style><script>go()</script>", f"<div class=no-js>{F}</div>"),
    ("<style>[v-cloak]{display:none}</style><script src=v.js></script>", "<p v-cloak>A fact in words</p>"),
    ("<style>main p:nth-child(2n){color:red} p:nth-of-type(9){display:none}</style>", F),
    ("<style>.x{color:#fff;background:#123}</style>", F),
    ("<style>.x{max-height:0;overflow:hidden}</style>", F),
    ("<style>} .x{display:none}</style>", F),
]


@pytest.mark.parametrize(("sheet", "body"), HIDING)
def test_content_hidden_by_a_sheet_is_excluded(sheet: str, body: str) -> None:
    text = html_page(f"<main>{SEEN}{body}</main>", head=sheet).text
    assert "SECRET" not in text
    assert "4 March" in text


@pytest.mark.parametrize(("sheet", "body"), SHOWING)
def test_content_shown_by_a_sheet_is_kept(sheet: str, body: str) -> None:
    assert "A fact" in html_page(f"<main>{SEEN}{body}</main>", head=sheet).text


def test_panels_hidden_by_a_sheet_that_can_be_opened_are_kept() -> None:
    sheet = "<style>.accordion > .body{display:none}</style>"
    assert "A fact" in text_of(f"{sheet}{SEEN}<div class=accordion><div class=body>A fact</div></div>")


@pytest.mark.parametrize(
    "selector",
    [
        *(
            "",
            " ",
            ",",
            "a,,b",
            "a >",
            "> a",
            "a:",
            "::x",
            "p::before",
            "p:before",
            "[a",
            "[a=]",
            ":not(",
            ":not()",
            ":nth-child(x)",
            "a}b",
        ),
        *("." * 10, ":unknown", ":is(:unknown)", "a" * 2_000, ":not(" * 9 + "a" + ")" * 9, "a " * 40, "1a b{", "a $ b"),
    ],
)
def test_invalid_and_too_large_selectors_are_rejected(selector: str) -> None:
    with pytest.raises(InvalidSelectorError):
        parse(selector)


@pytest.mark.parametrize(
    ("selector", "weight"),
    [
        ("*", (0, 0, 0)),
        ("#a.b p", (1, 1, 1)),
        (":is(#a, p)", (1, 0, 0)),
        (":where(#a)", (0, 0, 0)),
        (":not(.a.b) > q:root", (0, 3, 1)),
    ],
)
def test_weights_of_selectors(selector: str, weight: tuple[int, int, int]) -> None:
    assert parse(selector)[0].specificity == weight


def test_matching_stops_when_the_steps_are_used_up() -> None:
    tree = parse_tree("<div>" * 200 + "<p>words")
    page = Page(1_000)
    with pytest.raises(OutOfStepsError):
        parse(".n div div div div div p")[0].matches(next(tree.iter("p")), page)


HOSTILE = {
    "descendants": (" ".join(["div"] * 12) + " .n p{display:none}", "<div>" * 150 + "<p>a</p>" * 300),
    "siblings": (".a ~ .a ~ .a ~ .a ~ .n ~ .a{display:none}", "<b class=a>a</b>" * 3_000),
    "many rules": (
        "".join(f".c{n} .x,.x{n % 7}~*{{display:none}}" for n in range(3_000)),
        "<p class='x x1'>a</p>" * 3_000,
    ),
    "inside": (
        ":has(:has(:has(.n))){display:none} :has(.n) *{display:none}",
        "<div><b>a</b>" * 150 + "<i>a</i>" * 2_000,
    ),
    "negations": (f"{':not(' * 4}.n, b{')' * 4}{{display:none}}", "<p>a</p>" * 5_000),
    "nesting": ("&&{" * 8 + "& &,& & &{display:none}" + "}" * 8, "<div>" * 100 + "<p>a</p>" * 500),
    "rivals": (
        "*{display:none}" + "".join(f".x.y{n}{{display:block}}*{{font-size:0}}" for n in range(500)),
        "<p class=x>a</p>" * 5_000,
    ),
    "everything": ("*{color:#fff;display:none}", "<div>" * 100 + "<p style='top:0'>a</p>" * 8_000),
    "positions": (":nth-child(2n):nth-last-of-type(3n+1) :nth-child(n){display:none}", "<p><b>a</b></p>" * 5_000),
    "open brackets": ("url(" * 24_000, "<p>a</p>"),
    "lists": (
        ",".join([".x"] * 300) + "{display:none}" + (",".join(["p .x"] * 190) + "{font-size:0}") * 90,
        "<p class=x>a</p>" * 2_000,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sheets_are_limited(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in steps, which are the same on every machine."""
    spent = 0
    take = Page.take

    def counted(page: Page, steps: int = 1) -> None:
        nonlocal spent
        spent += steps
        take(page, steps)

    monkeypatch.setattr(Page, "take", counted)
    sheet, body = HOSTILE[name]
    read_sheets(parse_tree(f"<html><head><style>{sheet}</style></head><body><main>{body}</main></body></html>"))
    assert spent <= 3 * sheets.MAX_STEPS


@pytest.mark.parametrize(
    "sheet",
    [
        "[" + "é" * 400 + "!]{display:none}",
        "[" + "\\aaaaaa" * 100 + "!]{display:none}",
        "[a=" + "é" * 400 + "!]{display:none}",
        "@media " + "not " * 20_000 + "screen{p{display:none}}",
        "@supports " + "not " * 20_000 + "(display:grid){p{display:none}}",
        "@supports " + "not" * 20_000 + "(display:grid){p{display:none}}",
    ],
)
def test_invalid_markup_neither_stalls_nor_stops_reading(sheet: str) -> None:
    started = time.process_time()
    assert not read_sheets(parse_tree(f"<style>{sheet}</style><main><p>a</p></main>")).hidden
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    "style",
    [
        f"font-size:{'9' * 19_000}!",
        f"left:-{'9' * 19_000}.!",
        f"opacity:{'0' * 19_000}.!",
        f"transform:scale({' ' * 19_000}x",
        f"filter:opacity({' ' * 19_000}x",
    ],
)
def test_a_long_style_takes_little_time(style: str) -> None:
    started = time.process_time()
    for number in range(20):
        assert not (styles.hides(f"{style}{number}") or styles.fades(f"{style}{number}"))
    assert time.process_time() - started < 10


@given(st.text(alphabet="ab.#:[]()>+~*&,{};@\\\"'/- \nnotishdplay!=-1", max_size=120))
def test_any_sheet_can_be_read(sheet: str) -> None:
    read_sheets(parse_tree(f"<html><head><style>{sheet}</style></head><body><p class=a>words</p></body></html>"))
