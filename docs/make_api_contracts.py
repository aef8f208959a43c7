"""docs/api-contracts.md anew, from the server itself: python docs/make_api_contracts.py [--check]

The tools, resources and prompts are asked of the server by the official client, as any assistant would; the numbers are those of
app/caps.py and of the settings' defaults; what schemas leave unsaid to stay small is in api-fields.toml. `--check` writes nothing and
fails when the page is not what would be written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import mcp.types as types
from mcp import Client

from app import caps, errors
from app.engine import build_engine
from app.errors import ErrorCode, PassageExpiredError, WebRAGError
from app.server.calls.registry import LEGACY, PROFILES, Family, Registry, ToolSpec
from app.server.protocol.mcp_server import build_mcp_server
from app.server.render.errors import argument_text
from app.server.tools import TOOLS, build_registry
from app.settings import Settings

HERE: Final = Path(__file__).parent
SOURCE: Final = HERE / "api-contracts.in.md"
FIELDS: Final = tomllib.loads((HERE / "api-fields.toml").read_text(encoding="utf-8"))
PAGE: Final = HERE / "api-contracts.md"
MADE: Final = "<!-- Made by docs/make_api_contracts.py from docs/api-contracts.in.md and the server; do not edit. -->"

INLINE_CHARS: Final = 120
_PLACEHOLDER = re.compile(r"\{([A-Z][A-Z_]+)\}")
_COMMENT = re.compile(r"<!-- The source of .*? -->\n\n")

Json = Mapping[str, Any]

CODES: Final = {
    ErrorCode.INVALID_ARGUMENT: "A value cannot be used; correct it and call again. For passages `details.reason` is `expired`.",
    ErrorCode.SCOPE_VIOLATION: "`scope.project_id` is not the project of this instance, or a shared library refuses this person.",
    ErrorCode.BACKEND_UNAVAILABLE: "A page, a provider or a part of the program cannot be used now; the hint says what to do.",
    ErrorCode.TIMEOUT: "The call ran into its time limit.",
    ErrorCode.BUDGET_EXCEEDED: "Too many calls (`details.retryAfter` in seconds), or something is larger than allowed.",
    ErrorCode.INTERNAL_ERROR: "A defect. The text names the place in the log and nothing else.",
}


@dataclass(frozen=True)
class Offered:
    """What the server offers."""

    tools: Sequence[types.Tool]
    templates: Sequence[types.ResourceTemplate]
    prompts: Sequence[types.Prompt]


async def offered(settings: Settings) -> Offered:
    """Everything that a client can list which does not depend on what is stored."""
    engine = build_engine(settings)
    # Every tool by its canonical schemas, the older names too.
    server = build_mcp_server(engine, build_registry(settings))
    async with Client(server) as client:
        return Offered(
            (await client.list_tools()).tools,
            (await client.list_resource_templates()).resource_templates,
            (await client.list_prompts()).prompts,
        )


def page() -> str:
    """The text of the page."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), mcp_legacy_tools_enabled=True)
        listed = asyncio.run(offered(settings))
    source = _COMMENT.sub("", SOURCE.read_text(encoding="utf-8"))
    text = _with_numbers(source)
    for mark, part in {
        "errors": _table(("code", "means"), ((f"`{code}`", CODES[code]) for code in ErrorCode)),
        "profiles": _profiles(),
        "tools": "\n\n".join(["\n".join(_overview(listed.tools)), *map(_tool, listed.tools)]),
        "resources": "\n\n".join(map(_template, listed.templates)),
        "prompts": "\n\n".join(map(_prompt, listed.prompts)),
    }.items():
        text = text.replace(f"<!-- {mark} -->", part)
    return f"{MADE}\n\n{text.rstrip()}\n"


def _with_numbers(text: str) -> str:
    return _PLACEHOLDER.sub(lambda found: _value(found[1]), text)


