"""What a reader does not see is never in the text."""

from __future__ import annotations

import pytest

from tests.extract.pages import html_page, text_of

SEEN = "<h1>Title</h1><p>The release date is 4 March.</p>"


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>SECRET words</p>",
        '<p style="display:none">SECRET words</p>',
        '<p style="color:red; DISPLAY : none !important">SECRET words</p>',
        '<p style="visibility:hidden">SECRET words</p>',
        '<span style="font-size:0">SECRET words</span>',
        '<span style="font-size: 0px;">SECRET words</span>',
        '<span style="position:absolute;left:-9999px">SECRET words</span>',
        '<span class="sr-only">SECRET words</span>',
        '<div aria-hidden="true">SECRET words</div>',
        "<!-- SECRET words -->",
        "<template><p>SECRET words</p></template>",
        "<script>var SECRET = 1</script>",
        "<style>.x{display:none}</style><p class=x>SECRET words</p>",
        "<style>#y{visibility:hidden}</style><p id=y>SECRET words</p>",
        "<noscript>SECRET words</noscript>",
        '<input value="SECRET words"><select><option>SECRET</option></select><textarea>SECRET</textarea>',
        "<svg><text>SECRET words</text></svg>",
        "<dialog>SECRET words</dialog>",
        '<div style="display:none">' + "SECRET words. " * 40 + "</div>",
    ],
)
def test_hidden_text_is_left_out(hidden: str) -> None:
    text = text_of(SEEN + hidden)
    assert "SECRET" not in text
    assert "4 March" in text


@pytest.mark.parametrize(
    "body",
    [
        '<div role="tablist"><button role="tab">A</button></div><div role="tabpanel" hidden>SHOWN words</div>',
        '<div class="accordion-body" style="display:none">SHOWN words</div>',
        '<button aria-controls="p1">Open</button><div id="p1" hidden>SHOWN words</div>',
        "<details><p>SHOWN words</p></details>",
        '<style media="print">.x{display:none}</style><p class=x>SHOWN words</p>',
        "<style>@media (max-width: 600px) {.x{display:none}}</style><p class=x>SHOWN words</p>",
        "<style>.x{display:none} .open .x{display:block}</style><p class=x>SHOWN words</p>",
        '<p style="opacity:0">SHOWN words</p>',
    ],
)
def test_text_that_a_reader_can_open_stays(body: str) -> None:
    assert "SHOWN words" in text_of(SEEN + body)


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
    content = "<main><h1>Shop</h1>" + "<p>A long description of the goods in this shop.</p>" * 40 + "</main>"
    assert "long description" in text_of(f'<div style="display:none">{content}</div><p>Loading</p>')
