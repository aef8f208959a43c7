"""Tab controls: all panels, each under the name of its tab."""

from __future__ import annotations

from tests.extract.pages import text_of


def test_tabs_are_joined_with_their_panels_by_id() -> None:
    text = text_of(
        "<main><ul role=tablist><li><button role=tab aria-controls=two>Two</button><li><button role=tab aria-controls=one>One</button></ul>"
        "<div><div role=tabpanel id=one>first</div><div role=tabpanel id=two hidden>second</div></div></main>"
    )
    assert text == "**One**\n\nfirst\n\n**Two**\n\nsecond"


def test_tabs_inside_a_panel_keep_to_their_own_control() -> None:
    inner = (
        "<div class=tabbed-set><div class=tabbed-labels><label>c</label><label>d</label></div>"
        "<div class=tabbed-content><div class=tabbed-block>C</div><div class=tabbed-block>D</div></div></div>"
    )
    text = text_of(
        "<main><div class=tabbed-set><div class=tabbed-labels><label>a</label><label>b</label></div>"
        f"<div class=tabbed-content><div class=tabbed-block>{inner}</div><div class=tabbed-block>B</div></div></div></main>"
    )
    assert text == "**a**\n\n**c**\n\nC\n\n**d**\n\nD\n\n**b**\n\nB"


def test_tabs_that_share_a_panel_only_filter_it() -> None:
    text = text_of(
        "<main><h2>Methods</h2><div><div role=tablist><button role=tab aria-controls=p>All</button>"
        "<button role=tab aria-controls=p>Static</button></div><div role=tabpanel id=p>run()</div></div></main>"
    )
    assert text == "## Methods\n\nrun()"


def test_labels_without_panels_stay_text() -> None:
    text = text_of(
        "<main><div class=tabs-container><div role=tab>a</div><div role=tab>b</div><div role=tabpanel>A</div></div></main>"
    )
    assert text == "a\n\nb\n\nA"
