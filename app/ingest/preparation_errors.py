"""Errors of extraction as data: only classes of the program's own tree are raised again on the other side."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from app import caps, errors
from app.errors import PreparationError, WebRAGError
from app.ingest.frames import Head

CLASSES: Final[Mapping[str, type[WebRAGError]]] = {
    name: value for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, WebRAGError)
}
_ATTRIBUTES: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("url", "hint", "note"), (str,)),
    "status": (int,),
    "links": (tuple,),
    "markdown_url": (str, type(None)),
}
"""What an error may carry beside its message."""


def error_head(error: WebRAGError) -> Head:
    """The error as a frame."""
    carried = {name: getattr(error, name) for name in _ATTRIBUTES if hasattr(error, name)}
    return {"kind": "error", "type": type(error).__name__, "message": error.message, **carried}


def error_of(head: Head, url: str) -> WebRAGError:
    """The error of a frame; a PreparationError for one that is not known or not whole."""
    message, known = head.get("message"), CLASSES.get(str(head.get("type")))
    if not isinstance(message, str) or known is None:
        return PreparationError(f"{url} could not be read: the reason is not known.", url=url)
    attributes = {name: _attribute(head[name], kinds) for name, kinds in _ATTRIBUTES.items() if name in head}
    attributes = {name: value for name, value in attributes.items() if value is not _Unfit}
    wanted = inspect.signature(known.__init__).parameters
    try:
        error = known(message, **{name: value for name, value in attributes.items() if name in wanted})
    except TypeError:
        return PreparationError(f"{url} could not be read: {message}", url=url)
    error.hint = attributes.get("hint", error.hint)
    return error


class _Unfit:
    """Stands for a value of the wrong type."""


def _attribute(value: Any, kinds: tuple[type, ...]) -> Any:
    if tuple in kinds:
        is_links = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return tuple(value[: caps.MAX_NAVIGATION_LINKS]) if is_links else _Unfit
    return value if isinstance(value, kinds) else _Unfit
