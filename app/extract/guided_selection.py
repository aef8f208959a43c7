"""Keep the blocks of a tree whose words occur in a reference text, so that the structure survives.

A block is a run of text without an inner block border. Neighbors decide about short runs and the parts of tables, term lists and code,
because extractors often lose them.

Alignment: long runs are placed by the word triples they share with the text. The heaviest chain of runs in ascending order is kept, so
that a teaser that repeats a sentence elsewhere does not count. Short runs are then searched between their neighbors in that chain.

The content is known from evidence outside the tree: the text that an extractor finds, and the texts that a page declares in JSON-LD
(descriptions of products, questions and answers). Tables or term lists with the properties of a product also count.
"""

from __future__ import annotations

import contextlib
import copy
import html
import logging
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.tree import HEADINGS, elements, holds, link_share, text_size
from app.paths import asset_table
from app.serialise import read_json

log = logging.getLogger(__name__)

_WINDOW: Final = 4
_WORD: Final = re.compile(r"\w+")
_BLOCKS: Final = word_set(asset_table("pages.toml")["names"]["blocks"])
_RESCUED: Final = frozenset({"pre", "td", "th", "table", "dt", "dd", "code", "math"})
MATCHED_SHARE: Final = 0.6  # A run is placed if this share of its triples occurs.
_MAX_PLACES: Final = 8
_SLACK: Final = 3
_MAX_TRIES: Final = 500_000
_SCRIPT: Final = re.compile(r"<script[^<>]{0,400}application/ld\+json[^<>]{0,400}>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_TEXTS: Final = {
    "Product": ("description", "disambiguatingDescription"),
    "ProductGroup": ("description", "disambiguatingDescription"),
    "ProductModel": ("description", "disambiguatingDescription"), "PropertyValue": ("value",), "Question": ("name",),
    "Answer": ("text",),
}  # fmt: skip
_MAX_SCRIPT_CHARS: Final = 500_000
_MAX_NODES: Final = 20_000
_CANDIDATES: Final = elements("//*[(self::table and not(.//table)) or (self::dl and dt and dd)]")
_ROWS: Final = elements(".//tr")
_IS_DEEP: Final = holds("/*" * 128)
"""Deeper nesting than any real site has; Trafilatura's time grows with the cube of the depth."""
_MIN_PAIRS: Final = 2
_MAX_VALUE_CHARS: Final = 120
_MAX_LINK_SHARE: Final = 0.3
Words = Sequence[str]
Triple = tuple[str, str, str]


@dataclass(slots=True)
class _Block:
    """A run of text: its position and the (element, is tail) pairs that contain it."""

    owner: HtmlElement
    holders: list[tuple[HtmlElement, bool]] = field(default_factory=list)
    text: str = ""
    is_kept: bool = False


def keep_guided(
    root: HtmlElement,
    reference: str,
    *,
    declared: Sequence[str] = (),
    sure: Iterable[HtmlElement] = (),
    foreign: Iterable[HtmlElement] = (),
    with_captions: bool = True,
) -> bool:
    """Blank every block of `root` that is neither in the reference or a declared text nor in an element of `sure`, and every block in an
    element of `foreign`. Return False if nothing would be left.

    Figures between kept blocks remain, `with_captions` including their captions.
    """
    blocks = _blocks(root)
    runs = [_WORD.findall(block.text.lower()) for block in blocks]
    for block, is_kept in zip(blocks, aligned(runs, _WORD.findall(reference.lower())), strict=True):
        block.is_kept = is_kept
    # Blocks with a declared text, unless another block with the same words is kept already.
    seen = {tuple(run) for block, run in zip(blocks, runs, strict=True) if block.is_kept}
    is_declared = contained(runs, [_WORD.findall(text.lower()) for text in declared])
    for block, run, is_wanted in zip(blocks, runs, is_declared, strict=True):
        if is_wanted and tuple(run) not in seen:
            block.is_kept = True
            seen.add(tuple(run))
    outside = {part for element in foreign for part in element.iter()}
    for block in blocks:
        block.is_kept = block.is_kept and block.owner not in outside
    if not any(block.is_kept for block in blocks):
        return False
    inside = {part for element in sure for part in element.iter()}
    for block in blocks:
        block.is_kept = block.is_kept or (block.owner in inside and block.owner not in outside)
    kept: set[HtmlElement] = set(_rescue(blocks, outside, with_captions=with_captions))
    for block in blocks:
        if block.is_kept:
            kept.add(block.owner)
            continue
        for element, is_tail in block.holders:
            if is_tail:
                element.tail = " "
            else:
                element.text = None
    _prune(root, kept)
    return True


