"""Arguments of a call: checks their size and schema, corrects obvious type errors, and fills in defaults."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match

from app import caps
from app.errors import InvalidArgumentError
from app.logs import redact
from app.serialise import read_json
from app.server.calls.registry import COLLECTION, LIBRARY
from app.text.sentence import sentence

HINT: Final = "Correct the value and call the tool again."

PRIVATE_ALONE: Final = (
    "This tool only uses the private library. Leave out `library`, or call answer, search, kb_search or "
    "kb_retrieve_evidence."
)

NODES_ALONE: Final = (
    "Leave it out: only ingest takes `collection`, at a node of a shared library, to choose where pages are stored."
)

HINTS_OF_UNKNOWN: Final[Mapping[str, str]] = {LIBRARY: PRIVATE_ALONE, COLLECTION: NODES_ALONE}
SIZE_HINT: Final = "Send less in one call. The limits are in the tool's description."

_TYPE_NAMES: Final = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

_NUMBERS: Final = {"integer": re.compile(r"[+-]?\d{1,15}"), "number": re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")}

_WORDS: Final[Mapping[str, Mapping[str, bool | None]]] = {
    "boolean": {"true": True, "false": False},
    "null": {"null": None, "none": None},
}

_JSON_KINDS: Final = {"array": list, "object": dict}


def check_size(arguments: Mapping[str, Any]) -> None:
    """Raise InvalidArgumentError for too much text, too many entries or too deep nesting; stops reading at the limits."""
    left = caps.MAX_ARGUMENT_BYTES
    waiting: list[tuple[str, Any, int]] = [("", arguments, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, str):
            _check(path, len(value), caps.MAX_ARGUMENT_CHARS, "characters")
            left -= len(value.encode("utf-8", "replace"))
        elif isinstance(value, Mapping | list | tuple):
            _check(path, len(value), caps.MAX_ARGUMENT_ENTRIES, "entries")
            if depth >= caps.MAX_ARGUMENT_DEPTH:
                raise InvalidArgumentError(
                    sentence("{} has more than {} levels.", _named(path), caps.MAX_ARGUMENT_DEPTH), hint=SIZE_HINT
                )
            if isinstance(value, Mapping):
                steps = [(f".{str(key)[: caps.MAX_ARGUMENT_CHARS_SHOWN]}", each) for key, each in value.items()]
            else:
                steps = [(f"[{index}]", each) for index, each in enumerate(value)]
            waiting += [(path + step, each, depth + 1) for step, each in steps]
            left -= len(value)
        if left < 0:
            raise InvalidArgumentError(
                sentence("The arguments have more than {} bytes in total.", f"{caps.MAX_ARGUMENT_BYTES:,}"),
                hint=SIZE_HINT,
            )


def checked_arguments(
    validator: Draft202012Validator, given: Mapping[str, Any] | None, *, hint: str = HINT
) -> dict[str, Any]:
    """Return the arguments with defaults. An optional one that is null or blank counts as omitted; a value in a string is parsed.

    Raises InvalidArgumentError that names the field.
    """
    schema = validator.schema
    assert isinstance(schema, Mapping)
    required = set(schema.get("required", ()))
    meant = _meant(schema, dict(given or {}))
    check_size(meant)
    arguments = {
        name: value
        for name, value in meant.items()
        if name in required or not (value is None or (isinstance(value, str) and not value.strip()))
    }
    for name, declared in schema.get("properties", {}).items():
        if "default" in declared and name not in arguments:
            arguments[name] = copy.deepcopy(declared["default"])
    error = best_match(validator.iter_errors(arguments))
    if error is not None:
        is_unknown = error.validator == "additionalProperties" and not error.absolute_path
        hints = [hint for name, hint in HINTS_OF_UNKNOWN.items() if name in arguments] if is_unknown else []
        raise InvalidArgumentError(readable(error), hint=next(iter(hints), hint))
    checked: dict[str, Any] = _whole(schema, arguments)
    return checked


def _meant(declared: Any, value: Any) -> Any:
    """Return the value that a model meant: models write numbers, lists and objects as strings, and one entry instead of a list.

    A value that cannot be converted stays unchanged, so that the check can name it.
    """
    options = [declared, *declared.get("anyOf", ())]
    if isinstance(value, str):
        value = _unquoted(options, value)
    if isinstance(value, dict):
        properties = declared.get("properties", {})
        return {name: _meant(properties.get(name, {}), each) for name, each in value.items()}
    if isinstance(value, list):
        items: Any = next((option["items"] for option in options if "items" in option), {})
        return [_meant(items, each) for each in value]
    return value


def _unquoted(options: list[Any], text: str) -> Any:
    """Return the value inside the string if its type matches one of the options and a plain string would not."""
    named = [option.get("type", "array" if "items" in option else []) for option in options]
    kinds = {kind for each in named for kind in ([each] if isinstance(each, str) else each)}
    written = text.strip()
    if written[:1] in ("[", "{"):
        try:
            value = read_json(written)
        except (ValueError, RecursionError):
            value = None
        if any(isinstance(value, _JSON_KINDS[kind]) for kind in kinds & _JSON_KINDS.keys()):
            return value
    if "string" in kinds or not kinds:
        return text
    for kind in ("integer", "number"):
        if kind in kinds and _NUMBERS[kind].fullmatch(written):
            return int(written) if kind == "integer" else float(written)
    for kind, words in _WORDS.items():
        if kind in kinds and written.lower() in words:
            return words[written.lower()]
    return [text] if "array" in kinds and written else text


def readable(error: ValidationError) -> str:
    """Return the error in words: the field, what it must be, and the given value (shortened)."""
    field = f"`{_joined(error)}`" if error.absolute_path else "`arguments`"
    expected: Any = error.validator_value
    value: Any = error.instance
    match error.validator:
        case "required":
            missing = [f"`{_joined(error, name)}`" for name in expected if name not in value]
            return (
                sentence("{} is missing.", missing[0])
                if len(missing) == 1
                else sentence("{} are missing.", " and ".join(missing))
            )
        case "additionalProperties":
            known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
            extra = next(name for name in value if name not in known)
            return sentence(
                "{} is not a parameter. Valid are {}.",
                f"`{_joined(error, _shown(extra))}`",
                ", ".join(f"`{name}`" for name in known),
            )
        case "type":
            return sentence("{} must be {}, not {}.", field, _type_words(expected), _shown(value))
        case "enum":
            choices = ", ".join("null" if each is None else str(each) for each in expected)
            return sentence("{} must be one of {}, not {}.", field, choices, _shown(value))
        case "minimum":
            return sentence("{} must be at least {}, not {}.", field, expected, _shown(value))
        case "maximum":
            return sentence("{} must be at most {}, not {}.", field, expected, _shown(value))
        case "minItems" | "minLength" | "pattern" if not str(value or "").strip():
            return sentence("{} must not be empty.", field)
        case "maxLength":
            return sentence("{} has {} characters; the maximum is {}.", field, f"{len(value):,}", f"{expected:,}")
        case "maxItems":
            return sentence("{} has {} entries; the maximum is {}.", field, len(value), expected)
        case "anyOf" | "oneOf":
            kinds = [_type_words(option.get("type", "object")) for option in expected]
            return sentence("{} must be {}, not {}.", field, " or ".join(kinds), _shown(value))
    return sentence("{} has an invalid value: {}.", field, _shown(value))


def _whole(declared: Any, value: Any) -> Any:
    """Return the checked value with whole numbers as int: JSON Schema accepts 2.0 as an integer, the program does not."""
    if isinstance(value, float):
        kinds = declared.get("type", ())
        return int(value) if "integer" in ([kinds] if isinstance(kinds, str) else kinds) else value
    if isinstance(value, dict):
        properties = declared.get("properties", {})
        return {name: _whole(properties.get(name, {}), each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(declared.get("items", {}), each) for each in value]
    return value


def _joined(error: ValidationError, last: str | None = None) -> str:
    path = ""
    for part in [*error.absolute_path, *([last] if last is not None else [])]:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _type_words(expected: Any) -> str:
    names = [expected] if isinstance(expected, str) else list(expected)
    return " or ".join(_TYPE_NAMES.get(name, name) for name in names)


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    # Redact before cutting: a cut password may no longer be recognizable.
    text = redact(text[: caps.MAX_DETAIL_CHARS])
    text = " ".join(text[: caps.MAX_ARGUMENT_CHARS_SHOWN + 1].split())
    return (
        f"{text[: caps.MAX_ARGUMENT_CHARS_SHOWN - 1]}…" if len(text) >= caps.MAX_ARGUMENT_CHARS_SHOWN else text or '""'
    )


def _check(path: str, size: int, limit: int, what: str) -> None:
    if size > limit:
        raise InvalidArgumentError(
            sentence("{} has {} {}; the maximum is {}.", _named(path), f"{size:,}", what, f"{limit:,}"), hint=SIZE_HINT
        )


def _named(path: str) -> str:
    shown = path.removeprefix(".")
    return f"`{shown[: caps.MAX_ARGUMENT_CHARS_SHOWN]}`" if shown else "`arguments`"


def as_list(value: str | list[str]) -> list[str]:
    """Return the distinct addresses in order."""
    return list(dict.fromkeys([value] if isinstance(value, str) else value))
