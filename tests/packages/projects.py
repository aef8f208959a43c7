"""Small projects for the tests: one lock file of each kind, and installed packages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from app.library.packages import Ecosystem
from app.packages.manifests import registry_of

PYPI: Final = registry_of(Ecosystem.PYPI)
NPM: Final = registry_of(Ecosystem.NPM)
PUBLIC: Final = {
    "PYPI": PYPI.address,
    "ARCHIVES": f"https://{min(PYPI.archives)}",
    "NPM": NPM.address,
    "YARN": f"https://{max(NPM.hosts)}",
}
"""Addresses that count as public, by their names in the lock files below."""

UV: Final = """
version = 1
[[package]]
name = "app"
version = "0.1"
source = { editable = "." }
dependencies = [{ name = "flask" }, { name = "sphinx", version = "8.2.3" }]
[[package]]
name = "flask"
version = "3.1.3"
source = { registry = "PYPI/simple" }
sdist = { url = "ARCHIVES/flask-3.1.3.tar.gz", hash = "sha256:aa" }
wheels = [
    { url = "ARCHIVES/flask-3.1.3-py3-none-any.whl", hash = "sha256:bb" },
]
[[package]]
name = "sphinx"
version = "8.1.3"
source = { registry = "PYPI/simple" }
[[package]]
name = "sphinx"
version = "8.2.3"
source = { registry = "PYPI/simple" }
[[package]]
name = "inner-tool"
version = "2.0"
source = { registry = "https://pypi.example.corp/simple" }
[[package]]
name = "from-git"
version = "1.0"
source = { git = "https://example.org/x.git" }
"""
POETRY: Final = """
[[package]]
name = "Flask"
version = "3.1.3"
files = [
    {file = "flask-3.1.3-py3-none-any.whl", hash = "sha256:bb"},
    {file = "flask-3.1.3.tar.gz", hash = "sha256:aa"},
]
[[package]]
name = "inner-tool"
version = "2.0"
[package.source]
type = "legacy"
url = "https://pypi.example.corp/simple"
"""
PDM: Final = """
[metadata]
lock_version = "4.5.0"
[[package]]
name = "flask"
version = "3.1.3"
files = [
    {file = "flask-3.1.3.tar.gz", hash = "sha256:aa"},
]
[[package]]
name = "click"
version = "8.3.2"
groups = ["default"]
[[package]]
name = "colorama"
version = "0.4.6"
[[package]]
name = "from-git"
version = "1.0"
git = "https://example.org/x.git"
revision = "abc"
"""
PIPFILE: Final = """
{"_meta": {"sources": [{"name": "pypi", "url": "PYPI/simple"}, {"name": "own", "url": "https://own.corp/simple"}]},
 "default": {"flask": {"version": "==3.1.3", "hashes": ["sha256:aa", "sha256:bb"]}, "here": {"path": "."}},
 "develop": {"inner-tool": {"version": "==2.0", "index": "own"}}}
"""
PYLOCK: Final = """
lock-version = "1.0"
[[packages]]
name = "flask"
version = "3.1.3"
index = "PYPI/simple"
[packages.sdist]
url = "ARCHIVES/flask-3.1.3.tar.gz"
hashes = { sha256 = "aa" }
[[packages]]
name = "inner-tool"
version = "2.0"
index = "https://own.corp/simple"
"""
REQUIREMENTS: Final = """
# made by pip-compile
flask==3.1.3 \\
    --hash=sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa \\
    --hash=sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    # via -r requirements.in
click[extra]==8.3.2 ; python_version > "3.9"
    # via flask
not-pinned>=2
"""
NPM_3: Final = """
{"lockfileVersion": 3, "packages": {
 "": {"dependencies": {"react": "^18.0.0", "alias": "npm:preact@^10"}}, "packages/own": {"name": "own", "dependencies": {"chalk": "5"}},
 "node_modules/own": {"resolved": "packages/own", "link": true},
 "node_modules/react": {"version": "18.3.1", "resolved": "NPM/react/-/react-18.3.1.tgz", "integrity": "sha512-aa=="},
 "node_modules/alias": {"name": "preact", "version": "10.1.0", "resolved": "NPM/preact/-/preact-10.1.0.tgz"},
 "node_modules/chalk": {"version": "4.1.2"}, "packages/own/node_modules/chalk": {"version": "5.6.0"},
 "node_modules/@corp/ui": {"version": "1.0.0", "resolved": "https://npm.corp/@corp/ui-1.0.0.tgz"},
 "node_modules/from-git": {"version": "1.0.0", "resolved": "git+ssh://git@example.org/x.git#abc"}}}
