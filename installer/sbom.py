"""Write the bill of materials as CycloneDX 1.6, and the texts of all licenses. Both list the same packages as `webrag licenses`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from facts import DIST, version

NOT_PACKAGES: Final = ("Python", "all-MiniLM-L6-v2")
OWN: Final = "webrag-desktop"


def build(kind: str) -> Path:
    """Write the `sbom` or the `licenses` in dist/."""
    if kind == "sbom":
        target, text = DIST / f"{OWN}.cdx.json", json.dumps(bill(), indent=1, ensure_ascii=False) + "\n"
    else:
        target, text = DIST / "LICENSES.txt", licenses()
    target.write_text(text, encoding="utf-8", newline="\n")
    return target


def licenses() -> str:
    """Return the texts of the licenses of all packages, each under a line with the package."""
    from app.engine.licences import packages

    line = "=" * 80
    return "\n".join(
        f"{line}\n{', '.join(filter(None, (each.name, each.version, each.licence, each.page)))}\n{line}\n{each.text}\n"
        for each in packages()
    )


def bill() -> dict[str, Any]:
    """Return the document."""
    from app.engine.licences import packages

    # The version of the sources: the environment can contain the metadata of an earlier one.
    parts = [component(each.name, version() if each.name == OWN else each.version, each.licence) for each in packages()]
    own = next(part for part in parts if part["name"] == OWN)
    inside = [part for part in parts if part is not own]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**own, "type": "application"}},
        "components": inside,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in inside]}],
    }


def component(name: str, number: str, licence: str) -> dict[str, Any]:
    """Return one component. Licenses are spelled as in their packages."""
    kind = "machine-learning-model" if name == NOT_PACKAGES[1] else "library"
    made: dict[str, Any] = {"type": kind, "bom-ref": f"{name}@{number}", "name": name, "version": number}
    if licence:
        made["licenses"] = [{"license": {"name": licence}}]
    if name not in NOT_PACKAGES:
        made["purl"] = f"pkg:pypi/{quote(name.lower())}@{quote(number)}"
    return made
