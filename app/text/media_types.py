"""List the supported kinds of files with suffixes, media types and display names, and the kinds that are skipped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from pathlib import PurePath
from typing import Final

from app import caps
from app.text.sentence import Sentence, sentence

MAX_SUFFIXES_SHOWN: Final = 4  # The number of unknown suffixes to list; the others are added up.
MAX_SUFFIX_CHARS: Final = 12


@dataclass(frozen=True, slots=True)
class FileKind:
    """A supported kind of file; its `suffixes` stand for the first of the `types`. `is_apart`: the separate process reads all sizes."""

    label: Sentence
    suffixes: tuple[str, ...]
    types: tuple[str, ...]
    is_apart: bool = False


def _kind(label: Sentence, suffixes: str, types: str, *, is_apart: bool = True) -> FileKind:
    return FileKind(label, tuple(f".{suffix}" for suffix in suffixes.split()), tuple(types.split()), is_apart)


_MS: Final = "application/vnd.ms-"
_OOXML: Final = "application/vnd.openxmlformats-officedocument."
_OASIS: Final = "application/vnd.oasis.opendocument."
ZIP_TYPE: Final = "application/zip"
MARKDOWN: Final = _kind(
    sentence("Markdown"),
    "md markdown mdx mkd mdown",
    "text/markdown text/x-markdown application/markdown",
    is_apart=False,
)
HTML: Final = _kind(sentence("HTML"), "html htm xhtml", "text/html application/xhtml+xml", is_apart=False)
MHTML: Final = _kind(sentence("MHTML"), "mhtml mht", "multipart/related application/x-mimearchive")
EMAIL: Final = _kind(sentence("email"), "eml", "message/rfc822")
MAILBOX: Final = _kind(sentence("mailboxes"), "mbox", "application/mbox")
PDF: Final = _kind(sentence("PDF"), "pdf", "application/pdf application/x-pdf")
WORD: Final = _kind(
    sentence("Word"), "docx docm", f"{_OOXML}wordprocessingml.document {_MS}word.document.macroenabled.12"
)
SLIDES: Final = _kind(
    sentence("PowerPoint"), "pptx pptm ppsx",
    f"{_OOXML}presentationml.presentation {_OOXML}presentationml.slideshow {_MS}powerpoint.presentation.macroenabled.12",
)  # fmt: skip
SHEETS: Final = _kind(
    sentence("Excel"), "xlsx xlsm xlsb xls",
    f"{_OOXML}spreadsheetml.sheet {_MS}excel.sheet.macroenabled.12 {_MS}excel.sheet.binary.macroenabled.12 {_MS}excel",
)  # fmt: skip
OPEN_DOCUMENT: Final = _kind(
    sentence("OpenDocument"), "odt odp ods", f"{_OASIS}text {_OASIS}presentation {_OASIS}spreadsheet"
)
DELIMITED: Final = _kind(sentence("CSV"), "csv tsv", "text/csv text/tab-separated-values application/csv")
BOOK: Final = _kind(sentence("EPUB"), "epub", "application/epub+zip")
NOTEBOOK: Final = _kind(sentence("notebooks"), "ipynb", "application/x-ipynb+json application/vnd.jupyter")
ARCHIVE: Final = _kind(sentence("ZIP"), "zip", f"{ZIP_TYPE} application/x-zip-compressed")
FEED: Final = _kind(
    sentence("feeds"),
    "rss atom",
    "application/xml text/xml application/rss+xml application/atom+xml application/feed+json",
    is_apart=False,
)
RESTRUCTURED: Final = _kind(sentence("reStructuredText"), "rst rest", "text/x-rst text/prs.fallenstein.rst")
SOURCE: Final = _kind(
    sentence("source code"),
    "py pyi js jsx mjs cjs ts tsx mts java kt kts swift cs cc cpp cxx hpp hh hxx c h php scala dart go rs rb sh bash zsh sql"
    " lua pl pm r ps1",
    "text/x-source text/x-python text/x-c text/x-csrc text/x-chdr text/x-c++src text/x-java text/x-sh",
    is_apart=False,
)
SETTINGS: Final = _kind(
    sentence("JSON and YAML"), "json yaml yml toml ini cfg conf", "text/x-settings application/yaml application/toml text/yaml",
    is_apart=False,
)  # fmt: skip
SUBTITLES: Final = _kind(sentence("subtitles"), "srt vtt", "application/x-subrip text/vtt text/srt")
ASCIIDOC: Final = _kind(sentence("AsciiDoc"), "adoc asciidoc", "text/asciidoc text/x-asciidoc")
LATEX: Final = _kind(sentence("LaTeX"), "tex latex ltx", "application/x-tex text/x-tex application/x-latex")
TEXINFO: Final = _kind(sentence("Texinfo"), "texi texinfo txi", "application/x-texinfo text/x-texinfo")
MANUAL: Final = _kind(sentence("manual pages"), "man mdoc", "text/troff application/x-troff-man")
"""Files such as `ls.1` are of this kind as well."""
BOOK_MARKUP: Final = _kind(
    sentence("DocBook and FictionBook"), "dbk docbook fb2", "application/docbook+xml application/x-fictionbook+xml text/fb2+xml"
)  # fmt: skip
RICH_TEXT: Final = _kind(sentence("RTF"), "rtf", "application/rtf text/rtf application/x-rtf")
TEXT: Final = _kind(sentence("text"), "txt text log org", "text/plain", is_apart=False)
KINDS: Final = (
    MARKDOWN, HTML, MHTML, EMAIL, MAILBOX, PDF, WORD, SLIDES, SHEETS, OPEN_DOCUMENT, DELIMITED, BOOK, NOTEBOOK, RESTRUCTURED, SOURCE,
    SETTINGS, ARCHIVE, SUBTITLES, ASCIIDOC, LATEX, TEXINFO, MANUAL, BOOK_MARKUP, RICH_TEXT, FEED, TEXT,
)  # fmt: skip
"""A new format needs one row here and a reader in `app.extract`."""

_KIND_OF: Final[Mapping[str, FileKind]] = {suffix: kind for kind in KINDS for suffix in kind.suffixes}
_MANUAL_NAME: Final = re.compile(r"[^.].*(?<!\.so)(?<!\.log)(?<!\d)\.[1-9](?:p|pm|x|ssl|perl|posix)?")
"""`ls.1`, but not `libz.so.1`, `dpkg.log.1` or `zlib-1.2`."""
SUFFIXES: Final = frozenset(_KIND_OF)
READ_TYPES: Final = frozenset(chain.from_iterable(kind.types for kind in KINDS))
KIND_NAMES: Final = sentence(
    "Markdown, HTML, PDF, Office and OpenDocument files, e-books, notebooks, source code, email, archives and text"
)
"""The main kinds for use in a sentence; the guide lists all of them."""
READABLE: Final = sentence("WebRAG reads {}.", KIND_NAMES)
APART_TYPES: Final = frozenset(chain.from_iterable(kind.types for kind in KINDS if kind.is_apart))
RTF_START: Final = b"{\\rtf"
APART_STARTS: Final = (b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", RTF_START)
"""The first bytes of files that the separate process always reads: PDF, the two containers of office files, and RTF."""
_ZIPPED: Final = (WORD, SLIDES, SHEETS, OPEN_DOCUMENT, BOOK, ARCHIVE)
OLD_OFFICE: Final = _kind(sentence("office file"), "doc ppt", f"application/msword {_MS}powerpoint")
OFFICE: Final = (WORD, SLIDES, SHEETS, OLD_OFFICE)
"""Web applications also give these types and names to web pages, archives of them and rows of text."""
ZIPPED_NAMES: Final = tuple(chain.from_iterable(kind.suffixes for kind in _ZIPPED))
LARGE_TYPES: Final = frozenset(chain.from_iterable(kind.types for kind in (*_ZIPPED, RICH_TEXT)))
"""Files that can contain images and may therefore be larger than a page."""
APART_NAMES: Final = tuple(chain.from_iterable(kind.suffixes for kind in KINDS if kind.is_apart))
MARKDOWN_TYPES: Final = frozenset(MARKDOWN.types)
MARKDOWN_NAMES: Final = MARKDOWN.suffixes
ARCHIVE_TYPES: Final = frozenset((*MHTML.types, *EMAIL.types))
ARCHIVE_NAMES: Final = (*MHTML.suffixes, *EMAIL.suffixes)  # Saved web pages in one file, and email messages.

NOT_TEXT_TYPES: Final = frozenset(
    {"text/css", "text/javascript", "text/ecmascript", "text/calendar", "text/vcard", "text/event-stream"}
)
"""Media types named text that do not contain readable text; all others are accepted as plain text."""


def suffix_of(path: PurePath) -> str:
    """Return the lowercase suffix that identifies a file's kind."""
    return path.suffix.lower()


