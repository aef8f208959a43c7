"""Compare two scores for the passages of one page: `web.readFromPage`, or the cosine of the two vectors.

    python bench/page_scores.py --sites FOLDER --questions FILE... [--json]
    python bench/page_scores.py --docqa development [--cache FOLDER] [--json]

Questions and sites are the same as in bench/answers.py. The bench asks each question that its given page answers, about that page and, for
the threshold, about a page of another site. "told apart" is how often the best passage of the correct page has the higher score (area under
the curve, 50 is chance).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Final

from app import caps
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.orchestration.page_queries import PageHit
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from support.in_process import engine_with
from support.questions import Question, add_arguments, data_is_missing, read_questions
from support.report import Row, print_report
from support.sites import serve_folder
from support.spans import holds_any

TOPS: Final = (1, 3, 8)
SECONDS: Final = 120.0
Number = Callable[[PageHit], float]
NUMBERS: Final[dict[str, Number]] = {
    "score": lambda hit: hit.score,
    "cosine (1 - distance)": lambda hit: hit.similarity if hit.similarity is not None else 0.0,
}
Read = tuple[Question, Sequence[PageHit], Sequence[PageHit]]
"""A question with passages of the correct page, and passages of a page on another site."""


async def passages(engine: Engine, url: str, question: str) -> tuple[PageHit, ...]:
    """Return all passages of the page for the question, at any distance."""
    answers = await engine.read_from_page(url, [question], max_results=caps.MAX_PAGE_RESULTS, seconds=SECONDS)
    return answers.queries[0].hits


async def read_all(questions: Sequence[Question], options: argparse.Namespace) -> list[Read]:
    """Ask every question about its own page, and about the page of the next question from another site."""
    found: list[Read] = []
    with serve_folder(options.sites) as served:
        async with engine_with(OnnxEmbedder(assets_dir() / "model"), ALL_STAGES) as engine:
            engine._components.page_queries.threshold = -1.0
            for place, question in enumerate(questions):
                others = [*questions[place + 1 :], *questions[:place]]
                other = next((each for each in others if each.site != question.site), None)
                own = await passages(engine, _address(served.base, question), question.text)
                foreign = await passages(engine, _address(served.base, other), question.text) if other else ()
                found.append((question, own, foreign))
    return found


def row_of(name: str, number: Number, found: Sequence[Read]) -> Row:
    """Return how often the span is in the first passages by this score, and how well the score separates pages."""
    places = [_place(question, sorted(own, key=number, reverse=True)) for question, own, _ in found]
    right = [max(map(number, own)) for _, own, _ in found if own]
    wrong = [max(map(number, foreign)) for _, _, foreign in found if foreign]
    pairs = [(one, other) for one in right for other in wrong]
    tops = {f"top {top} %": 100 * sum(0 < place <= top for place in places) / max(1, len(places)) for top in TOPS}
    apart = sum((one > other) + (one == other) / 2 for one, other in pairs)
    return {"ordered by": name, "n": len(found), **tops, "told apart %": 100 * apart / max(1, len(pairs))}


def _place(question: Question, hits: Sequence[PageHit]) -> int:
    return next((place for place, hit in enumerate(hits, 1) if holds_any(hit.text, question.gold)), 0)


def _address(base: str, question: Question) -> str:
    return f"{base}/{question.site}/{question.seed_path}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if data_is_missing(options):
        return 2
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    asked = [question for question in questions if question.gold and question.hops == 0]
    found = asyncio.run(read_all(asked, options))
    rows = [row_of(name, number, found) for name, number in NUMBERS.items()]
    print_report(rows, as_json=options.json, title=f"Passages of one page, {len(found)} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
