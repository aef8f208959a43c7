"""Odd configuration files of assistants are read or refused with an error, within a second and without much memory."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from app.clients.config_file import LANGUAGES, ConfigText, read_config, with_entry
from app.clients.json_edit import MAX_COMMENTED_CHARS
from app.clients.profile import ConfigFormat
from app.errors import ClientConfigError

KEYS = ("servers", "webrag")
DIGITS = "9" * 5_000


def changed(text: str, language: ConfigFormat) -> str:
    return with_entry(ConfigText(Path("file"), text.encode(), text, format=language), KEYS, {"command": "webrag"})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f'{{"a": {DIGITS}}}', ConfigFormat.JSON),
        (f'{{"a": {DIGITS}, /**/}}', ConfigFormat.JSON),
        ("{" + "\n" * MAX_COMMENTED_CHARS + "// comment\n}", ConfigFormat.JSON),
        (f"a = {DIGITS}", ConfigFormat.TOML),
        (f"a = 0x{'f' * 5_000}", ConfigFormat.TOML),
        (f"a = {'[' * 400}{']' * 400}", ConfigFormat.TOML),
        (f"{'a.' * 10_000}a = 1", ConfigFormat.TOML),
        ('["a"' + " . 'b'" * 10_000 + "]", ConfigFormat.TOML),
        (f"a: {DIGITS}", ConfigFormat.YAML),
        (f"a: {'[' * 400}{']' * 400}", ConfigFormat.YAML),
    ],
)
def test_numbers_nesting_and_keys_without_bounds_are_refused(text: str, language: ConfigFormat) -> None:
    begun = process_time()
    with pytest.raises(ClientConfigError):
        changed(text, language)
    assert process_time() - begun < 1.0


def test_long_lists_are_read_quickly() -> None:
    text = f'{{"history": [{", ".join(["1"] * 200_000)}]}}'
    begun = process_time()
    assert changed(text, ConfigFormat.JSON).startswith(text[:-1])
    assert process_time() - begun < 1.0


@pytest.mark.parametrize("language", [ConfigFormat.TOML, ConfigFormat.YAML])
def test_a_file_that_would_take_long_is_not_read(tmp_path: Path, language: ConfigFormat) -> None:
    path = tmp_path / "config"
    path.write_bytes(b"# a\n" * (LANGUAGES[language].max_bytes // 4 + 1))
    with pytest.raises(ClientConfigError, match="is larger than"):
        read_config(path, language)
