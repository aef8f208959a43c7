"""The page of measurements gives the values that the code uses."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, Final

import pytest

PAGE: Final = Path(__file__).parents[2] / "docs" / "internals" / "measurements.md"
CODE: Final = re.compile(r"`([A-Za-z_.]+)`")
ROWS: Final = [
    cells
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| `")
    and len(cells := [cell.strip() for cell in line.split(" | ")]) >= 4
    and cells[2].endswith(".py`")
]


def value_of(name: str, module: str) -> Any:
    found: Any = importlib.import_module(f"app.{module.strip('`').removesuffix('.py').replace('/', '.')}")
    for part in name.split("."):
        default = getattr(found, "__dataclass_fields__", {}).get(part)
        found = getattr(found, part) if default is None else default.default
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("| "))
def test_constants_have_the_values_of_the_code(row: list[str]) -> None:
    names = CODE.findall(row[0])
    values = [float(value) for value in row[1].split(", ")]
    assert [value_of(name, row[2]) for name in names] == values


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) > 20
