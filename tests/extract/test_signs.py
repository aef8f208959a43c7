"""Labels of images and icons, in cells and within a sentence."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


def cell(content: str, *, attributes: str = "") -> str:
    """Return the text of a cell next to a first column."""
    rows = f"<tr><th>Name<th>Value<tr><td>Alpha<td {attributes}>{content}<tr><td>Beta<td>12"
    return text_of(f"<main><table>{rows}</table></main>").splitlines()[2].split("|")[2].strip()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<img src=y.svg alt=Yes>", "Yes"),
        ("<img src=y.svg title=Yes>", "Yes"),
        ("<a href=/x><img src=y.svg alt=Yes></a>", "Yes"),
        ("<i class=icon title=No></i>", "No"),
        ("<i class='fa fa-x' aria-hidden=true title=No></i>", "No"),
        ("<span class='icon yes' title=Supported></span>", "Supported"),
        ("<span role=img aria-label='Not supported'></span>", "Not supported"),
        ("<span role=img aria-label=Yes><span aria-hidden=true>✔</span></span>", "Yes"),
        ("<i class=icon title=Yes>\ue013</i>", "Yes"),
        ("<svg role=img aria-label=Partial><path d='M0 0'/></svg>", "Partial"),
        ("<svg><title>Not supported</title><path d='M0 0'/></svg>", "Not supported"),
        ("<div><span title=Yes><svg><path d='M0 0'/></svg></span></div>", "Yes"),
        ("<a href=/manual.pdf title=Manual><i class=pdf></i></a>", "Manual"),
        ("<span class=visually-hidden>Full support</span>", "Full support"),
        ("<i class=icon aria-hidden=true></i><span class=sr-only>Yes</span>", "Yes"),
        ("<i class=icon title=Yes></i><span class=sr-only>Yes</span>", "Yes"),
        ("<i class='fa fa-check-circle'></i>", "✓"),
        ("<svg><use href='#icon-check'/></svg>", "✓"),
        ("<svg class=i><use xlink:href='/sprite.svg#xmark'/></svg>", "✗"),
        ("<span role=checkbox aria-checked=true></span>", "[x]"),
        ("<div role=switch aria-checked=false class=toggle></div>", "[ ]"),
        ("<i class='fas fa-times text-red'></i>", "✗"),
        ("<svg class='lucide lucide-check'><path d='M0 0'/></svg>", "✓"),
        ("<input type=checkbox checked disabled>", "[x]"),
        ("<input type=checkbox>", "[ ]"),
        ("<input type=radio name=a checked> one <input type=radio name=a> two", "(x) one ( ) two"),
        ("<img class=emoji alt=🔥 src=e.png>", "🔥"),
        ("10 <img src=up.svg alt=rising>", "10 rising"),
        ("<img src=s.png alt=star><img src=s.png alt=star>", "star star"),
        # only once if the text contains the words
        ("<img src=f.png alt=Germany> Germany", "Germany"),
        ("<img src=f.png alt='Flag of Germany'> Germany", "Germany"),
        ("Yes <i class=icon title=Yes></i>", "Yes"),
        ("10 <span class=sr-only>per month</span>", "10"),
        ("<span class=sr-only>Price:</span> 10", "10"),
        ("<i class='icon-close'></i>", "✗"),
        ("<span class='glyphicon glyphicon-remove'></span>", "✗"),
        ("10 <i class='fa fa-check'></i>", "10"),
        # decoration
        ("<img src=y.svg alt=''>x", "x"),
        ("<img src=y.svg alt='' title=Yes>", ""),
        ("<img src=a/b.png alt=IMG_0123.jpg>", ""),
        ("<img src=a/b.png alt=icon>", ""),
        (f"<img src=a/b.png alt='{'a long description ' * 9}'>", ""),
        ("<i class=icon title=Yes style='display:none'></i>no", "no"),
        ("<svg><path d='M0 0'/></svg>", ""),
        ("<span class='no-wrap'></span>", ""),
        ("<a href='#row' aria-label='This row'></a>", ""),
        ("<button aria-label=Expand></button>", ""),
        ("<div hidden><img src=y.svg alt=Yes></div>", ""),
        ("<span hidden class=sr-only>Yes</span>", ""),
    ],
)
def test_a_cell_contains_the_labels_of_its_icons(content: str, said: str) -> None:
    assert cell(content) == said


def test_the_label_of_a_cell_itself_counts_where_it_is_empty() -> None:
    assert cell("", attributes="title=Supported class=yes") == "Supported"
    assert cell("12", attributes="title='Sort this'") == "12"


def test_rows_of_images_stay() -> None:
    page = html_page(
        "<main><table><tr><th>Sign<th>Meaning<tr><td><img src=/a.png alt=Stop><td><img src=/b.png alt=Go></table></main>"
    )
    assert page.text.splitlines()[2] == "| Stop | Go      |"
    check_offsets(page)
    assert [page.text[image.position :].split(" ")[0] for image in page.images] == ["Stop", "Go"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "The status is <img alt=passing src=b.svg>, press <img alt=Save src=s.png> now.",
            "The status is passing, press Save now.",
        ),
        ("Status: <img alt=passing src=b.svg>", "Status: passing"),
        ("Press <b><i class=icon aria-label=Save></i></b> now.", "Press **Save** now."),
        ("Press <svg><title>Save</title></svg> now.", "Press Save now."),
        ("Hot <img class=emoji alt=🔥 src=e.png>", "Hot 🔥"),
        ("<img class=wp-smiley alt=🙂 src=e.png> Hello", "🙂 Hello"),
        ("Fine <img class=emoji title=:smile: alt=:smile: src=e.png>", "Fine :smile:"),
        ("Done: <input type=checkbox disabled checked> yes", "Done: [x] yes"),
        # images next to text
        ("<img alt='A boat at sea' src=b.jpg> The boat left.", "The boat left."),
        ("The boat left. <img alt='A boat at sea' src=b.jpg> It came back.", "The boat left. It came back."),
        ("The boat left<br><img alt='A boat at sea' src=b.jpg><br>and came back.", "The boat left\nand came back."),
        ("The boat <img alt='A boat at sea' width=640 src=b.jpg> left.", "The boat left."),
        ("See the docs <svg aria-label='(external link)'></svg> for more.", "See the docs for more."),
        ("Rating <span role=img aria-label='4 of 5'>★★★★☆</span> today.", "Rating ★★★★☆ today."),
        ("Ann said: <a href=/q><i title='Jump-to-quote'></i></a>", "Ann said:"),
        ("Rate <input type=radio disabled> this.", "Rate this."),
        ("I agree <input type=checkbox> to that.", "I agree to that."),
        ("Seen <span class=sr-only>SECRET</span> here.", "Seen here."),
        ("A <span title='note' class=Z3988></span> mark.", "A mark."),
    ],
)
def test_a_sentence_contains_the_labels_of_its_icons(markup: str, text: str) -> None:
    assert text_of(f"<main><p>{markup}</p></main>") == text


def test_layout_tables_keep_images_next_to_the_text() -> None:
    assert (
        text_of("<main><table role=presentation><tr><td>Boats<td><img src=/b.jpg alt='A boat'><td>Sea</table></main>")
        == "Boats Sea"
    )
