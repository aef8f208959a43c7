"""Symbols of Python packages: public names, inherited members, constructors, and sources that try to take long."""

from __future__ import annotations

from typing import Final

import pytest

from app.library.packages import ALIAS, Symbol
from app.packages.python_api import module_name, read_module
from app.packages.python_names import python_symbols
from tests.support.growth import LINEAR, cost

HTTPX: Final = {
    "httpx/__init__.py": "from ._client import *\nfrom ._client import stream\nfrom . import _types as types\n"
    "from .array import array\nfrom .array import ARRAY\nfrom typing import Text as Text\nimport os\n__all__ = ['Client', *types.__all__]",
    "httpx/array.py": "class array: ...\nclass ARRAY(array): ...",
    "httpx/_types.py": "__all__ = ['Timeout']\nclass Timeout: ...",
    "httpx/_client.py": '''
import typing
from dataclasses import dataclass, field
from .sub.base import Base as _B
from .other import proxy

class Client(_B, typing.Generic[T]):
    """A client. See :meth:`~httpx.Client.send`."""
    #: Whether it is open.
    is_open: bool = False
    #: Hidden.
    _hidden = 1
    limit = 3
    """Most requests."""
    def __init__(self, *, verify: bool = True, **options) -> None:
        self.verify = verify  #: Checks certificates.
        self._x = 1
    async def send(self, request, /): ...
    @property
    def url(self) -> str: ...
    @url.setter
    def url(self, value): ...
    @typing.overload
    def get(self, a: int) -> int: ...
    @typing.overload
    def get(self, a: str) -> str: ...
    def get(self, a):
        """Get."""
    class Inner: ...

class Child(Client): "A child."

@dataclass(frozen=True)
class Point:
    x: int
    y: int = field(default=2)
    z: list = field(default_factory=list)
    n: int = field(init=False)
    C: typing.ClassVar[int] = 3

@dataclass
class Point3(Point):
    w: int = 0

@proxy(Client, methods=["send"])
class Proxy: ...

try:
    import ssl
except ImportError:
    def stream(): "Fallback."
else:
    def stream(method: str, url: str = "a", *, b: int = 1) -> Client: "Stream."

def _helper(): "Helps."
''',
    "httpx/sub/base.py": "class _Private: 'Documented.'\nclass Base(Exception):\n    def close(self, now=False): 'Close.'",
    "httpx/other.py": "def proxy(*a, **k): ...",
}


def symbols_of(files: dict[str, str]) -> list[Symbol]:
    modules = [read_module(text.encode(), module_name(path), path) for path, text in files.items()]
    return python_symbols([each for each in modules if each is not None], {})


def symbols(files: dict[str, str]) -> dict[str, Symbol]:
    modules = [read_module(text.encode(), module_name(path), path) for path, text in files.items()]
    found = python_symbols([each for each in modules if each is not None], {"httpx._client": "webrag://page"})
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


@pytest.fixture(scope="module")
def httpx() -> dict[str, Symbol]:
    return symbols(HTTPX)


def test_a_definition_has_its_shortest_public_name(httpx: dict[str, Symbol]) -> None:
    client = httpx["httpx.Client"]
    assert (
        client.signature
        == "class Client(_B, typing.Generic[T])\ndef Client.__init__(self, *, verify: bool=True, **options) -> None"
    )
    assert client.summary == "A client. See `httpx.Client.send`."
    assert (client.file, client.line, client.page) == ("httpx/_client.py", 7, "webrag://page#Client")
    assert client.leads_to == ("httpx.sub.base.Base", "typing.Generic")
    assert httpx["httpx._client.Client"] == Symbol("httpx._client.Client", ALIAS, leads_to=("httpx.Client",))
    assert httpx["httpx.stream"].signature == "def stream()"
    assert httpx["httpx.types"].leads_to == ("httpx._types",)
    assert httpx["httpx.Text"].leads_to == ("typing.Text",)
    assert httpx["httpx.ARRAY"].leads_to == ("httpx.array",)
    assert not {"httpx.os", "httpx._client._helper", "httpx.Client._hidden"} & httpx.keys()


