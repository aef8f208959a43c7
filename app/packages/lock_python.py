"""Lock files of Python: uv, Poetry, PDM, Pipenv, pip with hashes, pylock.toml."""

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
