"""Installed copies of Rust, Go, Ruby and PHP packages: found by their exact version, without leaving their folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.library.packages import Package
from app.packages.contents import installed_contents
from app.packages.projects import copy_of, read_project
from tests.packages.projects import write

README = "# Title\n\nHow to use it.\n"
CARGO = """
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["serde"]

[[package]]
name = "serde"
version = "1.0.9"
source = "registry+https://github.com/rust-lang/crates.io-index"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name in ("CARGO_HOME", "GOPATH", "GOMODCACHE", "GEM_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("package", "place"),
    [
        (Package("cargo", "serde", "1.0.9"), "home/.cargo/registry/src/index.crates.io-1/serde-1.0.9"),
        (
            Package("golang", "github.com/BurntSushi/toml", "v1.4.0"),
            "home/go/pkg/mod/github.com/!burnt!sushi/toml@v1.4.0",
        ),
        (Package("gem", "rack", "3.1.0"), "home/.gem/ruby/3.3.0/gems/rack-3.1.0"),
        (Package("gem", "rack", "3.1.0"), "app/vendor/bundle/ruby/3.3.0/gems/rack-3.1.0"),
        (Package("composer", "monolog/monolog", "3.6.0"), "app/vendor/monolog/monolog"),
    ],
)
def test_the_copy_of_exactly_this_version_is_read(tmp_path: Path, home: Path, package: Package, place: str) -> None:
    write(
        tmp_path / place,
        {
            "README.md": README,
            "docs/use.md": "Use it.",
            "CHANGELOG.md": "3.1",
            "src/lib.rs": "//! It is fast.\nfn main() {}",
        },
    )
    write(
        tmp_path / "app/vendor/composer",
        {"installed.json": '{"packages": [{"name": "monolog/monolog", "version": "v3.6.0"}]}'},
    )
    copy = copy_of(package, tmp_path / "app")
    assert copy == tmp_path / place
    found = installed_contents(package, copy)
    assert [page.path for page in found.docs] == ["docs/README", "docs/use"]
    assert [page.path for page in found.changes] == ["changes/CHANGELOG"]
    assert [page.content for page in found.api] == ([b"It is fast."] if package.ecosystem == "cargo" else [])
    for other in ("9.9.9", "../../x"):
        assert copy_of(Package(package.ecosystem, package.name, other), tmp_path / "app") is None


def test_a_locked_crate_is_installed_and_a_link_out_of_the_cache_is_not_read(tmp_path: Path, home: Path) -> None:
    cache = home / ".cargo/registry/src/index"
    write(cache / "serde-1.0.9", {"README.md": README})
    project = read_project(write(tmp_path / "app", {"Cargo.lock": CARGO}))
    assert project is not None
    assert [(each.package.name, each.installed, each.is_direct) for each in project.packages] == [
        ("serde", str(cache / "serde-1.0.9"), True)
    ]
    write(tmp_path / "secret", {"README.md": "secret"})
    (cache / "evil-1.0.0").symlink_to(tmp_path / "secret")
    assert copy_of(Package("cargo", "evil", "1.0.0"), tmp_path / "app") is None
