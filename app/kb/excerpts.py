"""Excerpts of passages and pages, within the limits: read from a position, or with the surrounding text. Blocking."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.access import check_in_scope
from app.kb.records import Asking, Excerpt, Format
from app.kb.spans import Size, end_of_piece, start_of_piece
from app.library.protocol import Library
from app.scratch.resources import Artifact, PagePicture, ResourceResolver
from app.scratch.store import ScratchStore
from app.text.markdown_blocks import sentence_spans
from app.text.page_text import one_line
from app.text.sentence import sentence

GONE: Final = "The page has been deleted since the search; only this saved passage remains."
CHANGED: Final = "The page has changed since the search: this is the saved passage. Search again for the current text."
BULLET: Final = "- "
MAX_PICTURE_WORDS_CHARS: Final = 300
_BEGUN: Final = "begin of "  # Key prefix for the start of the last excerpt; the bare ID is its end.
_ITEM_MARK: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class _Ground:
    """The available text, and the start of the passage in it."""

    text: str
    base: int
    note: str = ""
    document_hash: str = ""


@dataclass(frozen=True, slots=True)
class Excerpts:
    """Resolves addresses through the scratch store, so that owners see only their own passages."""

    corpus: Library
    artifacts: ResourceResolver
    scratch: ScratchStore
    count: Callable[[str], int]

    def read(
        self,
        asking: Asking,
        passage_id: str,
        *,
        max_tokens: int = caps.DEFAULT_EXCERPT_TOKENS,
        start_char: int = 0,
        format: Format = Format.TEXT,
    ) -> Excerpt:
        """Return a text from a character, or a saved image. Raises PassageExpiredError, ScopeViolationError."""
        if (found := self.artifacts.picture(passage_id.strip())) is not None:
            return self._picture(asking, found)
        artifact = self._find(asking, passage_id)
        text = artifact.content.text
        if not 0 <= start_char <= len(text):
            sizes = f"{start_char:,}", f"{len(text):,}"
            raise InvalidArgumentError(
                sentence("start_char {} is beyond the end: the passage has {} characters.", *sizes),
                hint="Use `kb_expand_excerpt` for the text around a passage.",
            )
        size = self._size(max_tokens)
        end = end_of_piece(text, start_char, len(text), size)
        shown, end = (text[start_char:end], end) if format is Format.TEXT else _bullets(text, start_char, end, size)
        ground = self._ground(artifact)
        return self._excerpt(asking, artifact, ground, shown, ground.base + start_char, ground.base + end, len(text))

    def expand(
        self,
        asking: Asking,
        passage_id: str,
        *,
        before_tokens: int = caps.DEFAULT_AROUND_TOKENS,
        after_tokens: int = caps.DEFAULT_AROUND_TOKENS,
        start_char: int | None = None,
    ) -> Excerpt:
        """Return the last excerpt, the passage or the text at `start_char` (or before) with the text around it."""
        if before_tokens + after_tokens == 0:
            raise InvalidArgumentError(
                sentence("before_tokens and after_tokens are both 0."), hint="Set at least one of them."
            )
        artifact = self._find(asking, passage_id)
        ground = self._ground(artifact)
        first, last = self._core(asking, artifact, ground, start_char)
        begin = start_of_piece(ground.text, 0, first, self._size(before_tokens))
        end = end_of_piece(ground.text, last, len(ground.text), self._size(after_tokens))
        whole = self._size(caps.MAX_EXCERPT_TOKENS)
        if not whole.holds(ground.text[begin:end]):
            begin = start_of_piece(ground.text, begin, end, whole)
        shown = ground.text[begin:end]
        return self._excerpt(asking, artifact, ground, shown, begin, end, len(ground.text) - ground.base)

    def _picture(self, asking: Asking, found: PagePicture) -> Excerpt:
        check_in_scope(self.corpus, asking, found.page)
        content, picture = found.page.content, found.picture
        kind = picture.media_type.partition("/")[2].upper()
        words = f"{kind} picture, {picture.width:,} × {picture.height:,} pixels"
        described = one_line(found.title, MAX_PICTURE_WORDS_CHARS)
        return Excerpt(
            passage_id=found.uri,
            excerpt=f"{words}: {described}" if described else words,
            truncated=False,
            start_char=0,
            next_start_char=None,
            section_id="",
            doc_tag=content.doc_tag,
            title=content.title,
            uri=found.uri,
            url=content.source_uri,
            session_id=self.scratch.session(asking.owner, asking.session_id),
            picture=picture,
            page=content.page_url,
        )

    def _find(self, asking: Asking, passage_id: str) -> Artifact:
        artifact = self.artifacts.find(asking.owner, passage_id.strip(), asking.session_id)
        check_in_scope(self.corpus, asking, artifact)
        return artifact

    def _size(self, tokens: int) -> Size:
        return Size(min(tokens, caps.MAX_EXCERPT_TOKENS), self.count)

    def _core(self, asking: Asking, artifact: Artifact, ground: _Ground, start_char: int | None) -> tuple[int, int]:
        """Return the range of the ground to show in any case."""
        length = len(ground.text)
        if start_char is not None:
            place = ground.base + start_char
            if not 0 <= place <= length:
                bounds = f"{-ground.base:,}", f"{length - ground.base:,}", f"{start_char:,}"
                raise InvalidArgumentError(sentence("start_char must be from {} to {}, not {}.", *bounds))
            return place, place
        begun = self.scratch.position(asking.owner, _BEGUN + artifact.id)
        ended = self.scratch.position(asking.owner, artifact.id)
        if begun is None or ended is None:
            is_page = artifact.id == artifact.uri
            begun, ended = 0, 0 if is_page else len(artifact.content.text)
        first = min(max(ground.base + begun, 0), length)
        return first, min(max(ground.base + ended, first), length)

    def _ground(self, artifact: Artifact) -> _Ground:
        """Return the text of the whole document if it has not changed, otherwise the passage."""
        content = artifact.content
        if content.document_id is None:
            return _Ground(content.text, 0)
        document = self.corpus.documents.by_id(content.document_id)
        if document is None or document.content_hash != content.document_hash:
            return _Ground(content.text, 0, GONE if document is None else CHANGED)
        head = content.text.find(document.text[content.start : content.end])
        if head < 0:
            return _Ground(content.text, 0)
        return _Ground(document.text, content.start - head, "", document.content_hash)

    def _excerpt(
        self, asking: Asking, artifact: Artifact, ground: _Ground, shown: str, begin: int, end: int, length: int
    ) -> Excerpt:
        """Return the excerpt and remember its position. `begin`, `end` and `length` (the end of the passage) are in the ground."""
        content = artifact.content
        first, last = begin - ground.base, end - ground.base
        self.scratch.remember_position(asking.owner, artifact.id, last)
        self.scratch.remember_position(asking.owner, _BEGUN + artifact.id, first)
        is_placed = bool(ground.document_hash) and ground.text[max(0, begin) : max(0, end)] == shown
        return Excerpt(
            passage_id=artifact.id,
            excerpt=shown,
            truncated=last < length,
            start_char=first,
            next_start_char=last if last < length else None,
            section_id=content.section_id,
            doc_tag=content.doc_tag,
            title=content.title,
            uri=artifact.uri,
            url=content.source_uri,
            session_id=self.scratch.session(asking.owner, asking.session_id),
            document_hash=ground.document_hash if is_placed else "",
            start=begin if is_placed else 0,
            end=end if is_placed else 0,
            note=ground.note,
            end_char=last,
            page=content.page_url,
            document_id=(content.document_id or 0) if is_placed else 0,
        )


def _bullets(text: str, start: int, end: int, size: Size) -> tuple[str, int]:
    """Return as many sentences, items and code blocks of text[start:end] as fit, as a list, and the end of the last one."""
    lines: list[str] = []
    reached = start
    for span in sentence_spans(text[start:end]):
        mark = _ITEM_MARK.match(text, start + span.start, start + span.end)
        entry = BULLET + text[mark.end() if mark else start + span.start : start + span.end]
        if not size.holds("\n".join([*lines, entry])):
            break
        lines.append(entry)
        reached = start + span.end
    if not lines:
        return text[start:end], end
    rest = text[reached:end]
    return "\n".join(lines), reached + (len(rest) - len(rest.lstrip()) if rest.strip() else len(rest))
