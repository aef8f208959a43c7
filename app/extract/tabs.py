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
_LABELLED: Final = "data-labelled"


def may_have_tabs(markup: str) -> bool:
    """A quick look for the words that every tab control has in its source."""
    return any(word in markup for word in _SOURCE_WORDS)


def expand_tabs(tree: HtmlElement) -> None:
    """Put a bold label before each panel and take the row of tabs out; controls inside panels come first.

    Tabs that share a panel only filter what it shows: they name nothing.
    """
    for control in reversed(_SETS(tree)):
        pairs = _pairs(_LABELS(control), [panel for panel in _PANELS(control) if _LABELLED not in panel.attrib])
        is_filter = len({panel for _, panel in pairs}) < len(pairs)
        for label, panel in pairs:
            if not is_filter:
                _put_label(" ".join(label.text_content().split()), panel)
            panel.set(_LABELLED, "")
        for label, _ in pairs:
            _remove(label)


def _pairs(labels: list[HtmlElement], panels: list[HtmlElement]) -> list[tuple[HtmlElement, HtmlElement]]:
    """Each tab with its panel: by the ids that join them, else by their order; empty where neither holds."""
    by_id = {panel.get("id"): panel for panel in panels if panel.get("id")}
    joined = [(label, by_id.get(_target(label))) for label in labels]
    if labels and all(panel is not None for _, panel in joined):
        return [(label, panel) for label, panel in joined if panel is not None]
    return list(zip(labels, panels, strict=True)) if len(labels) == len(panels) else []


def _target(label: HtmlElement) -> str:
    """The id of the panel that a tab names."""
    named = label.get("aria-controls") or label.get("data-bs-target") or label.get("href") or ""
    return str(named).removeprefix("#")


def _put_label(name: str, panel: HtmlElement) -> None:
    paragraph = etree.SubElement(panel, "p")
    etree.SubElement(paragraph, "strong").text = name
    panel.insert(0, paragraph)
    paragraph.tail, panel.text = panel.text, None


def _remove(label: HtmlElement) -> None:
    """Take a tab out, and the item of a list that held nothing else."""
    holder = label.getparent()
    if holder is None:
        return
    label.drop_tree()
    if holder.tag == "li" and not len(holder) and not (holder.text or "").strip():
        holder.drop_tree()
