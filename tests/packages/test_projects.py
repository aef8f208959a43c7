"""Lock files of every kind, damaged ones, monorepos, and installed copies."""

from __future__ import annotations

import contextlib
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app import caps
from app.errors import FileAccessError
from app.library.packages import Ecosystem, Package, package_of
from app.packages.lock_others import read_requirements
from app.packages.manifests import LockFileError, Project, Used
from app.packages.projects import READERS, read_lock_file, read_project, read_projects
from tests.packages.projects import FILES, PDM, PUBLIC, install_node, install_python, write
from tests.support.growth import LINEAR, cost

KINDS = sorted(FILES)
EXPECTED = {
    "uv": "flask@3.1.3* inner-tool@2.0! sphinx@8.1.3 sphinx@8.2.3*",
    "poetry": "flask@3.1.3* inner-tool@2.0!",
    "pdm": "click@8.3.2* colorama@0.4.6 flask@3.1.3*",
    "pipenv": "flask@3.1.3* inner-tool@2.0!",
    "pylock": "flask@3.1.3* inner-tool@2.0!",
    "requirements": "click@8.3.2 flask@3.1.3*",
    "npm3": "@corp/ui@1.0.0! chalk@4.1.2 chalk@5.6.0* preact@10.1.0* react@18.3.1*",
    "npm1": "chalk@4.1.2 preact@10.1.0 react@18.3.1*",
    "pnpm9": "@tanstack/react-query@5.108.4* http-errors@2.0.1* inner@1.0.0! react@18.3.1*",
    "pnpm6": "@tanstack/react-query@5.108.4 react@18.3.1*",
    "pnpm5": "@tanstack/react-query@5.108.4 react@18.3.1*",
    "yarn1": "@corp/ui@1.0.0! preact@10.1.0* react@18.3.1*",
    "berry": "react@18.3.1*",
    "bun": "loose-envify@1.4.0 react@18.3.1*",
    "cargo": "inner@1.0.0! rand@0.7.3 rand@0.8.5* serde@1.0.200*",
    "go": "github.com/gdamore/tcell/v2@v2.9.0* github.com/new/name@v1.1.0* golang.org/x/sys@v0.30.0",
    "gem": "inner@1.0! nokogiri@1.18.0 rails@8.0.1*",
    "composer": "corp/inner@1.0.0! symfony/console@7.2.0*",
}
"""Direct packages have a star, packages of a private index an exclamation mark."""


def project_in(folder: Path) -> Project:
    found = read_project(folder)
    assert found is not None
    return found


def shown(packages: tuple[Used, ...]) -> str:
    marks = [
        f"{each.package.name}@{each.package.version}{'*' * each.is_direct}{'!' * bool(each.index)}" for each in packages
    ]
    return " ".join(sorted(marks))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_lock_file(kind: str, tmp_path: Path) -> None:
    project = project_in(write(tmp_path, FILES[kind]))
    assert shown(project.packages) == EXPECTED[kind]
    assert project.notes == ()


@pytest.mark.parametrize(
    ("kind", "name", "digest"),
    [("uv", "flask", "sha256:aa"), ("poetry", "flask", "sha256:aa"), ("pylock", "flask", "sha256:aa"), ("npm3", "react", "sha512-aa=="),
     ("pnpm9", "react", "sha512-bb=="), ("yarn1", "preact", "sha1:bb"), ("bun", "react", "sha512-aa=="), ("cargo", "serde", "sha256:aa")],
)  # fmt: skip
def test_the_hash_of_the_artefact_is_known(kind: str, name: str, digest: str, tmp_path: Path) -> None:
    packages = project_in(write(tmp_path, FILES[kind])).packages
    assert next(each.digest for each in packages if each.package.name == name) == digest


def test_identities_are_package_urls(tmp_path: Path) -> None:
    packages = [
        str(each.package)
        for kind in ("pnpm9", "uv")
        for each in project_in(write(tmp_path / kind, FILES[kind])).packages
    ]
    assert {"npm/@tanstack/react-query@5.108.4", "pypi/flask@3.1.3"} <= set(packages)


def test_projects_of_a_monorepo(tmp_path: Path) -> None:
    for place in ("", "web", "services/api", "a/b/c/d", "web/node_modules/x", ".hidden", "venv/lib"):
        write(tmp_path / place, FILES["uv"])
    roots = [Path(each.root).relative_to(tmp_path.resolve()).as_posix() for each in read_projects(tmp_path)]
    assert roots == [".", "web", "services/api"]


def test_a_folder_without_a_project_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match="neither a lock file nor installed packages"):
        read_projects(tmp_path)
    with pytest.raises(FileAccessError):
        read_projects(tmp_path / "missing")


def test_a_damaged_lock_file_is_a_note_and_others_are_read(tmp_path: Path) -> None:
    project = project_in(write(tmp_path, {"uv.lock": "[[package", "yarn.lock": FILES["yarn1"]["yarn.lock"]}))
    assert project.files == ("yarn.lock",)
    assert len(project.notes) == 1 and "uv.lock" in project.notes[0]


@pytest.mark.parametrize("key", ["a", "'a'", ' "a" '])
def test_a_manifest_with_an_endless_key_is_left_out(tmp_path: Path, key: str) -> None:
    begun = time.process_time()
    project = project_in(
        write(tmp_path, {"requirements.txt": "a==1\n", "pyproject.toml": ".".join([key] * 10_000) + " = 1"})
    )
    assert project.packages and time.process_time() - begun < 1.0


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ecosystem, reader = READERS["uv.lock"]
    write(tmp_path, FILES["uv"])
    monkeypatch.setattr(caps, "MAX_LOCK_ENTRIES", 2)
    with pytest.raises(LockFileError, match="more than 2 packages"):
        read_lock_file(tmp_path / "uv.lock", ecosystem, reader)