def _value(name: str) -> str:
    """What stands in place of a name in braces: a text made here, the default of a setting, or a cap."""
    made: dict[str, Callable[[], str]] = {"ENVELOPE": _envelope, "TEMPLATE": _error_template}
    if name in made:
        return made[name]()
    if name == "SCRATCH_MINUTES":
        return f"{caps.SCRATCH_SECONDS / 60:g}"
    value = getattr(Settings(data_dir=Path()), name.lower()) if name.startswith("MCP_") else getattr(caps, name)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _envelope() -> str:
    error = PassageExpiredError("Passage expired; call kb.search again")
    details = {"hint": error.hint, **error.details}
    return _json({"error": {"code": error.code.value, "message": error.message, "details": details}})


def _error_template() -> str:
    return argument_text(errors.InvalidArgumentError("`top_k` must be at most 50; it is 99."))


def _profiles() -> str:
    whole = Registry(TOOLS)
    rows = []
    for profile in PROFILES:
        names = [f"`{whole.wire_name(spec)}`" for spec in Registry(TOOLS, profile=profile).listed()]
        rows.append((f"`{profile}`", ", ".join(names)))
    return _table(("profile", "tools"), rows)


def _overview(tools: Iterable[types.Tool]) -> list[str]:
    rows = []
    for tool in tools:
        spec = _spec(tool)
        does = "reads the web" if spec.hints.open_world else "reads what is stored"
        if not spec.hints.read_only:
            does += ", stores pages"
        rows.append((f"[`{tool.name}`](#{_anchor(spec.id)})", f"`{spec.id}`", spec.family.value, does))
    return [_table(("listed as", "id", "result", "does"), rows)]


def _tool(tool: types.Tool) -> str:
    spec = _spec(tool)
    parts = [f"### {spec.id}", _facts(tool, spec), _quoted(tool.description or ""), "**Input**", _parameters(spec)]
    parts.append(_folded("Input schema", spec.input_schema))
    if spec.output_schema is not None:
        parts += ["**Output**", _results(spec), _folded("Output schema", spec.output_schema)]
    return "\n\n".join(part for part in parts if part)


def _facts(tool: types.Tool, spec: ToolSpec) -> str:
    hints = {
        "readOnlyHint": spec.hints.read_only,
        "destructiveHint": spec.hints.destructive,
        "idempotentHint": spec.hints.idempotent,
        "openWorldHint": spec.hints.open_world,
    }
    shown = ", ".join(f"`{name}` {str(value).lower()}" for name, value in hints.items())
    family = "one text" if spec.family is Family.TEXT else "structured content, and a text that says the same"
    lines = [f"{spec.title}. Listed as `{tool.name}`. Returns {family}.", f"Annotations: {shown}."]
    if not spec.listed:
        lines.insert(1, "An older name: callable, and listed only with `MCP_LEGACY_TOOLS_ENABLED=true`.")
    if spec.max_result_chars is not None:
        lines.append(f"`_meta`: `anthropic/maxResultSizeChars` {spec.max_result_chars:,}.")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}  " for line in text.splitlines())


def _parameters(spec: ToolSpec) -> str:
    """A table of the parameters, those of inner objects below them."""
    rows = list(_rows(spec.input_schema, spec.input_schema, spec.id, ""))
    return _table(("parameter", "type", "default", "limits", "meaning"), rows) if rows else "Nothing."


def _rows(schema: Json, root: Json, tool: str, above: str) -> Iterable[tuple[str, ...]]:
    required = schema.get("required", ())
    for name, given in schema.get("properties", {}).items():
        each = _resolved(given, root)
        path = f"{above}{name}"
        default = "required" if name in required else f"`{json.dumps(each['default'])}`" if "default" in each else ""
        kind = _type(each, root) or FIELDS["types"].get(path, "")
        yield f"`{path}`", kind, default, _limits(each, root), _meaning(each, tool, path)
        inner = _resolved(each.get("items", {}), root)
        if "properties" in each:
            yield from _rows(each, root, tool, f"{path}.")
        elif "properties" in inner:
            yield from _rows(inner, root, tool, f"{path}[].")


