"""The language of a text, and the stems that join the forms of its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.languages import (
    ENGLISH,
    FRENCH,
    GERMAN,
    SPANISH,
    STOP_WORDS,
    folded,
    language_of,
    may_be_english,
    stem_in,
    without_elision,
)
from app.text.terms import coverage, query_terms


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie entferne ich ein Paket?", GERMAN),
        ("Was will man damit?", GERMAN),
        ("Was ist die Protokolldatei von apt?", GERMAN),
        ("WIE ENTFERNE ICH EIN PAKET?", GERMAN),
        ("Comment supprimer l'option ?", FRENCH),
        ("où est d’autre part le réglage", FRENCH),
        ("¿Cómo borro el paquete?", SPANISH),
        ("como borro los paquetes que no uso", SPANISH),
        ("Why did the process die on the war server?", ENGLISH),
        ("How does Müller's naïve method work?", ENGLISH),
        ("die fast, main pour son", ""),
        ("std::vector reserve", ""),
        ("", ""),
        ("日本語", ""),
        ("git stash 怎样把新文件一起收起来？", "zh"),
        ("Debian の開発者になるには", "ja"),
        ("패키지를 어떻게 설치합니까?", "ko"),
        ("Как удалить пакет apt?", "ru"),
        ("Πώς αφαιρώ ένα πακέτο;", "el"),
        ("איך מסירים חבילה?", "he"),
        ("كيف أحذف الحزمة؟", "ar"),
        ("पैकेज कैसे हटाएँ?", "hi"),
        ("จะลบแพ็กเกจอย่างไร", "th"),
        ("What does 设置软件包 mean in the menu?", ENGLISH),
        ("Is λ or αβγδ allowed as a name in the code?", ENGLISH),
        ("Paquetes para Debian sobre apt", SPANISH),
        ("el paquete del sistema", SPANISH),
        ("Pakete, wenn apt fehlt", GERMAN),
    ],
)
def test_stop_words_determine_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "CI pipeline configuration",
        "AI agents overview",
        "MIT license text",
        "default enctypes in MIT krb5",
        "python del statement",
        "HA cluster setup",
        "numpy histogram bin edges",
        "du command options",
        "DER certificate format",
        "triple DES encryption",
        "aws ses smtp settings",
        "cos sin tan functions",
        "dos prompt commands",
        "von Neumann architecture",
        "EST timezone offset",
        "docbook para element",
        "arduino uno solo mode",
        "da.sel da.resample bin/activate",
    ],
)
def test_names_in_english_questions_do_not_change_the_language(text: str) -> None:
    assert language_of(text) in {"", ENGLISH}
    words = {word.lower() for word in text.replace(".", " ").replace("/", " ").split()}
    assert words - STOP_WORDS <= set(query_terms(text))


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("How do I rotate the log?", True),
        ("zipfile password archive", True),
        ("Was ist der Unterschied zwischen WAL und Journal?", False),
        ("Comment puis-je supprimer une table ?", False),
        ("¿Cómo puedo borrar una tabla?", False),
        ("如何删除表？", False),
        ("", True),
    ],
)
def test_other_languages_are_distinguished_from_english(text: str, english: bool) -> None:
    assert may_be_english(text) is english


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        (GERMAN, "Paket Pakete Paketen Pakets"),
        (GERMAN, "installieren installiert Installation Installationen"),
        (GERMAN, "Abhängigkeit Abhängigkeiten ABHÄNGIGKEIT abhangigkeit"),
        (GERMAN, "Straße Strasse Straßen STRASSEN"),
        (FRENCH, "installer installée installées l'installation"),
        (FRENCH, "dépendance dépendances dependance"),
        (SPANISH, "configurar configuración configuraciones configurado"),
        (SPANISH, "archivo archivos Archivos"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    assert len({stem_in(language, form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [(GERMAN, "Paket", "Pakt"), (FRENCH, "paquet", "page"), (SPANISH, "fuente", "fuerte"), (GERMAN, "Datei", "Daten")],
)
def test_different_words_keep_different_stems(language: str, one: str, other: str) -> None:
    assert stem_in(language, one) != stem_in(language, other)


def test_case_accents_and_ligatures_do_not_matter() -> None:
    assert folded("GRÖẞE") == folded("größe") == "grosse"
    assert folded("Œuvre ÉTÉ") == "oeuvre ete"


@given(st.text(max_size=40))
def test_every_text_has_stems_and_a_language(text: str) -> None:
    assert language_of(text) in {
        "",
        ENGLISH,
        GERMAN,
        FRENCH,
        SPANISH,
        "zh",
        "ja",
        "ko",
        "ru",
        "el",
        "he",
        "ar",
        "hi",
        "th",
    }
    assert all(len(stem_in(language, text)) <= len(folded(text)) for language in (GERMAN, FRENCH, SPANISH))


def test_terms_exclude_the_stop_words_of_each_language() -> None:
    assert query_terms("Wie kann ich die Größe ändern?") == ("größe", "ändern")
    assert query_terms("Comment changer l'option d’une commande qu'on utilise ?") == (
        "changer",
        "option",
        "commande",
        "utilise",
    )
    assert query_terms("¿Cómo se cambian los archivos?") == ("cambian", "archivos")
    assert query_terms("What's the l'option for?") == ("l'option",)


@pytest.mark.parametrize("word", ["don't", "aujourd'hui", "O'Reilly", "option", "l'"])
def test_only_an_article_is_taken_off(word: str) -> None:
    assert without_elision(word) == word


def test_words_are_covered_by_other_forms_in_their_language() -> None:
    terms = query_terms("Comment supprimer les dépendances ?")
    assert coverage(terms, "La suppression de l'ancienne dependance", language=FRENCH) == pytest.approx(0.5)
    assert coverage(("configurar",), "La configuración", language=SPANISH) == 1
    assert coverage(("configurar",), "La configuración") == 0
