"""The public question set: its records are valid, its sites are unpacked safely, and its checks find errors."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import question_set
from app.text.languages import has_stems, language_of
from docqa.check import (
    GOALS,
    Record,
    check_pages,
    check_records,
    counts,
    on_short_pages,
    overlap,
    read_records,
    sentence_around,
)
from docqa.pages import SitePages
from docqa.sites import QUESTIONS, SPLITS, TRANSLATED, Site, SiteError, is_made, make, read_sites, unpack
from support.questions import read_questions

SITE = Site("pumps", "pumps-doc", "1", "0" * 64, "usr/share/doc/pumps", "index.html", "development", "Sphinx", "MIT")
INDEX = '<h1>Pumps</h1><p>See the <a href="sub/care.html#oil">care</a> of pumps.</p><pre>pump --start\n  --slow</pre>'
CARE = "<h1>Care</h1><p>The gasket is <b>oil</b>ed every six weeks. <a href='../index.html'>Back</a></p><script>no</script>"
UNSPACED = ("zh", "ja")
RECORD = Record(
    id="pumps-01",
    site="pumps",
    seed_path="index.html",
    answer_path="sub/care.html",
    question="When does a seal get its grease again?",
    gold=("oiled every six weeks",),
    hops=1,
    form="number",
    paraphrase=True,
    where="pumps.jsonl:1",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> SitePages:
    folder = tmp_path_factory.mktemp("pumps")
    (folder / "sub").mkdir()
    (folder / "index.html").write_text(f"<html><body>{INDEX}</body></html>", "utf-8")
    (folder / "sub" / "care.html").write_text(f"<html><body>{CARE}</body></html>", "utf-8")
    return SitePages(folder)


def test_the_questions_here_are_well_made_records() -> None:
    records, faults = read_records(sorted(QUESTIONS.glob("*.jsonl")))
    assert not faults
    assert not check_records(records, read_sites())
    assert len(read_questions(sorted(QUESTIONS.glob("*.jsonl")))) == len(records) > 0


def test_the_set_is_large_enough_to_decide() -> None:
    records, _ = read_records(sorted(QUESTIONS.glob("*.jsonl")))
    whole = counts(records, read_sites())[-1]
    floors = {**GOALS, "one link away %": 25.0, "split": ""}
    short = {name: whole[name] for name, floor in floors.items() if floor and whole[name] < floor}  # type: ignore[operator]
    assert not short


def test_sites_are_pinned_and_no_package_serves_two_parts() -> None:
    sites = read_sites()
    assert len(sites) >= 24
    assert {site.split for site in sites.values()} == set(SPLITS)
    assert len({site.package for site in sites.values()}) == len(sites)
    assert all(len(site.sha256) == 64 and site.version and site.licence for site in sites.values())


def test_a_sound_question_has_no_fault(pages: SitePages) -> None:
    assert check_records([RECORD], {"pumps": SITE}) == []
    assert check_pages([RECORD], pages) == []
    none = replace(RECORD, answer_path=None, gold=(), hops=0)
    assert check_records([none], {"pumps": SITE}) == check_pages([none], pages) == []
    assert check_records([replace(RECORD, needs_page=True)], {"pumps": SITE}) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"site": "valves"}, "unknown site valves"),
        ({"id": "p1"}, "the id must be"),
        ({"question": "When?"}, "a question must be one line"),
        ({"form": "poem"}, "the form must be one of"),
        ({"language": "tlh"}, "the language must be one of"),
        ({"hops": 0}, "another page with hops 1"),
        ({"site": "ant", "needs_page": True}, "only questions of the parts development, test, languages"),
        ({"gold": ("oiled",)}, "a span must be one line of 3 to 60 words"),
        ({"gold": ()}, "without a span, answer_path must be null"),
        ({"question": "How often is the gasket oiled, every weeks?"}, "not a paraphrase"),
    ],
)
def test_a_record_that_is_not_sound_is_named(change: dict[str, object], fault: str) -> None:
    sites = {"pumps": SITE, "ant": replace(SITE, name="ant", split="train")}
    found = check_records([replace(RECORD, **change)], sites)  # type: ignore[arg-type]
    assert any(fault in each and "pumps.jsonl:1" in each for each in found), found


def test_translated_questions_are_counted_separately() -> None:
    records, _ = read_records(sorted(QUESTIONS.glob("*.jsonl")))
    sites = read_sites()
    translated = [r for r in records if sites[r.site].split == TRANSLATED]
    assert min(Counter(r.language for r in translated).values()) >= 9
    assert all(r.language == "en" for r in records if r not in translated)
    rows = {row["split"]: row["questions"] for row in counts(records, sites)}
    assert rows["all"] == len(records) - len(translated) == sum(rows[part] for part in SPLITS) - rows[TRANSLATED]  # type: ignore[misc, operator]


def test_the_language_of_every_public_question_is_detected() -> None:
    sites = read_sites()
    records, _ = read_records(sorted(QUESTIONS.glob("*.jsonl")))
    asked = [r for r in records if sites[r.site].split != "test"]
    spaced = [r for r in asked if r.language not in UNSPACED]
    assert not [r.question for r in spaced if (language_of(r.question) or "en") != r.language]
    assert not [r.question for r in asked if r.language in UNSPACED and has_stems(language_of(r.question))]
    english = [r.question for r in asked if r.language == "en"]
    assert len(english) > 400
    assert not any(has_stems(language_of(question)) for question in english)


def test_a_repeated_question_is_named() -> None:
    again = replace(RECORD, id="pumps-02", question=RECORD.question.upper())
    assert "the same question as pumps-01" in check_records([RECORD, again], {"pumps": SITE})[0]
    assert "2 questions have this id" in check_records([RECORD, replace(again, id=RECORD.id)], {"pumps": SITE})[0]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"gold": ("oiled every seven weeks",)}, "does not contain"),
        ({"seed_path": "sub/care.html", "answer_path": "sub/none.html"}, "unknown page"),
        ({"answer_path": "index.html", "seed_path": "index.html"}, "does not contain"),
        ({"answer_path": "sub/care.html", "seed_path": "sub/care.html"}, "has no link to"),
        ({"gold": ("pump --start --slow",), "answer_path": "index.html", "seed_path": "sub/care.html"}, ""),
        ({"question": "What of the gasket of old?"}, "not a paraphrase"),
    ],
)
def test_claims_that_pages_do_not_support_are_named(change: dict[str, object], fault: str, pages: SitePages) -> None:
    found = check_pages([replace(RECORD, **change)], pages)  # type: ignore[arg-type]
    assert any(fault in each for each in found) if fault else not found, found


def test_the_text_is_what_a_reader_sees(pages: SitePages) -> None:
    assert pages.text("sub/care.html") == "Care\nThe gasket is oiled every six weeks. Back"
    assert pages.text("index.html") == "Pumps\nSee the care of pumps.\npump --start\n  --slow"
    assert pages.links("index.html") == {"sub/care.html": "care"}
    assert pages.paths() == ["index.html", "sub/care.html"]


def test_questions_of_pages_that_fit_into_an_answer_are_remarked_on(pages: SitePages) -> None:
    own = replace(RECORD, seed_path="sub/care.html", hops=0)
    assert "1 of 1 questions" in on_short_pages([own], pages)
    assert on_short_pages([RECORD], pages) == ""


def test_overlap_counts_words_of_meaning_without_their_endings() -> None:
    assert overlap("How often are the gaskets oiled?", "The gasket gets oil") == pytest.approx(2 / 3)
    assert sentence_around("One is here. Two is there. Three.", "is there") == " Two is there"


def test_chinese_and_japanese_are_compared_by_letters() -> None:
    assert overlap("怎样给泵换油？", "请给泵换油。") == pytest.approx(3 / 5)
    assert overlap("ポンプはどうする？", "どうする") == 0
    assert sentence_around("先停机。给泵换油。再启动。", "换油") == "给泵换油"
    unspaced = replace(RECORD, question="泵多久加一次油？", gold=("每六周换油",), language="zh")
    assert check_records([unspaced], {"pumps": SITE}) == []
    assert "3 to 60 words" in check_records([replace(unspaced, gold=("换油",))], {"pumps": SITE})[0]


def test_a_record_of_another_shape_is_refused(tmp_path: Path) -> None:
    row = {key: value for key, value in asdict(RECORD).items() if key != "where"}
    lines = [
        json.dumps(row),
        "{",
        json.dumps({**row, "gold": "x"}),
        json.dumps({**row, "note": ""}),
        "[]",
        json.dumps({**row, "needs_page": 1}),
    ]
    (tmp_path / "pumps.jsonl").write_text("\n".join(lines), "utf-8")
    records, faults = read_records([tmp_path / "pumps.jsonl"])
    assert [record.id for record in records] == ["pumps-01"]
    assert [fault.split(":")[1] for fault in faults] == ["2", "3", "4", "5", "6"]


def test_questions_are_counted_by_part() -> None:
    none = replace(RECORD, answer_path=None, gold=(), hops=0)
    rows = {row["split"]: row for row in counts([RECORD, none], {"pumps": SITE})}
    assert (rows["development"]["questions"], rows["development"]["unanswerable"], rows["test"]["questions"]) == (
        2,
        1,
        0,
    )
    assert (rows["all"]["one link away %"], rows["all"]["number %"], rows["all"]["code %"]) == (100, 100, 0)


def archive(*members: tuple[str, bytes | str]) -> io.BytesIO:
    """Return a tar stream of files, and of links if a string names the target."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as made:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                made.addfile(member)
            else:
                member.size = len(content)
                made.addfile(member, io.BytesIO(content))
    stream.seek(0)
    return stream


