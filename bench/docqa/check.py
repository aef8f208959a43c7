"""Check questions: the record itself, and its page if the site was downloaded."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from app.text.languages import STOP_WORDS
from app.text.scripts import has_unspaced, pairs
from app.text.terms import words
from docqa.pages import SitePages, one_line
from docqa.sites import SPLITS, TRANSLATED, Site
from support.report import Row
from support.spans import holds, spoken

FORMS: Final = ("prose", "code", "table", "definition", "number")
QUESTION_CHARS: Final = (15, 240)
UNSPACED_CHARS: Final = 8
"""Minimum length of a Chinese or Japanese question."""
SPAN_WORDS: Final = (3, 60)
MAX_SPANS: Final = 3
MAX_OVERLAP: Final = 0.35
"""Maximum share of the question's content words in the answering sentence of a paraphrased question."""
MIN_STEM: Final = 3
LONG_PAGE_CHARS: Final = 12_000
"""A page that does not fit completely into an answer. On a shorter page, nothing has to be found."""
SENTENCE_CHARS: Final = 240
"""Maximum length of the sentence around a span on either side."""
GOALS: Final[Row] = {
    "split": "goal, all",
    "sites": 24,
    "questions": 600,
    "unanswerable": 80,
    "one link away %": 33.3,
    "other words %": 66.7,
    **{f"{form} %": 5.0 for form in FORMS[1:]},
}

