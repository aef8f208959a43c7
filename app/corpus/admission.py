"""Rules for rows from other files: only addresses that this program can store, and values of limited size.

A backup can come from anyone. Rows that normal use cannot create are deleted from the copy, and counted, before it replaces the corpus.
"""

from __future__ import annotations

from typing import Final

import apsw

from app import caps
from app.corpus.page_texts import MAX_TEXT_BYTES
from app.corpus.versions import MAX_DIFFERENCE_BYTES

MAX_FILE_ADDRESS_CHARS: Final = 16_384  # Each byte of a path of 4 KiB may take three characters in an address.
MAX_NAME_BYTES: Final = 4 * caps.MAX_TITLE_CHARS
MAX_RECORD_BYTES: Final = 256 * caps.KIB  # Largest field of a record: options of a job, pages of a call, a vector.


def _over(limit: int, *columns: str) -> str:
    """Return a condition that the columns of a row exceed `limit` bytes in total."""
    return f"{' + '.join(f'coalesce(octet_length({name}), 0)' for name in columns)} > {limit}"


def _no_list(column: str, unlike: str) -> str:
    """Return a condition that a column is not a JSON list, or that an entry of it is `unlike` those that this program stores."""
    return f"""CASE WHEN NOT json_valid({column}) THEN 1 WHEN json_type({column}) <> 'array' THEN 1
ELSE EXISTS (SELECT 1 FROM json_each({column}) entry WHERE {unlike}) END"""


