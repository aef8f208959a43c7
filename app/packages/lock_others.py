"""Lock files of Python (uv, Poetry, PDM, Pipenv, pip with hashes, pylock.toml), Rust, Go, Ruby and PHP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Final

from packaging.requirements import InvalidRequirement, Requirement

from app.library.packages import Ecosystem, canonical_name
from app.packages.manifests import Folder, Locked, entries, is_public, registry_of, table
from app.serialise import read_toml

_PIN: Final = re.compile(
    r"([A-Za-z0-9][\w.-]{0,200})[ \t]*+(?:\[[^\]]{0,500}\])?[ \t]*+(===?)[ \t]*+(?![^\s;#,]{0,100}\*)([^\s;#,]{1,100})"
)
_HASH: Final = re.compile(r"--hash[= ]([a-z0-9]{3,10}:[0-9a-f]{32,128})")
_INDEX: Final = re.compile(r"(?:-i|--(?:extra-)?index-url)[= ]+(\S+)")


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a lock file without its lines about wheels, which are most of the text. Raises ValueError."""
    lines = (line for line in text.split("\n") if not (line.lstrip().startswith("{") and ".whl" in line))
    return read_toml("\n".join(lines).replace("\r", ""))


def direct_names(folder: Folder) -> set[str]:
    """Return the names that pyproject.toml requires."""
    document = table(folder.toml("pyproject.toml"))
    project, tools = table(document.get("project")), table(document.get("tool"))
    poetry, groups = table(tools.get("poetry")), [project.get("dependencies")]
    named = (project.get("optional-dependencies"), document.get("dependency-groups"))
    for part in (*named, table(tools.get("pdm")).get("dev-dependencies")):
        groups += table(part).values()
    names = set()
    for group in groups:
        for line in entries(group, str):
            try:
                names.add(canonical_name(Ecosystem.PYPI, Requirement(line).name))
            except InvalidRequirement:
                continue
    for section in [poetry, *map(table, table(poetry.get("group")).values())]:
        for key in ("dependencies", "dev-dependencies"):
            names |= {canonical_name(Ecosystem.PYPI, name) for name in table(section.get(key)) if name != "python"}
    return names


def read_uv(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the packages of uv.lock."""
    packages = entries(parse_toml(text).get("package"), dict)
    direct: set[tuple[str, str | None]] = {(name, None) for name in direct_names(folder)}
    own = [each for each in packages if table(each.get("source")).keys() & {"editable", "virtual", "directory"}]
    for each in own:
        groups = [table(each.get(key)).values() for key in ("optional-dependencies", "dev-dependencies")]
        for group in [each.get("dependencies"), *(part for values in groups for part in values)]:
            direct |= {(str(entry.get("name")), entry.get("version")) for entry in entries(group, dict)}
    for each in packages:
        source, sdist = table(each.get("source")), table(each.get("sdist"))
        if "registry" not in source:
            continue
        name, version = each.get("name"), each.get("version")
        is_direct = (str(name), version) in direct or (str(name), None) in direct
        index, digest, url = private(source["registry"]), str(sdist.get("hash") or ""), str(sdist.get("url") or "")
        yield Locked(name, version, is_direct, index, digest, url, sdist.get("size"))


def read_poetry(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the packages of poetry.lock or pdm.lock."""
    document, direct = parse_toml(text), direct_names(folder)
    files = table(table(document.get("metadata")).get("files"))
    # A pdm.lock does not say which index a package comes from.
    pdm = table(table(table(folder.toml("pyproject.toml")).get("tool")).get("pdm"))
    usual = next(filter(None, (private(each.get("url")) for each in entries(pdm.get("source"), dict))), "")
    for each in entries(document.get("package"), dict):
        source = table(each.get("source"))
        if source.get("type") in ("directory", "file", "git", "url") or each.keys() & {"git", "path", "url"}:
            continue
        name = str(each.get("name"))
        found = entries(each.get("files") or files.get(name), dict)
        sources = (file for file in found if str(file.get("file")).endswith((".tar.gz", ".zip")))
        digest = next((str(file.get("hash") or "") for file in sources), "")
        index = private(source["url"]) if "url" in source else usual
        yield Locked(name, each.get("version"), canonical_name(Ecosystem.PYPI, name) in direct, index, digest)


def read_pipfile(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the packages of Pipfile.lock."""
    document, pipfile = table(json.loads(text)), table(folder.toml("Pipfile"))
    asked = (name for section in ("packages", "dev-packages") for name in table(pipfile.get(section)))
    direct = {canonical_name(Ecosystem.PYPI, name) for name in asked}
    sources = entries(table(document.get("_meta")).get("sources"), dict)
    addresses = {str(source.get("name")): str(source.get("url")) for source in sources}
    usual = next(iter(addresses.values()), registry_of(Ecosystem.PYPI).address)
    for section in ("default", "develop"):
        for name, each in table(document.get(section)).items():
            version = str(table(each).get("version") or "")
            if version.startswith("==") and "path" not in each and "git" not in each:
                address = addresses.get(str(each.get("index")), usual)
                is_direct = canonical_name(Ecosystem.PYPI, name) in direct
                yield Locked(name, version.lstrip("="), is_direct, private(address), alone(each.get("hashes")))


def read_pylock(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the packages of pylock.toml. Without pyproject.toml, all of them are direct."""
    direct = direct_names(folder)
    for each in entries(parse_toml(text).get("packages"), dict):
        if each.keys() & {"vcs", "directory", "archive"}:
            continue
        sdist, name = table(each.get("sdist")), str(each.get("name"))
        digest = table(sdist.get("hashes")).get("sha256")
        is_direct = not direct or canonical_name(Ecosystem.PYPI, name) in direct
        index, url = private(each["index"]) if "index" in each else "", str(sdist.get("url") or "")
        yield Locked(name, each.get("version"), is_direct, index, f"sha256:{digest}" if digest else "", url)


def read_requirements(text: str, folder: Folder) -> Iterator[Locked]:
    """Yield the pinned packages of requirements.txt. Comments of pip-compile and uv say which ones are direct."""
    lines = text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines()
    named = (found[1] for line in lines if (found := _INDEX.match(line.strip())))
    index = next((address for each in named if (address := private(each))), "")
    asked = direct_names(folder)
    has_origins = any(line.lstrip().startswith("# via") for line in lines)
    for place, line in enumerate(lines):
        if (found := _PIN.match(line.strip())) is None:
            continue
        origin = list(takewhile(lambda other: other.lstrip().startswith("#"), lines[place + 1 : place + 40]))
        is_direct = not has_origins or any(" -r " in each or ".in" in each or "pyproject" in each for each in origin)
        name = canonical_name(Ecosystem.PYPI, found[1])
        yield Locked(name, found[3], is_direct or name in asked, index, alone(_HASH.findall(line)))


def private(address: object) -> str:
    """Return the address of an index unless it is the public one."""
    text = str(address)
    return "" if is_public(Ecosystem.PYPI, text) else text or "?"


def alone(hashes: object) -> str:
    """Return all hashes of a package, separated by spaces: lists of hashes do not say which file each belongs to."""
    return " ".join(entries(hashes, str))


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
        block = line.partition("//")[0].strip()
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
