"""The variants of the ablation, and one site in an engine in this process."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from ablation import row_of, run_site, variants
from app.retrieval.records import ALL_STAGES, Stages
from support.baselines import SiteReader
from support.made_sites import write_linked_site
from support.questions import Question
from support.sites import serve_folder


def test_every_stage_is_left_out_once() -> None:
    found = variants()
    names = [variant.name for variant in found]
    off = {stage.name for variant in found for stage in fields(Stages) if not getattr(variant.stages, stage.name)}
    assert names[0] == "full" and found[0].stages == ALL_STAGES
    assert off == {stage.name for stage in fields(Stages)}
    assert len(set(names)) == len(fields(Stages)) + 2
    assert {"keyword-only", "meaning-only", "no-expansion", "no-rerank"} <= set(names)


@pytest.mark.real
def test_a_made_site_is_answered_one_link_away_and_vectors_are_made_once(tmp_path: Path) -> None:
    folder, cache = tmp_path / "sites" / "works", tmp_path / "vectors.db"
    folder.mkdir(parents=True)
    made = write_linked_site(folder, 7, [2, 2, 2])
    assert len(SiteReader(folder).linked(made.path)) == 3
    question = Question("q", "works", made.path, made.question, ("is inspected every",), 1, "literal")
    chosen = [variant for variant in variants() if variant.name in {"full", "no-expansion"}]
    with serve_folder(tmp_path / "sites") as served:
        found = dict(run_site([question], chosen, served.base, cache))
        assert served.requests > 0
    assert {name: outcomes[0].hit for name, outcomes in found.items()} == {"full": True, "no-expansion": False}
    assert row_of("full", found["full"])["hit one link away %"] == 100
