"""Keeping the process small: what is loaded of other packages."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from app import memory

ROOT = Path(__file__).parents[2]
UNUSED = {
    "cryptography",
    "httpx2",
    "mcp.client",
    "mcp.server.mcpserver",
    "pygments",
    "rich",
}


def printed(code: str, folder: Path = ROOT) -> str:
    paths = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]; "
    done = subprocess.run([sys.executable, "-c", paths + code], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that says when its code runs."""
    inner = tmp_path / "big" / "part"
    inner.mkdir(parents=True)
    (tmp_path / "big" / "__init__.py").write_text("print('code of big'); from big.part import SIZE; heavy = SIZE + 1\n")
    (inner / "__init__.py").write_text("SIZE = 6\n")
    (inner / "small.py").write_text("NAME = 'small'\n")
    return tmp_path


SKIP = "from app.memory import skip_initialisers; skip_initialisers('big'); "


def test_a_module_is_imported_without_the_code_of_its_package(package: Path) -> None:
    code = SKIP + "from big.part.small import NAME; import big; print(NAME, big.part.SIZE, 'heavy' in vars(big))"
    assert printed(code, package).splitlines() == ["small 6 False"]


@pytest.mark.parametrize(
    "use", ["from big import heavy", "import big; heavy = big.heavy", "import big.part; heavy = big.heavy"]
)
def test_the_code_of_a_package_runs_once_when_something_of_it_is_asked_for(package: Path, use: str) -> None:
    code = (
        SKIP + f"{use}; import big; print(heavy, big.heavy, type(big).__name__, big.__spec__.loader is big.__loader__)"
    )
    assert printed(code, package).splitlines() == ["code of big", "7 7 module True"]


def test_other_threads_wait_for_the_code_of_a_package(package: Path) -> None:
    (package / "big" / "__init__.py").write_text(
        "import sys, threading\nseen = []\n"
        "asking = threading.Thread(target=lambda: seen.append(sys.modules['big'].heavy))\n"
        "asking.start()\nasking.join(0.5)\nheavy = 7\n"
    )
    assert printed(SKIP + "import big; big.asking.join(); print(big.seen)", package).splitlines() == ["[7]"]


def test_what_a_package_does_not_have_is_said_as_ever(package: Path) -> None:
    code = SKIP + "import big; print(hasattr(big, 'other'), hasattr(big, '__all__'))"
    assert printed(code, package).splitlines() == ["code of big", "False False"]


def test_a_package_that_is_loaded_stays_as_it_is(package: Path) -> None:
    code = "import big; " + SKIP + "import big.part.small; print(big.heavy)"
    assert printed(code, package).splitlines() == ["code of big", "7"]


def test_endpoint_and_fetching_load_nothing_that_they_do_not_use() -> None:
    loaded = printed("import app.server.http, app.web.fetch; print(*sys.modules)").split()
    assert not UNUSED & set(loaded)


def test_the_packages_are_whole_for_whoever_uses_them_otherwise() -> None:
    code = (
        "import app.server.http, mcp; from mcp.server import MCPServer; print(mcp.Client.__name__, MCPServer.__name__)"
    )
    assert printed(code).split() == ["Client", "MCPServer"]


class _Circle:
    def __init__(self) -> None:
        self.itself = self


def test_one_thread_collects_where_python_does_not() -> None:
    gc.collect()
    gc.disable()
    try:
        circle = _Circle()
        gone = weakref.ref(circle)
        del circle
        assert not memory.collect_due() and gone() is not None, "nothing is due"
        many: list[list[object]] = [[] for _ in range(2 * gc.get_threshold()[0])]
        assert memory.collect_due() and gone() is None
        assert len(many) and not memory.collect_due()
    finally:
        gc.enable()


def test_settling_waits_for_the_thread_that_collects() -> None:
    gc.disable()
    thresholds = gc.get_threshold()
    try:
        memory.settle()
        assert gc.get_threshold() == thresholds
        assert memory.collect_due() and gc.get_threshold() == memory.THRESHOLDS
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
