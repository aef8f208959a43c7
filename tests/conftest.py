"""Every test runs in a separate home folder, without the settings, data or keyring of the current user."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from app.paths import assets_dir

if TYPE_CHECKING:
    from app.corpus import Corpus
    from app.embed.embedder import Embedder
    from tests.support.postgres import PostgresServer

_CLEARED = ("WEBRAG_", "MCP_", "EMBEDDING_", "GOOGLE_", "BRAVE_", "TAVILY_", "SEARXNG_", "SEARCH_")

_HOMES = count()

_CLEARED_WHOLE = {"DATA_DIR", "DEBUG", "REQUEST_TIMEOUT_MS", "CONCURRENCY", "REPAIR_CLIENTS"}

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Here, because fixtures of modules run before the home of a test exists. The first use of a process chooses its keyring.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
# If the tests are started in the background, these can be ignored, and all programs that tests start would inherit that.
for _number in (signal.SIGINT, *((signal.SIGHUP, signal.SIGQUIT) if os.name == "posix" else ())):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)
# The speed of an example depends on the load of the computer. The suite runs the same examples each time; bench/properties.py searches for
# new ones.
_PATIENT = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
_EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", "1000"))
hypothesis.settings.register_profile("suite", derandomize=True, **_PATIENT)
hypothesis.settings.register_profile("random", max_examples=_EXAMPLES, **_PATIENT)
hypothesis.settings.load_profile("suite")


@contextmanager
def in_own_home(home: Path) -> Iterator[None]:
    """Create a home folder, and an environment without the program's variables."""
    folders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
    if os.name == "nt":
        folders += ["USERPROFILE", "LOCALAPPDATA", "APPDATA"]
    own = {name: f"{home}{os.sep}{name.lower()}" for name in folders}
    # Several programs run at the same time, and one of the user may have the default port.
    own |= {"HOME": str(home), "WEBRAG_CONFIG": f"{home}{os.sep}config.toml", "MCP_PORT": "0"}
    cleared = [name for name in os.environ if name.startswith(_CLEARED) or name in _CLEARED_WHOLE]
    before = {name: os.environ.get(name) for name in (*own, *cleared)}
    for name in cleared:
        del os.environ[name]
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Create a new home folder for every test."""
    # Numbered here, because pytest would list all folders for each.
    home = tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"
    home.mkdir()
    with in_own_home(home):
        yield home
    with suppress(OSError):  # Most tests leave it empty, and thousands of folders are slow to remove at the end.
        home.rmdir()


@pytest.fixture(scope="session", autouse=True)
def one_model_for_all_engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    from tests.support.one_model import one_model

    folder = _of_all_processes(tmp_path_factory) / "model"
    folder.mkdir(exist_ok=True)
    with one_model(folder):
        yield


@pytest.fixture(scope="session")
def embedder() -> Iterator[Embedder]:
    """Load the bundled model once."""
    from app.embed.onnx import OnnxEmbedder

    model = OnnxEmbedder(assets_dir() / "model")
    yield model
    model.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Start a PostgreSQL server for databases of the tests, or skip them if that is not possible.

    The start can take some time on a busy computer.
    """
    from app.pg import connections, sessions, watch
    from tests.support.postgres import PostgresServer, UnavailableError

    try:
        server = PostgresServer()
    except UnavailableError as error:
        pytest.skip(str(error))
    with pytest.MonkeyPatch.context() as patch:
        for module in (connections, sessions, watch):
            for name in ("CONNECT_SECONDS", "WAIT_SECONDS", "LOCK_SECONDS", "STATEMENT_SECONDS", "ANSWER_SECONDS"):
                if hasattr(module, name):
                    patch.setattr(module, name, 240)
        patch.setattr("app.engine.node.RIGHTS_SECONDS", 240)
        yield server
    server.close()


@pytest.fixture(scope="session")
def guide_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a corpus file with the embedded guide, to be copied. All processes of the suite share it."""
    from app.paths import corpus_file

    folder = _of_all_processes(tmp_path_factory) / "guide"
    with _alone(folder.with_suffix(".lock")):
        if not folder.exists():
            made = folder.with_suffix(".made")
            _store_guide(made)
            made.rename(folder)
    return corpus_file(folder / "data")


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all processes of the suite share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "SUITE_WORKER" in os.environ else base


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Exclude other processes of the suite within the context."""
    import fcntl

    with file.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _store_guide(folder: Path) -> None:
    """Start an engine there, wait until its guide is embedded, and stop it."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from app.engine import build_engine
    from app.settings import load_settings

    async def fill() -> None:
        engine = build_engine(load_settings(data_dir=folder / "data"))
        await engine.start()
        try:
            while (totals := (await engine.status(limit=0)).totals).chunks_embedded < totals.chunks:  # noqa: ASYNC110 (worker threads)
                await asyncio.sleep(0.05)
        finally:
            await engine.stop()

    # A separate event loop, because this fixture can be used while the loop of a test runs.
    folder.mkdir(exist_ok=True)
    with in_own_home(folder), ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, fill()).result()


def with_guide(data_dir: Path, guide_file: Path) -> Path:
    """Create a data directory with a copy of that corpus, so that an engine does not need to embed its guide again."""
    from app.paths import corpus_file

    data_dir.mkdir(parents=True, exist_ok=True)
    shutil.copy(guide_file, corpus_file(data_dir))
    return data_dir


@pytest.fixture
def guided(tmp_path: Path, guide_file: Path) -> Path:
    """Create a data directory for an engine that starts in half the time, because its guide is embedded."""
    return with_guide(tmp_path / "data", guide_file)


@pytest.fixture
def corpus(tmp_path: Path, embedder: Embedder) -> Iterator[Corpus]:
    """Create an empty corpus for vectors of the bundled model."""
    from app.corpus import Corpus

    opened = Corpus.open(tmp_path / "corpus.db", dimension=embedder.card.dimension, model=embedder.card.fingerprint)
    yield opened
    opened.close()