def test_a_lock_file_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "other", FILES["uv"])
    (tmp_path / "uv.lock").symlink_to(tmp_path / "other/uv.lock")
    assert "uv.lock" in project_in(tmp_path).notes[0]


def test_installed_copies_join_the_lock_file(tmp_path: Path) -> None:
    write(tmp_path, FILES["uv"])
    place = install_python(tmp_path, "flask", "3.1.3", {"flask/__init__.py": ""})
    install_python(tmp_path, "sphinx", "7.0.0", {})
    project = project_in(tmp_path)
    used = {str(each.package): each for each in project.packages}
    assert used["pypi/flask@3.1.3"].installed == str(place)
    assert not used["pypi/sphinx@7.0.0"].is_locked and not used["pypi/sphinx@7.0.0"].is_direct
    assert project.notes == ()


def test_another_installed_version_of_a_direct_package_is_noted(tmp_path: Path) -> None:
    write(tmp_path, FILES["poetry"])
    install_python(tmp_path, "flask", "2.2.5", {})
    assert project_in(tmp_path).notes == ("Installed in another version than locked: flask 2.2.5 (locked: 3.1.3).",)


def test_node_modules_without_a_lock_file(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": '{"dependencies": {"react": "^18"}}'})
    install_node(tmp_path, "react", "18.3.1", {})
    install_node(tmp_path, "@tanstack/react-query", "5.108.4", {})
    outside = write(tmp_path.parent / "outside", {"package.json": '{"name": "evil", "version": "1.0.0"}'})
    (tmp_path / "node_modules/evil").symlink_to(outside)
    assert shown(project_in(tmp_path).packages) == "@tanstack/react-query@5.108.4 react@18.3.1*"


@pytest.mark.parametrize("name", ["a b", "../x", "x\ny", "", "x" * 400, "a#b", 3, None])
def test_strange_names_are_left_out(name: object, tmp_path: Path) -> None:
    assert package_of("pypi", name, "1.0") is None
    assert package_of("pypi", "flask", name) is None or name == "3"
    assert package_of("pypi", "Flask_Login", "0.6") == Package("pypi", "flask-login", "0.6")


@given(st.sampled_from(KINDS), st.integers(0, 5_000), st.binary(max_size=12), st.integers(0, 80))
@example("npm3", 0, b"[" * 12, 0)
def test_a_mutated_lock_file_gives_a_result_or_an_error(kind: str, place: int, put: bytes, gone: int) -> None:
    check_mutated(kind, place, put, gone)


def check_mutated(kind: str, place: int, put: bytes, gone: int, seconds: float = 1.0) -> None:
    """Read a lock file in which some bytes are replaced. Only a LockFileError may be raised, in time."""
    name, text = next(iter(FILES[kind].items()))
    content = text.encode()
    place %= len(content)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), FILES[kind])
        (Path(folder) / name).write_bytes(content[:place] + put + content[place + gone :])
        started = time.perf_counter()
        project = read_project(Path(folder))
        assert time.perf_counter() - started < seconds
    assert project is not None
    for each in project.packages:
        assert each.package.name and each.package.version and "\n" not in str(each.package)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("numpy   ==1.26.4  # pinned", "numpy@1.26.4*"),
        ("  numpy == 1.26.4", "numpy@1.26.4*"),
        ("celery [redis] == 5.3.6 ; python_version < '4'", "celery@5.3.6*"),
        ("numpy\t==\t1.26.4", "numpy@1.26.4*"),
        ("numpy==1.26.*", ""),
        ("# numpy==1.26.4", ""),
    ],
)
def test_requirements_in_every_spelling(line: str, found: str, tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": f"flask==3.1.3\n{line}\n"})
    assert shown(project_in(tmp_path).packages).split() == sorted(["flask@3.1.3*", *found.split()])


@pytest.mark.parametrize(("index", "mark"), [(f"{PUBLIC['PYPI']}/simple", ""), ("https://own.corp/simple", "!")])
def test_packages_of_pdm_may_come_from_the_private_index_of_the_project(index: str, mark: str, tmp_path: Path) -> None:
    source = f'[[tool.pdm.source]]\nname = "own"\nurl = "{index}"\n'
    write(tmp_path, {"pdm.lock": PDM, "pyproject.toml": source})
    assert shown(project_in(tmp_path).packages).split() == [
        f"{each}{mark}" for each in ("click@8.3.2", "colorama@0.4.6", "flask@3.1.3")
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_requirements_in_the_encodings_of_windows(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_bytes("flask==3.1.3\r\nnumpy==1.26.4\r\n".encode(encoding))
    assert shown(project_in(tmp_path).packages) == "flask@3.1.3* numpy@1.26.4*"


@pytest.mark.real
@pytest.mark.parametrize("kind", KINDS)
def test_time_is_linear_in_the_size_of_the_file(kind: str, tmp_path: Path) -> None:
    name = next(iter(FILES[kind]))
    ecosystem, reader = READERS.get(name, (Ecosystem.PYPI, read_requirements))

    def read(text: str) -> None:
        (tmp_path / name).write_text(text)
        with contextlib.suppress(LockFileError):
            read_lock_file(tmp_path / name, ecosystem, reader)

    for sign in (" ", "{", '"', "a@", ",", "a.", "# via\n", "flask==1\n", "/x@1(", "\n  ", "[[package]]\n"):
        found = cost(lambda count, sign=sign: sign * count, read, 10_000)
        assert found.growth <= LINEAR or found.seconds < 0.2, sign
