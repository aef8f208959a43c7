"""Artefacts from a registry: hashes, addresses, and archives with every trick."""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import io
import json
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.library.packages import Package
from app.packages.archives import (
    ArchiveError,
    ArtefactError,
    artefact_contents,
    check_public,
    locked_artefact,
    matches,
    open_archive,
    published_artefact,
    registry_address,
)
from app.packages.manifests import Used
from tests.packages.projects import NPM, PYPI

FLASK = Package("pypi", "flask", "3.1.3")
QUERY = Package("npm", "@tanstack/react-query", "5.108.4")
FILES = {
    "PKG-INFO": b"Metadata-Version: 2.4\nName: flask\nDescription-Content-Type: text/markdown\n\n# Flask\n",
    "docs/quickstart.rst": b"Quickstart\n==========\n\nStart.\n",
    "CHANGES.rst": b"Changes\n=======\n",
    "src/flask/app.py": b'"""App."""\n\ndef run(port: int):\n    """Run it."""\n',
    "tests/test_app.py": b'"""Test."""\n\ndef test_it():\n    """It."""\n',
    "docs/conf.py": b"raise SystemExit('executed')\n",
    "setup.py": b"raise SystemExit('executed')\n",
    "logo.png": bytes(100),
}


def tarred(
    files: dict[str, bytes], change: Callable[[tarfile.TarInfo], None] = lambda _: None, root: str = "flask-3.1.3"
) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(f"{root}/{name}" if root else name)
            info.size = len(content)
            change(info)
            tar.addfile(info, io.BytesIO(content[: info.size]))
    return target.getvalue()


def zipped(files: dict[str, bytes], root: str = "flask-3.1.3") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(f"{root}/{name}" if root else name, content)
    return target.getvalue()


def sha256(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@pytest.mark.parametrize("pack", [tarred, zipped])
def test_an_sdist(pack: Callable[[dict[str, bytes]], bytes]) -> None:
    content = pack(FILES)
    found = artefact_contents(FLASK, content, sha256(content))
    assert [page.path for page in found.pages] == ["docs/README", "docs/quickstart", "api/flask.app", "changes/CHANGES"]


def test_a_tarball_of_npm() -> None:
    content = tarred({"README.md": b"# Query\n", "dist/docs/guide.md": b"# Guide\n"}, root="package")
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"
    found = artefact_contents(QUERY, content, integrity)
    assert [page.path for page in found.pages] == ["docs/README", "docs/guide"]


@pytest.mark.parametrize("package", [FLASK, QUERY])
def test_nothing_of_a_package_runs(package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = tmp_path / "ran"
    script = f"open({str(canary)!r}, 'w').close()\n".encode()
    scripts = dict.fromkeys(("preinstall", "install", "postinstall", "prepare"), f"touch {canary}")
    files = dict.fromkeys(("setup.py", "docs/conf.py", "src/flask/__init__.py", "src/flask/app.py"), script)
    files |= {"package.json": json.dumps({"name": package.name, "scripts": scripts}).encode()}
    files |= {"index.d.ts": b"/** Run. */\nexport declare function run(): void;\n", "README.md": b"# Read me\n"}
    monkeypatch.setattr("subprocess.Popen", None)
    content = tarred(files)
    assert artefact_contents(package, content, sha256(content)).pages
    assert not list(tmp_path.iterdir()) and "flask.app" not in sys.modules


@pytest.mark.parametrize(
    "digest", ["", "sha256:", f"sha256:{'0' * 64}", "md5:abc", "sha512-AAAA", "nonsense", "sha1:00"]
)
def test_another_hash_is_refused(digest: str) -> None:
    with pytest.raises(ArtefactError, match="does not have the hash in the lock file"):
        artefact_contents(FLASK, tarred(FILES), digest)


def test_hashes() -> None:
    content = b"x"
    right, wrong = sha256(content), f"sha256:{'0' * 64}"
    assert matches(content, right) and matches(content, f"{wrong} {right}")
    sha1 = f"sha1:{hashlib.sha1(content, usedforsecurity=False).hexdigest()}"
    assert matches(content, sha1)
    assert not matches(content, f"{sha1} {wrong}"), "a weaker hash does not count beside a stronger one"


def link(target: str, kind: bytes) -> Callable[[tarfile.TarInfo], None]:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname, info.size = kind, target, 0

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("../../outside.md", lambda _: None),
        ("a/../../../x.md", lambda _: None),
        ("a.md", link("/etc/passwd", tarfile.SYMTYPE)),
        ("a.md", link("../../../x", tarfile.SYMTYPE)),
        ("a.md", link("../x", tarfile.LNKTYPE)),
        ("a.md", lambda info: setattr(info, "type", tarfile.CHRTYPE)),
        ("a.md", lambda info: setattr(info, "type", tarfile.FIFOTYPE)),
        ("a\\b.md", lambda _: None),
        ("ä\0.md", lambda _: None),
    ],
)
def test_members_that_lead_out_are_refused(
    name: str, change: Callable[[tarfile.TarInfo], None], tmp_path: Path
) -> None:
    with pytest.raises(ArchiveError):
        open_archive(tarred({name: b""}, change))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["/etc/x.md", "C:/x.md", "../x.md"])
