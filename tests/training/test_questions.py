"""The training questions: complete records, unique, and from no site of the development or test part."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "training/questions").glob("*.jsonl"))
PACKAGES = ROOT / "training/packages.toml"
DOCQA = ROOT / "bench/docqa/packages.toml"
FEWEST = 40_000


@pytest.fixture(scope="module")
def sites() -> Any:
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from docqa import sites
    finally:
        sys.path.pop(0)
    return sites


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_record_names_a_passage_and_asks_something_of_it(file: Path) -> None:
    rows = read(file)
    assert rows
    for row in rows:
        assert set(row) == {"page", "begins", "place", "questions"}
        assert row["page"].endswith((".html", ".htm")) and ".." not in row["page"]
        assert 0 < len(row["begins"]) <= 80 and row["place"] >= 0
        assert 1 <= len(row["questions"]) <= 3
        assert all(8 < len(question) <= 300 and question == question.strip() for question in row["questions"])
    assert len({(row["page"], row["place"]) for row in rows}) == len(rows)


def test_there_are_thousands_of_questions() -> None:
    assert sum(len(row["questions"]) for file in FILES for row in read(file)) >= FEWEST


def test_no_site_is_one_that_something_is_judged_by(sites: Any) -> None:
    known = {**sites.read_sites(DOCQA), **sites.read_sites(PACKAGES)}
    assert {known[file.stem].split for file in FILES} == {"train"}
    judged = {site.package for site in sites.read_sites(DOCQA).values() if site.split != "train"}
    assert judged.isdisjoint(site.package for site in sites.read_sites(PACKAGES).values())
