"""Lock files of Rust, Go, Ruby and PHP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from app.packages.lock_python import parse_toml
from app.packages.manifests import Folder, Locked, entries, table

CRATES_IO: Final = ("registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io")
RUBYGEMS: Final = ("https://rubygems.org", "http://rubygems.org")
_GEM: Final = re.compile(r"([\w.-]+) \(([^)]{1,100})\)")
_PLATFORM: Final = re.compile(r"-(?:x86|arm|aarch|java|mingw|mswin|x64|universal|musl|linux|darwin).*")


def read_cargo(text: str, _folder: Folder) -> Iterator[Locked]:
    """Yield the packages of Cargo.lock."""
    packages = entries(parse_toml(text).get("package"), dict)
    own = [line for each in packages if "source" not in each for line in entries(each.get("dependencies"), str)]
    named = {tuple(line.split(" ")[:2]) for line in own}
    for each in packages:
        source, name, version = str(each.get("source") or ""), str(each.get("name")), str(each.get("version"))
        if not source or source.startswith(("git+", "path+")):
            continue
        is_direct = (name,) in named or (name, version) in named
        digest = str(each.get("checksum") or "")
        index = "" if source.startswith(CRATES_IO) else source
        yield Locked(name, version, is_direct, index, f"sha256:{digest}" if digest else "")


def read_go(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the modules of go.mod, with the hashes of go.sum."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    written = (line.split() for line in (folder.optional_text("go.sum") or "").splitlines())
    sums = {(each[0], each[1]): each[2] for each in written if len(each) == 3}
    replaced = {}
    for line in lines:
        old, arrow, new = line.removeprefix("replace ").partition(" //")[0].partition(" => ")
        if arrow:
            replaced[old.partition(" ")[0]] = new.partition(" ")[::2]
    is_unused = False
    for line in lines:
        block = line.partition(" //")[0]
        if block.endswith("(") or block == ")":
            is_unused = block.startswith(("exclude", "retract"))
        name, _, rest = line.removeprefix("require ").partition(" ")
        version, _, comment = rest.partition(" // ")
        if is_unused or "." not in name or not version.startswith("v") or " " in version:
            continue
        name, version = replaced.get(name, (name, version))
        if version:
            yield Locked(name, version, comment != "indirect", "", sums.get((name, version), ""))


def read_gemfile(text: str, _folder: Folder) -> Iterator[Locked]:
    """Yield the gems of Gemfile.lock."""
    section, remote = "", ""
    found: dict[tuple[str, str], str] = {}
    direct: set[str] = set()
    sums: dict[tuple[str, str], str] = {}
    for line in text.splitlines():
        bare = line.strip()
        depth = len(line) - len(line.lstrip(" "))
        gem = _GEM.match(bare)
        if depth == 0 and bare:
            section, remote = bare, ""
        elif section == "GEM" and bare.startswith("remote:"):
            remote = bare.removeprefix("remote:").strip()
        elif section == "GEM" and depth == 4 and gem:
            index = "" if remote.startswith(RUBYGEMS) else remote
            found.setdefault((gem[1], _PLATFORM.sub("", gem[2])), index)
        elif section == "DEPENDENCIES" and bare:
            direct.add(bare.split(" ")[0].rstrip("!"))
        elif section == "CHECKSUMS" and gem and "sha256=" in bare:
            sums.setdefault((gem[1], gem[2]), f"sha256:{bare.partition('sha256=')[2].split(' ')[0]}")
    for (name, version), index in found.items():
        yield Locked(name, version, name in direct, index, sums.get((name, version), ""))


def read_composer(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the packages of composer.lock."""
    document, manifest = table(json.loads(text)), table(folder.json("composer.json"))
    direct = {name.lower() for key in ("require", "require-dev") for name in table(manifest.get(key))}
    for section in ("packages", "packages-dev"):
        for each in entries(document.get(section), dict):
            name, dist = str(each.get("name")), table(each.get("dist"))
            told = str(each.get("notification-url") or "")
            index = "" if told.startswith("https://packagist.org/") else told or str(dist.get("url") or "?")
            digest = str(dist.get("shasum") or "")
            version = str(each.get("version") or "").removeprefix("v")
            if dist.get("type") != "path" and not version.startswith("dev-"):
                yield Locked(name, version, name.lower() in direct, index, f"sha1:{digest}" if digest else "")
