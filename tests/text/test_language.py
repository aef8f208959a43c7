from __future__ import annotations

import pytest

from app.text.terms import may_be_english


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
def test_other_languages_are_told_from_english(text: str, english: bool) -> None:
    assert may_be_english(text) is english
