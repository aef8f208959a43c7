"""Write the tables of assets/guide/07-settings.md from the declarations: python docs/make_settings_table.py [--check]

`--check` only fails if the page is out of date. The text around the tables is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from app.settings import SETTINGS
from app.settings_schema import Setting

PAGE: Final = Path(__file__).resolve().parents[1] / "assets" / "guide" / "07-settings.md"
HEAD: Final = (
    "| Setting | Environment variable | Default | Meaning |\n|---------|----------------------|---------|---------|\n"
)
_TABLE: Final = re.compile(r"(Section `(\w+)` of the file\.\n\n)\| Setting \|.*?\n(?=\n|\Z)", re.DOTALL)


def default_words(declared: Setting) -> str:
    """Return the default as the guide shows it."""
    value = declared.default
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in (None, (), ""):
        return declared.unset
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def table(section: str) -> str:
    """Return the table of one section of the file."""
    rows = (
        f"| `{name}` | `{each.variable}` | {default_words(each)} | {each.meaning} |\n"
        for name, each in SETTINGS.items()
        if each.section == section
    )
    return HEAD + "".join(rows)


def page(text: str) -> str:
    """Return the page with updated tables."""
    return _TABLE.sub(lambda found: found[1] + table(found[2]), text)


def main(arguments: list[str]) -> int:
    """Write or check the page and return the exit status."""
    before = PAGE.read_text(encoding="utf-8")
    made = page(before)
    if "--check" not in arguments:
        PAGE.write_text(made, encoding="utf-8")
    elif made != before:
        print(f"{PAGE.name} is out of date: run `python docs/make_settings_table.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