def kind_of(path: PurePath) -> FileKind | None:
    """Return the kind for a file's suffix, or None if it is not supported."""
    return _KIND_OF.get(suffix_of(path)) or (MANUAL if _MANUAL_NAME.fullmatch(path.name) else None)


# --- Skipped files ---


@dataclass(frozen=True, slots=True)
class UnreadKind:
    """An unsupported kind of file. `may_be_page`: an address with this suffix can still be a page, so crawls follow it."""

    one: Sentence
    many: Sentence
    suffixes: str
    may_be_page: bool = False


IGNORED: Final = "ignored"
LINK: Final = "link"  # Counts links to other files among the suffixes; folders are read without them.
UNREAD_KINDS: Final = (
    UnreadKind(sentence("image"), sentence("images"), "avif bmp eps gif heic ico jpeg jpg png ps psd svg svgz tif tiff webp"),
    UnreadKind(
        sentence("audio or video file"), sentence("audio and video files"),
        "aac avi flac m4a m4v mkv mov mp3 mp4 mpeg mpg ogg ogv opus swf wav webm wmv",
    ),
    UnreadKind(sentence("program"), sentence("programs"), "apk appimage bin class dll dylib exe ipa jar msi o pyc so wasm"),
    UnreadKind(sentence("archive"), sentence("archives"), "7z bz2 cab crx deb dmg gem gz img iso pkg rar rpm tar tgz whl xpi xz zst"),
    UnreadKind(sentence("office file"), sentence("office files"), "doc msg ppt"),
    UnreadKind(sentence("font"), sentence("fonts"), "eot otf ttf woff woff2"),
    UnreadKind(sentence("data file"), sentence("data files"), "bat css db jsonl map sqlite webmanifest xml"),
    UnreadKind(sentence("link"), sentence("links"), LINK, may_be_page=True),
    UnreadKind(sentence("entry ignored by .gitignore"), sentence("entries ignored by .gitignore"), IGNORED, may_be_page=True),
)  # fmt: skip
NO_PAGE_SUFFIXES: Final = frozenset(
    ["js", "mjs", "cjs", "json", "zip"]
    + [suffix for kind in UNREAD_KINDS if not kind.may_be_page for suffix in kind.suffixes.split()]
)
"""Suffixes of addresses that cannot be a page."""
_UNREAD_KIND_OF: Final = {
    suffix if suffix in (LINK, IGNORED) else f".{suffix}": kind
    for kind in UNREAD_KINDS
    for suffix in kind.suffixes.split()
}


