"""A scope is checked against the instance and becomes a filter."""

from __future__ import annotations

import pytest

from app.errors import ErrorCode, ScopeViolationError
from app.library.scope import Filter, Narrowing, Scope, admits, filter_of


def test_another_project_is_refused_and_no_project_means_this_one() -> None:
    Scope().check("default")
    Scope(project_id="default").check("default")
    with pytest.raises(ScopeViolationError) as caught:
        Scope(project_id="other").check("default")
    assert caught.value.code is ErrorCode.SCOPE_VIOLATION


def test_scope_and_narrowing_must_both_hold() -> None:
    scope = Scope(doc_tags=("https://docs.python.org/3/",), repositories=("docs.python.org",))
    wanted = filter_of(scope, Narrowing(("docs.python.org/3",), "/3/library", 5.0))
    groups = (("docs.python.org/3",), ("docs.python.org",), ("docs.python.org/3",))
    assert wanted == Filter(doc_tags=groups, path_prefix="3/library", changed_after=5.0)


def test_a_prefix_with_a_scheme_is_an_address() -> None:
    wanted = filter_of(Scope(), Narrowing(path_prefix="https://docs.python.org/3/li"))
    assert wanted == Filter(url_prefix="https://docs.python.org/3/li")


@pytest.mark.parametrize(
    ("scope", "is_admitted"),
    [
        (Scope(), True),
        (Scope(doc_tags=("fastapi",)), True),
        (Scope(doc_tags=("FastAPI/Tutorial",)), True),
        (Scope(doc_tags=("fast",)), False),
        (Scope(doc_tags=("fastapi",), repositories=("docs.python.org",)), False),
    ],
)
def test_a_single_document_is_measured_by_its_tag(scope: Scope, is_admitted: bool) -> None:
    assert admits(scope, "fastapi/tutorial") is is_admitted