def _rescue(blocks: Sequence[_Block], outside: Container[HtmlElement], *, with_captions: bool) -> list[HtmlElement]:
    """Keep blocks between kept blocks that extractors tend to lose, and headings of kept blocks, but not a second copy of a title. Return
    captions to remove while their figures remain.
    """
    said = {block.text for block in blocks if block.is_kept}
    far = len(blocks) * 2 + 100
    # The places of the kept blocks: of the last one at or before each block, and of the next one at or after it.
    places = [number if block.is_kept else -far for number, block in enumerate(blocks)]
    last = list(accumulate(places, max))
    following = list(accumulate((place if place >= 0 else far for place in reversed(places)), min))[::-1]
    figures = []
    for number, block in enumerate(blocks):
        if block.is_kept or block.owner in outside:
            continue
        before, after = number - last[number], following[number] - number
        tags = {block.owner.tag, *(node.tag for node in [*block.owner.iterancestors()][:3])}
        is_between = before <= _WINDOW and after <= _WINDOW
        if is_between and not tags.isdisjoint(_RESCUED):
            block.is_kept = True
        elif is_between and "figcaption" in tags:
            block.is_kept = with_captions
            figures.append(block.owner)
        elif block.owner.tag in (*HEADINGS, "summary"):
            is_repeated = block.text in said and (block.owner.tag == "h1" or last[number] < 0)
            block.is_kept = after == 1 and not is_repeated
    return figures


def _blocks(root: HtmlElement) -> list[_Block]:
    """Return all runs of text below `root`, in order."""
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
        if (child := next(children, None)) is None:
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


def _prune(root: HtmlElement, kept: set[HtmlElement]) -> None:
    """Remove blocks without kept text, with their images and links. Empty cells of a kept row remain, so that no column shifts."""
    alive: set[HtmlElement] = set()
    for element in kept:
        for node in (element, *element.iterancestors()):
            if node in alive:
                break
            alive.add(node)
    for element in [node for node in root.iterdescendants() if node.tag in _BLOCKS and node not in alive]:
        parent = element.getparent()
        if parent is not None and not (element.tag in ("td", "th") and parent in alive):
            element.drop_tree()


def aligned(runs: Sequence[Words], text: Words) -> list[bool]:
    """Return for every run of words whether it occurs in the text in an order consistent with the others."""
    where: defaultdict[Triple, list[int]] = defaultdict(list)
    for position, triple in enumerate(_triples(text)):
        where[triple].append(position)
    chain = _heaviest_chain(runs, [_places_of(run, where) for run in runs])
    kept = [number in chain for number in range(len(runs))]
    _fill(runs, text, chain, kept)
    return kept


def contained(runs: Sequence[Words], texts: Sequence[Words]) -> list[bool]:
    """Return for every run whether it equals one of the texts, or most of its triples occur in them."""
    whole = {tuple(text) for text in texts if text}
    triples = {triple for text in texts for triple in _triples(text)}

    def is_covered(run: Words) -> bool:
        return sum(triple in triples for triple in _triples(run)) >= MATCHED_SHARE * (len(run) - 2)

    return [tuple(run) in whole or (len(run) > 3 and bool(triples) and is_covered(run)) for run in runs]


def _triples(words: Words) -> Iterator[Triple]:
    return zip(words, words[1:], words[2:], strict=False)


def _places_of(run: Words, where: dict[Triple, list[int]]) -> list[int]:
    votes: Counter[int] = Counter()
    for index, triple in enumerate(_triples(run)):
        for position in where.get(triple, ())[:_MAX_PLACES]:
            votes[position - index] += 1
    needed = MATCHED_SHARE * (len(run) - 2)
    found = []
    for place, count in votes.most_common(_MAX_PLACES):
        near = count + sum(votes.get(place + shift, 0) for shift in range(-_SLACK, _SLACK + 1) if shift)
        if near >= needed:
            found.append(max(place, 0))
    return found