_SENTENCE_END = re.compile(r"[.!?:](?=\s)|[。！？]")
_SUFFIX = re.compile(r"(?:ing|ed|es|s|ly)$")
_PARTICLES = re.compile(r"[\u3041-\u309f]+")


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a file of questions. README.md describes the fields. `where` is file and line."""

    id: str
    site: str
    seed_path: str
    answer_path: str | None
    question: str
    gold: tuple[str, ...]
    hops: int
    form: str
    paraphrase: bool
    where: str
    language: str = "en"
    needs_page: bool = False

    def fault(self, text: str) -> str:
        return f"{self.where} {self.id}: {text}"


TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "id": (str,),
    "site": (str,),
    "seed_path": (str,),
    "answer_path": (str, type(None)),
    "question": (str,),
    "gold": (list,),
    "hops": (int,),
    "form": (str,),
    "paraphrase": (bool,),
    "needs_page": (bool,),
}
OPTIONAL: Final = frozenset({"language", "needs_page"})
READ_AGAIN: Final = ("development", "test", TRANSLATED)
"""The parts whose questions a second reader has checked without their pages."""
LANGUAGES: Final = ("en", "de", "fr", "es", "zh", "ja")


def read_records(files: Iterable[Path]) -> tuple[list[Record], list[str]]:
    """Return the records of JSON lines files, and the errors of unreadable ones."""
    records, faults = [], []
    for file in files:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            where = f"{file.name}:{number}"
            try:
                row = json.loads(line)
            except ValueError as error:
                faults.append(f"{where}: no JSON: {error}")
                continue
            problem = _shape(row)
            if problem:
                faults.append(f"{where}: {problem}")
            else:
                records.append(Record(**{**row, "gold": tuple(row["gold"])}, where=where))
    return records, faults


def _shape(row: Any) -> str:
    """Return the error in the fields of a record, or an empty string."""
    if not isinstance(row, dict):
        return "a record is a JSON object"
    wanted = {each.name for each in fields(Record)} - {"where"} - OPTIONAL
    if set(row) - OPTIONAL != wanted:
        return f"fields missing: {sorted(wanted - set(row))}; unknown: {sorted(set(row) - wanted - OPTIONAL)}"
    wrong = [name for name, types in TYPES.items() if name in row and not isinstance(row[name], types)]
    if wrong or not all(isinstance(span, str) for span in row["gold"]):
        return f"wrong type: {wrong or ['gold']}"
    return ""


def check_records(records: Sequence[Record], sites: Mapping[str, Site]) -> list[str]:
    """Return the errors of records that do not need the pages."""
    faults = []
    for name, count in Counter(record.id for record in records).items():
        if count > 1:
            faults.append(f"{name}: {count} questions have this id")
    seen: dict[str, Record] = {}
    for record in records:
        first = seen.setdefault(spoken(record.question), record)
        if first is not record:
            faults.append(record.fault(f"the same question as {first.id}"))
        faults += [record.fault(text) for text in _faults(record, sites)]
    return faults


def _faults(record: Record, sites: Mapping[str, Site]) -> list[str]:
    found = []
    if record.site not in sites:
        found.append(f"unknown site {record.site}")
    if not record.where.startswith(f"{record.site}.jsonl"):
        found.append("is in the file of another site")
    if not re.fullmatch(rf"{re.escape(record.site)}-\d{{2,3}}", record.id):
        found.append(f"the id must be {record.site}-01 and so on")
    shortest = UNSPACED_CHARS if has_unspaced(record.question) else QUESTION_CHARS[0]
    if not shortest <= len(record.question) <= QUESTION_CHARS[1] or record.question != one_line(record.question):
        found.append(f"a question must be one line of {QUESTION_CHARS[0]} to {QUESTION_CHARS[1]} characters")
    if record.form not in FORMS:
        found.append(f"the form must be one of {', '.join(FORMS)}")
    if record.hops not in (0, 1):
        found.append("hops must be 0 or 1")
    if record.language not in LANGUAGES:
        found.append(f"the language must be one of {', '.join(LANGUAGES)}")
    if record.needs_page and record.site in sites and sites[record.site].split not in READ_AGAIN:
        found.append(f"only questions of the parts {', '.join(READ_AGAIN)} can have needs_page")
    return found + (_answer_faults(record) if record.gold else _none_faults(record))


def _none_faults(record: Record) -> list[str]:
    is_plain = record.answer_path is None and record.hops == 0
    return [] if is_plain else ["without a span, answer_path must be null and hops 0"]


def _answer_faults(record: Record) -> list[str]:
    found = []
    if record.answer_path is None or (record.answer_path != record.seed_path) != (record.hops == 1):
        found.append("answer_path must be seed_path with hops 0, and another page with hops 1")
    if len(record.gold) > MAX_SPANS:
        found.append(f"at most {MAX_SPANS} spans, each of which must answer alone")
    for span in record.gold:
        if not SPAN_WORDS[0] <= len(spoken(span).split()) <= SPAN_WORDS[1] or span != one_line(span):
            found.append(f"a span must be one line of {SPAN_WORDS[0]} to {SPAN_WORDS[1]} words: {span[:60]!r}")
        if record.paraphrase and overlap(record.question, span) > MAX_OVERLAP:
            found.append(f"not a paraphrase: {overlap(record.question, span):.0%} of its words are in {span[:60]!r}")
    return found


def check_pages(records: Sequence[Record], pages: SitePages) -> list[str]:
    """Return the errors of records of one site that need its pages."""
    faults = []
    for record in records:
        missing = [path for path in {record.seed_path, record.answer_path or record.seed_path} if not pages.has(path)]
        if missing:
            faults += [record.fault(f"unknown page {path}") for path in missing]
            continue
        faults += [record.fault(text) for text in _page_faults(record, pages)]
    return faults


def _page_faults(record: Record, pages: SitePages) -> list[str]:
    if record.answer_path is None:
        return []
    found = []
    text = one_line(pages.text(record.answer_path))
    if record.hops and record.answer_path not in pages.links(record.seed_path):
        found.append(f"{record.seed_path} has no link to {record.answer_path}")
    for span in record.gold:
        if span not in text:
            found.append(f"{record.answer_path} does not contain {span[:80]!r}")
            continue
        if record.hops and holds(pages.text(record.seed_path), span):
            found.append(f"the given page already contains it: {span[:60]!r}")
        shared = overlap(record.question, sentence_around(text, span))
        if record.paraphrase and shared > MAX_OVERLAP:
            found.append(f"not a paraphrase: {shared:.0%} of its words are in the sentence of {span[:60]!r}")
    return found


def on_short_pages(records: Sequence[Record], pages: SitePages) -> str:
    """Return a remark if most questions on the given page are about short pages, otherwise an empty string."""
    own = [pages.text(r.seed_path) for r in records if r.gold and r.hops == 0 and pages.has(r.seed_path)]
    short = sum(len(text) < LONG_PAGE_CHARS for text in own)
    if 2 * short <= len(own):
        return ""
    longer = sum(len(pages.text(path)) >= LONG_PAGE_CHARS for path in pages.paths())
    return (
        f"{records[0].site}: {short} of {len(own)} questions on the given page are about pages under {LONG_PAGE_CHARS:,} characters, "
        f"which fit completely into an answer. The site has {longer} longer pages. Ask more questions about those."
    )


def sentence_around(text: str, span: str) -> str:
    """Return the sentence or sentences around a span."""
    start = text.index(span)
    end = start + len(span)
    before, after = text[max(0, start - SENTENCE_CHARS) : start], text[end : end + SENTENCE_CHARS]
    begins = [match.end() for match in _SENTENCE_END.finditer(before)]
    ends = _SENTENCE_END.search(after) if not span.endswith(tuple(".!?。！？")) else None
    return before[begins[-1] if begins else 0 :] + span + (after[: ends.start()] if ends else "")


def overlap(question: str, text: str) -> float:
    """Return the share of the question's content words, without endings, in the text.

    Of Chinese and Japanese, these are every two consecutive letters, without the particles of hiragana.
    """
    asked = {stem for stem in _stems(question, STOP_WORDS) if not _PARTICLES.fullmatch(stem)}
    return len(asked & _stems(text)) / max(1, len(asked))


def _stems(text: str, left_out: Collection[str] = ()) -> set[str]:
    kept = [word for word in words(text) if word not in left_out]
    return {stem for word in kept for stem in (pairs(word) if has_unspaced(word) else (_stem(word),))}


def _stem(word: str) -> str:
    stem = _SUFFIX.sub("", word)
    return stem if len(stem) >= MIN_STEM else word


def counts(records: Sequence[Record], sites: Mapping[str, Site]) -> list[Row]:
    """Count the questions of each kind, with a row per split and one for all without translations."""
    rows: list[Row] = []
    known = [r for r in records if r.site in sites]
    for split in (*SPLITS, "all"):
        parts = (split,) if split != "all" else tuple(part for part in SPLITS if part != TRANSLATED)
        chosen = [r for r in known if sites[r.site].split in parts]
        answerable = [r for r in chosen if r.gold]
        share = 100 / max(1, len(answerable))
        rows.append(
            {
                "split": split,
                "sites": len({r.site for r in chosen}),
                "questions": len(chosen),
                "unanswerable": len(chosen) - len(answerable),
                "needs page": sum(r.needs_page for r in chosen),
                "one link away %": share * sum(r.hops for r in answerable),
                "other words %": share * sum(r.paraphrase for r in answerable),
                **{f"{form} %": share * sum(r.form == form for r in answerable) for form in FORMS[1:]},
            }
        )
    return rows


def goals() -> list[Row]:
    """Return the minimum of the whole set, in the columns of `counts`."""
    return [GOALS]