"""
NPM_1: Final = """
{"lockfileVersion": 1, "dependencies": {"react": {"version": "18.3.1", "integrity": "sha512-aa==", "dependencies": {
 "chalk": {"version": "4.1.2"}}}, "alias": {"version": "npm:preact@10.1.0"}, "local": {"version": "file:../local"}}}
"""
PNPM_9: Final = """
lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      react:
        specifier: ^18.0.0
        version: 18.3.1
      '@tanstack/react-query':
        specifier: ^5
        version: 5.108.4(react@18.3.1)
      http-errors:
        specifier: ^2
        version: 2.0.1
      own:
        specifier: workspace:*
        version: link:packages/own

packages:

  '@tanstack/react-query@5.108.4':
    resolution: {integrity: sha512-aa==}
    peerDependencies:
      react: ^18

  react@18.3.1:
    resolution: {integrity: sha512-bb==}

  http-errors@2.0.1:
    resolution: {integrity: sha512-cc==}

  inner@1.0.0:
    resolution: {integrity: sha512-dd==, tarball: https://npm.corp/inner-1.0.0.tgz}

snapshots:

  '@tanstack/react-query@5.108.4(react@18.3.1)':
    dependencies:
      react: 18.3.1
"""
PNPM_6: Final = """
lockfileVersion: '6.0'

dependencies:
  react:
    specifier: ^18.0.0
    version: 18.3.1

packages:

  /@tanstack/react-query@5.108.4(react@18.3.1):
    resolution: {integrity: sha512-aa==}
    dev: false

  /react@18.3.1:
    resolution: {integrity: sha512-bb==}
"""
PNPM_5: Final = """
lockfileVersion: 5.4

specifiers:
  react: ^18.0.0

dependencies:
  react: 18.3.1

packages:

  /@tanstack/react-query/5.108.4_react@18.3.1:
    resolution: {integrity: sha512-aa==}

  /react/18.3.1:
    resolution: {integrity: sha512-bb==}
"""
YARN_1: Final = """
# yarn lockfile v1


"@corp/ui@^1.0.0":
  version "1.0.0"
  resolved "https://npm.corp/@corp/ui/-/ui-1.0.0.tgz#aa"

alias@npm:preact@^10:
  version "10.1.0"
  resolved "YARN/preact/-/preact-10.1.0.tgz#bb"

react@^17.0.0, react@^18.0.0:
  version "18.3.1"
  resolved "YARN/react/-/react-18.3.1.tgz#cc"
  integrity sha512-aa==
  dependencies:
    loose-envify "^1.1.0"
"""
BERRY: Final = """
__metadata:
  version: 8
  cacheKey: 10

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
  languageName: unknown

"react@npm:^17.0.0, react@npm:^18.0.0":
  version: 18.3.1
  resolution: "react@npm:18.3.1"
  checksum: 10/aa
  languageName: node
"""
BUN: Final = """
{
  "lockfileVersion": 1,
  // workspaces
  "workspaces": {"": {"name": "own", "dependencies": {"react": "^18.0.0",},},},
  "packages": {
    "react": ["react@18.3.1", "", {"dependencies": {}}, "sha512-aa=="],
    "react/loose-envify": ["loose-envify@1.4.0", "", {}, "sha512-bb=="],
    "own": ["own@workspace:."],
  },
}
"""
CARGO: Final = """
version = 4
[[package]]
name = "own"
version = "0.1.0"
dependencies = ["serde", "rand 0.8.5"]
[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aa"
[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "inner"
version = "1.0.0"
source = "registry+https://crates.corp/index"
"""
GO_MOD: Final = """
module example.org/own

go 1.22

require (
	github.com/gdamore/tcell/v2 v2.9.0
	golang.org/x/sys v0.30.0 // indirect
	example.org/local v1.0.0
)
require github.com/old/name v1.0.0

exclude (
	// broken (
	github.com/gdamore/tcell/v2 v2.8.0 // broken (a leak)
)
exclude golang.org/x/sys v0.29.0
retract (
	v1.0.1
	[v1.1.0, v1.2.0]
)
replace example.org/local => ../local
replace github.com/old/name => github.com/new/name v1.1.0
"""
GEMFILE: Final = """
GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.18.0-x86_64-linux-gnu)
    rails (8.0.1)
      nokogiri (>= 1.0)

GEM
  remote: https://gems.corp/
  specs:
    inner (1.0)

PATH
  remote: .
  specs:
    own (0.1)

PLATFORMS
  ruby

DEPENDENCIES
  own!
  rails (~> 8.0)
"""
COMPOSER: Final = """
{"packages": [{"name": "Symfony/Console", "version": "v7.2.0", "notification-url": "https://packagist.org/downloads/",
  "dist": {"type": "zip", "url": "https://api.github.com/zip", "shasum": ""}}],
 "packages-dev": [{"name": "corp/inner", "version": "1.0.0", "dist": {"type": "zip", "url": "https://repo.corp/inner.zip"}},
  {"name": "here/own", "version": "dev-main", "dist": {"type": "path", "url": "."}}]}
"""

_WRITTEN: Final[Mapping[str, Mapping[str, str]]] = {
    "uv": {"uv.lock": UV},
    "pdm": {
        "pdm.lock": PDM,
        "pyproject.toml": '[project]\ndependencies = ["click>=8"]\n[tool.pdm.dev-dependencies]\ntest = ["flask", "-e file:///x#egg=x"]\n',
    },
    "poetry": {"poetry.lock": POETRY, "pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nflask = "^3"\n'},
    "pipenv": {"Pipfile.lock": PIPFILE, "Pipfile": '[packages]\nflask = "*"\n'},
    "pylock": {"pylock.toml": PYLOCK, "pyproject.toml": '[project]\nname = "own"\ndependencies = ["flask>=3"]\n'},
    "requirements": {"requirements.txt": REQUIREMENTS},
    "npm3": {"package-lock.json": NPM_3},
    "npm1": {"package-lock.json": NPM_1, "package.json": '{"dependencies": {"react": "^18"}}'},
    "pnpm9": {"pnpm-lock.yaml": PNPM_9},
    "pnpm6": {"pnpm-lock.yaml": PNPM_6},
    "pnpm5": {"pnpm-lock.yaml": PNPM_5},
    "yarn1": {"yarn.lock": YARN_1, "package.json": '{"dependencies": {"react": "^18.0.0", "alias": "npm:preact@^10"}}'},
    "berry": {"yarn.lock": BERRY, "package.json": '{"devDependencies": {"react": "^17.0.0"}}'},
    "bun": {"bun.lock": BUN},
    "cargo": {"Cargo.lock": CARGO},
    "go": {"go.mod": GO_MOD, "go.sum": "github.com/gdamore/tcell/v2 v2.9.0 h1:aa=\n"},
    "gem": {"Gemfile.lock": GEMFILE},
    "composer": {"composer.lock": COMPOSER, "composer.json": '{"require": {"php": ">=8", "symfony/console": "^7"}}'},
}


def named(text: str) -> str:
    """Return a lock file with the addresses of the public registries in place of their names."""
    for name, address in PUBLIC.items():
        text = text.replace(f"{name}/", f"{address}/")
    return text


FILES: Final = {kind: {name: named(text) for name, text in files.items()} for kind, files in _WRITTEN.items()}
"""The files of a project by the kind of its lock file."""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files and return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def install_python(project: Path, name: str, version: str, files: Mapping[str, str], readme: str = "") -> Path:
    """Install a distribution into the `.venv` of a project, and return its `.dist-info` folder."""
    site = project / ".venv/lib/python3.13/site-packages"
    info = site / f"{name}-{version}.dist-info"
    write(project / ".venv", {"pyvenv.cfg": "home = /usr\n"})
    write(site, files)
    head = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nDescription-Content-Type: text/markdown\n\n"
    write(info, {"METADATA": head + readme, "RECORD": "".join(f"{path},sha256=x,1\n" for path in files)})
    return info


def install_node(project: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """Install a package into `node_modules` of a project, and return its folder."""
    manifest = f'{{"name": "{name}", "version": "{version}"}}'
    return write(project / "node_modules" / name, {"package.json": manifest, **files})
