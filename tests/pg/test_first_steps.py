"""Procedures of docs/team: setup without a superuser, a base backup and its restore, a version with another model."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import main
from app.errors import EmbeddingMismatchError
from app.library.records import EmbeddingModel
from app.pg import schema, setup
from app.pg.connections import Connections
from app.pg.library import PgLibrary
from app.pg.sessions import Rights, Role
from tests.corpus.builders import document, embed, unit_vectors
from tests.support.postgres import PostgresServer

DOCS = Path(__file__).parents[2] / "docs" / "team" / "operate.md"
SECONDS = 240.0
MODEL = EmbeddingModel("model-a", 64)
NEWER = EmbeddingModel("model-b", 32)


@pytest.fixture(scope="module")
def bare(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """Yield a server without a library and its roles."""
    assert postgres, "skips where no server can run"
    server = PostgresServer()
    yield server
    server.close()


def statement(address: str, *statements: str) -> None:
    login = Connections(address, Role.LOGIN, size=1)
    try:
        for each in statements:
            login.outside(lambda con, each=each: con.execute(each))
    finally:
        login.close()


def test_a_user_who_can_create_roles_sets_up_the_library_for_a_node(bare: PostgresServer) -> None:
    address = bare.new_database("library")
    statement(
        address,
        "CREATE ROLE admin LOGIN CREATEROLE",
        "ALTER DATABASE library OWNER TO admin",
        "CREATE EXTENSION vector",
    )
    as_admin = bare.address("library", "admin")
    assert setup.init(as_admin, MODEL) == len(schema.MIGRATIONS)
    statement(as_admin, "CREATE ROLE web1 LOGIN PASSWORD 'SECRET'; GRANT webrag_node TO web1")
    node = PgLibrary.open("team", bare.address("library", "web1"), MODEL)
    own = node.collections()["library"]
    stored = node.within(Rights((own,), (own,))).documents.store(document("https://example.org/", ["One"]))
    assert stored.new_chunk_ids
    node.close()
    assert main(["admin", "grant", "library", "group:staff", "reader", "--database", as_admin]) == 0
    assert setup.state(as_admin).documents == 1


@pytest.mark.real
def test_a_base_backup_is_restored_completely(bare: PostgresServer) -> None:
    """Runs the command of the page with a thousand passages."""
    address = bare.new_database("drill")
    setup.init(address, MODEL)
    library = PgLibrary.open("team", address, MODEL, role=Role.OWNER)
    own = library.within(Rights((1,), (1,)))
    for number in range(4):
        made = document(f"https://example.org/{number}", [f"Passage {each} of {number}" for each in range(250)])
        embed(own, own.documents.store(made).new_chunk_ids, dimension=64)
    library.close()
    assert main(["admin", "grant", "library", "group:staff", "reader", "--database", address]) == 0
    before = setup.state(address)
    assert (before.documents, before.chunks, before.waiting) == (4, 1_000, 0)
    [command] = re.findall(r"^(pg_basebackup --pgdata=base .*)$", DOCS.read_text("utf-8"), re.MULTILINE)
    program, *words = shlex.split(command)
    as_user = {**bare._as_user, "cwd": bare.folder, "check": True, "timeout": SECONDS}
    login = ["--host", bare.folder, "--port", "5432", "--username", "postgres", "--no-password"]
    subprocess.run([bare.binaries / program, *words, *login], **as_user)
    bare.stop()
    for each in bare._data.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    for name, place in (("base.tar.gz", bare._data), ("pg_wal.tar.gz", bare._data / "pg_wal")):
        subprocess.run(["tar", "-xzf", bare.folder / "base" / name, "-C", place], **as_user)
    bare.serve()
    assert setup.migrate(address) == before.schema
    assert replace(setup.state(address), bytes=0) == replace(before, bytes=0)
    node = PgLibrary.open("team", address, MODEL)
    assert [grant.collection for grant in node.grants.of(["group:staff"])] == ["library"]
    found = node.within(Rights((1,))).vectors.nearest(unit_vectors(1, dimension=64)[0], k=10)
    assert len(found) == 10
    node.close()


def test_a_version_with_another_model_copies_the_pages_to_a_second_database(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, file = postgres.new_database("before"), postgres.new_database("after"), tmp_path / "library.db"
    setup.init(old, MODEL)
    library = PgLibrary.open("team", old, MODEL, role=Role.OWNER)
    own = library.within(Rights((1,), (1,)))
    for url, kind in (("https://example.org/1", "web"), ("file:///srv/notes.md", "file")):
        embed(own, own.documents.store(document(url, ["One", "Two"], kind=kind)).new_chunk_ids, dimension=64)
    library.close()
    with pytest.raises(EmbeddingMismatchError) as refused:
        PgLibrary.open("team", old, NEWER)
    assert "another library" in str(refused.value.hint)
    with pytest.raises(EmbeddingMismatchError):
        setup.init(old, NEWER)
    assert setup.state(old).waiting == 0, "nothing is embedded automatically"
    setup.init(new, NEWER)
    assert main(["admin", "migrate", "--database", old]) == 0
    alone = ["--without-vectors", "--json", "--database"]
    capsys.readouterr()
    assert main(["admin", "export", str(file), "--collection", "library", *alone, old]) == 0
    assert main(["admin", "import", str(file), "--collection", "library", "--files", *alone, new]) == 0
    out, came = (json.loads(each) for each in capsys.readouterr().out.strip().replace("}\n{", "}\0{").split("\0"))
    assert (out["documents"], came["documents"], came["chunks"], came["vectors"]) == (2, 2, 4, 0)
    after = setup.state(new)
    assert (after.documents, after.chunks, after.waiting, after.model) == (2, 4, 4, NEWER)
