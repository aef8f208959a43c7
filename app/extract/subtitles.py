"""Read subtitles (.srt, .vtt): running text, with a section such as `00:02:00` and the anchor `t=120` for every two minutes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple

from app.extract.addresses import file_name
from app.extract.characters import collapse
from app.extract.markup import Source
from app.extract.office.elements import append_text, make
from app.extract.page import Page

SECTION_SECONDS: Final = 120
_PAUSE_SECONDS: Final = 3  # A longer pause between two subtitles begins a paragraph.
_PARAGRAPH_CHARS: Final = 600
"""A paragraph of this length ends with the next sentence, one of four times this length immediately."""
_SENTENCE_ENDS: Final = (".", "!", "?", "…", "。", "？", "！", '."', '?"', '!"', ".”", "?”", "!”")
_TIME: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}"
_TIMES: Final = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
_SPEAKER: Final = re.compile(r"<v(?:\.[^\s<>]*+)?[ \t]++([^<>]++)>")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")


class _Cue(NamedTuple):
    start: int
    end: int
    lines: list[str]


def extract_subtitles(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a file of subtitles. Raises EmptyPageError and UnsupportedContentError."""
    source = Source(body, url=url, charset=charset)
    header = source.text.lstrip("\ufeff").partition("\n")[0]
    is_web = header.startswith("WEBVTT")
    content = make("body")
    border, ended, length = 0, 0, 0
    before: set[str] = set()
    for cue in _cues(source.text, is_web):
        lines = [line for line in cue.lines if line not in before]
        before = set(cue.lines)
        if not lines:
            ended = cue.end
            continue
        if cue.start >= border:
            start = cue.start // SECTION_SECONDS * SECTION_SECONDS
            clock = f"{start // 3600:02}:{start // 60 % 60:02}:{start % 60:02}"
            content.append(make("h2", clock, id=f"t={start}"))
            border, length = start + SECTION_SECONDS, 0
        has_speaker = len(lines) == 1 and ": " in lines[0][:40] and lines[0][0].isupper()
        is_sentence = (content[-1].text or "").endswith(_SENTENCE_ENDS)
        is_full = length > (_PARAGRAPH_CHARS if is_sentence else 4 * _PARAGRAPH_CHARS)
        if not length or cue.start - ended >= _PAUSE_SECONDS or is_full or has_speaker:
            content.append(make("p"))
            length = 0
        added = f"{' ' if length else ''}{' '.join(lines)}"
        length += len(added)
        append_text(content[-1], added)
        ended = cue.end
    if not len(content):
        return source.plain()
    return source.page(content, title=(collapse(header[6:].lstrip(" \t-")) if is_web else "") or file_name(url))


def _cues(text: str, is_web: bool) -> Iterator[_Cue]:
    """Yield the subtitles in order of their places. Names, numbers, notes and styles between them are omitted."""
    # A file in SubRip can begin with text; a file without times is plain text.
    cue = None if is_web or "-->" not in text else _Cue(0, 0, [])
    for line in text.split("\n"):
        if times := _TIMES.match(line):
            if cue is not None:
                yield _finished(cue, is_web, has_number=not is_web)
            cue = _Cue(_seconds(*times.group(1, 2, 3)), _seconds(*times.group(4, 5, 6)), [])
        elif cue is not None and line.strip():
            cue.lines.append(line)
        elif cue is not None and is_web:
            yield _finished(cue, is_web)
            cue = None
    if cue is not None:
        yield _finished(cue, is_web)


def _finished(cue: _Cue, is_web: bool, *, has_number: bool = False) -> _Cue:
    """Return the subtitle without formats and, in SubRip, without the number of the next one, which `has_number`."""
    lines = cue.lines[:-1] if has_number and cue.lines and cue.lines[-1].strip().isdigit() else cue.lines
    said = (_TAG.sub("", _SPEAKER.sub(r"\1: ", line) if is_web else line) for line in lines)
    shown = (collapse(unescape(line) if is_web else line) for line in said)
    return _Cue(cue.start, cue.end, [line for line in shown if line])


def _seconds(hours: str | None, minutes: str, seconds: str) -> int:
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
