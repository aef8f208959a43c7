"""Scripts without spaces between words, and letters in other forms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.scripts import (
    Comparable,
    compatible,
    has_unspaced,
    indexed_beside,
    pairs,
    parted,
    places_of_pairs,
    unseen_words,
    with_other_letters,
)
from app.text.terms import coverage, expanded_terms, query_terms, words

LETTERS = st.text(st.sampled_from("abZ 1.\n数据库データ온도ไฟฟ้ាဒေဃ\u0301é\u200bﬁＡｶﾞ"), max_size=40)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("数据库检索系统可以存储", "检索"),
        ("用Python连接服务器", "python"),
        ("用Python连接服务器", "连接"),
        ("猫が好き", "猫"),
        ("버너의 최고 온도는 640도", "온도"),
        (unicodedata.normalize("NFD", "온도는"), "온도"),
        ("อุณหภูมิสูงสุดของหัวเผา", "หัวเผา"),
        ("ຖານຂໍ້ມູນນີ້", "ຂໍ້ມູນ"),
        ("មូលដ្ឋានទិន្នន័យនេះ", "ទិន្នន័យ"),
        ("ဒေတာဘေ့စ်တွင်", "ဒေတာ"),
        ("データ\nベース", "データベース"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "データ"),
        ("conﬁguration of the oﬃce", "configuration"),
        ("型番はＡＢＣ１２３です", "ABC123"),
        ("\U00020b9f\U00020b9f字", "\U00020b9f字"),
    ],
)
def test_query_words_are_among_the_indexed_words(text: str, asked: str) -> None:
    held = set(unseen_words(text)) | set(words(text))
    assert set(query_terms(asked)) <= held
    assert coverage(query_terms(asked), text) == 1.0


@pytest.mark.parametrize("text", ["Plain text.", "Höhe, naïve café — “quoted” words", "как подключиться", "עברית"])
def test_words_that_the_index_already_has_are_not_added(text: str) -> None:
    assert unseen_words(text) == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("w Łodzi żółty kolor", "lodzi"),
        ("Die Straße", "strasse"),
        ("une œuvre", "oeuvre"),
        ("Rødgrød på Ærø", "aero"),
        ("Ёлка стоит", "елка"),
        ("η θερμοκρασία", "θερμοκρασια"),
        ("gözlük ışık", "isik"),
    ],
)
def test_letters_that_many_people_type_without_their_marks(text: str, asked: str) -> None:
    assert asked in {
        "".join(c for c in unicodedata.normalize("NFD", word) if c.isalpha()) for word in unseen_words(text)
    }
    assert coverage(query_terms(asked), text) == 1.0


def test_a_question_also_asks_for_plain_letters() -> None:
    assert expanded_terms("Ёлка Łódź tree") == ("ёлка", "łódź", "tree") * 2 + ("елка", "lódź")


def test_names_and_unseen_words_are_indexed_together_each_once() -> None:
    assert indexed_beside("max size", "maxSize") == "max size"
    assert indexed_beside("max size", "标题", "maxSize 数据") == "max size 标题 标 题 数据 数 据"


def test_letters_of_different_scripts_are_parted() -> None:
    assert parted("Pythonで接続").split() == ["Python", "で接続"]
    assert words("Pythonで接続") == ["python", "で接続"]
    assert query_terms("node.jsで接続") == ("node.js", "node", "js", "で接", "接続")


def test_a_word_keeps_the_vowels_that_are_marks() -> None:
    assert query_terms("डेटाबेस कनेक्शन") == ("डेटाबेस", "कनेक्शन")
    assert words("डेटाबेस") == ["डेटाबेस"]


def test_points_of_arabic_and_hebrew_do_not_matter() -> None:
    assert unseen_words("يُقفل الحســاب") == ["يقفل", "الحساب"] and unseen_words("שָׁלוֹם") == ["שלום"]
    assert query_terms("يُقفل שָׁלוֹם") == ("يقفل", "שלום")


def test_single_letters_count_as_pairs() -> None:
    assert pairs("猫") == ["猫"] and pairs("数据库") == ["数据", "据库"]


@given(LETTERS)
def test_a_range_of_the_comparable_text_maps_to_the_original(text: str) -> None:
    plain = Comparable.of(text)
    assert plain.written(0, len(plain.text)) == (0, len(text))
    for place in range(len(plain.text)):
        start, end = plain.written(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert plain.text[place] in compatible(text[start:end])


def test_ranges_of_pairs_match_the_original_letters() -> None:
    text = "หัวเผาคือ 数据库"
    found = [text[start:end] for start, end in places_of_pairs(text, query_terms("หัวเผา 数据库"))]
    assert found == ["หัว", "วเ", "เผ", "ผา", "数据", "据库"]
    assert places_of_pairs("plain", ["数据"]) == [] and places_of_pairs(text, ["plain"]) == []


def test_only_letters_in_other_forms_change_for_a_model() -> None:
    assert with_other_letters("oﬃce ＡＢＣ ½ … x² é") == "office ABC ½ … x² é"


@given(LETTERS)
def test_every_text_is_taken(text: str) -> None:
    assert all(word and not word.isspace() for word in unseen_words(text))
    assert has_unspaced(text) or " " in text or parted(text) == compatible(text)
