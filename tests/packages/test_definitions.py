"""Signatures and texts for the names of docsets and sites, from the text of their pages."""

from __future__ import annotations

from app.library.packages import Symbol
from app.packages.sites import with_signatures

PAGE = "webrag://package/docset/alpha@1/docs/api"
TEXT = """# API

## Clients

**`class alpha.Client(port)`**: Connects to a server.

**`send(data)`**: Sends data.

**`property state: str`**: The `state` of the client.

## Servers

**`class alpha.Server`**: Answers.

**`send(data, *, all=False)`**: Sends data to clients.

### Settings

- **`PORT`**: The port.
"""


def test_each_name_gets_the_definition_of_its_own_class() -> None:
    names = (
        "alpha.Client",
        "alpha.Client.send",
        "alpha.Server.send",
        "alpha.Client.state",
        "PORT",
        "alpha.gone",
        "other.send",
    )
    made = with_signatures([Symbol(name, "name", page=f"{PAGE}#{name}") for name in names], {PAGE: TEXT})
    assert [(each.signature, each.summary, each.page.removeprefix(PAGE)) for each in made] == [
        ("class alpha.Client(port)", "Connects to a server.", "#Clients"),
        ("send(data)", "Sends data.", "#Clients"),
        ("send(data, *, all=False)", "Sends data to clients.", "#Servers"),
        ("property state: str", "The `state` of the client.", "#Clients"),
        ("PORT", "The port.", "#Settings"),
        ("", "", ""),
        ("", "", ""),
    ]