def test_absolute_names_are_refused(name: str) -> None:
    for content in (tarred({name: b""}, root=""), zipped({name: b""}, root="")):
        with pytest.raises(ArchiveError, match="leads out"):
            open_archive(content)


def test_a_link_inside_is_not_followed() -> None:
    assert open_archive(tarred({"a.md": b""}, link("b.md", tarfile.SYMTYPE))).files == {}


def test_bombs_are_refused_early() -> None:
    large = bytes(3 * caps.MIB)
    for content in (
        tarred({"logo.png": bytes(20 * caps.MIB)}),
        tarred({"a.md": large}),
        zipped({f"{number}.md": large for number in range(3)}),
    ):
        with pytest.raises(ArchiveError, match="larger than"):
            open_archive(content)
    assert open_archive(gzip.compress(bytes(20 * caps.MIB))).files == {}, "zeros are an empty archive"


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_UNPACKED_MEMBERS", 10)
    for pack in (tarred, zipped):
        with pytest.raises(ArchiveError, match="more than 10 members"):
            open_archive(pack({f"{number}.md": b"" for number in range(11)}))


@given(st.integers(0, 400), st.binary(max_size=8), st.booleans())
def test_damaged_archives(place: int, put: bytes, is_zip: bool) -> None:
    content = (zipped if is_zip else tarred)(FILES)
    place %= len(content)
    with contextlib.suppress(ArchiveError):
        open_archive(content[:place] + put + content[place + len(put) :])


def test_private_packages_are_never_asked() -> None:
    with pytest.raises(ArtefactError, match="private index"):
        check_public(Used(FLASK, index="https://pypi.corp/simple"))
    with pytest.raises(ArtefactError, match="of cargo"):
        check_public(Used(Package("cargo", "serde", "1.0.0")))
    check_public(Used(FLASK))


def test_addresses() -> None:
    assert registry_address(FLASK) == f"{PYPI.address}/pypi/flask/3.1.3/json"
    assert registry_address(QUERY) == f"{NPM.address}/@tanstack%2Freact-query/5.108.4"
    (host,) = PYPI.archives
    url = f"https://{host}/flask-3.1.3.tar.gz"
    assert locked_artefact(Used(FLASK, url=url, digest="sha256:aa")) is not None
    assert locked_artefact(Used(FLASK, url=url)) is None
    assert locked_artefact(Used(FLASK, url="https://evil.example/flask-3.1.3.tar.gz", digest="sha256:aa")) is None
    assert locked_artefact(Used(FLASK, url=f"http://{host}/x", digest="sha256:aa")) is None


def test_the_description_of_a_registry() -> None:
    urls = [
        {"packagetype": "bdist_wheel", "url": "https://x/flask.whl", "digests": {"sha256": "bb"}},
        {"packagetype": "sdist", "url": "https://x/flask.tar.gz", "digests": {"sha256": "aa"}},
    ]
    made = published_artefact(Used(FLASK), json.dumps({"urls": urls}).encode())
    assert (made.url, made.digest) == ("https://x/flask.tar.gz", "sha256:aa")
    assert (
        published_artefact(Used(FLASK, digest="sha256:cc"), json.dumps({"urls": urls}).encode()).digest == "sha256:cc"
    )
    with pytest.raises(ArtefactError, match="without its sources"):
        published_artefact(Used(FLASK), json.dumps({"urls": urls[:1]}).encode())
    for damaged in (b"", b"[]", b"{}", b'{"urls": [{"packagetype": "sdist"}]}', b"[" * 100_000):
        with pytest.raises(ArtefactError):
            published_artefact(Used(FLASK), damaged)
