"""Restore backups: describe a backup, check a copy of it, and replace the corpus while nothing uses the file."""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

import apsw

from app import caps, errors
from app.corpus.checks import contents_mark, quick_check, reading
from app.corpus.corpus import Corpus
from app.corpus.database import connect, damage_note, translated
from app.corpus.migrations import check_identity, is_corpus_file, migrate, remove_all, replaced
from app.corpus.records import BackupFacts, FileHealth, Restored, Salvaged
from app.corpus.salvage import salvage
from app.corpus.watch import UNWATCHED, Watch
from app.library.records import CorpusTotals
from app.text.sentence import joined, sentence

log = logging.getLogger(__name__)

IMMUTABLE: Final = "&immutable=1"  # SQLite then makes no files beside a backup.
BYTES_COPIED_AT_ONCE: Final = 4 * caps.MIB
SIDE_FILES: Final = ("-wal", "-shm", "-journal")
SHOWN_PROBLEMS: Final = 5
MAX_CORPORA_BEFORE: Final = 3  # Replaced corpora to keep; the oldest is deleted first.
AUTOMATIC_FOLDER: Final = "backups"
_AUTOMATIC: Final = re.compile(r"[a-z]+-\d{8}-\d{6}\.db")
MAX_AUTOMATIC_BACKUPS: Final = 3
SECONDS_PER_DAY: Final = 86_400.0
SECONDS_BETWEEN_BACKUPS: Final = 0.9 * SECONDS_PER_DAY  # Less than a day, so that the time of day does not drift.
BACKUP_DAYS: Final = 14  # Days until a backup is deleted, unless it is the newest: deleted pages disappear too.
ROOM_BESIDE_BACKUPS: Final = caps.LOW_DISK_BYTES  # Disk space that an automatic backup leaves free.
MAX_CHECK_SECONDS: Final = 600.0
PREFIX: Final = ".restore."
LEFTOVER: Final = re.compile(
    r"\.restore\.[a-z0-9_]{8}\.db(?:[-.].*)?|\.\.restore\.[a-z0-9_]{8}\.db\..*|\.corpus[-.][^/]*\.(?:backup|db)\.[a-z0-9_]{8}(?:-.*)?"
)  # Leftovers of a killed restore, backup or update: temporary copies, with their side files.
BEFORE: Final = re.compile(r"-before-\d{8}-\d{6}\.db$")
CHOOSE_BACKUP: Final = "Choose a file that WebRAG created as a backup."
KEPT: Final = re.compile(r"-before-\d{8}-\d{6}\.db(?:-wal)?$|\.db\.v\d+\.backup$")
"""Copies of earlier corpora next to the corpus, made by restores and updates of the file."""
_FACTS: Final = """
SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks), (SELECT max(last_crawled) FROM documents)
"""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A checked copy next to the corpus, ready to replace it."""

    copy: Path
    totals: CorpusTotals
    removed: tuple[str, ...] = ()  # Parts of the backup that were left out, as "12 links".
    salvaged: Salvaged | None = None  # The readable data, if the copy was made from a damaged file.

    def discard(self) -> None:
        """Delete the copy, unless it has replaced the corpus."""
        remove_all((self.copy, *self.copy.parent.glob(f"{self.copy.name}[-.]*")))


def describe(backup: Path) -> BackupFacts:
    """Describe the contents of a backup. Raises FileAccessError if it is not a backup, CorpusError if it cannot be read."""
    _check_file(backup)
    try:
        facts, is_backup = backup.stat(), is_corpus_file(backup)
    except OSError as error:
        raise _unreadable(backup, error) from error
    if not is_backup:
        raise errors.FileAccessError(sentence("{} is not a WebRAG backup.", backup), hint=CHOOSE_BACKUP)
    with _of_a_backup(backup), reading(backup, IMMUTABLE) as con:
        documents, chunks, newest = con.execute(_FACTS).get
        has_projects = con.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'projects')").get
        roots = (
            "SELECT path FROM folders UNION SELECT root FROM projects" if has_projects else "SELECT path FROM folders"
        )
        folders = tuple(str(path) for (path,) in con.execute(f"{roots} ORDER BY 1"))
    return BackupFacts(documents, chunks, newest or 0.0, facts.st_mtime, facts.st_size, folders)


def prepare(backup: Path, corpus: Path, watch: Watch = UNWATCHED) -> Prepared:
    """Copy the backup next to the corpus, which may be in use, and check the copy."""
    _check_file(backup, corpus)
    with _filled(corpus) as copy:
        # The file, and the write-ahead log next to it in the folder of a running program.
        parts = [(backup, copy)]
        if _beside(backup, SIDE_FILES[0]).exists():
            parts.append((_beside(backup, SIDE_FILES[0]), _beside(copy, SIDE_FILES[0])))
        size = max(1, sum(part.stat().st_size for part, _ in parts))
        done = 0
        for part, target_path in parts:
            with part.open("rb") as source, target_path.open("wb") as target:
                while piece := source.read(BYTES_COPIED_AT_ONCE):
                    target.write(piece)
                    done += len(piece)
                    watch.at(0.5 * done / size)
        return _checked(copy, backup, watch.part(0.5, 1))


def prepare_salvage(damaged: Path, corpus: Path, watch: Watch = UNWATCHED) -> Prepared:
    """Save the readable data of a damaged corpus, which may be in use, to a new file next to it, and check that like a backup."""
    with _filled(corpus) as copy:
        saved = salvage(damaged, copy, watch.part(0, 0.8))
        return replace(_checked(copy, damaged, watch.part(0.8, 1)), salvaged=saved)


def prepare_empty(corpus: Path, watch: Watch = UNWATCHED) -> Prepared:
    """Create an empty corpus next to the existing one, to replace it."""
    watch.at(0)
    with _filled(corpus) as copy, closing(Corpus.open(copy, dimension=0, model="")) as made:
        return Prepared(copy, made.totals())


@contextmanager
def _filled(corpus: Path) -> Iterator[Path]:
    """Create a temporary file in the folder of the corpus; it is deleted on failure. Raises FileAccessError."""
    try:
        clear_leftovers(corpus.parent)
        handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=".db", dir=corpus.parent)
        os.close(handle)
        try:
            yield Path(name)
        except BaseException:
            Prepared(Path(name), CorpusTotals(0, 0, 0, 0, 0)).discard()
            raise
    except OSError as error:
        raise _not_placed(error) from error


def swap(prepared: Prepared, corpus: Path) -> Restored:
    """Replace the corpus with a prepared copy and keep the previous corpus next to it. Nothing may use the corpus.

    The caller holds the instance lock. If interrupted at any time, a complete corpus remains: the old one until the last step, the new
    one after it. Raises FileAccessError, and CorpusBusyError if another program has the corpus open.
    """
    try:
        _settle(corpus)
        kept = _kept(corpus)
        _flush(prepared.copy)
        for suffix in SIDE_FILES:
            _beside(corpus, suffix).unlink(missing_ok=True)
        prepared.copy.replace(corpus)
        damage_note(corpus).unlink(missing_ok=True)
        # Keep only the newest replaced corpora; `kept` is one of them, whatever its time.
        before = [path for path in kept_copies(corpus) if BEFORE.search(path.name) and path != kept]
        for path in before[: -(MAX_CORPORA_BEFORE - 1)]:
            remove_all((path, _beside(path, SIDE_FILES[0])))
    except OSError as error:
        raise _not_placed(error) from error
    finally:
        prepared.discard()
    where = str(kept) if kept is not None else ""
    return Restored(prepared.totals.documents, prepared.totals.chunks, where, prepared.removed, prepared.salvaged)


def kept_copies(corpus: Path) -> list[Path]:
    """Return the copies of earlier corpora next to the corpus, by name."""
    if not corpus.parent.is_dir():
        return []
    return sorted(
        path for path in corpus.parent.iterdir() if path.name.startswith(corpus.stem) and KEPT.search(path.name)
    )


def update_backups(corpus: Path) -> list[Path]:
    """Return the copies made before updates of the file."""
    return [path for path in kept_copies(corpus) if path.suffix == ".backup"]


def automatic_backups(corpus: Path) -> list[Path]:
    """Return the automatic backups, newest first; those with a time in the future come last. Raises FileAccessError."""
    folder = corpus.parent / AUTOMATIC_FOLDER
    try:
        files = list(folder.iterdir()) if folder.is_dir() else []
        found = [path for path in files if path.name.startswith(f"{corpus.stem}-") and _AUTOMATIC.fullmatch(path.name)]
    except OSError as error:
        raise errors.FileAccessError(
            sentence("Cannot read the automatic backups in {} ({}).", folder, error.strerror),
            hint="Check the folder and its permissions.",
        ) from error
    latest = time.time() + SECONDS_PER_DAY
    return sorted(found, key=lambda path: (_written(path) <= latest, path.name), reverse=True)


def back_up_if_due(corpus: Corpus, watch: Watch = UNWATCHED) -> Path | None:
    """Make the daily backup of a changed, intact library, or return None; delete those that are too many or old."""
    if corpus.health != FileHealth():
        return None
    known, made = automatic_backups(corpus.path), None
    if not known or (abs(time.time() - _written(known[0])) >= SECONDS_BETWEEN_BACKUPS and _differs(corpus, known[0])):
        made = _back_up(corpus, watch)
    kept = [path for path in automatic_backups(corpus.path) if path != made]
    several = [*(kept if made else kept[1:]), *update_backups(corpus.path)]
    old = [path for path in several if abs(time.time() - _written(path)) > BACKUP_DAYS * SECONDS_PER_DAY]
    remove_all({*old, *kept[MAX_AUTOMATIC_BACKUPS - (made is not None) :]})
    return made


def remove_automatic_backups(corpus: Path) -> int:
    """Delete all automatic backups and those of updates; return how many automatic ones there were."""
    found = automatic_backups(corpus)
    remove_all([*found, *backup_leftovers(corpus), *update_backups(corpus)])
    return len(found)


def backup_leftovers(corpus: Path) -> list[Path]:
    """Return the leftovers of killed automatic backups. Raises OSError."""
    folder = corpus.parent / AUTOMATIC_FOLDER
    return [path for path in folder.iterdir() if LEFTOVER.fullmatch(path.name)] if folder.is_dir() else []


def prepare_newest(corpus: Path, watch: Watch = UNWATCHED) -> tuple[Path, Prepared, tuple[str, ...]]:
    """Copy and check the newest intact automatic backup; return it, the copy, and why newer ones were skipped."""
    passed: list[str] = []
    for backup in automatic_backups(corpus):
        try:
            return backup, prepare(backup, corpus, watch), tuple(passed)
        except errors.WorkCancelledError:
            raise
        except (errors.CorpusError, errors.FileAccessError) as error:
            passed.append(error.message)
    raise errors.CorpusError(
        joined((sentence("No automatic backup can be used."), *passed)),
        hint="Restore another backup, or save the readable pages: Settings > Storage, or webrag restore in a terminal.",
    )


def _back_up(corpus: Corpus, watch: Watch) -> Path:
    folder = corpus.path.parent / AUTOMATIC_FOLDER
    wanted = corpus.totals().file_bytes + ROOM_BESIDE_BACKUPS
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        clear_leftovers(folder)
        if shutil.disk_usage(folder).free < wanted:
            raise errors.DiskFullError(
                sentence("Not enough disk space for the automatic backup."),
                hint=sentence("WebRAG backs up automatically as soon as {} MB are free.", f"{wanted / 1e6:,.0f}"),
            )
    except OSError as error:
        raise errors.FileAccessError(
            sentence("Cannot write automatic backups to {} ({}).", folder, error.strerror),
            hint="Check the folder and its permissions.",
        ) from error
    target = folder / f"{corpus.path.stem}-{time.strftime('%Y%m%d-%H%M%S')}{corpus.path.suffix}"
    try:
        corpus.backup(target, watch)
        damage, _ = quick_check(target, seconds=MAX_CHECK_SECONDS)
        if damage:
            corpus.check(watch)
            raise errors.CorpusDamagedError(sentence("The copy of the library is damaged ({}).", damage))
    except BaseException:
        remove_all((target,))
        raise
    return target


def _differs(corpus: Corpus, backup: Path) -> bool:
    """Whether the content of a backup differs from the corpus; also true if the backup cannot be read."""
    try:
        with _of_a_backup(backup), reading(backup, IMMUTABLE) as con:
            return contents_mark(con) != corpus.contents_mark()
    except errors.CorpusError as error:
        log.warning("an automatic backup cannot be read: %s", error.message)
        return True


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def clear_leftovers(folder: Path) -> None:
    """Delete temporary copies and unused journals of killed restores and backups. For the holder of the lock."""
    for path in list(folder.iterdir()):
        is_leftover = LEFTOVER.fullmatch(path.name) is not None
        if not is_leftover and path.name.endswith(".db-journal"):
            # SQLite does not roll it back either: it is empty, or its first byte is zero (hasHotJournal in pager.c).
            with path.open("rb") as stream:
                is_leftover = stream.read(1) in (b"", b"\0")
        remove_all([path] if is_leftover else [])


@contextmanager
def _of_a_backup(backup: Path) -> Iterator[None]:
    """Convert errors of reading a backup to messages, including SQL errors, because its tables can differ."""
    try:
        with translated(backup):
            yield
    except (apsw.Error, UnicodeDecodeError) as error:
        raise errors.CorpusError(
            sentence("Cannot read the backup {} ({}).", backup, error), hint="Choose another backup."
        ) from error


def _check_file(backup: Path, corpus: Path | None = None) -> None:
    """An empty file would count as a new corpus, so refuse it here."""
    try:
        if corpus is not None and corpus.exists() and backup.samefile(corpus):
            raise errors.FileAccessError(sentence("{} is the current library.", backup), hint="Choose a backup of it.")
        if not backup.is_file() or not backup.stat().st_size:
            raise errors.FileAccessError(sentence("{} is not a WebRAG backup.", backup), hint=CHOOSE_BACKUP)
    except OSError as error:
        raise _unreadable(backup, error) from error


def _checked(copy: Path, backup: Path, watch: Watch) -> Prepared:
    """Check and migrate the copy, and delete what this program could not have stored."""
    try:
        with _of_a_backup(backup):
            with closing(connect(copy)) as con:
                check_identity(con, copy)
                migrate(con, copy, watch=watch.part(0, 0.3), backs_up=False)
            with closing(Corpus.open(copy, dimension=0, model="")) as corpus:
                problems = corpus.verify(watch.part(0.3, 1))
                removed = {} if problems else corpus.remove_inadmissible()
                totals = corpus.totals()
    except errors.CorpusError as error:
        message = error.message.replace(str(copy), str(backup))
        raise errors.CorpusError(message, hint="Nothing has changed. Choose another backup.") from error
    if problems:
        shown = "; ".join(f"{problem.check}: {problem.detail}" for problem in problems[:SHOWN_PROBLEMS])
        said = sentence("The backup {} is damaged ({}).", backup, shown)
        raise errors.CorpusError(said, hint="Nothing has changed. Choose another backup.")
    return Prepared(copy, totals, tuple(f"{count:,} {words}" for words, count in removed.items()))


def _settle(corpus: Path) -> None:
    """Merge the write-ahead log of a closed, intact corpus into the file. Raises CorpusBusyError."""
    if not corpus.exists():
        return
    try:
        with translated(corpus), closing(connect(corpus)) as con:
            if con.pragma("journal_mode", "delete") != "delete":
                raise errors.CorpusBusyError(sentence("Another program is using {}.", corpus.name))
    except errors.CorpusBusyError:
        raise
    except errors.CorpusError as error:
        log.warning("the replaced corpus cannot be read: %s", error.message)


def _flush(path: Path) -> None:
    """Flush the whole file to the disk before it gets the name of the corpus."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _kept(corpus: Path) -> Path | None:
    """Copy the existing corpus; a damaged one with its write-ahead log."""
    if not corpus.exists():
        return None
    # The name contains the time. If another restore took the name in the same second, a later one is used.
    moments = (time.localtime(time.time() + seconds) for seconds in count())
    names = (f"{corpus.stem}-before-{time.strftime('%Y%m%d-%H%M%S', each)}{corpus.suffix}" for each in moments)
    kept = next(path for name in names if not (path := corpus.with_name(name)).exists())
    log = _beside(corpus, SIDE_FILES[0])
    if log.exists():
        _copy_whole(log, _beside(kept, SIDE_FILES[0]))
    _copy_whole(corpus, kept)
    return kept


def _copy_whole(source: Path, target: Path) -> None:
    """Copy a file; it gets its name once it is completely on the disk."""
    with replaced(target, PREFIX, ".db") as part:
        shutil.copy2(source, part)
        _flush(part)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


def _unreadable(backup: Path, error: OSError) -> errors.FileAccessError:
    return errors.FileAccessError(sentence("Cannot read {} ({}).", backup, error.strerror), hint=CHOOSE_BACKUP)


def _not_placed(error: OSError) -> errors.FileAccessError:
    reason = error.strerror or type(error).__name__
    return errors.FileAccessError(
        sentence("Could not replace the library with the backup ({}).", reason), hint="Free some disk space."
    )
