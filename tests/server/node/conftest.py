"""A shared library with two collections, and a node with sign-in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.embed.folder import load_card
from app.engine.node import NodeOptions
from app.library.records import EmbeddingModel
from app.paths import assets_dir
from app.pg import setup
from app.pg.connections import Connections
from app.pg.grants import GrantRole, Grants
from app.pg.sessions import Role
from tests.support.nodes import Issuer, RunningNode
from tests.support.postgres import PostgresServer


@pytest.fixture(scope="module")
def address(postgres: PostgresServer, request: pytest.FixtureRequest) -> str:
    """Return the database of a library for the program's model."""
    made = postgres.new_database(request.module.__name__.rpartition(".")[2])
    card = load_card(assets_dir() / "model")
    setup.init(made, EmbeddingModel(card.fingerprint, card.dimension))
    return made


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    made = Issuer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def options(address: str, issuer: Issuer) -> NodeOptions:
    return NodeOptions(address, "team", issuer.url, issuer.audience, "https://team.example.org")


@pytest.fixture(scope="module")
def grants(address: str) -> Iterator[Grants]:
    """Yield the grants as the administrator sees them."""
    connections = Connections(address, Role.OWNER, size=1)
    yield Grants(connections)
    connections.close()


@pytest.fixture(scope="module")
def node(
    options: NodeOptions, grants: Grants, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningNode]:
    """Ann writes to `notes`, Rita reads it, Olaf owns `secret`, and Zoe has no rights."""
    grants.add_collection("notes")
    grants.add_collection("secret")
    for name, person, role in (("notes", "ann", "writer"), ("notes", "rita", "reader"), ("secret", "olaf", "owner")):
        grants.give(name, f"user:{issuer.url}|{person}", GrantRole(role))
    running = RunningNode(tmp_path_factory.mktemp("node"), options)
    yield running
    running.close()


@pytest.fixture(scope="module")
def plain_node(options: NodeOptions, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    """Yield a node of the same library with a shared token."""
    running = RunningNode(tmp_path_factory.mktemp("plain"), replace(options, issuer="", audience="", public_url=""))
    yield running
    running.close()
