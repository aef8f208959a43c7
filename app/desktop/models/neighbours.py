"""What stands around one document in the corpus: pages that link to it, pages that it links to, pages that share its terms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.desktop.language import translator
from app.desktop.wording import counted, number

_tr = translator("Neighbours")


class Way(StrEnum):
    """How a page hangs together with the one in the middle."""

    IN = "in"
    OUT = "out"
    BOTH = "both"
    RELATED = "related"
    """No link, but shared terms."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """`words` are those of the link, or the shared terms."""

    document_id: int
    title: str
    url: str
    way: Way
    words: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The pages around one document, in the order of reading. `linked` counts also linked pages that are left out."""

    document_id: int
    title: str
    around: tuple[Neighbour, ...] = ()
    linked: int = 0
    is_disabled: bool = False

    def of(self, *ways: Way) -> tuple[Neighbour, ...]:
        """Those that hang together in one of these ways."""
        return tuple(each for each in self.around if each.way in ways)

    @property
    def left_out(self) -> int:
        """Linked pages for which there is no room."""
        return self.linked - len(self.of(Way.IN, Way.OUT, Way.BOTH))


def why_text(each: Neighbour) -> str:
    """How a page is connected, in words."""
    sentence = {
        Way.IN: _tr("Links to this page"),
        Way.OUT: _tr("Linked from this page"),
        Way.BOTH: _tr("Links to this page and is linked from it"),
        Way.RELATED: _tr("Shares terms with this page"),
    }[each.way]
    if not each.words:
        return sentence
    return f"{sentence}: {each.words}" if each.way is Way.RELATED else f"{sentence}: “{each.words}”"


def told(each: Neighbour) -> str:
    """Title, address and connection, one a line."""
    return "\n".join((each.title, each.url, why_text(each)))


def summary_text(found: Neighbours) -> str:
    """The picture in one sentence."""
    incoming, outgoing = len(found.of(Way.IN, Way.BOTH)), len(found.of(Way.OUT, Way.BOTH))
    parts = [
        counted(incoming, _tr("1 page links here"), _tr("{} pages link here")) if incoming else "",
        counted(outgoing, _tr("links to 1 stored page"), _tr("links to {} stored pages")) if outgoing else "",
        "" if incoming or outgoing else _tr("No links"),
    ]
    if related := len(found.of(Way.RELATED)):
        parts.append(counted(related, _tr("shares terms with 1 page"), _tr("shares terms with {} pages")))
    if found.left_out:
        parts.append(_tr("{} more not shown").format(number(found.left_out)))
    words = "  ·  ".join(part for part in parts if part)
    return words[:1].upper() + words[1:]
