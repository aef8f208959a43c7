"""Declaration of a setting: type, default, variable, limits, line in the guide and row on the Settings page.

The declarations are in assets/settings.toml. This module also parses list entries such as "docs.python.org=30".
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from app.errors import SettingsError
from app.paths import asset_table
from app.text.sentence import sentence

SettingValue = str | int | float | bool | tuple[str, ...] | None
Group = Literal[
    "general", "server", "tools", "crawling", "answers", "graph", "provider", "embedder", "storage", "privacy", "about"
]
"""A section of the Settings page."""
Format = Literal["", "hosts", "url", "port", "keys", "custom"]
"""The format of a value if its type does not determine it; a custom row has its own widget."""

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})
MAX_STALE_DAYS: Final = 3_650
LIBRARY_VARIABLE: Final = "WEBRAG_LIBRARY"
"""The variable with the address of a shared library. It may contain a password and is therefore not stored in a settings file."""
TOOL_PROFILES: Final = ("full", "standard", "research", "docs", "kb", "simple")
NAME_STYLES: Final = ("underscore", "dotted")
RESULT_MODES: Final = ("auto", "text", "structured", "both")
LIBRARY_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_SITE: Final = re.compile(r"(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*")
_DAYS: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RowSpec:
    """The row of a setting on the Settings page. The type of the setting determines the widget.

    `title`, `text`, `suffix`, `warning`, `words` and the values of `labels` are translated; `placeholder` and `names` are not.
    """

    group: Group
    title: str
    text: str
    suffix: str = ""
    factor: int = 1  # The stored value is the displayed value times this factor.
    labels: Mapping[str, str] = field(default_factory=dict)  # The label of each choice.
    names: Mapping[str, str] = field(default_factory=dict)  # The label of each choice that is a proper name.
    placeholder: str = ""
    warning: str = ""  # Displayed below the row unless its list is empty.
    format: Format = ""
    words: str = ""  # Synonyms for the search in the settings.


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `kind` is its annotation, `section` its table in the file, `meaning` its description in the guide (Markdown)."""

    default: Any
    section: str
    variable: str
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    check: Callable[[Any], object] | None = None
    unset: str = "none"  # The default as shown in the guide if it is empty.
    is_live: bool = False  # Whether a change takes effect without a restart of the engine.
    row: RowSpec | None = None
    name: str = ""
    kind: str = "str"

    def checked(self, value: Any, source: str) -> Any:
        """Convert `value` to the type of the setting. Raises SettingsError, which names the setting and `source`."""
        try:
            result = _converted(self.kind, value)
            if self.choices:
                result = _chosen(self.choices, result)
            if self.low is not None and self.high is not None and not self.low <= result <= self.high:
                raise ValueError(sentence("{} is not between {} and {}", result, self.low, self.high))
            if self.check is not None:
                self.check(result)
        except (ValueError, TypeError) as error:
            raise SettingsError(sentence("{} from {}: {}", self.name, source, error)) from error
        return result


def setting(name: str) -> Any:
    """Return a dataclass field with the default and declaration from assets/settings.toml. Raises KeyError."""
    table = dict(DECLARED[name])
    row = table.pop("row", None)
    value = table.pop("default", None)
    default = tuple(value) if isinstance(value, list) else value
    table["choices"] = tuple(table.get("choices", ()))
    table["check"] = _CHECKS[table["check"]] if "check" in table else None
    declared = Setting(name=name, default=default, row=RowSpec(**row) if row else None, **table)
    return field(default=default, metadata={"setting": declared})


def site_days(entries: Iterable[str]) -> dict[str, float]:
    """Parse entries such as "docs.python.org=30" into days by host name. Raises ValueError."""
    found: dict[str, float] = {}
    for entry in entries:
        site, _, days = (part.strip() for part in entry.rpartition("="))
        if not _SITE.fullmatch(site) or not _DAYS.fullmatch(days):
            raise ValueError(sentence("{} must be SITE=DAYS, for example docs.python.org=30", repr(entry)))
        if float(days) > MAX_STALE_DAYS:
            raise ValueError(sentence("{} days for {} exceed the maximum of {}", days, site, MAX_STALE_DAYS))
        if not site.isascii():
            import idna

            site = idna.encode(site, uts46=True).decode("ascii")
        found[site.lower()] = float(days)
    return found


def client_choices(entries: Iterable[str], choices: tuple[str, ...]) -> dict[str, str]:
    """Parse entries such as "claude-code=research" into choices by lowercase assistant name. Raises ValueError."""
    chosen: dict[str, str] = {}
    for entry in entries:
        client, _, choice = (part.strip() for part in entry.rpartition("="))
        if not client or choice not in choices:
            raise ValueError(
                sentence(
                    "{} must be ASSISTANT=CHOICE with one of {}, for example cursor={}",
                    repr(entry),
                    ", ".join(choices),
                    choices[0],
                )
            )
        chosen[client.lower()] = choice
    return chosen


def client_libraries(entries: Iterable[str]) -> dict[str, str]:
    """Parse entries such as "claude-code=private" into libraries by lowercase assistant name. Raises ValueError."""
    chosen: dict[str, str] = {}
    for entry in entries:
        client, _, library = (part.strip() for part in entry.rpartition("="))
        if not client or not LIBRARY_NAME.fullmatch(library):
            raise ValueError(sentence("{} must be ASSISTANT=LIBRARY, for example cursor=private", repr(entry)))
        chosen[client.lower()] = library
    return chosen


def _converted(kind: str, value: Any) -> Any:
    if kind == "bool":
        word = str(value).lower()
        if word not in TRUE_WORDS | FALSE_WORDS:
            raise ValueError(sentence("{} is neither true nor false", repr(str(value))))
        return word in TRUE_WORDS
    if kind == "int":
        with suppress(ValueError, TypeError):
            if not isinstance(value, float | bool):
                return int(value)
        raise ValueError(sentence("{} is not a whole number", repr(value)))
    if kind in ("float", "float | None"):
        with suppress(ValueError, TypeError, OverflowError):
            return float(value)
        raise ValueError(sentence("{} is not a number", repr(value)))
    if kind.startswith("tuple"):
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise ValueError(sentence("{} is not a list", repr(value)))
        return tuple(str(part).strip() for part in parts if str(part).strip())
    if isinstance(value, list | dict):
        raise ValueError(sentence("{} is not a text", repr(value)))
    return str(value)


def _chosen(choices: tuple[str, ...], value: str) -> str:
    """Return the choice that matches `value`, ignoring case. Raises ValueError."""
    for choice in choices:
        if choice.lower() == value.strip().lower():
            return choice
    raise ValueError(sentence("{} is not one of {}", repr(value), ", ".join(choices)))


def _check_networks(value: Iterable[str]) -> None:
    for text in value:
        ipaddress.ip_network(text, strict=False)


_CHECKS: Final[Mapping[str, Callable[[Any], object]]] = {
    "client-libraries": client_libraries,
    "client-name-styles": partial(client_choices, choices=NAME_STYLES),
    "client-profiles": partial(client_choices, choices=TOOL_PROFILES),
    "client-result-modes": partial(client_choices, choices=RESULT_MODES),
    "networks": _check_networks,
    "sites": site_days,
}
"""The function for each `check` of a declaration; it raises ValueError for an invalid value."""
DECLARED: Final[Mapping[str, dict[str, Any]]] = asset_table("settings.toml")
"""The tables of assets/settings.toml by setting name."""
