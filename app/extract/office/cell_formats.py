"""Format numbers of cells as a spreadsheet shows them, except dates, which are always in ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

GENERAL: Final = "General"
BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd", 16: "yyyy-mm-dd",
    17: "yyyy-mm", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0",
    39: "#,##0.00", 40: "#,##0.00", 45: "h:mm:ss", 46: "h:mm:ss", 47: "h:mm:ss",
}  # fmt: skip
"""The formats that files reference by number only."""
_LITERAL: Final = re.compile(r'"([^"]*+)"|\\(.)|\[\$([^][-]*+)[^][]*+\]|\[[^][]*+\]|_.|\*.')
_DIGITS: Final = re.compile(r"[#0?][#0?,]*(?:\.([#0?]*))?")
_EPOCH: Final = datetime(1899, 12, 30, tzinfo=UTC)
_EPOCH_1904: Final = datetime(1904, 1, 1, tzinfo=UTC)
_MAX_DAYS: Final = 2_958_465  # The last day of the year 9999.
_MAX_DECIMALS: Final = 15


def shown(number: str, code: str, *, is_1904: bool = False) -> str:
    """Return a number as its format shows it. If the format is unknown, return the number unchanged."""
    try:
        value = float(number)
    except ValueError:
        return number
    kind, decimals, has_groups, before, behind = _read(code)
    if kind == "date":
        return _date(value, is_1904=is_1904) or number
    if kind == "general":
        return f"{value:.15g}" if abs(value) < 1e15 else number
    value = value * 100 if kind == "percent" else value
    return f"{before}{value:{',' if has_groups else ''}.{decimals}f}{behind}"


@lru_cache(maxsize=1024)
def _read(code: str) -> tuple[str, int, bool, str, str]:
    """Return kind, decimals, whether thousands are separated, and the texts before and after the digits."""
    first = code.partition(";")[0]
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return "\0" if literals[-1] else ""

    bare = _LITERAL.sub(keep, first)
    if re.search(r"[ymdhs]", bare, re.IGNORECASE) and "general" not in bare.lower():
        return "date", 0, False, "", ""
    digits = _DIGITS.search(bare)
    if digits is None or "e" in bare.lower() or "/" in bare:
        return "general", 0, False, "", ""
    texts = iter(literals)
    before = "".join(next(texts) if sign == "\0" else sign for sign in bare[: digits.start()])
    behind = "".join(next(texts, "") if sign == "\0" else sign for sign in bare[digits.end() :])
    decimals = min(len(digits[1] or ""), _MAX_DECIMALS)
    return "percent" if "%" in bare else "number", decimals, "," in digits[0], before, behind


def _date(days: float, *, is_1904: bool) -> str:
    if not 0 <= days <= _MAX_DAYS:
        return ""
    moment = (_EPOCH_1904 if is_1904 else _EPOCH) + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return moment.strftime("%H:%M:%S").removesuffix(":00")
    return moment.strftime("%Y-%m-%d" if moment.time() == datetime.min.time() else "%Y-%m-%d %H:%M:%S").removesuffix(
        ":00"
    )
