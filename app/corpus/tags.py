"""The tag and path of stored documents: set when a document is stored or its folder gets a name."""

from __future__ import annotations

from pathlib import Path

import apsw

from app.text.doc_tags import place_of


def place(con: apsw.Connection, document_id: int, url: str, folder_id: int | None) -> None:
    """Set where one document belongs."""
    name, address = _folder(con, folder_id)
    found = place_of(url, folder_name=name, folder_url=address)
    con.execute(
        "UPDATE documents SET doc_tag = ?1, doc_path = ?2 WHERE id = ?3 AND (doc_tag, doc_path) IS NOT (?1, ?2)",
        (found.tag, found.path, document_id),
    )


def place_all(con: apsw.Connection, folder_id: int) -> None:
    """Set where the documents of a folder belong."""
    rows: list[tuple[int, str]] = list(con.execute("SELECT id, url FROM documents WHERE folder_id = ?", (folder_id,)))
    for document_id, url in rows:
        place(con, document_id, url, folder_id)


def _folder(con: apsw.Connection, folder_id: int | None) -> tuple[str, str]:
    """Name and address of a kept folder; empty for none."""
    if folder_id is None:
        return "", ""
    name, found = con.execute("SELECT name, path FROM folders WHERE id = ?", (folder_id,)).get
    path = Path(found)
    return name, path.as_uri() if path.is_absolute() else ""
