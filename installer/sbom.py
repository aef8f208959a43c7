"""Write the bill of materials as CycloneDX 1.6: sbom.py TARGET. It lists the same packages as `webrag licenses`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

ROOT: Final = Path(__file__).resolve().parents[1]
NOT_PACKAGES: Final = ("Python", "all-MiniLM-L6-v2")
OWN: Final = "webrag-desktop"


def bill() -> dict[str, Any]:
    """Return the document."""
    from app.engine.licences import packages

    parts = [component(each.name, each.version, each.licence) for each in packages()]
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


def component(name: str, version: str, licence: str) -> dict[str, Any]:
    """Return one component. Licenses are spelled as in their packages."""
    kind = "machine-learning-model" if name == NOT_PACKAGES[1] else "library"
    made: dict[str, Any] = {"type": kind, "bom-ref": f"{name}@{version}", "name": name, "version": version}
    if licence:
        made["licenses"] = [{"license": {"name": licence}}]
    if name not in NOT_PACKAGES:
        made["purl"] = f"pkg:pypi/{quote(name.lower())}@{quote(version)}"
    return made


def main(arguments: list[str]) -> int:
    """Write the file. Returns 2 for a wrong command line."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    target = Path(arguments[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(target)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
