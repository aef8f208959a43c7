"""The exact algorithm: words of a question, spans of a passage and their order, and previews."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.kb.search import BETWEEN, preview
from app.kb.spans import CUT, question_terms, rank_spans, score, split_spans

MARKDOWN = """Bees sleep in winter. They wake up in spring!

- Weigh the hive
- Feed 3.5 kg of sugar

```python
feed(sugar=3)

# one span. all of it
```
Is that all?  Yes."""


def texts(passage: str) -> list[str]:
    return [passage[span.start : span.end] for span in split_spans(passage)]


def test_only_a_long_table_is_split_into_rows() -> None:
    rows = [f"| M-{number} | town hall |" for number in range(20)]
    table = "\n".join(["| Meter | Customer |", "| --- | --- |", *rows])
    assert texts(f"Meters.\n\n{table}") == ["Meters.", *table.split("\n")]
    assert texts("\n".join(rows[:4])) == ["\n".join(rows[:4])]


def test_spans_end_at_blank_lines_items_sentences_and_around_code() -> None:
    assert texts(MARKDOWN) == [
        "Bees sleep in winter.",
        "They wake up in spring!",
        "- Weigh the hive",
        "- Feed 3.5 kg of sugar",
        "```python\nfeed(sugar=3)\n\n# one span. all of it\n```",
        "Is that all?",
        "Yes.",
    ]


def test_an_unclosed_fence_extends_to_the_end() -> None:
    assert texts("Run it:\n\n~~~\na. b\n\nc. d") == ["Run it:", "~~~\na. b\n\nc. d"]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is a Hive-tool's use?", {"what", "hive", "tool", "use"}),
        ("Wie heißt die Königin", {"wie", "heißt", "die", "königin"}),
        ("蜂の冬", {"蜂の", "の冬"}),
        ("蜂 bees", {"蜂", "bees"}),
        ("a b ?", set()),
    ],
)
def test_question_terms_are_extracted(question: str, terms: set[str]) -> None:
    assert question_terms(question) == terms


def test_a_span_is_scored_by_its_share_of_the_words() -> None:
    terms = question_terms("When do bees feed on sugar?")
    assert score(terms, "Bees need SUGAR when it is cold.") == 3 / 4
    assert score(frozenset(), "anything") == 0


def test_ties_prefer_the_shorter_then_the_earlier_span() -> None:
    passages = ["Bees fly far away. Bees fly.", "Bees fly."]
    ranked = rank_spans(question_terms("do bees fly"), passages)
    shown = [(each.passage, passages[each.passage][each.span.start : each.span.end]) for each in ranked]
    assert shown == [(0, "Bees fly."), (1, "Bees fly."), (0, "Bees fly far away.")]


def test_headings_and_rules_are_not_quoted() -> None:
    ranked = rank_spans(question_terms("winter feeding"), ["## Winter feeding\n\n---\n\nGive sugar."])
    assert len(ranked) == 1


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab .?!\n-*1`~#。蜂", max_size=200))
def test_spans_are_in_order_and_omit_only_white_space(passage: str) -> None:
    spans = split_spans(passage)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert "".join("".join(passage[span.start : span.end] for span in spans).split()) == "".join(passage.split())


def test_a_preview_contains_the_best_sentences_in_order() -> None:
    passage = "Cork keeps warm. Mice cannot pass a slit. Honey feeds the cluster in winter. Feed syrup before winter."
    shown = preview(passage, "feed the cluster in winter", 100)
    assert shown == f"Honey feeds the cluster in winter.{BETWEEN}Feed syrup before winter."


def test_a_long_sentence_is_cut_between_words() -> None:
    shown = preview("The cluster eats " + "a little honey " * 40, "honey", 60)
    assert len(shown) <= 60
    assert shown.endswith((f" honey{CUT}", f" a{CUT}", f" little{CUT}"))


@pytest.mark.parametrize("passage", ["**Date And Time Functions**", "Short. And sweet.", "word", "x", "Bees sleep."])
def test_a_preview_of_a_small_passage_is_not_the_whole(passage: str) -> None:
    shown = preview(passage, "date and time of bees", 280)
    assert len(shown) < len(passage)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="abc .\n蜂`-", min_size=1, max_size=400), st.text(max_size=20), st.integers(1, 300))
def test_a_preview_consists_of_exact_parts_within_its_size(passage: str, query: str, size: int) -> None:
    shown = preview(passage, query, size)
    assert len(shown) <= size
    assert not passage.strip() or shown != passage.strip()
    assert all(piece.removesuffix(CUT) in passage for piece in shown.split(BETWEEN))