def _meaning(schema: Json, tool: str, path: str) -> str:
    """The description of a parameter, or what is said of it apart from the schema."""
    said = FIELDS["parameters"]
    # The knowledge base and the graph have their meanings in a few words, to keep the list of tools small.
    is_short = tool.startswith(("kb.", "graph.")) or tool in LEGACY
    own, general = schema.get("description", ""), said.get(path, "")
    text = said.get(f"{tool}:{path}") or (general or own if is_short else own or general)
    return _with_numbers(str(text))


def _results(spec: ToolSpec) -> str:
    """A table of the fields that a result can have."""
    same = FIELDS["same_results"].get(spec.id)
    if same:
        return f"As for [{same}](#{_anchor(same)})."
    fields = FIELDS["results"].get(spec.id, {})
    return _table(("field", "meaning"), ((f"`{field}`", _with_numbers(meaning)) for field, meaning in fields.items()))


def _resolved(schema: Json, root: Json) -> Json:
    reference = schema.get("$ref", "")
    if not reference.startswith("#/"):
        return schema
    found: Any = root
    for part in reference[2:].split("/"):
        found = found[part]
    return {**found, **{key: value for key, value in schema.items() if key != "$ref"}}


def _type(schema: Json, root: Json) -> str:
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(_resolved(each, root), root) for each in schema[key])
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"] if value is not None)
    given = schema.get("type", "")
    kinds = [kind for kind in ([given] if isinstance(given, str) else given) if kind != "null"]
    inner = _resolved(schema.get("items", {}), root)
    listed = f"list of {_type(inner, root)}" if inner else "list"
    return " or ".join(listed if kind == "array" else str(kind) for kind in kinds)


def _limits(schema: Json, root: Json) -> str:
    said = []
    for low, high, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " entries"),
    ):
        least, most = schema.get(low), schema.get(high)
        if least is not None and most is not None:
            said.append(f"{least:,} to {most:,}{unit}")
        elif most is not None:
            said.append(f"at most {most:,}{unit}")
        elif least is not None:
            said.append(f"at least {least:,}{unit}")
    for each in schema.get("anyOf", ()):
        said.extend(filter(None, [_limits(_resolved(each, root), root)]))
    inner = _resolved(schema.get("items", {}), root)
    if inner and (limits := _limits(inner, root)):
        said.append(f"each {limits}")
    return "; ".join(dict.fromkeys(said))


def _template(template: types.ResourceTemplate) -> str:
    about = [
        f"### {template.title or template.name}",
        f"`{template.uri_template}`, {template.mime_type}. {template.description}",
    ]
    if template.annotations is not None:
        about.append(
            f"Annotations: `{_json(template.annotations.model_dump(mode='json', by_alias=True, exclude_none=True))}`."
        )
    return "\n\n".join(about)


def _prompt(prompt: types.Prompt) -> str:
    rows = [
        (f"`{argument.name}`", "required" if argument.required else "optional", argument.description or "")
        for argument in prompt.arguments or ()
    ]
    return f"### {prompt.name}\n\n{prompt.title}. {prompt.description}\n\n{_table(('argument', '', 'meaning'), rows)}"


def _spec(tool: types.Tool) -> ToolSpec:
    spec = next((spec for spec in TOOLS if spec.id == tool.title), None)
    if spec is None:
        raise WebRAGError(f"the tool {tool.name} is not in the registry")
    return spec


def _anchor(heading: str) -> str:
    """Where a heading is linked to."""
    return heading.lower().replace(".", "")


def _folded(title: str, schema: Json) -> str:
    return f"<details><summary>{title}</summary>\n\n```json\n{_json(schema)}\n```\n\n</details>"


def _json(value: Any, indent: str = "") -> str:
    """JSON with short objects and lists in one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(indent) <= INLINE_CHARS or not isinstance(value, dict | list) or not value:
        return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        entries = [f"{deeper}{json.dumps(key)}: {_json(each, deeper)}" for key, each in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{deeper}{_json(each, deeper)}" for each in value) + f"\n{indent}]"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    options = parser.parse_args(arguments)
    text = page()
    if not options.check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE.name} is out of date: run `python docs/make_api_contracts.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
