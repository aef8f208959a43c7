"""Inventories of documentation sites: versions, names with spaces, places elsewhere, and damaged files."""

from __future__ import annotations

import zlib

import pytest

from app.errors import FileAccessError
from app.library.packages import Package
from app.packages.sites import MAX_UNPACKED_INVENTORY_BYTES, check_version, read_inventory

ADDRESS = "https://alpha.example/en/3.1.x/objects.inv"


def inventory(*lines: str, version: str = "3.1.x") -> bytes:
    head = f"# Sphinx inventory version 2\n# Project: Alpha\n# Version: {version}\n# The remainder is compressed.\n"
    return head.encode() + zlib.compress("\n".join(lines).encode())


def test_pages_and_names_of_an_inventory_are_read() -> None:
    site = read_inventory(
        inventory(
            "guide/start std:doc -1 guide/start.html Start here",
            "elsewhere std:doc -1 ../2.0/start.html Old",
            "foreign std:doc -1 https://evil.example/start.html Foreign",
            "../../up std:doc -1 up.html Up",
            "Alpha::operator ()(int, int) cpp:function 1 api.html#$ -",
            "a heading std:label -1 guide/start.html#a A heading",
            "no entry",
            "",
        ),
        ADDRESS,
    )
    assert site.version == "3.1.x" and site.base == "https://alpha.example/en/3.1.x/"
    assert site.pages == {"guide/start": f"{site.base}guide/start.html"}
    name = "Alpha::operator ()(int, int)"
    assert site.names == ((name, "cpp:function", f"{site.base}api.html#{name}"),)


@pytest.mark.parametrize(
    ("version", "is_right"),
    [("3.1.x", True), ("3.1.3", True), ("3.10", False), ("", False), ("latest", False), ("3", False)],
)
def test_a_site_needs_the_same_major_and_minor_version(version: str, is_right: bool) -> None:
    site = read_inventory(inventory(version=version), ADDRESS)
    if is_right:
        check_version(site, Package("pypi", "alpha", "3.1.3"), ADDRESS)
    else:
        with pytest.raises(FileAccessError, match=r"not of 3\.1\.3"):
            check_version(site, Package("pypi", "alpha", "3.1.3"), ADDRESS)


@pytest.mark.parametrize("content", [b"", b"<html>", inventory()[:-8].replace(b"\x78", b"\x00")])
def test_damaged_inventories_are_errors(content: bytes) -> None:
    with pytest.raises(FileAccessError, match="does not prove the version"):
        read_inventory(content, ADDRESS)


def test_a_bomb_is_read_up_to_the_limit() -> None:
    bomb = inventory("x std:doc -1 x.html X", "y" * 2 * MAX_UNPACKED_INVENTORY_BYTES, "z std:doc -1 z.html Z")
    assert set(read_inventory(bomb, ADDRESS).pages) == {"x"}
