"""What one setting declares: type, default, variable, limits, its line in the guide and its row on the Settings page.

The declarations are in assets/settings.toml. Entries of lists such as "docs.python.org=30" are read here too.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, cast

from app.errors import SettingsError
from app.paths import assets_dir

SettingValue = str | int | float | bool | tuple[str, ...] | None
Group = Literal[
    "general", "server", "tools", "crawling", "answers", "graph", "provider", "embedder", "storage", "privacy", "about"
]
"""A section of the Settings page."""
Format = Literal["", "hosts", "url", "port", "keys", "custom"]
"""How the value of a row is written, where its type does not say it; a custom row has a widget of its own."""

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})
MAX_STALE_DAYS: Final = 3_650
LIBRARY_VARIABLE: Final = "WEBRAG_LIBRARY"
"""The variable with the address of the library of a team; its password belongs to no file of settings."""
TOOL_PROFILES: Final = ("full", "standard", "research", "docs", "kb", "simple")
NAME_STYLES: Final = ("underscore", "dotted")
RESULT_MODES: Final = ("auto", "text", "structured", "both")
LIBRARY_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_SITE: Final = re.compile(r"(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*")
_DAYS: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RowSpec:
    """The row of a setting on the Settings page; the type of the setting decides on the widget.

    `title`, `text`, `suffix`, `warning`, `words` and the values of `labels` are translated, `placeholder` and `names` are not.
    """

    group: Group
    title: str
    text: str
    suffix: str = ""
    factor: int = 1
    """Turns the unit that is shown into the unit that is stored."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What is shown for each choice."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The same for choices that have a proper name."""
    placeholder: str = ""
    warning: str = ""
    """Shown below the row while its list is not empty."""
    format: Format = ""
    words: str = ""
    """Other words that people look for it by."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `kind` is its annotation, `section` its table in the file, `meaning` its line in the guide (Markdown)."""

    default: Any
    section: str
    variable: str
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    check: Callable[[Any], object] | None = None
    unset: str = "none"
    """What the guide says of an empty default."""
    is_live: bool = False
    """Whether a change is used without a restart of the engine."""
    row: RowSpec | None = None
    name: str = ""
    kind: str = "str"

    def checked(self, value: Any, source: str) -> Any:
        """The value in the type of the setting. Raises SettingsError naming the setting and `source`."""
        try:
            result = _converted(self.kind, value)
            if self.choices:
                result = _chosen(self.choices, result)
            if self.low is not None and self.high is not None and not self.low <= result <= self.high:
                raise ValueError(f"{result} is not between {self.low} and {self.high}")
            if self.check is not None:
                self.check(result)
        except (ValueError, TypeError) as error:
            raise SettingsError(f"{self.name} from {source}: {error}") from error
        return result


def setting(name: str) -> Any:
    """A dataclass field with the default and the declaration of assets/settings.toml. Raises KeyError."""
    table = dict(DECLARED[name])
    row = table.pop("row", None)
    value = table.pop("default", None)
    default = tuple(value) if isinstance(value, list) else value
    table["choices"] = tuple(table.get("choices", ()))
    table["check"] = _CHECKS[table["check"]] if "check" in table else None
    declared = Setting(name=name, default=default, row=RowSpec(**row) if row else None, **table)
    return field(default=default, metadata={"setting": declared})


def site_days(entries: Iterable[str]) -> dict[str, float]:
    """Days by host name, from entries like "docs.python.org=30". Raises ValueError."""
    return dict(_site_and_days(entry) for entry in entries)


def client_choices(entries: Iterable[str], choices: tuple[str, ...]) -> dict[str, str]:
    """The choice by name of an assistant, lower case, from entries like "claude-code=research". Raises ValueError."""
    chosen: dict[str, str] = {}
    for entry in entries:
        client, _, choice = (part.strip() for part in entry.rpartition("="))
        if not client or choice not in choices:
            raise ValueError(
                f"{entry!r} is not an assistant and one of {', '.join(choices)}, as in cursor={choices[0]}"
            )
        chosen[client.lower()] = choice
    return chosen


def client_libraries(entries: Iterable[str]) -> dict[str, str]:
    """The library that each assistant asks by its name, lower case, from entries like "claude-code=private". Raises ValueError."""
    chosen: dict[str, str] = {}
    for entry in entries:
        client, _, library = (part.strip() for part in entry.rpartition("="))
        if not client or not LIBRARY_NAME.fullmatch(library):
            raise ValueError(f"{entry!r} is not an assistant and a library, as in cursor=private")
        chosen[client.lower()] = library
    return chosen


def _site_and_days(entry: str) -> tuple[str, float]:
    site, _, days = (part.strip() for part in entry.rpartition("="))
    if not _SITE.fullmatch(site) or not _DAYS.fullmatch(days):
        raise ValueError(f"{entry!r} is not a site and its days, as in docs.python.org=30")
    if float(days) > MAX_STALE_DAYS:
        raise ValueError(f"{days} days for {site} are more than {MAX_STALE_DAYS}")
    if site.isascii():
        return site.lower(), float(days)
    import idna

    return idna.encode(site, uts46=True).decode("ascii"), float(days)


def _converted(kind: str, value: Any) -> Any:
    if kind == "bool":
        return value if isinstance(value, bool) else _boolean(str(value))
    if kind == "int":
        if isinstance(value, float | bool):
            raise ValueError(f"{value!r} is not a whole number")
        return int(value)
    if kind in ("float", "float | None"):
        return float(value)
    if kind.startswith("tuple"):
        parts = value.split(",") if isinstance(value, str) else cast("list[str]", value)
        return tuple(str(part).strip() for part in parts if str(part).strip())
    return str(value)


def _chosen(choices: tuple[str, ...], value: str) -> str:
    """The choice that is meant, in whatever case it is written. Raises ValueError."""
    for choice in choices:
        if choice.lower() == value.strip().lower():
            return choice
    raise ValueError(f"{value!r} is not one of {', '.join(choices)}")


def _boolean(word: str) -> bool:
    if word.lower() in TRUE_WORDS:
        return True
    if word.lower() in FALSE_WORDS:
        return False
    raise ValueError(f"{word!r} is neither true nor false")


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
"""What each `check` of a declaration calls; it raises ValueError for a value that does not fit."""
DECLARED: Final[Mapping[str, dict[str, Any]]] = tomllib.loads(
    (assets_dir() / "settings.toml").read_text(encoding="utf-8")
)
"""The tables of assets/settings.toml by the name of the setting."""
