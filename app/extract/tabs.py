"""Tab controls: every panel is shown, under the name of its tab."""

from __future__ import annotations

from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.xpath import elements, has_class

_SETS: Final = elements(
    f"//*[{has_class('tabs-container')} or {has_class('tabbed-set')} or {has_class('sd-tab-set')}"
    f" or {has_class('sphinx-tabs')} or {has_class('vp-code-group')} or self::starlight-tabs"
    " or child::*[@role='tablist']]"
)
_SOURCE_WORDS: Final = word_set("tablist tabs-container tabbed-set sd-tab-set sphinx-tabs vp-code-group starlight-tabs")
_LABELS: Final = elements(
    ".//*[@role='tab'] | .//label[contains(@class, 'tab')]"
    " | .//label[ancestor::*[contains(@class, 'tabs') or contains(@class, 'tabbed-labels')]]"
)
_PANELS: Final = elements(
    f".//*[@role='tabpanel' or {has_class('sd-tab-content')} or {has_class('tabbed-block')}"
    f" or {has_class('tabbed-content')} and not(.//*[{has_class('tabbed-block')}])"
    f" or parent::*[{has_class('blocks')}]]"
)


def may_have_tabs(markup: str) -> bool:
    """A quick look for the words that every tab control has in its source."""
    return any(word in markup for word in _SOURCE_WORDS)


def expand_tabs(tree: HtmlElement) -> None:
    """Put a bold label before each panel and take the row of tabs out."""
    for control in _SETS(tree):
        labels, panels = _LABELS(control), _PANELS(control)
        if not labels or len(labels) != len(panels):
            continue
        for label, panel in zip(labels, panels, strict=True):
            _put_label(" ".join(label.text_content().split()), panel)
        for label in labels:
            _remove(label)


def _put_label(name: str, panel: HtmlElement) -> None:
    paragraph = etree.SubElement(panel, "p")
    etree.SubElement(paragraph, "strong").text = name
    panel.insert(0, paragraph)
    paragraph.tail, panel.text = panel.text, None


def _remove(label: HtmlElement) -> None:
    if label.getparent() is not None:
        label.drop_tree()
