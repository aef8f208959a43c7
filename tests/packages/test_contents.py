"""The documentation of installed copies: README, docs, docstrings, declarations, release notes. Nothing of a package runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import caps
from app.errors import FileAccessError
from app.library.packages import Package
from app.packages.contents import Found, installed_contents, installed_size
from app.packages.python_api import module_name, module_page, read_module
from app.packages.typescript_api import declarations_page, read_declarations
from tests.packages.projects import install_node, install_python, write
from tests.support.growth import LINEAR, cost

FLASK = Package("pypi", "flask", "3.1.3")
MODULE = '''
"""The application."""
import os
open(os.environ["CANARY"], "w").close()

class Flask(Scaffold):
    """The central object.

    Parameters
    ----------
    name : str
    """

    @property
    def name(self) -> str:
        """The :attr:`name`."""

    def route(self, rule: str, /, *, methods: list[str] | None = None, **options: Any) -> Callable[[T], T]:
        """Register a view."""

    def _private(self): ...

async def stream(url: str): ...
def _helper(): ...
'''
DECLARATIONS = """
/** The server. See {@link listen}. */
export interface FastifyInstance<T extends object = {}> {
  /**
   * Listen on a port.
   * @param port the port
   */
  listen(port: number, callback?: (error: Error | null) => void): Promise<string>;
  /** The version. */
  readonly version: string;
  hidden(): void;
}
/** Create a server. */
export declare function fastify(options: {
  logger: boolean;
}): FastifyInstance;
"""
MORE = """
export declare function fastify(): void
export abstract class Child<T extends Array<string> = []> extends Base<T, { a: 1 }> implements ns.Other<T>, Third {
  private secret: string;
  #inner: number
  'aria-label'?: string
  constructor(a: string,
    b: number)
  [key: string]: unknown
}
declare const enum Level { Low = 1, High = "a, b" }
export namespace ns {
  type Options =
    | { a: string; b: number }
    | "x";
  const limit: number, other: string
}
declare module "node:fs/promises" {
  function readFile(path: string): Promise<Buffer>;
  export { readFile as default };
}
declare module "./other" { interface Extended {} }
declare global {
  interface Everywhere<T>
    extends Base
  {
  }
}
export { Child as Renamed } from "./child"
import type { X } from "y"
export default fastify
export const last: unique symbol
"""


def texts(found: Found) -> dict[str, str]:
    return {page.path: page.content.decode() for page in found.pages}


@pytest.fixture
def flask(tmp_path: Path) -> Path:
    files = {
        "flask/__init__.py": "from .app import Flask\n",
        "flask/app.py": MODULE,
        "flask/tests/test_app.py": MODULE,
        "flask/docs/quick.rst": "Quick\n=====\n\nStart here.\n",
        "flask/docs/changes/3.0.md": "# 3.0\n",
        "flask/vendor/docs/other.md": "# Other\n",
        "setup.py": MODULE,
        "../../../outside.md": "# Outside\n",
    }
    return install_python(tmp_path, "flask", "3.1.3", files, "# Flask\n\nA käse of a framework.\n")


def test_a_python_package(flask: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY", str(tmp_path / "ran"))
    found = installed_contents(FLASK, flask)
    pages = texts(found)
    assert list(pages) == ["docs/README", "docs/quick", "api/flask.app", "changes/changes/3.0"]
    assert "käse" in pages["docs/README"]
    assert not (tmp_path / "ran").exists()
    assert abs(installed_size(FLASK, flask) - found.size) < found.size


def test_signatures_are_verbatim(flask: Path) -> None:
    text = texts(installed_contents(FLASK, flask))["api/flask.app"]
    for line in (
        "class Flask(Scaffold)",
        "def Flask.route(self, rule: str, /, *, methods: list[str] | None=None, **options: Any) -> Callable[[T], T]",
        "async def stream(url: str)",
        "@property",
        "**Parameters**",
    ):
        assert line in text
    assert "_private" not in text and "_helper" not in text


def test_a_package_of_node_modules(tmp_path: Path) -> None:
    files = {
        "README.md": "# Fastify\n",
        "docs/Guides/Start.md": "# Start\n",
        "CHANGELOG.md": "# 5.0\n",
        "types/index.d.ts": DECLARATIONS,
        "node_modules/inner/README.md": "# Inner\n",
        "LICENSE.md": "MIT",
    }
    place = install_node(tmp_path, "fastify", "5.0.0", files)
    pages = texts(installed_contents(Package("npm", "fastify", "5.0.0"), place))
    assert list(pages) == ["docs/README", "docs/Guides/Start", "api/types/index", "changes/CHANGELOG"]
    assert "listen(port: number, callback?: (error: Error | null) => void): Promise<string>" in pages["api/types/index"]


def test_symbols_of_node_modules(tmp_path: Path) -> None:
    place = install_node(
        tmp_path, "fastify", "5.0.0", {"index.d.ts": DECLARATIONS + MORE, "ts4.9/index.d.ts": DECLARATIONS}
    )
    found = {each.name: each for each in installed_contents(Package("npm", "fastify", "5.0.0"), place).symbols}
    kinds = {
        "interface": "FastifyInstance Extended Everywhere",
        "method": "FastifyInstance.listen FastifyInstance.hidden Child.constructor",
        "property": "FastifyInstance.version Child.aria-label",
        "function": "fastify fs/promises.readFile",
        "constant": "Level.Low Level.High ns.limit last",
        "class": "Child",
        "enum": "Level",
        "namespace": "ns",
        "type": "ns.Options",
    }
    expected = {name: kind for kind, names in kinds.items() for name in names.split()}
    assert {name: each.kind for name, each in found.items()} == expected
    listen = found["FastifyInstance.listen"]
    assert (listen.file, listen.line) == ("index.d.ts", 8)
    assert listen.signature == "listen(port: number, callback?: (error: Error | null) => void): Promise<string>"
    assert listen.summary == "Listen on a port.\n**param** port the port"
    assert listen.page == "webrag://package/npm/fastify@5.0.0/api/index#FastifyInstance.listen"
    assert found["fastify"].signature.count("function fastify(") == 2
    assert found["Child"].leads_to == ("Base", "ns.Other", "Third")


def test_declarations_have_their_comments() -> None:
    text = declarations_page(read_declarations(DECLARATIONS), "fastify")
    assert text is not None and text.count("\n## ") == 4
    assert "## FastifyInstance\n" in text and "## FastifyInstance.version\n" in text and "## fastify\n" in text
    assert "See `listen`." in text and "**param** port the port" in text
    assert "## FastifyInstance.hidden" not in text
    assert "logger: boolean" in text


@pytest.mark.parametrize("source", [b"def f(:", b"\0", b"(" * 10_000, b"x" * 600_000, b"", b"\xff\xfe"])
def test_modules_that_cannot_be_parsed_give_nothing(source: bytes) -> None:
    module = read_module(source, "m", "m.py")
    assert module is None or module_page(module) is None


@pytest.mark.parametrize(
    "text", ["/**", "/** a */", "/** a */ (((", "/** */ export", "/***/" * 1_000, "/** a */\nexport {x}"]
)
def test_damaged_declarations_give_nothing(text: str) -> None:
    made = declarations_page(read_declarations(text), "m")
    assert made is None or made.startswith("# m\n")


def test_names_of_modules() -> None:
    names = {
        "flask/app.py": "flask.app",
        "flask/__init__.py": "flask",
        "httpx/_client.py": "httpx._client",
        "setup.py": "",
    }
    assert {path: module_name(path) for path in names} == names
    assert module_name("a/tests/b.py") == module_name("a/test_b.py") == module_name("a-b/c.py") == ""


def test_a_link_in_a_package_does_not_lead_out(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n")
    place = install_node(tmp_path, "evil", "1.0.0", {"README.md": "# Evil\n"})
    (place / "docs").mkdir()
    (place / "docs/secret.md").symlink_to(secret)
    info = install_python(tmp_path, "evil", "1.0.0", {"evil/docs/a.md": "# A\n"})
    (info.parent / "evil/docs/a.md").unlink()
    (info.parent / "evil/docs/a.md").symlink_to(secret)
    for ecosystem, folder in (("npm", place), ("pypi", info)):
        pages = texts(installed_contents(Package(ecosystem, "evil", "1.0.0"), folder))
        assert not any("Secret" in text for text in pages.values())


def test_limits(flask: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_PACKAGE_PAGES", 2)
    found = installed_contents(FLASK, flask)
    assert len(found.pages) == 2 and found.is_cut


def test_a_copy_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        installed_contents(FLASK, tmp_path / "gone.dist-info")


@pytest.mark.real
@pytest.mark.parametrize(
    "sign",
    [
        "/** a */",
        "/** a */ export function f(",
        "/** a */\nx: {",
        "/**",
        "<",
        "{",
        "/** @a ",
        "*/",
        "'\\'",
        "export {",
        "class A extends B<",
        "class A {\na\n",
        "x\n",
        "}",
    ],
)
def test_declarations_take_linear_time(sign: str) -> None:
    found = cost(lambda count: sign * count, read_declarations, 5_000)
    assert found.growth <= LINEAR or found.seconds < 0.2


def test_builds_that_repeat_declarations_are_read_once(tmp_path: Path) -> None:
    same = "/** Opens a door. */\nexport declare function open(door: string): void;\n"
    own = "/** Closes a door. */\nexport declare function close(door: string): void;\n"
    write(
        tmp_path,
        {
            "package.json": "{}",
            "dist/development/a.d.ts": same,
            "dist/production/a.d.ts": same,
            "dist/production/b.d.ts": f"{same}{own}",
        },
    )
    found = installed_contents(Package("npm", "doors", "1.0.0"), tmp_path)
    assert [(page.path, b"Opens" in page.content) for page in found.api] == [
        ("api/dist/development/a", True),
        ("api/dist/production/b", False),
    ]
    assert [symbol.name for symbol in found.symbols] == ["open", "close"]
