"""Where the bytes of a library lie: bytes per passage of each part, with what its pages leave unused.

    python bench/disk.py FILE... [--json]

Each FILE is a corpus or a backup of one, opened read-only. Several files of the same pages are columns to compare. An old file shows its
parts as its version stored them.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from support.report import print_report

PARTS: Final = {
    "token vectors": "token_vectors token_parts token_rows second_token_parts second_token_rows",
    "vectors": "embeddings second_embeddings",
    "sign codes": "embedding_bits second_embedding_bits",
    "passages": "chunks sqlite_autoindex_chunks_1 chunks_by_document",
    "texts of pages": "document_texts",
    "texts of documentation": "doc_texts doc_pages sqlite_autoindex_doc_pages_1",
    "words": "chunks_fts_data chunks_fts_docsize chunks_fts_idx doc_words_data doc_words_docsize doc_words_idx",
    "links": "links links_by_url link_addresses navigation",
    "headings, symbols and terms": "sections entities mentions mentions_by_entity symbols symbols_by_name",
}
"""Tables and indexes of each part; all others are "the rest"."""
SIZES: Final = "SELECT name, sum(pgsize), sum(unused) FROM dbstat GROUP BY name"


def bytes_of(file: Path) -> tuple[int, dict[str, tuple[int, int]]]:
    """Return the number of passages, and for each part its bytes and those that its pages leave unused."""
    sums = dict.fromkeys((*PARTS, "the rest"), (0, 0))
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as con:
        passages = int(con.execute("SELECT count(*) FROM chunks").get)
        for name, size, unused in con.execute(SIZES):
            part = next((part for part, names in PARTS.items() if name in names.split()), "the rest")
            sums[part] = (sums[part][0] + size, sums[part][1] + unused)
        sums["free pages"] = (con.pragma("freelist_count") * con.pragma("page_size"),) * 2
    return passages, sums


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: dict[str, dict[str, object]] = {}
    for file in options.files:
        passages, sums = bytes_of(file)
        sums["all"] = (sum(size for size, _ in sums.values()), sum(unused for _, unused in sums.values()))
        for part, (size, unused) in sums.items():
            row = rows.setdefault(part, {"part": part})
            row[f"{file.name}, {passages:,} passages"] = f"{size / max(1, passages):,.0f}"
            row[f"unused, {file.name}"] = f"{unused / max(1, passages):,.0f}"
    print_report(list(rows.values()), as_json=options.json, title="bytes per passage")
    return 0


if __name__ == "__main__":
    sys.exit(main())
