"""The expansion trace."""

from __future__ import annotations

from app.server.render.trace import trace_text
from tests.server.results import HIVES, MITES, OTHER, SITE, WINTER, step

SEED_LINE = "/hives.html (seed, score: 0.63 → 0.63)"
FACTS = "+12 chunks, score: 0.63 → 0.71, 1200ms"


def trace(
    *steps: object, reason: str = "score plateau", seed: str | None = HIVES, used: tuple[str, ...] = ()
) -> list[str]:
    return trace_text(steps, seed_url=seed, stop_reason=reason, used=used).splitlines()  # type: ignore[arg-type]


def test_no_steps_no_trace() -> None:
    assert trace() == []


def test_one_level() -> None:
    lines = trace(step(WINTER, HIVES, 1), step(SITE + "feeding.html", HIVES, 1))
    assert lines == [
        f"Base: {SITE}",
        "",
        SEED_LINE,
        f"├── /winter.html (depth 1, {FACTS})",
        f"└── /feeding.html (depth 1, {FACTS})",
        "    [stopped: score plateau]",
    ]


def test_several_levels_carry_the_stem_on() -> None:
    deep = SITE + "health/acid.html"
    lines = trace(
        step(WINTER, HIVES, 1),
        step(SITE + "feeding.html", HIVES, 1),
        step(MITES, WINTER, 2),
        step(deep, MITES, 3),
    )
    assert lines[2:] == [
        SEED_LINE,
        f"├── /winter.html (depth 1, {FACTS})",
        f"│   └── /health/mites.html (depth 2, {FACTS})",
        f"│       └── /health/acid.html (depth 3, {FACTS})",
        f"└── /feeding.html (depth 1, {FACTS})",
        "    [stopped: score plateau]",
    ]


def test_remark_stands_under_the_last_page_however_deep() -> None:
    lines = trace(step(WINTER, HIVES, 1), step(MITES, WINTER, 2))
    assert lines[-2:] == [
        f"    └── /health/mites.html (depth 2, {FACTS})",
        "        [stopped: score plateau]",
    ]


def test_failed_page_says_why() -> None:
    lines = trace(step(WINTER, HIVES, 1, failure="The site answered\nwith 500.", chunks_added=0))
    assert lines[3] == "└── /winter.html (depth 1, 1200ms) [failed: The site answered with 500.]"


def test_other_site_is_shown_whole() -> None:
    lines = trace(step(OTHER, HIVES, 1), step(WINTER, HIVES, 1))
    assert lines[0] == f"Base: {SITE}"
    assert lines[3] == f"├── {OTHER} (external, depth 1, {FACTS})"


def test_base_is_a_folder_not_half_a_name() -> None:
    lines = trace(step(SITE + "hive-parts.html", SITE + "hives.html", 1))
    assert lines[0] == f"Base: {SITE}"


def test_second_named_page_is_a_root_of_its_own() -> None:
    lines = trace(step(WINTER, HIVES, 1), step(MITES, OTHER, 1))
    assert f"{OTHER} (seed, score: 0.63 → 0.63)" in lines


def test_seed_under_another_address_is_not_shown_twice() -> None:
    lines = trace(step(WINTER, HIVES, 1), seed=HIVES + "?from=bookmark")
    assert [line for line in lines if "(seed" in line] == [SEED_LINE]


def test_circle_of_links_ends() -> None:
    lines = trace(step(WINTER, HIVES, 1), step(HIVES, WINTER, 2), step(WINTER, HIVES, 3))
    assert len(lines) == 7


def test_explanation_after_the_dash_is_left_to_the_statistics() -> None:
    lines = trace(step(WINTER, HIVES, 1), reason="score plateau — top-10 variance below threshold")
    assert lines[-1].strip() == "[stopped: score plateau]"


def test_of_many_pages_those_with_evidence_are_named_and_what_leads_to_them() -> None:
    pages = [step(f"{SITE}{n}.html", HIVES, 1, score_after=0.63, chunks_added=2) for n in range(12)]
    below = step(MITES, f"{SITE}11.html", 2, score_after=0.63)
    lost = step(f"{SITE}lost.html", HIVES, 1, failure="HTTP 404", chunks_added=0)
    lines = trace(*pages, lost, below, used=(MITES,))
    assert lines[2:] == [
        SEED_LINE,
        *(f"├── /{n}.html (depth 1, +2 chunks, score: 0.63 → 0.63, 1200ms)" for n in range(7)),
        "├── /11.html (depth 1, +2 chunks, score: 0.63 → 0.63, 1200ms)",
        "│   └── /health/mites.html (depth 2, +12 chunks, score: 0.63 → 0.63, 1200ms)",
        "└── ... and 5 more pages (+8 chunks, 1 failed)",
        "    [stopped: score plateau]",
    ]


def test_few_pages_are_all_named() -> None:
    lines = trace(*(step(f"{SITE}{n}.html", HIVES, 1) for n in range(8)))
    assert len(lines) == 12
    assert "more page" not in "".join(lines)
