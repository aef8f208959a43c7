"""The languages of configuration files, each read and changed in the same four ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.clients import edit, toml_edit, yaml_edit
from app.clients.profile import ConfigFormat


@dataclass(frozen=True, slots=True)
class Language:
    """What is done with a text: read it, set a member, remove one. All raise SyntaxProblem and NotAnObjectError."""

    title: str
    load: Callable[[str], Any]
    set_member: Callable[[str, Sequence[str], Mapping[str, Any]], str]
    remove_member: Callable[[str, Sequence[str]], str]


_JSON: Final = Language("JSON", edit.load, edit.set_member, edit.remove_member)
LANGUAGES: Final[Mapping[ConfigFormat, Language]] = {
    ConfigFormat.JSON: _JSON,
    ConfigFormat.JSONC: _JSON,
    ConfigFormat.TOML: Language("TOML", toml_edit.load, toml_edit.set_member, toml_edit.remove_member),
    ConfigFormat.YAML: Language("YAML", yaml_edit.load, yaml_edit.set_member, yaml_edit.remove_member),
}
