"""The text contains what a reader can open or scripts will show, but nothing hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.extract.styles import background_colour, colour, fades, hides, text_colour
from tests.extract.pages import html_page, text_of

SEEN = "<h1>Title</h1><p>The release date is 4 March.</p>"
GOODS = "<p>A long description of the goods in this shop.</p>" * 40
HIDING_STYLES = [
    "display:none",
    "color:red; DISPLAY : none !important",
    "visibility:hidden",
    "visibility: collapse;",
    "content-visibility:hidden",
    "opacity:0",
    "opacity: 0.00; color: red",
    "font-size:0",
    "font-size: 0px;",
    "font-size:1px",
    "font-size:0.0em",
    "position:absolute;left:-9999px",
    "position:absolute;top:-1000px",
    "text-indent:-9999px",
    "position:fixed;left:-100vw",
    "margin-left:-999em",
    "transform:translateX(-10000px)",
    "transform: scale(0)",
    "position:absolute;clip:rect(0,0,0,0)",
    "clip:rect(1px 1px 1px 1px)",
    "clip-path:inset(50%)",
    "clip-path: circle(0)",
    "height:0;overflow:hidden",
    "max-height:0px; overflow: hidden",
    "width:1px;height:1px;overflow:hidden;position:absolute",
    "color:#fff;background:#fff",
    "background-color:#FFFFFF;color:white",
    "color:rgb(255,255,255);background:#fff",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:rgba(0,0,0,.01)",
    "color:rgb(0 0 0 / 2%)",
    "color:#00000005",
    "color:hsla(120,50%,50%,.01)",
    "color:#fefefe;background:#fff",
    "color:hsl(0, 0%, 99%);background:white",
    "background:#111;color:#121212",
    "filter:opacity(0)",
    "filter: blur(2px) opacity(0.5%)",
    "opacity:0.4%",
    "display:var(--gone);--gone:none",
    "display:var(--unset, none)",
    "--a:var(--b);--b:hidden;visibility:var(--a)",
    "mask:linear-gradient(transparent,transparent)",
    "-webkit-mask:linear-gradient(#0000 0 0)",
    "mask-image: linear-gradient(rgba(0,0,0,0), rgb(0 0 0 / 0))",
    "translate:-9999px",
    "translate: 0 -2000px",
    "zoom:.01",
    "zoom:1%",
    "scale:0",
    "scale: 0.01 1",
    "transform:scale(.01)",
    "transform:rotateX(90deg)",
    "font-size:.05em",
    "font-size:1%",
    "font:0/0 a",
    "display:/**/none",
    "di\\73play:none",
]
SHOWN_STYLES = [
    "color:#767676;background:#fff",
    "color:#ddd",
    "color:rgba(0,0,0,.6)",
    "filter:opacity(0.9)",
    "opacity:50%",
    "display:var(--kind, block)",
    "display:var(--unknown)",
    "--gone:none;display:block",
    "mask:linear-gradient(#000,transparent)",
    "mask-image:url(fade.svg)",
    "translate:-50% -50%",
    "translate: 10px",
    "zoom:0.9",
    "zoom:0",
    "scale:.5",
    "transform:scale(.9)",
    "transform:rotate(90deg)",
    "font-size:.6em",
    "font:700 10px/1 serif",
    "content:'/*';color:#000",
]


@pytest.mark.parametrize("style", SHOWN_STYLES)
def test_styles_that_only_look_like_hiding(style: str) -> None:
    assert "A fact in words" in text_of(f'{SEEN}<p style="{style}">A fact in words.</p>')


def test_variables_come_from_ancestors_and_sheets() -> None:
    assert "SECRET" not in text_of(f'{SEEN}<div style="--x:none"><p style="display:var(--x)">SECRET words</p></div>')
    sheet = "<style>:root{--x:none} .y{display:var(--x)}</style>"
    assert "SECRET" not in text_of(f'{sheet}{SEEN}<p style="display:var(--x)">SECRET words</p>')
    assert "SECRET" not in text_of(f"{sheet}{SEEN}<p class=y>SECRET words</p>")
    both = "<style>:root{--x:none} @media (min-width:1px){:root{--x:block}}</style>"
    assert "A fact" in text_of(f'{both}{SEEN}<p style="display:var(--x)">A fact in words</p>')


@pytest.mark.parametrize("style", HIDING_STYLES)
@pytest.mark.parametrize("tag", ["p", "span", "div"])
def test_styles_that_hide(tag: str, style: str) -> None:
    text = text_of(f'{SEEN}<{tag} style="{style}">SECRET words</{tag}>')
    assert "SECRET" not in text
    assert "4 March" in text


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>SECRET words</p>",
        '<p hidden="">SECRET words</p>',
        '<div style="display:none"><section><p>SECRET words</p></section></div>',
        '<span class="sr-only">SECRET words</span>',
        '<div aria-hidden="true">SECRET words</div>',
        "<!-- SECRET words -->",
        "<template><p>SECRET words</p></template>",
        "<script>var SECRET = 1</script>",
        '<script type="application/ld+json">{"description": "SECRET"}</script>',
        "<style>.x{display:none}</style><p class=x>SECRET words</p>",
        "<style>.a, p.x , .b{color:red;display:none}</style><p class='y x'>SECRET words</p>",
        "<style>@layer base{.x{display:none}}</style><p class=x>SECRET words</p>",
        "<style>/* .x{display:block} */ .x{visibility:hidden}</style><p class=x>SECRET words</p>",
        "<style>.x{position:absolute;left:-5000px}</style><p class=x>SECRET words</p>",
        "<style>.x{font-size:0}</style><p class=x>SECRET words</p>",
        "<style>#y{visibility:hidden}</style><p id=y>SECRET words</p>",
        "<noscript>SECRET words</noscript>",
        "<noscript>" + "SECRET words. " * 60 + "</noscript>" + GOODS,
        '<input value="SECRET words"><select><option>SECRET</option></select><textarea>SECRET</textarea>',
        "<svg><text>SECRET words</text></svg>",
        "<dialog>SECRET words</dialog>",
        '<div style="display:none">' + "SECRET words. " * 40 + "</div>",
        '<font color="#ffffff">SECRET words</font>',
        '<div style="background:white"><p style="color:#fff">SECRET words</p></div>',
        '<table bgcolor="black"><tr><td><p style="color:#000">SECRET words</p></td></tr></table>',
        '<p style="color:white">SECRET words</p>',
        '<img alt="A boat"><object data="x">SECRET</object><iframe>SECRET</iframe>',
    ],
)
def test_hidden_text_is_excluded(hidden: str) -> None:
    text = text_of(SEEN + hidden)
    assert "SECRET" not in text
    assert "4 March" in text


@pytest.mark.parametrize(
    "body",
    [
        '<div role="tablist"><button role="tab">A</button></div><div role="tabpanel" hidden>SHOWN words</div>',
        '<div class="accordion-body" style="display:none">SHOWN words</div>',
        '<div class="accordion-item"><h3>Size</h3><div style="display:none">SHOWN words</div></div>',
        '<div class="faq"><dl><dt>Why?</dt></dl><div hidden>SHOWN words</div></div>',
        '<button aria-controls="p1">Open</button><div id="p1" hidden>SHOWN words</div>',
        '<a data-toggle="tab" href="#p2">Size</a><div id="p2" style="display:none">SHOWN words</div>',
        '<h3><button aria-expanded="false">Weight</button></h3><div aria-hidden="true" hidden><p>SHOWN words</p></div>',
        '<h3>Size <span class="toggler"></span></h3><div style="display: none;"><p>SHOWN words</p></div>',
        '<style>.css-1{display:none}</style><button>View product details</button><div class="css-1">SHOWN words</div>',
        '<p>Short… <span class="more">Read more</span><span class="text-less" style="display:none">SHOWN words</span></p>',
        "<details><p>SHOWN words</p></details>",
        '<details><summary>More</summary><div aria-hidden="true">SHOWN words</div></details>',
        '<p hidden="until-found">SHOWN words</p>',
        '<ul><li class="carousel-slide" aria-hidden="true">SHOWN words</li></ul>',
        '<style media="print">.x{display:none}</style><p class=x>SHOWN words</p>',
        "<style>@media (max-width: 600px) {.x{display:none}}</style><p class=x>SHOWN words</p>",
        "<style>.x{display:none} .open .x{display:block}</style><p class=x>SHOWN words</p>",
        "<noscript><style>.x{display:none}</style></noscript><p class=x>SHOWN words</p>",
        "<style>.x{opacity:0}</style><p class=x>SHOWN words</p>",
        '<p style="opacity:0;transform:translateY(20px)">SHOWN words</p>',
        '<p style="opacity:0;transition:opacity .5s">SHOWN words</p>',
        '<p data-aos="zoom-in" style="opacity:0">SHOWN words</p>',
        '<div style="max-height:0;overflow:hidden;transition:max-height .3s">SHOWN words</div>',
        '<div style="height:0;overflow:hidden;padding-bottom:56%">SHOWN words</div>',
        '<p style="margin-left:-300px;text-indent:-2em">SHOWN words</p>',
        '<p style="color:transparent;background-clip:text">SHOWN words</p>',
        '<div style="background:url(dark.png)"><p style="color:#fff">SHOWN words</p></div>',
        '<div style="background:#123"><p style="color:#fff">SHOWN words</p></div>',
        '<link rel="stylesheet" href="dark.css"><p style="color:white">SHOWN words</p>',
        '<div hidden id="S:0"><p>SHOWN words</p></div>',
        '<p style="font-size:small">SHOWN words</p>',
    ],
)
def test_text_that_a_reader_can_open_stays(body: str) -> None:
    assert "SHOWN words" in text_of(SEEN + body)


def test_a_control_does_not_open_a_menu_behind_it() -> None:
    menu = '<div style="display:none"><a href="/a">SECRET link</a> <a href="/b">SECRET link</a></div>'
    assert "SECRET" not in text_of(f'{SEEN}<div aria-expanded="false">Pages</div>{menu}')


def test_a_question_on_a_button_stays_with_its_answer() -> None:
    text = text_of(
        f'{SEEN}<div class="faq"><button aria-expanded="false">How long does the delivery take?</button>'
        '<div style="display:none"><p>Two days.</p></div><button>Buy</button></div>'
    )
    assert "How long does the delivery take?" in text
    assert "Two days." in text
    assert "Buy" not in text


@given(st.sampled_from(HIDING_STYLES), st.integers(1, 4), st.sampled_from(["div", "section", "ul", "table"]))
def test_nothing_inside_a_hidden_part_is_visible(style: str, depth: int, tag: str) -> None:
    inner = "<p>SECRET words</p>"
    for _ in range(depth):
        inner = f"<div>{inner}</div>"
    assert "SECRET" not in text_of(f'<main>{SEEN}<{tag} style="{style}">{inner}</{tag}></main>')


def test_invisible_characters_are_dropped_everywhere() -> None:
    page = html_page(
        "<main><h2>He\u200bad\u00ading</h2><p>zero\u200bwidth\ufeff &#8203;tag\U000e0041 bidi\u202e end&#1;</p>"
        "<pre>co\u200bde\u00a0x</pre><p><code>in\u2060line</code></p><table><tr><th>a\u200b<th>b</table></main>"
    )
    assert page.text.startswith("## Heading\n\nzerowidth tag bidi end\n\n```\ncode x\n```\n\n`inline`")
    assert page.sections[0].heading == "Heading"


def test_joiners_stay_where_a_script_needs_them() -> None:
    text = text_of("<main><p>می‌خواهم 👩‍💻 a\u200db</p></main>")
    assert text == "می‌خواهم 👩‍💻 ab"


def test_nul_bytes_join_what_they_split() -> None:
    assert "before" in text_of("<main><p>be\x00fore</p></main>")


def test_a_curtain_over_the_whole_page_does_not_hide_it() -> None:
    content = f"<main><h1>Shop</h1>{GOODS}</main>"
    assert "long description" in text_of(f'<div style="display:none">{content}</div><p>Loading</p>')


def test_a_curtain_in_the_main_part_is_distinguished_from_menus() -> None:
    menu = "<header>" + "<a href='/x'>Shop by goal and by colour</a> " * 80 + "</header>"
    curtain = f'<main><p>Please wait.</p><div style="display:none"><h1>Shop</h1>{GOODS}</div></main>'
    assert "long description" in text_of(menu + curtain)


def test_a_hidden_part_next_to_content_is_excluded() -> None:
    hidden = '<div style="display:none"><h1>SECRET</h1>' + "<p>SECRET words.</p>" * 60 + "</div>"
    assert "SECRET" not in text_of(f"<main>{SEEN}{GOODS}{hidden}</main>")


def test_a_page_that_only_works_without_scripts_is_read() -> None:
    text = text_of(f"<div id=app></div><noscript><h1>Thread</h1>{GOODS * 3}</noscript>")
    assert "long description" in text


def test_declarations_are_read_one_by_one() -> None:
    assert not hides("display:none;display:block")
    assert not hides("background:url(display:none.png)")
    assert hides("DISPLAY:NONE")
    assert not fades("opacity:0.5")
    assert not hides("")
    assert not hides("left:calc(-9999px)")


@pytest.mark.parametrize(
    ("value", "digits"),
    [
        ("#FFF", "ffffff"),
        ("#abcd", "aabbcc"),
        ("#12345600", ""),
        ("rgb(1, 2,3)", "010203"),
        ("rgba(1 2 3 / 0)", ""),
        ("White", "ffffff"),
        ("transparent", ""),
        ("var(--ink)", None),
        (f"rgb({'9' * 400},0,0)", "ff0000"),
    ],
)
def test_colors_are_parsed(value: str, digits: str | None) -> None:
    assert colour(value) == digits


def test_image_backgrounds_have_an_unknown_color() -> None:
    assert background_colour("background:linear-gradient(#fff, #000)") == ""
    assert background_colour("color:red") is None
    assert background_colour("background:#000 url(x.png)") == ""
    assert text_colour("color:#000") == "000000"


@pytest.mark.parametrize("code", ["\x07", "\x0c", "\ufffe", "&#1;", "&#x1F", "&#xFFFF;", "&#xD800;", "&#0;"])
def test_invalid_control_codes_do_not_stop_reading(code: str) -> None:
    """They are after a removed part and are moved with the text after it."""
    assert "words" in text_of(f'<main>{SEEN}{code}<p style="display:none">SECRET</p>{code} words</main>')