def left_out(others: Mapping[str, int], too_large: int = 0) -> str:
    """Return `31 files skipped: 20 images, 3 larger than 64 MiB.`, or an empty text. `others` counts files by suffix or LINK."""
    kinds: dict[UnreadKind, int] = {}
    unknown: dict[str, int] = {}
    rest = 0
    for suffix, count in others.items():
        if kind := _UNREAD_KIND_OF.get(suffix):
            kinds[kind] = kinds.get(kind, 0) + count
        elif suffix[1:].isalnum() and suffix.isascii() and len(suffix) <= MAX_SUFFIX_CHARS:
            unknown[suffix] = count
        else:
            rest += count
    named = sorted(unknown.items(), key=_most)
    rest += sum(count for _, count in named[MAX_SUFFIXES_SHOWN:])
    parts = [
        sentence("{} {}", f"{n:,}", kind.one if n == 1 else kind.many) for kind, n in sorted(kinds.items(), key=_most)
    ]
    parts += [sentence("{} {}", f"{count:,}", suffix) for suffix, count in named[:MAX_SUFFIXES_SHOWN]]
    if rest:
        parts.append(sentence("{} of other kinds", f"{rest:,}"))
    if too_large:
        parts.append(sentence("{} larger than {} MiB", f"{too_large:,}", str(caps.MAX_FILE_BYTES // caps.MIB)))
    total = sum(others.values()) + too_large
    if not parts:
        return ""
    listed = reduce(lambda before, part: sentence("{}, {}", before, part), parts)
    if total == 1:
        return sentence("1 file skipped: {}.", listed)
    return sentence("{} files skipped: {}.", f"{total:,}", listed)


def _most(counted: tuple[object, int]) -> int:
    return -counted[1]
