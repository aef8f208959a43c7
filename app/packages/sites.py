"""Documentation sites that prove their version by an inventory, `objects.inv`, as Sphinx writes it. Fetching is up to the caller."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final
from urllib.parse import quote, urljoin

from app import caps
from app.errors import FileAccessError
from app.library.packages import Package, Symbol
from app.packages.contents import Found, contents_of
from app.packages.python_names import summary_of
from app.text.sentence import sentence

INVENTORY: Final = "objects.inv"
MAX_INVENTORY_BYTES: Final = 4 * caps.MIB
MAX_UNPACKED_INVENTORY_BYTES: Final = 16 * caps.MIB
MAX_ENTRIES: Final = 50_000
MAX_LINE_CHARS: Final = 2_000
DOCUMENT: Final = "std:doc"
HTML: Final = {".html": "text/html"}
_HEADER: Final = re.compile(rb"# Sphinx inventory version 2\n# Project: [^\n]*\n# Version: ([^\n]*)\n[^\n]*\n")
_NUMBER: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class DocumentationSite:
    """What an inventory says: its version, the addresses of pages by name, and names with role and address. All begin with `base`."""

    base: str
    version: str
    pages: Mapping[str, str]
    names: tuple[tuple[str, str, str], ...]


def read_inventory(content: bytes, address: str) -> DocumentationSite:
    """Read an inventory that was fetched from this address. Pages elsewhere are left out. Raises FileAccessError."""
    if (header := _HEADER.match(content)) is None:
        raise _unproven(address)
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(content[header.end() :], MAX_UNPACKED_INVENTORY_BYTES)
    except zlib.error as error:
        raise _unproven(address) from error
    entries = list(islice(_entries(body.decode("utf-8", "replace")), MAX_ENTRIES))
    base = urljoin(address, ".")
    places = ((name, urljoin(base, place)) for name, role, place in entries if role == DOCUMENT)
    pages = {name: place for name, place in places if place.startswith(base) and ".." not in name.split("/")}
    names = tuple((name, role, urljoin(base, place)) for name, role, place in entries if not role.startswith("std:"))
    return DocumentationSite(base, header[1].decode("utf-8", "replace").strip(), pages, names)


def check_version(site: DocumentationSite, package: Package, address: str) -> None:
    """Raise FileAccessError unless the site says the same major and minor version."""
    stated, wanted = _NUMBER.findall(site.version)[:2], _NUMBER.findall(package.version)[:2]
    if not stated or stated != wanted:
        said, asked = site.version or "?", package.version
        message = sentence("{} is the documentation of version {}, not of {}.", address, said, asked)
        hint = "Find the address of this version on the site, often behind a choice of versions."
        raise FileAccessError(message, hint=hint)


def site_contents(package: Package, site: DocumentationSite, bodies: Mapping[str, bytes]) -> Found:
    """Return the pages whose bodies were fetched, by name, and the names on them."""
    files = {f"docs/{name}.html": body for name, body in bodies.items()}
    sizes = {path: len(body) for path, body in files.items()}
    found = contents_of(package, sizes, files.__getitem__, types=HTML)
    paths = {page.path.partition("/")[2]: page.path for page in found.pages}
    stored = {place: paths[name] for name, place in site.pages.items() if name in paths}
    symbols = []
    for name, role, place in site.names:
        page, _, anchor = place.partition("#")
        if page in stored:
            end = f"#{anchor}" if anchor else ""
            symbols.append(Symbol(name, role.partition(":")[2], page=f"{package.address}{quote(stored[page])}{end}"))
    return replace(found, symbols=tuple(symbols))


def _entries(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, role and relative address of each line `NAME ROLE PRIORITY ADDRESS TITLE`; a name can contain spaces."""
    for line in text.split("\n"):
        words = line[:MAX_LINE_CHARS].split(" ")
        for place in range(1, len(words) - 2):
            if ":" in words[place] and words[place + 1].lstrip("-").isdecimal():
                name, address = " ".join(words[:place]), words[place + 2]
                yield name, words[place], f"{address[:-1]}{name}" if address.endswith("$") else address
                break


def _unproven(address: str) -> FileAccessError:
    return FileAccessError(
        sentence("{} does not prove the version of its documentation.", address),
        hint="WebRAG needs the file objects.inv next to the start page. Crawl other sites: webrag crawl URL.",
    )


_LINE: Final = re.compile(
    r"^(?:#{1,6} (?P<heading>[^\n]*)|[ >-]*\*\*`(?P<signature>[^`\n]{1,2000})`\*\*(?:: (?P<text>[^\n]*))?)",
    re.MULTILINE,
)
_AFTER_NAME: Final = re.compile(r"[(\[=<]|: ")


@dataclass(frozen=True, slots=True)
class _Definition:
    """A signature on a page with the first paragraph of its text, the heading above it and the class before it."""

    name: str
    signature: str
    text: str
    heading: str
    owner: str


def with_signatures(symbols: Iterable[Symbol], texts: Mapping[str, str]) -> tuple[Symbol, ...]:
    """Return the symbols with signature, summary and heading as far as the texts of their pages, by address, define them."""
    known: dict[str, dict[str, list[_Definition]]] = {}
    made = []
    for symbol in symbols:
        address = symbol.page.partition("#")[0]
        if address not in known:
            known[address] = {}
            for each in _definitions(texts.get(address, "")):
                known[address].setdefault(_last(each.name), []).append(each)
        # The definition with the full name, otherwise with the class, otherwise the only one.
        all_of = known[address].get(_last(symbol.name), [])
        named = [each for each in all_of if each.name == symbol.name]
        owned = [each for each in all_of if each.owner and symbol.name.endswith(f"{_last(each.owner)}.{each.name}")]
        found = next(iter(named or owned or (all_of if len(all_of) == 1 else [])), None)
        if found is None:
            made.append(replace(symbol, page=address))
            continue
        page = f"{address}#{quote(found.heading)}" if found.heading else address
        made.append(replace(symbol, signature=found.signature, summary=summary_of(found.text), page=page))
    return tuple(made)


def _definitions(text: str) -> Iterator[_Definition]:
    heading = owner = ""
    for line in _LINE.finditer(text):
        if (signature := line["signature"]) is None:
            heading, owner = line["heading"].replace("`", "").strip(), ""
            continue
        words = _AFTER_NAME.split(signature, 1)[0].split()
        if not words:
            continue
        if signature.startswith(("class ", "exception ", "interface ")):
            owner = words[-1]
        yield _Definition(words[-1], signature, (line["text"] or "").strip(), heading, owner)


def _last(name: str) -> str:
    return re.split(r"[.:]+", name)[-1]
