"""`webrag packages`: its calls to an instance, their output and exit status."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.cli import main
from app.engine.packages import AddedPackage, Download, PackageList, ScannedProject, UsedPackage
from app.library.packages import NOT_STATED, Package, StoredPackage, StoredProject, Symbol, SymbolsFound
from app.packages.docsets import FoundDocset
from app.serialise import to_jsonable
from tests.bridge.fake_instance import FakeInstance

FLASK, REACT, INNER = (
    Package("pypi", "flask", "3.1.3"),
    Package("npm", "@corp/ui", "1.0.0"),
    Package("pypi", "click", "8.3.2"),
)
URL = "https://registry.example/pypi/flask/3.1.3/json"


def run(instance: FakeInstance, *arguments: str, **results: Any) -> int:
    for method, result in results.items():
        instance.control[method] = [{"result": to_jsonable(result)}]
    return main(["packages", *arguments, "--data-dir", str(instance.data_dir)])


def asked(instance: FakeInstance) -> list[tuple[str, dict[str, Any]]]:
    return [(body["method"], body["params"]) for _, body in instance.controlled]


def test_a_scan_shows_versions_size_and_time(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    packages = (
        UsedPackage(FLASK, True, True, False, False, "installed", 500_000, 7_000_000, 3.0),
        UsedPackage(REACT, True, True, True, False, ""),
        UsedPackage(INNER, False, True, False, False, "installed"),
    )
    project = ScannedProject("/home/ann/app", ("uv.lock",), packages, ("Something differs.",))
    assert run(instance, "scan", "/home/ann/app", packages_scan=(project,)) == 0
    assert asked(instance) == [("packages_scan", {"path": "/home/ann/app"})]
    printed = capsys.readouterr().out
    assert "/home/ann/app (uv.lock): 3 packages, 2 direct" in printed
    assert "flask     3.1.3    pypi                installed, about 7.0 MB" in printed
    assert "@corp/ui  1.0.0    npm, private index  not installed" in printed
    assert "click" not in printed and "Note: Something differs." in printed
    assert "Adding 1 package needs about 7.0 MB and 3 s, without the network" in printed
    assert run(instance, "scan", "/home/ann/app", "--all", packages_scan=(project,)) == 0
    assert "click" in capsys.readouterr().out
    assert run(instance, "scan", "/home/ann/app", "--json", packages_scan=(project,)) == 0
    assert json.loads(capsys.readouterr().out)[0]["packages"][0]["package"]["name"] == "flask"


def test_a_symbol_is_printed_as_assistants_see_it(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    found = SymbolsFound(
        ((FLASK, Symbol("flask.Flask.run", "method", "def Flask.run(self)", "Run.", "flask/app.py", 546)),), (), 1
    )
    assert run(instance, "symbol", "Flask.run", "flask", packages_symbol=found) == 0
    assert asked(instance) == [("packages_symbol", {"names": ["Flask.run", "flask"]})]
    printed = capsys.readouterr().out
    assert (
        printed == '1. "flask.Flask.run" (method of flask 3.1.3): "flask/app.py:546"\n> def Flask.run(self)\n\n> Run.\n'
    )
    assert run(instance, "symbol", "Flask.rn", packages_symbol=SymbolsFound((), ("flask.Flask.run",))) == 1
    assert 'Nearest names: "flask.Flask.run"' in capsys.readouterr().out
    assert run(instance, "symbol") == 1


def test_adding_names_what_failed(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    added = (
        AddedPackage(FLASK, "installed", 93, 600_000),
        AddedPackage(REACT, "", 0, 0, "It is not installed.", "Install it."),
    )
    assert run(instance, "add", "flask", "@corp/ui", packages_add=added) == 1
    assert asked(instance) == [("packages_add", {"names": ["flask", "@corp/ui"], "downloads": False})]
    printed = capsys.readouterr()
    assert printed.out == "flask 3.1.3: 93 pages (installed)\n"
    assert "error: It is not installed.\nhint: Install it." in printed.err
    assert run(instance, "add") == 1
    assert "needs names" in capsys.readouterr().err


def test_a_download_starts_only_after_its_requests_were_shown(
    instance: FakeInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    planned = (
        Download(FLASK, URL, True, 760_000),
        Download(INNER, "https://registry.example/pypi/click/8.3.2/json", False, 0),
    )
    assert run(instance, "add", "--project", "/home/ann/app", "--download", packages_downloads=planned) == 0
    assert asked(instance) == [("packages_downloads", {"names": [], "path": "/home/ann/app"})]
    printed = capsys.readouterr().out
    assert f"flask 3.1.3  {URL}" in printed and "lock file  0.8 MB" in printed and "registry   unknown" in printed
    assert "about 2.6 MB" in printed and "--yes" in printed
    done = (AddedPackage(FLASK, "downloaded", 93, 600_000),)
    assert run(instance, "add", "--project", "/home/ann/app", "--download", "--yes", packages_add=done) == 0
    assert asked(instance)[1] == ("packages_add", {"names": [], "path": "/home/ann/app", "downloads": True})
    assert run(instance, "add", "--project", "/home/ann/app", "--download", packages_downloads=()) == 0
    assert "Nothing to download." in capsys.readouterr().out


def test_packages_are_listed_removed_and_refreshed(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    stored = StoredPackage(1, FLASK, "installed", True, 93, 600_000, 1.0, 2.0, True, True)
    known = PackageList((stored,), (StoredProject("/home/ann/app", 1.0, 82, 1),))
    assert run(instance, "list", packages=known) == 0
    printed = capsys.readouterr().out
    assert "flask    3.1.3    pypi  93     0.6 MB  searched" in printed and "/home/ann/app: 82 packages" in printed
    assert run(instance, "list", packages=PackageList((), ())) == 0
    assert "webrag packages scan FOLDER" in capsys.readouterr().out
    assert run(instance, "remove", "flask", packages_remove=(FLASK,)) == 0
    assert capsys.readouterr().out == "Removed flask 3.1.3.\n"
    assert run(instance, "remove", "--project", "/home/ann/app", packages_forget=True) == 0
    assert run(instance, "remove", "--project", "/home/ann/app", packages_forget=False) == 1
    assert "not a known project" in capsys.readouterr().err
    assert run(instance, "remove") == 1
    assert run(instance, "refresh", packages_refresh=()) == 0
    assert "up to date" in capsys.readouterr().out


def test_docsets_are_listed_and_added(instance: FakeInstance, capsys: pytest.CaptureFixture[str]) -> None:
    found = FoundDocset(Package("docset", "flask", NOT_STATED), "/home/ann/Flask.docset")
    assert run(instance, "scan", "--docsets", packages_docsets=(found,)) == 0
    assert "flask (version not stated)  /home/ann/Flask.docset" in capsys.readouterr().out
    added = AddedPackage(FLASK, "docset", 93, 600_000, note="1 of its pages cannot be read.")
    assert run(instance, "add", "--docset", "/home/ann/Flask.docset", "pypi/flask", packages_add_docset=added) == 0
    assert asked(instance)[-1] == ("packages_add_docset", {"path": "/home/ann/Flask.docset", "name": "pypi/flask"})
    assert run(instance, "add", "pypi/flask@3.1.3", "--site", "https://f.example/3.1", packages_add_site=added) == 0
    assert asked(instance)[-1] == ("packages_add_site", {"name": "pypi/flask@3.1.3", "url": "https://f.example/3.1"})
    assert run(instance, "add", "--site", "https://f.example/3.1") != 0
    printed = capsys.readouterr()
    assert "flask 3.1.3: 93 pages (docset)" in printed.out and "cannot be read" in printed.err
