"""Questions in words that the model does not know are decided by keywords."""

from __future__ import annotations

import pytest

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.library.scope import Filter
from app.retrieval.evidence import (
    UNKNOWN_WORDS,
    Evidence,
    EvidenceFinder,
    SearchArea,
    embed_queries,
    prepare_question,
)
from app.retrieval.records import ALL_STAGES
from tests.support.stored import embed_all, store

PAGES = {
    "zh": "数据库检索系统可以存储一百万条记录。每个用户最多可以打开十个连接。",
    "zh2": "打印机缺纸时会亮起红灯。请打开下方的纸盒，放入新的纸张。",
    "ja": "Pythonで接続するには、まずポート番号を決めます。",
    "ko": "오늘 끝말잇기 게임을 했다. 버너의 최고 온도는 640도입니다.",
    "th": "ตะเกียงนี้ใช้น้ำมันก๊าด อุณหภูมิสูงสุดของหัวเผาคือ 640 องศา",
    "km": "មូលដ្ឋានទិន្នន័យនេះអាចរក្សាទុកកំណត់ត្រាមួយលាន",
    "wide": "型番はＡＢＣ１２３です。",
    "en": "The workshop keeps a ledger of every lamp: its date, its wick and its oil.",
    "python": "Python connects to a server by its host name and port.",
}


@pytest.fixture
def filled(corpus: Corpus, embedder: Embedder) -> Corpus:
    for name, text in PAGES.items():
        store(corpus, f"https://example.org/{name}", [text])
    embed_all(corpus, embedder)
    return corpus


def ask(corpus: Corpus, embedder: Embedder, question: str) -> Evidence:
    ready = prepare_question(embedder, question, has_parts=True)
    finder = EvidenceFinder(corpus, ALL_STAGES)
    found = finder.collect(ready.queries, SearchArea((Filter(),)))
    return finder.rank(ready.analysis, ready.queries, found, in_context=ready.in_context)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("数据库", "zh"),
        ("连接", "zh"),
        ("每个用户最多可以打开几个连接？", "zh"),
        ("接続", "ja"),
        ("Pythonで接続", "ja"),
        ("끝말잇기", "ko"),
        ("온도", "ko"),
        ("อุณหภูมิสูงสุด", "th"),
        ("ទិន្នន័យ", "km"),
        ("ＡＢＣ１２３", "wide"),
        ("ABC123", "wide"),
    ],
)
def test_the_page_that_contains_the_word_comes_first(
    filled: Corpus, embedder: Embedder, question: str, page: str
) -> None:
    evidence = ask(filled, embedder, question)
    assert evidence.ranked[0].chunk.url == f"https://example.org/{page}"
    assert not evidence.is_none


def test_different_questions_have_different_scores(filled: Corpus, embedder: Embedder) -> None:
    found = [
        [(item.chunk.url, round(item.reranked_score, 3)) for item in ask(filled, embedder, question).ranked]
        for question in ("数据库", "接続", "끝말잇기", "打开纸盒")
    ]
    assert all(one != other for at, one in enumerate(found) for other in found[at + 1 :])


def test_few_shared_pairs_of_letters_do_not_count_against_an_answer(filled: Corpus, embedder: Embedder) -> None:
    evidence = ask(filled, embedder, "打印机不工作而且指示灯变了颜色，我应该怎么处理才对？")
    assert evidence.ranked[0].chunk.url == "https://example.org/zh2"
    assert evidence.likelihood is None
    assert not evidence.is_none


def test_names_in_a_question_find_pages_in_another_script(filled: Corpus, embedder: Embedder) -> None:
    for question in ("Pythonで別のサーバーに名前で接続できますか", "Как подключиться к серверу из Python?"):
        evidence = ask(filled, embedder, question)
        assert "https://example.org/python" in [item.chunk.url for item in evidence.ranked]


@pytest.mark.parametrize("question", ["飛行機", "天气预报怎么样", "자전거", "รถไฟฟ้า"])
def test_words_that_no_page_contains_have_no_results(filled: Corpus, embedder: Embedder, question: str) -> None:
    assert ask(filled, embedder, question).is_none


def test_only_questions_of_unknown_words_skip_the_model(embedder: Embedder) -> None:
    known = [
        "How do I connect?",
        "Wie verbinde ich die Datenbank?",
        "Größe der Strömung",
        "ｈｏｓｔ ｎａｍｅ",
        "a b",
        "42",
        "Größe von λ",
    ]
    assert embed_queries(embedder, known)[1] == ""
    for question in ("数据库", "Как удалить пакет?", "Πώς αφαιρώ ένα πακέτο;", "كيف أحذف الحزمة؟", "पैकेज कैसे हटाएँ?"):
        queries, reason = embed_queries(embedder, [question, "server name"])
        assert reason == UNKNOWN_WORDS
        assert [(query.is_unknown, query.embedding is None) for query in queries] == [(True, True), (False, False)]
