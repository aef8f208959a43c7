"""Catalogs of the window's languages: every text is found, files keep translations, and unsuitable ones are refused."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import WebRAGError
from app.web.records import INSTALL_RENDERER, SWITCH_ON_RENDERER
from catalogue_file import Catalogue, faults, key_of, misfits, read_catalogue, write_catalogue
from catalogue_strings import (
    ROOT,
    WINDOW,
    Message,
    StringError,
    assistant_messages,
    hint_messages,
    messages,
    nodes_of,
    note_messages,
    setting_messages,
    window_messages,
)
from tests.assets.test_words import out_of

CATALOGUE = ROOT / "assets" / "translations" / "webrag_de.ts"
TOOL = ROOT / "assets" / "translate.py"


@pytest.fixture(scope="module")
def every_message() -> list[Message]:
    """Return all texts of the program. Finding them takes two seconds."""
    return list(messages())


def scanned(tmp_path: Path, source: str) -> list[tuple[str, str, str]]:
    path = tmp_path / "app" / "desktop" / "window.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return [key_of(message) for message in window_messages(path, tmp_path)]


def test_texts_are_found_under_their_context_at_run_time(tmp_path: Path) -> None:
    source = """
from PySide6.QtCore import QCoreApplication

_tr = translator("Wording")

def ago():
    return _tr("just now")

class Page:
    def __init__(self):
        self.title = self.tr("Two " "parts")
        self.run = lambda: self.tr("Stop", "a job")

    class Inner:
        def show(self):
            self.tr("inside")
            return QCoreApplication.translate("Elsewhere", "a word")
"""
    assert scanned(tmp_path, source) == [
        ("Wording", "just now", ""),
        ("Page", "Two parts", ""),
        ("Page", "Stop", "a job"),
        ("Inner", "inside", ""),
        ("Elsewhere", "a word", ""),
    ]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class A:\n  def f(self, n):\n    self.tr(f'{n} pages')", "one literal"),
        ("class A:\n  def f(self, x):\n    self.tr(x)", "one literal"),
        ("class A:\n  title = QCoreApplication.translate('A', 'Title')", "before the language is known"),
        ("def f():\n  _tr('text')", "a known context"),
        ("class A:\n  def f(self, other):\n    other.tr('text')", "a known context"),
        ("def f(context):\n  QCoreApplication.translate(context, 'text')", "context is not a literal"),
    ],
)
def test_text_that_no_catalog_can_contain_is_an_error(source: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(StringError, match=why):
        scanned(tmp_path, source)


def called(function: ast.expr) -> str:
    return getattr(function, "attr", "") or getattr(function, "id", "")


def test_no_text_of_the_window_is_missed() -> None:
    """Counts in the simplest way: every call of something named tr, _tr or translate, except the helpers themselves."""
    calls = found = 0
    for path in (ROOT / WINDOW).rglob("*.py"):
        for node in nodes_of(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Call) and re.search(r"(^|[._])tr$|translate$", called(node.func)):
                calls += isinstance(node.args[-1], ast.Constant)
        found += len(list(window_messages(path)))
    assert found == calls > 500


def test_titles_and_hints_of_errors_are_texts_too(every_message: list[Message]) -> None:
    errors = {message.source for message in every_message if message.context == "Errors"}
    assert {"Page could not be read", "Try again in a moment, or stop that process."} <= errors
    assert not any("{" in text for text in errors)


def test_a_hint_is_found_however_it_reaches_the_error(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    source = """
CLOSED = "Open it."

def f(url, status, known):
    if status == 404:
        message, hint = f"{url} is gone.", "Look elsewhere."
    elif status == 403:
        message, hint = f"{url} is closed.", CLOSED
    else:
        hint = "Wait." if known else "Try again."
        message: str = "not a hint"
    advice = "not one either"
    return FetchError(message, hint=hint) or FetchError(message, hint=LATER)

