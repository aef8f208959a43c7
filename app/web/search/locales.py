"""Countries and languages as a call names them, checked and in the spellings that providers want."""

from __future__ import annotations

import re

from app import caps
from app.errors import SearchQueryError

_COUNTRY = re.compile(r"[A-Za-z]{2}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})?")


def country_of(region: str) -> str:
    """The two-letter country in lower case, empty for none. Raises SearchQueryError."""
    if region and not _COUNTRY.fullmatch(region.strip()):
        raise SearchQueryError(
            f"{_shown(region)} is not a region.", hint="Give a two-letter country code such as us or de."
        )
    return region.strip().lower()


def iso_country_of(region: str) -> str:
    """The same, with the code that the standard has for the United Kingdom."""
    country = country_of(region)
    return "gb" if country == "uk" else country


def language_of(language: str) -> tuple[str, str]:
    """Language in lower case and its variant as given ("pt", "BR"), empty for none. Raises SearchQueryError."""
    if language and not _LANGUAGE.fullmatch(language.strip()):
        raise SearchQueryError(f"{_shown(language)} is not a language.", hint="Give a code such as en, de or pt-BR.")
    base, _, variant = language.strip().replace("_", "-").partition("-")
    return base.lower(), variant


def _shown(given: str) -> str:
    return repr(given[: caps.MAX_ARGUMENT_CHARS_SHOWN])