_WEB: Final = "url LIKE 'http://_%' OR url LIKE 'https://_%' OR url LIKE 'webrag://_%'"
_BROKEN: Final = " OR ".join(f"instr(url, char({code}))" for code in (0, 9, 10, 13))
_LONG: Final = f"octet_length(url) > iif(url LIKE 'file:%', {MAX_FILE_ADDRESS_CHARS}, {4 * caps.MAX_URL_CHARS})"
_UNPRINTABLE: Final = "'*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'"
"""Control characters, as a GLOB pattern."""
_LINK: Final = f"NOT ({_WEB} OR url LIKE 'file:///_%') OR {_LONG}"
_FOREIGN_ADDRESS: Final = f"""
NOT ({_WEB} OR (url LIKE 'file:///_%' AND url NOT LIKE 'file:////%' AND file_mtime_ns IS NOT NULL)) OR {_BROKEN} OR {_LONG}
"""
"""Opening a file on another computer (`file://server/…`) connects to it, and a stored file always has a time."""
_LARGE_DOCUMENT: Final = f"""
{_over(MAX_NAME_BYTES, "title")} OR {_over(MAX_FILE_ADDRESS_CHARS, "doc_tag", "doc_path")}
OR {_over(MAX_RECORD_BYTES, "note", "kind", "language", "content_hash", "etag", "last_modified", "published", "cited_hash")}
OR id IN (SELECT document_id FROM document_texts WHERE {_over(MAX_TEXT_BYTES, "text", "packed")})
OR id IN (
  SELECT document_id FROM chunks WHERE {_over(caps.MIB, "text", "title", "section_path", "identifiers", "anchor", "key")}
)
OR id IN (SELECT document_id FROM chunks GROUP BY document_id HAVING count(*) > {2 * caps.MAX_CHUNKS_PER_DOCUMENT})
"""
_PICTURE: Final = f"""
NOT ({_WEB} OR url LIKE 'file:///_%' OR url LIKE 'data:image/%')
OR {_over(caps.MIB, "url")} OR {_over(MAX_RECORD_BYTES, "alt", "caption")}
"""
_PIN: Final = f"""
{_over(4 * caps.SCRATCH_PASSAGE_BYTES, "text")}
OR {_over(MAX_RECORD_BYTES, "title", "source_uri", "id", "section_id", "doc_tag", "media_type", "anchor", "document_hash")}
"""
_VERSION: Final = f"""
bytes <> octet_length(difference) OR {_over(MAX_DIFFERENCE_BYTES, "difference")}
OR {_over(MAX_RECORD_BYTES, "url", "title", "content_hash", "checksum")}
"""
_JOB: Final = f"""
{_over(MAX_RECORD_BYTES, "target", "options", "detail")}
OR kind = 'packages' AND CASE WHEN json_valid(options) THEN json_type(options) <> 'object' ELSE 1 END
OR id IN (SELECT job_id FROM job_items WHERE {_over(MAX_RECORD_BYTES, "url", "reason")})
"""
_NO_SECTION: Final = """
CASE entry.type WHEN 'array' THEN (SELECT group_concat(type) FROM json_each(entry.value)) IS NOT 'integer,text,integer,integer,text'
ELSE 1 END
"""
_DOC_PAGE: Final = f"""
{_over(MAX_RECORD_BYTES, "title", "category", "path", "url", "hash")} OR {_over(MAX_TEXT_BYTES, "sections")}
OR {_no_list("sections", _NO_SECTION)}
OR id IN (SELECT page_id FROM doc_texts WHERE {_over(4 * caps.MAX_DOC_PAGE_BYTES, "content")})
"""
_SYMBOL: Final = _over(caps.MIB, "name", "last", "kind", "signature", "summary", "file", "page", "leads_to")
_FLAGS: Final = _over(MAX_RECORD_BYTES, "flags") + " OR " + _no_list("flags", "entry.type <> 'text'")
_TO_DELETE: Final = "key = 'pending_deletions' AND " + _no_list("meta.value", "entry.type <> 'integer'")
_LABEL: Final = f"""
{_over(4 * caps.MAX_LABEL_CHARS, "name")} OR octet_length(folded) > {16 * caps.MAX_LABEL_CHARS} OR name GLOB {_UNPRINTABLE}
"""
RULES: Final[dict[str, tuple[str, str]]] = {
    "pages whose address is neither on the web nor a local file": ("documents", _FOREIGN_ADDRESS),
    "pages larger than WebRAG allows": ("documents", _LARGE_DOCUMENT),
    "page aliases": ("aliases", _LINK),
    "page links": ("links", f"{_LINK} OR {_over(MAX_RECORD_BYTES, 'text')}"),
    "page images": ("images", _PICTURE),
    "page headings": ("sections", _over(MAX_RECORD_BYTES, "heading", "anchor")),
    "lists of navigation links": ("navigation", _over(16 * caps.MIB, "urls")),
    "page flags": ("document_flags", _FLAGS),
    "lists of pages to delete": ("meta", _TO_DELETE),
    "earlier versions of pages": ("versions", _VERSION),
    "pinned passages": ("pinned_passages", _PIN),
    "jobs": ("jobs", _JOB),
    "recorded calls": (
        "activity",
        f"{_over(4 * MAX_RECORD_BYTES, 'client', 'tool', 'outcome', 'pages')} OR NOT json_valid(pages)",
    ),
    "folders": ("folders", f"{_over(MAX_FILE_ADDRESS_CHARS, 'path')} OR {_over(MAX_NAME_BYTES, 'name')}"),
    "documentation pages": ("doc_pages", _DOC_PAGE),
    "collections and tags": ("labels", _LABEL),
    "packages": ("packages", _over(MAX_RECORD_BYTES, "ecosystem", "name", "version", "source")),
    "projects": ("projects", _over(MAX_FILE_ADDRESS_CHARS, "root")),
    "packages of projects": ("project_packages", _over(MAX_RECORD_BYTES, "ecosystem", "name", "version")),
    "names of packages": ("symbols", _SYMBOL),
    "names in the graph": ("entities", _over(MAX_RECORD_BYTES, "name", "folded", "tail")),
}
"""Rows to delete, by the text that counts them: a table and a condition. Deleting documents deletes their dependent rows."""


def remove_inadmissible(con: apsw.Connection) -> dict[str, int]:
    """Delete rows that normal use cannot create, in the caller's transaction; return how many, by kind."""
    removed: dict[str, int] = {}
    for words, (table, condition) in RULES.items():
        if table == "entities":
            con.execute(f"DELETE FROM mentions WHERE entity_id IN (SELECT id FROM entities WHERE {condition})")
        con.execute(f"DELETE FROM {table} WHERE {condition}")
        if con.changes():
            removed[words] = con.changes()
    return removed