def _heaviest_chain(runs: Sequence[Words], places: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the runs in ascending order with the largest total number of words: {run: place}."""
    positions = sorted({place for candidates in places for place in candidates})
    best: list[tuple[int, tuple[int, int] | None]] = [(0, None)] * (len(positions) + 1)
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for number, candidates in enumerate(places):
        for place in sorted(candidates, reverse=True):
            rank = bisect_left(positions, place)
            weight, last = _highest(best, rank)
            node = (number, place)
            before[node] = last
            weight, rank = weight + len(runs[number]), rank + 1
            while rank < len(best):
                if weight > best[rank][0]:
                    best[rank] = (weight, node)
                rank += rank & -rank
    _, node_or_none = _highest(best, len(positions))
    chain: dict[int, int] = {}
    while node_or_none is not None:
        chain[node_or_none[0]] = node_or_none[1]
        node_or_none = before[node_or_none]
    return dict(sorted(chain.items()))


def _highest(tree: list[tuple[int, tuple[int, int] | None]], rank: int) -> tuple[int, tuple[int, int] | None]:
    """Return the heaviest chain that ends before `rank` (a Fenwick tree of prefix maxima)."""
    heaviest: tuple[int, tuple[int, int] | None] = (0, None)
    while rank > 0:
        if tree[rank][0] > heaviest[0]:
            heaviest = tree[rank]
        rank -= rank & -rank
    return heaviest


class _Finder:
    """Finds runs of words in a text, with a limited number of tries: a text that repeats one word takes quadratic time."""

    def __init__(self, text: Words) -> None:
        self._text = text
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(text):
            self._where[word].append(place)
        self._tries = _MAX_TRIES

    def find(self, run: Words, start: int, end: int, *, backwards: bool = False) -> int:
        """Return the first place of a run between two places, or the last one; -1 if there is none."""
        if not run:
            return -1
        places = self._where.get(run[0], [])
        near = range(bisect_left(places, start), bisect_right(places, min(end, len(self._text)) - len(run)))
        for number in reversed(near) if backwards else near:
            self._tries -= 1
            if self._tries < 0:
                break
            if self._text[places[number] : places[number] + len(run)] == run:
                return places[number]
        return -1


def _fill(runs: Sequence[Words], text: Words, chain: dict[int, int], kept: list[bool]) -> None:
    """Keep the runs between two of the chain whose words occur between their places, in order.

    Before the first run of the chain, the nearest runs are searched first: headers repeat words of the title.
    """
    finder = _Finder(text)
    numbers = list(chain)
    for first, last in zip([-1, *numbers], [*numbers, len(runs)], strict=True):
        end = chain[last] + _SLACK if last < len(runs) else len(text)
        if first < 0:
            for number in range(last - 1, -1, -1):
                found = finder.find(runs[number], 0, end, backwards=True)
                if found >= 0:
                    kept[number], end = True, found
            continue
        position = max(chain[first] + len(runs[first]) - _SLACK, 0)
        for number in range(first + 1, last):
            found = finder.find(runs[number], position, end)
            if found >= 0:
                kept[number], position = True, found + len(runs[number])


def reference_text(tree: HtmlElement, *, with_comments: bool, thorough: bool = False) -> str:
    """Return the main text of a cleaned tree without structure: Trafilatura's, otherwise resiliparse's, or nothing if neither finds any.

    Trafilatura's slow second attempts run only if `thorough`.
    """
    if not _IS_DEEP(tree):
        import trafilatura

        try:
            found = trafilatura.extract(
                copy.deepcopy(tree),
                include_comments=with_comments,
                include_tables=True,
                deduplicate=False,
                fast=not thorough,
            )
            if found:
                return found
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
            log.warning("trafilatura failed on a page", exc_info=True)
    from resiliparse.extract.html2text import extract_plain_text

    markup = etree.tostring(tree, encoding="unicode", method="html")
    text = extract_plain_text(markup, main_content=True, alt_texts=False, list_bullets=False, comments=with_comments)
    return str(text)


def declared_texts(markup: str) -> list[str]:
    """Return the declared texts without markup, and none for invalid JSON."""
    texts: list[str] = []
    end = 0
    while (start := _SCRIPT.search(markup, end)) is not None and (end := markup.find("</script", start.end())) >= 0:
        if end - start.end() > _MAX_SCRIPT_CHARS:
            continue
        script = markup[start.end() : end].replace("<![CDATA[", "").replace("]]>", "")
        first = next((position for position, sign in enumerate(script) if sign in "{["), 0)
        last = max(script.rfind("}"), script.rfind("]"))
        with contextlib.suppress(ValueError, RecursionError):
            texts += _texts(read_json(script[first : last + 1], strict=False))
    return texts


def _texts(value: object) -> Iterator[str]:
    pending = [value]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            pending.extend(node.values())
            kinds = node.get("@type")
            for name in (kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)):
                yield from (
                    html.unescape(_TAG.sub(" ", html.unescape(node[key])))
                    for key in _TEXTS.get(name, ())
                    if isinstance(node.get(key), str)
                )


def specifications(tree: HtmlElement) -> list[HtmlElement]:
    """Return two-column tables and term lists with short values and few links."""
    found = []
    for part in _CANDIDATES(tree):
        pairs = len(part.findall("dt"))
        if part.tag == "table":
            rows = [row for row in _ROWS(part) if text_size(row)]
            pairs = len(rows) if all(len(row) == 2 for row in rows) else 0
        is_short = pairs >= _MIN_PAIRS and text_size(part) <= pairs * _MAX_VALUE_CHARS
        if is_short and link_share(part) <= _MAX_LINK_SHARE:
            found.append(part)
    return found
