from __future__ import annotations

import pytest

from app.embed.folder import TOKENIZER_FILE, subjects
from app.embed.onnx import OnnxEmbedder
from app.paths import model_dir
from app.text.tokens import file_counter, token_counter, tokens_per_letter
from tests.support.models import make_model

GERMAN = "Die Warteschlange behält größere Nachrichten, bis ein Prozess sie bestätigt."
THAI = "คิวจะเก็บทุกข้อความไว้จนกว่าผู้ปฏิบัติงานจะยืนยัน"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    return OnnxEmbedder(make_model(tmp_path_factory.mktemp("large") / "tiny"))


def test_words_of_other_scripts_are_estimated_without_the_tokenizer_of_the_model(large: OnnxEmbedder) -> None:
    scripts = tokens_per_letter(large.count_tokens_batch, subjects())
    assert {"LATIN", "CYRILLIC", "CJK", "THAI", "HANGUL", "ARABIC", "DEVANAGARI"} <= scripts.keys()
    count = token_counter(model_dir() / TOKENIZER_FILE, scripts)
    english = "The queue keeps every message: a worker confirms it."
    assert count([english]) == file_counter(model_dir() / TOKENIZER_FILE)([english])
    assert count([THAI])[0] > 10 > file_counter(model_dir() / TOKENIZER_FILE)([THAI])[0]
    assert count([GERMAN, "", THAI * 40]) == [count([GERMAN])[0], 0, count([THAI * 40])[0]]
    assert count([THAI * 40])[0] == pytest.approx(40 * count([THAI])[0], rel=0.1)
