"""Asking a method of the engine and printing what it gave, as text or as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from app.cli.calls import call
from app.cli.output import ProgressLine, say, say_json

if TYPE_CHECKING:
    from app.server.render.budget import Budget, CountTokens

T = TypeVar("T")
Show: TypeAlias = "Callable[[T, Budget, CountTokens], str]"

CLIENT: Final = "command line"
"""The name under which the activity log and the budget know this."""


def asked(options: argparse.Namespace, method: str, params: Mapping[str, Any], kind: type[T], show: Show[T]) -> T:
    """The result of a method, printed as text by `show` or as JSON."""
    result, shown = answered(options, method, params, kind, show)
    told(options, result, shown)
    return result


def answered(
    options: argparse.Namespace, method: str, params: Mapping[str, Any], kind: type[T], show: Show[T]
) -> tuple[T, str]:
    """The result of a method and its text, not yet printed; its progress is shown meanwhile."""
    from app.server.calls.limits import effective_budget
    from app.settings import load_settings

    settings = load_settings(data_dir=options.data_dir)
    budget = effective_budget(settings, CLIENT)

    def text(result: T, count: CountTokens) -> str:
        return "" if options.json else show(result, budget, count)

    with ProgressLine(shown=not options.json) as line:
        return call(settings, method, params, kind, line.show, text)


def told(options: argparse.Namespace, result: object, shown: str) -> None:
    """Print a result."""
    from app.serialise import to_jsonable

    if options.json:
        say_json(to_jsonable(result))
    elif shown:
        say(shown)
