"""Deletes stored data by kind, while the engine is stopped."""

from __future__ import annotations

import os
from collections.abc import Collection
from enum import StrEnum
from pathlib import Path

from app.browsers import BROWSERS_FILE
from app.corpus.database import damage_note
from app.corpus.pictures import picture_files
from app.corpus.restore import SIDE_FILES, automatic_backups, backup_leftovers, kept_copies, update_backups
from app.errors import FileAccessError
from app.paths import config_file, corpus_file, log_dir, questions_file
from app.secrets import SecretName, SecretStore
from app.text.sentence import sentence


class Kept(StrEnum):
    """The kinds of stored data."""

    LIBRARY = "library"
    """Pages with their images, vectors, activity, questions, jobs, pinned passages, and earlier libraries."""
    BACKUPS = "backups"  # Automatic backups and those of updates; backups that the user made elsewhere remain.
    LOGS = "logs"
    SECRETS = "secrets"  # Keys, and the paired browsers.
    SETTINGS = "settings"


def erase(data_dir: Path, kinds: Collection[Kept], secrets: SecretStore) -> None:
    """Delete permanently. Raises FileAccessError that names the first remaining file; the others are still deleted."""
    files: list[Path] = []
    corpus = corpus_file(data_dir)
    if Kept.LIBRARY in kinds:
        files += [*kept_copies(corpus), corpus, *(corpus.with_name(f"{corpus.name}{suffix}") for suffix in SIDE_FILES)]
        questions = questions_file(data_dir)
        files += [damage_note(corpus), *picture_files(data_dir)]
        files += [questions, questions.with_name(f"{questions.name}-journal")]
    unread: list[str] = []
    if Kept.BACKUPS in kinds:
        try:
            files += [*automatic_backups(corpus), *backup_leftovers(corpus), *update_backups(corpus)]
        except FileAccessError as error:
            unread.append(error.message)
    if Kept.SETTINGS in kinds:
        files.append(config_file())
    failed = [*unread, *(problem for file in files if (problem := _delete(file)))]
    if Kept.LOGS in kinds:
        # Open logs are emptied, older ones deleted.
        logs = log_dir(data_dir).glob("*.log*")
        failed += [problem for file in logs if (problem := _delete(file, is_open=file.suffix == ".log"))]
    if Kept.SECRETS in kinds:
        for name in SecretName:
            secrets.delete(name)
        failed += [problem] if (problem := _delete(data_dir / BROWSERS_FILE)) else []
    if failed:
        raise FileAccessError(sentence("Some data could not be deleted: {}.", failed[0]), hint="Delete it manually.")


def _delete(file: Path, *, is_open: bool = False) -> str:
    """Delete a file, or empty an open one; return why it remains, or ""."""
    try:
        if is_open:
            os.truncate(file, 0)
        else:
            file.unlink(missing_ok=True)
    except OSError as error:
        return f"{file}: {error.strerror}"
    return ""
