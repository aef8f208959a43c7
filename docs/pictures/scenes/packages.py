"""Packages: without a project, a project, what adding needs, its progress, and a project that is gone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pictures.loop import settle, wait

Scene = Callable[[Any], Any]

INSTALLED = {"flask": "3.1.3", "jinja2": "3.1.6", "click": "8.3.2", "werkzeug": "3.1.4", "sqlalchemy": "2.0.45"}
MISSING = {"httpx": "0.28.1", "celery": "5.5.3"}
PRIVATE = {"shop-auth": "1.4.0"}
NODE = {"react": "19.1.0", "react-dom": "19.1.0"}


def _project() -> Path:
    """Create a project with installed packages and others that are not."""
    root = Path(os.environ["HOME"]) / "code" / "shop"
    if root.exists():
        return root
    site = root / ".venv/lib/python3.13/site-packages"
    site.mkdir(parents=True)
    (root / ".venv/pyvenv.cfg").write_text("home = /usr\n")
    for number, (name, version) in enumerate(INSTALLED.items(), start=1):
        info = site / f"{name}-{version}.dist-info"
        info.mkdir()
        readme = f"# {name}\n\n" + f"How to use {name} in a project. " * 60 * number
        head = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nDescription-Content-Type: text/markdown\n\n"
        (info / "METADATA").write_text(head + readme)
        module = f'"""The module {name}."""\ndef run(port: int = 8000):\n    """Run the application on a port."""\n'
        (site / name).mkdir()
        (site / name / "__init__.py").write_text(module)
        docs = [f"{name}/docs/{page}.md" for page in ("quickstart", "configuration", "testing")]
        (site / name / "docs").mkdir()
        for page in docs:
            (site / page).write_text(f"# {Path(page).stem.title()}\n\n" + f"A page about {name} {version}. " * 40)
        (info / "RECORD").write_text("".join(f"{path},sha256=x,1\n" for path in (f"{name}/__init__.py", *docs)))
    locked = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in (INSTALLED | MISSING).items()
    )
    own = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n[package.source]\ntype = "legacy"\nurl = "https://pypi.shop.example/simple"\n'
        for name, version in PRIVATE.items()
    )
    (root / "poetry.lock").write_text(locked + own)
    names = "".join(f'{name} = "*"\n' for name in (*INSTALLED, *MISSING, *PRIVATE) if name != "werkzeug")
    (root / "pyproject.toml").write_text(f"[tool.poetry.dependencies]\n{names}")
    for name, version in NODE.items():
        folder = root / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))
        (folder / "README.md").write_text(f"# {name}\n\n" + "A library for user interfaces. " * 80)
    (root / "package.json").write_text(json.dumps({"dependencies": dict.fromkeys(NODE, "*")}))
    return root


def _shown(desktop: Any) -> Any:
    page = desktop.window.packages
    desktop.window.go_to("packages")
    wait(lambda: page.model.listing is not None)
    if page.model.root != str(_project()):
        page.add_projects([_project()])
        wait(lambda: page.model.listing.project is not None)
    settle()
    return page


def _empty(desktop: Any) -> Any:
    page = desktop.window.packages

    async def forget(engine: Any) -> None:
        known = await engine.packages.stored()
        await engine.packages.remove([str(each.package) for each in known.packages])
        for project in known.projects:
            await engine.packages.forget_project(Path(project.root))

    desktop.context.ask(desktop, forget, lambda _: page.choose(""))
    desktop.window.go_to("packages")
    wait(lambda: page._stack.currentWidget() is page._empty)
    settle()
    return desktop.window.grab()


def _new(desktop: Any) -> Any:
    _shown(desktop)
    return desktop.window.grab()


def _dialog(desktop: Any, *, downloads: bool) -> Any:
    page = _shown(desktop)
    page.add_documentation(list(page.model.records))
    dialog = desktop.window.findChildren(_dialog_class())[-1]
    dialog.downloads.setChecked(downloads)
    wait(lambda: not downloads or dialog._planned is not None)
    settle()
    picture = dialog.grab()
    dialog.reject()
    return picture


def _dialog_class() -> type[Any]:
    from app.desktop.pages.packages.adding import AddPackagesDialog

    return AddPackagesDialog


def _adding(desktop: Any) -> Any:
    """Draw the running job, and wait for its end."""
    page = _shown(desktop)
    names = [each.id for each in page.model.records if each.is_here and not each.is_stored]
    desktop.context.ask(
        desktop,
        lambda engine: engine.packages.begin(names, str(_project())),
        lambda job: desktop.context.follow_job(job.id, str(_project())),
    )
    wait(lambda: page.adding.isVisible() and page.adding._bar.value() > 0)
    settle(50)
    picture = desktop.window.grab()
    wait(lambda: not page.adding.isVisible())
    desktop.window.toast.clear()
    settle(500)
    return picture


def _added(desktop: Any) -> Any:
    _shown(desktop).table.selectRow(1)
    settle()
    return desktop.window.grab()


def _gone(desktop: Any) -> Any:
    page = _shown(desktop)
    moved = _project().rename(_project().with_name("moved"))
    page.model.reload()
    wait(lambda: page._views.currentWidget() is not page.table)
    settle()
    picture = desktop.window.grab()
    shutil.move(moved, moved.with_name("shop"))
    page.model.reload()
    wait(lambda: page._views.currentWidget() is page.table)
    return picture


def scenes() -> dict[str, Scene]:
    """Return the scenes of the page Packages."""
    return {
        "packages-empty": _empty,
        "packages-new": _new,
        "packages-add": lambda desktop: _dialog(desktop, downloads=False),
        "packages-download": lambda desktop: _dialog(desktop, downloads=True),
        "packages-adding": _adding,
        "packages": _added,
        "packages-gone": _gone,
    }