@pytest.mark.parametrize(
    ("name", "kind", "signature", "summary"),
    [
        ("httpx.Client.send", "method", "async def Client.send(self, request, /)", ""),
        ("httpx.Client.url", "property", "@property\ndef Client.url(self) -> str", ""),
        ("httpx.Client.is_open", "attribute", "is_open: bool = False", "Whether it is open."),
        ("httpx.Client.limit", "attribute", "limit = 3", "Most requests."),
        ("httpx.Client.verify", "attribute", "self.verify = verify  #: Checks certificates.", "Checks certificates."),
        ("httpx.Client.Inner", "class", "class Client.Inner", ""),
        ("httpx.sub.base.Base.close", "method", "def Base.close(self, now=False)", "Close."),
        ("httpx.sub.base._Private", "class", "class _Private", "Documented."),
        ("httpx.Proxy.send", ALIAS, "", ""),
    ],
)
def test_kinds_of_symbols(httpx: dict[str, Symbol], name: str, kind: str, signature: str, summary: str) -> None:
    found = httpx[name]
    assert (found.kind, found.signature, found.summary) == (kind, signature, summary)


def test_overloads_and_constructors(httpx: dict[str, Symbol]) -> None:
    overloads = httpx["httpx.Client.get"].signature
    assert overloads.count("@typing.overload") == 2 and overloads.endswith("def Client.get(self, a)")
    assert httpx["httpx.Child"].signature.endswith("def Client.__init__(self, *, verify: bool=True, **options) -> None")
    assert "def Point.__init__(self, x: int, y: int = 2, z: list = ...)" in httpx["httpx.Point"].signature
    assert "(self, x: int, y: int = 2, z: list = ..., w: int = 0)" in httpx["httpx.Point3"].signature


def test_lines_and_texts_that_the_parser_reads_otherwise() -> None:
    found = symbols({"m.py": '"""a"""\f\n# \u2028 \x85\nlimit = 3 #: Most.\n\ndef f(): "\\ud800 half"\r\nlast = 4'})
    assert (found["m.limit"].signature, found["m.limit"].summary) == ("limit = 3 #: Most.", "Most.")
    assert found["m.f"].summary == "? half" and found["m.last"].signature == "last = 4"


@pytest.mark.parametrize(
    "sign",
    ["a=", "#:\n", "class A(B, C, D, E): ...\n", "from a{} import *\n", "from m import x as a{}\n", "x = 1\n'd'\n"],
)
@pytest.mark.real
def test_names_take_linear_time(sign: str) -> None:
    def source(count: int) -> dict[str, str]:
        text = "".join(sign.format(number) for number in range(count))
        return {"m.py": f"{text}1" if sign == "a=" else text}

    found = cost(source, symbols_of, 2_000)
    assert found.growth <= LINEAR or found.seconds < 0.2


@pytest.mark.parametrize(
    "files",
    [
        {f"m{each}.py": f"from m{each + 1} import a" for each in range(300)},
        {"a.py": "from b import *\nfrom b import x", "b.py": "from a import *\nfrom a import x"},
        {"a.py": "class A(B): ...\nclass B(A): ...\nfrom a import a"},
        {"a.py": "class A(" + ", ".join(["A"] * 500) + "): ..."},
        {"a.py": "class A(" + ".a" * 900 + "): ..."},
        {"a.py": "class A(a" + ".a" * 900 + "): ..."},
        {
            "a/__init__.py": "from .a import a\nfrom . import a",
            "a/a.py": "from . import a\nfrom .. import b\nfrom ..... import c",
        },
        {"a.py": "x: int\n__all__ = x = None\n__all__ += y\n(a, b) = c[0] = 1\nself.x = 1"},
    ],
)
def test_circles_and_chains_end(files: dict[str, str]) -> None:
    symbols(files)
