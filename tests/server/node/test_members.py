"""Results for members by the claims of their tokens, and sources that a node never reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pg.grants import GrantRole, Grants
from tests.server.node.test_endpoints import PAGE
from tests.server.node.test_rights import _called
from tests.support.nodes import Issuer, RunningNode
from tests.support.site import Site


def test_a_user_who_left_a_group_loses_its_rights_with_the_next_token(
    node: RunningNode, issuer: Issuer, grants: Grants
) -> None:
    grants.give("notes", "group:staff", GrantRole.READER)
    page = node.ask("POST", "/library/v1/pages", PAGE, issuer.token("ann"))[1]["page_id"]
    member, left = issuer.token("gita", groups=["staff"]), issuer.token("gita", groups=["guests"])
    path = f"/library/v1/pages/{page}"
    assert node.ask("GET", path, token=member)[0] == 200
    assert [each["name"] for each in node.ask("GET", "/library/v1", token=member)[1]["collections"]] == ["notes"]
    assert node.ask("GET", path, token=left)[0] == 404
    assert node.ask("GET", "/library/v1", token=left)[1]["collections"] == []
    assert node.ask("GET", path, token=issuer.token("gita", groups=["staff"], exp=1))[0] == 401
    assert node.ask("DELETE", path, token=issuer.token("ann"))[0] == 200
    grants.take("notes", "group:staff")


@pytest.mark.parametrize("tool", ["ingest", "web_readFromPage", "answer"])
async def test_a_node_reads_nothing_inside_and_no_file_for_who_may_write(
    node: RunningNode, issuer: Issuer, tmp_path: Path, tool: str
) -> None:
    file = tmp_path / "secret.md"
    file.write_text("# Secret\n\nThe key lies under the mat.\n", "utf-8")
    more = {} if tool == "ingest" else {"query": "Where is the key?"}
    with Site() as site:
        site.page("/inside", "<html><body><h1>Inside</h1><p>The key lies under the mat.</p></body></html>")
        for address in (site.url("/inside"), "http://169.254.169.254/latest/meta-data/", file.as_uri(), str(file)):
            reply = await _called(node, issuer.token("ann"), tool, {"url": address, **more})
            assert reply.is_error and "under the mat" not in str(reply), (tool, address, reply)
        assert site.requests == []
