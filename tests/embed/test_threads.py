"""The number of embedding threads follows the cores that the process can use."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from app.embed import threads
from app.embed.threads import EmbedThreads, embed_threads, usable_cores


def computer(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    *,
    physical: int | None,
    logical: int,
    affinity: int = 1_000,
    quota: str | None = None,
) -> None:
    file = tmp_path / "cpu.max"
    if quota is not None:
        file.write_text(quota)
    monkeypatch.setattr(threads, "QUOTA_FILE", file)
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: physical)
    monkeypatch.setattr(os, "cpu_count", lambda: logical)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(affinity)), raising=False)


@pytest.mark.parametrize(
    ("physical", "expected"),
    [
        (1, EmbedThreads(1, 1)),
        (2, EmbedThreads(2, 2)),
        (4, EmbedThreads(4, 2)),
        (8, EmbedThreads(8, 4)),
        (32, EmbedThreads(8, 4)),
    ],
)
def test_threads_follow_the_physical_cores(
    physical: int, expected: EmbedThreads, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    computer(monkeypatch, tmp_path, physical=physical, logical=2 * physical)
    assert embed_threads() == expected
    assert embed_threads(3) == EmbedThreads(3, 3)


def test_affinity_and_container_limits_lower_the_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    computer(monkeypatch, tmp_path, physical=16, logical=32, affinity=3)
    assert usable_cores() == 3
    computer(monkeypatch, tmp_path, physical=16, logical=32, quota="150000 100000\n")
    assert usable_cores() == 2
    computer(monkeypatch, tmp_path, physical=16, logical=32, quota="max 100000\n")
    assert usable_cores() == 16


def test_unknown_cores_are_half_of_the_logical_processors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    computer(monkeypatch, tmp_path, physical=None, logical=8, quota="nonsense")
    assert usable_cores() == 4
