"""Guided selection: keep the blocks of a tree whose words an extractor kept, so that structure survives.

A block is a run of text without a block border inside. Short runs and the parts of tables, lists of terms
and code are decided by their neighbours, because extractors often lose them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lxml.html import HtmlElement

from app.extract.alignment import aligned, contained
from app.extract.characters import word_set

_WINDOW: Final = 4
_WORD: Final = re.compile(r"\w+")
_BLOCKS: Final = word_set(
    """
    p div li td th pre blockquote h1 h2 h3 h4 h5 h6 dt dd section article main body table ul ol dl tr
    figure figcaption tbody thead details summary center form header footer fieldset aside address
    hgroup caption nav
    """
)
_RESCUED: Final = frozenset({"pre", "td", "th", "table", "dt", "dd", "code", "figcaption", "math"})
_CELLS: Final = frozenset({"td", "th"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class _Block:
    """A run of text: where it stands and the (element, is tail) pairs that hold it."""

    owner: HtmlElement
    holders: list[tuple[HtmlElement, bool]] = field(default_factory=list)
    text: str = ""
    is_kept: bool = False


def keep_guided(
    root: HtmlElement, oracle: str, *, declared: Sequence[str] = (), sure: Iterable[HtmlElement] = ()
) -> bool:
    """Blank every block of `root` that neither the oracle's text nor a declared one holds and that is in no
    element of `sure`; False when nothing would be left.
    """
    blocks = _blocks(root)
    runs = [_WORD.findall(block.text.lower()) for block in blocks]
    for block, is_kept in zip(blocks, aligned(runs, _WORD.findall(oracle.lower())), strict=True):
        block.is_kept = is_kept
    _keep_declared(blocks, runs, declared)
    if not any(block.is_kept for block in blocks):
        return False
    inside = {part for element in sure for part in element.iter()}
    for block in blocks:
        block.is_kept = block.is_kept or block.owner in inside
    _rescue(blocks)
    kept: set[HtmlElement] = set()
    for block in blocks:
        if block.is_kept:
            kept.add(block.owner)
        else:
            _blank(block)
    _prune(root, kept)
    return True


def _keep_declared(blocks: Sequence[_Block], runs: Sequence[list[str]], declared: Sequence[str]) -> None:
    """Keep blocks with a declared text, unless another block with the same words is kept already."""
    seen = {tuple(run) for block, run in zip(blocks, runs, strict=True) if block.is_kept}
    is_declared = contained(runs, [_WORD.findall(text.lower()) for text in declared])
    for block, run, is_wanted in zip(blocks, runs, is_declared, strict=True):
        if is_wanted and tuple(run) not in seen:
            block.is_kept = True
            seen.add(tuple(run))


def _rescue(blocks: Sequence[_Block]) -> None:
    """Keep what stands between kept blocks and is of a kind that extractors lose, and headings of kept
    blocks.
    """
    last, following = _distances([block.is_kept for block in blocks])
    for number, block in enumerate(blocks):
        if block.is_kept:
            continue
        before, after = number - last[number], following[number] - number
        tags = {block.owner.tag, *(node.tag for node in [*block.owner.iterancestors()][:3])}
        if before <= _WINDOW and after <= _WINDOW and not tags.isdisjoint(_RESCUED):
            block.is_kept = True
        elif block.owner.tag in _HEADINGS:
            block.is_kept = after == 1


def _distances(sure: Sequence[bool]) -> tuple[list[int], list[int]]:
    """For each position the last kept one at or before it and the next at or after it."""
    far = len(sure) * 2 + 100
    last, following = [-far] * len(sure), [far] * len(sure)
    seen = -far
    for number, is_kept in enumerate(sure):
        seen = number if is_kept else seen
        last[number] = seen
    seen = far
    for number in range(len(sure) - 1, -1, -1):
        seen = number if sure[number] else seen
        following[number] = seen
    return last, following


def _blocks(root: HtmlElement) -> list[_Block]:
    """All runs of text below `root`, in order."""
    blocks: list[_Block] = []
    current = _Block(root)

    def flush(owner: HtmlElement) -> None:
        nonlocal current
        current.text = " ".join(current.text.split())
        if current.text:
            blocks.append(current)
        current = _Block(owner)

    def hold(element: HtmlElement, is_tail: bool) -> None:
        text = element.tail if is_tail else element.text
        if text and text.strip():
            current.holders.append((element, is_tail))
            current.text += text
        elif text:
            current.text += " "

    hold(root, False)
    stack = [(iter(root), root, root)]
    while stack:
        children, node, owner = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if stack:
                if node.tag in _BLOCKS:
                    flush(stack[-1][2])
                hold(node, True)
            continue
        if not isinstance(child.tag, str):
            hold(child, True)
            continue
        is_block = child.tag in _BLOCKS
        if is_block:
            flush(child)
        hold(child, False)
        stack.append((iter(child), child, child if is_block else owner))
    flush(root)
    return blocks


def _blank(block: _Block) -> None:
    for element, is_tail in block.holders:
        if is_tail:
            element.tail = " "
        else:
            element.text = None


def _prune(root: HtmlElement, kept: set[HtmlElement]) -> None:
    """Remove blocks that hold nothing kept, so that their images and links go with the text.

    Cells of a kept row stay though they are empty: without them the columns behind would shift.
    """
    alive: set[HtmlElement] = set()
    for element in kept:
        for node in (element, *element.iterancestors()):
            if node in alive:
                break
            alive.add(node)
    for element in [node for node in root.iterdescendants() if node.tag in _BLOCKS and node not in alive]:
        if element.tag in _CELLS and element.getparent() in alive:
            continue
        if element.getparent() is not None:
            element.drop_tree()