def test_pages_of_the_root_are_unpacked_and_nothing_else(tmp_path: Path) -> None:
    root = "./usr/share/doc/pumps"
    stream = archive(
        (f"{root}/index.html", b"front"),
        (f"{root}/sub/deep.html.gz", gzip.compress(b"deep")),
        (f"{root}/logo.png", b"png"),
        (f"{root}/_modules/code.html", b"code"),
        (f"{root}/../evil.html", b"evil"),
        ("./usr/share/other.html", b"other"),
        (f"{root}/sub/start.html", "../index.html"),
        (f"{root}/secret.html", "/etc/hostname"),
        (f"{root}/above.html", "../../../../x.html"),
    )
    unpack(stream, replace(SITE, leave_out=("_modules/*",)), tmp_path / "site")
    found = {str(f.relative_to(tmp_path)): f.read_bytes() for f in tmp_path.rglob("*") if f.is_file()}
    assert found == {"site/index.html": b"front", "site/sub/deep.html": b"deep", "site/sub/start.html": b"front"}


def test_a_package_without_its_start_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"has no usr/share/doc/pumps/index\.html"):
        unpack(archive(("./usr/share/doc/pumps/other.html", b"x")), SITE, tmp_path / "site")


def test_without_apt_it_lists_the_needed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SiteError, match="requires apt-get and dpkg-deb"):
        make(SITE, tmp_path)
    assert not is_made(SITE, tmp_path)
    assert question_set.make_sites(["pytest"], tmp_path) == question_set.NOT_MADE
    assert question_set.make_sites(["no-such"], tmp_path) == 2