LATER: str = "Try tomorrow."
"""
    (tmp_path / "app" / "a.py").write_text(source, "utf-8")
    found = {message.source for message in hint_messages(tmp_path / "app" / "a.py", tmp_path)}
    assert found == {"Open it.", "Look elsewhere.", "Wait.", "Try again.", "Try tomorrow."}


def test_sentences_of_other_packages_are_texts_too(tmp_path: Path) -> None:
    path = tmp_path / "app" / "clients" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text('AGAIN = sentence("Start it again.")\ndef f(x):\n    return sentence("{} is gone.", x)\n', "utf-8")
    assistants = tmp_path / "assets" / "assistants.toml"
    assistants.parent.mkdir()
    assistants.write_text('[zed.config]\nkind = "json"\nafter_change = "Restart Zed."\n', "utf-8")
    assert [key_of(message) for message in (*note_messages(path, tmp_path), *assistant_messages(tmp_path))] == [
        ("Notes", "Start it again.", ""),
        ("Notes", "{} is gone.", ""),
        ("Notes", "Restart Zed.", ""),
    ]
    path.write_text('def f(x):\n    return sentence(f"{x} is gone.")\n', "utf-8")
    with pytest.raises(StringError, match="not a literal"):
        list(note_messages(path, tmp_path))


TEXTS = [
    Message("A", 'Save <{}> & "go"', "", "app/desktop/a.py"),
    Message("B", "Stop", "a job", "app/desktop/b.py"),
    Message("B", "Stop", "", "app/desktop/b.py"),
    Message("B", "{} of {}", "", "app/desktop/b.py"),
]
DONE: Catalogue = {
    ("A", 'Save <{}> & "go"', ""): "„{}“ <sichern> & los",
    ("B", "Stop", "a job"): "Beenden",
    ("B", "Stop", ""): "Halt",
}


def test_file_returns_the_written_content(tmp_path: Path) -> None:
    path = tmp_path / "x.ts"
    write_catalogue(path, "de_DE", TEXTS, {**DONE, ("A", "gone", ""): "weg"})
    assert read_catalogue(path) == {**DONE, ("B", "{} of {}", ""): ""}
    before = path.read_bytes()
    write_catalogue(path, "de_DE", reversed(TEXTS), read_catalogue(path))
    write_catalogue(path, "de_DE", TEXTS, read_catalogue(path))
    assert path.read_bytes() == before


def test_problems_are_named() -> None:
    wrong = {**DONE, ("B", "{} of {}", ""): "{} von vielen", ("B", "Stop", ""): "", ("C", "old", ""): "alt"}
    del wrong["B", "Stop", "a job"]
    assert [fault.what.split(" in ")[0] for fault in faults(TEXTS, wrong)] == [
        "unfinished",
        "missing",
        "different placeholders",
        "no longer used",
    ]


@pytest.mark.parametrize(
    ("source", "translation", "fits"),
    [
        ("{} of {}", "von {} nur {}", True),
        ("{name} in {}", "{} enthält {name}", True),
        ("{} pages", "{0} Seiten", False),
        ("{} pages", "Seiten", False),
        ("100 %", "100 % {", False),
        (" tokens", " Token", True),
        (" tokens", "Token", False),
        ("Search…", "Suchen…", True),
        ("Search…", "Suchen", False),
    ],
)
def test_translation_must_fit_its_text(source: str, translation: str, fits: bool) -> None:
    assert (not list(misfits(("A", source, ""), translation))) == fits


def test_rows_that_settings_declare_are_found(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "settings.toml").write_text(
        '[a]\nvariable = "A"\nmeaning = "not shown"\n'
        '[a.row]\ngroup = "general"\ntitle = "Time"\ntext = "For one page."\nsuffix = " s"\nwarning = "Take care."\n'
        'placeholder = "x"\nnames = { en = "English" }\n'
        '[b.row]\ntitle = "Colours"\ntext = "Like the system"\nlabels = { dark = "Dark" }\n'
    )
    (tmp_path / "assets" / "settings_page.toml").write_text(
        '[general]\ntitle = "General"\n[general.rows.login]\ntitle = "Login"\nbuttons = ["Copy", "Set…"]\nwords = "boot"\n'
    )
    found = [key_of(message)[:2] for message in setting_messages(tmp_path)]
    declared = ("Time", "For one page.", " s", "Take care.", "Colours", "Like the system", "Dark")
    texts = (*declared, "General", "Login", "Copy", "Set…", "boot")
    assert found == [("Settings", text) for text in texts]


def test_translators_get_shares_and_return_them(tmp_path: Path) -> None:
    """Runs the real tool on a copy of the sources."""
    for name in ("assets/translate.py", "assets/catalogue_file.py", "assets/catalogue_strings.py", "app/errors.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for name in ("settings.toml", "settings_page.toml", "models.toml", "assistants.toml"):
        (tmp_path / "assets" / name).write_text("")
    window = tmp_path / "app" / "desktop" / "window.py"
    window.parent.mkdir()
    window.write_text("class A:\n  def f(self):\n    return self.tr('Pages: {}'), self.tr('Quit')\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "assets/translate.py", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)

    assert run().returncode == 0
    shares = []
    for part in ("1/3", "2/3", "3/3"):
        assert run("--export", "share.json", "--part", part).returncode == 0
        shares += json.loads((tmp_path / "share.json").read_text())
    assert len(shares) == len({(entry["context"], entry["source"], entry["comment"]) for entry in shares})
    assert {
        "context": "A",
        "file": "app/desktop/window.py",
        "comment": "",
        "source": "Quit",
        "translation": "",
    } in shares
    for entry in shares:
        entry["translation"] = {"Quit": "Beenden", "Pages: {}": "Seiten"}.get(entry["source"], "")
    (tmp_path / "share.json").write_text(json.dumps(shares))
    refused = run("--import", "share.json")
    assert refused.returncode == 1
    assert "different placeholders" in refused.stdout
    assert "1 translations imported, 1 refused" in refused.stdout
    assert read_catalogue(tmp_path / "assets" / "translations" / "webrag_de.ts")["A", "Quit", ""] == "Beenden"
    assert (tmp_path / "assets" / "translations" / "webrag_de.qm").stat().st_size > 50
    assert "'Pages: {}': unfinished" in run("--check").stdout


def test_german_is_complete(every_message: list[Message]) -> None:
    found = [str(fault) for fault in faults(every_message, read_catalogue(CATALOGUE))]
    assert not found, f"`make translations`, then write the German into assets/translations/webrag_de.ts: {found}"


def test_window_texts_use_words_for_users(every_message: list[Message]) -> None:
    found = [f"{each.file} ({each.context}): {each.source}" for each in every_message if out_of(each.source)]
    assert not found, "\n".join(found)


FOR_ASSISTANTS = (
    # Texts for an assistant, which the details of a call repeat.
    "scope.project_id",
    "expansion_budget",
    "known_context",
    "section_id",
    "start_char",
    "before_tokens",
    "web_read_from_page",
    # Text that an administrator of a database must enter.
    "webrag_node",
    "PGPASSWORD",
    # A command to type exactly.
    "webrag settings mcp_tool_name_style",
)
FOR_PROGRAMMERS = re.compile(r"`|\b[A-Z]+_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b|\w\[[a-z]+\]|(?:webrag|wekadocs)://")


def test_window_texts_and_hints_of_errors_contain_no_programming_terms(every_message: list[Message]) -> None:
    said = {message.source for message in every_message}
    waiting: list[type[WebRAGError]] = [WebRAGError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__ == WebRAGError.__module__:
            said |= {kind.title, kind.default_hint}
    said |= {INSTALL_RENDERER, SWITCH_ON_RENDERER, *read_catalogue(CATALOGUE).values()}
    found = {text for text in said if FOR_PROGRAMMERS.search(text)}
    assert [text for text in found if not any(word in text for word in FOR_ASSISTANTS)] == []
    assert all(any(word in text for text in found) for word in FOR_ASSISTANTS), "an unused exception"
