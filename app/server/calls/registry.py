"""The tools: their names, schemas and results, and which callers get which of them."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from jsonschema import Draft202012Validator

from app import caps
from app.client_limits import Reads, limits_of
from app.events import CallFailure, Event, EventBus, ProgressCallback, ToolsChanged, Verdict
from app.extensions import TASKS, UI
from app.library.records import ALL, FIRST_COLLECTION, PRIVATE, KeptPicture
from app.server.calls.limits import Caller
from app.server.render.text import Budget, JsonObject, ShownPassage
from app.settings import Settings
from app.settings_schema import NAME_STYLES, RESULT_MODES, TOOL_PROFILES, client_choices, client_libraries

if TYPE_CHECKING:
    from app.engine import Engine as Engine
    from app.library.job_records import Job
else:
    Engine = "Engine"  # Only for annotations of the server: listing tools does not load the engine.

MAX_TOOL_DESCRIPTION_CHARS: Final = 1_000
LISTED_NAME: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{caps.MAX_TOOL_NAME_CHARS}}}")
CANONICAL_NAME: Final = re.compile(rf"[A-Za-z0-9_\-./]{{1,{caps.MAX_TOOL_NAME_CHARS}}}")
LEGACY: Final = ("search_sections", "get_section_text", "expand_neighbors", "traverse_relationships")
"""Old names of knowledge base tools, with their old parameters; callable, and listed only if the settings say so."""

PROFILES: Final[Mapping[str, tuple[str, ...]]] = {
    "full": ("*",),
    "standard": (
        *("answer", "search", "status"),
        *("kb.retrieve_evidence", "kb.read_excerpt"),
        *("web.search", "web.readFromPage"),
        *("search_docs", "get_doc_page", "library_symbol"),
    ),
    "research": ("answer", "search", "status", "ingest", "kb.retrieve_evidence", "kb.read_excerpt", "web.search"),
    "docs": ("search_docs", "get_doc_page", "list_doc_pages", "library_symbol", "search", "status"),
    "kb": ("kb.*", "graph.*", "search", "status", "ingest", *LEGACY),
    "simple": ("answer", "search", "status"),
}
"""Patterns of tool ids by profile."""

DISABLED: Final[Mapping[str, str]] = {
    "search_documentation": "Tool 'search_documentation' is disabled. Use kb.retrieve_evidence."
}
"""Names that are never offered and return a fixed error."""

SOFT_DEADLINE_SECONDS: Final = 45.0

UNLISTED: Final = frozenset(
    {"pattern", "minLength", "maxLength", "minItems", "maxItems", "minimum", "additionalProperties"}
)
"""Parts of schemas that clients do not get: every assistant loads the list of tools."""

CLEAR_NAMES: Final = frozenset(
    {
        *("max_quotes", "max_quote_tokens", "max_tokens", "before_tokens", "after_tokens", "include_context_tokens"),
        *("page_size", "cursor", "max_hops", "max_paths", "node_id", "node_ids", "start_ids", "from_id", "to_id"),
        *("section_ids", "entity_ids", "rel_types", "direction", "passage_id", "passage_ids", "text"),
        *("refresh", "crawl", "max_pages", "source_url", "include_urls", "job_id", "uri"),
    }
)
"""Parameters that are clear from their name and the tool's description; the list omits their text in docs/api-contracts.md."""

MAX_VIEWS: Final = 100  # Cached views of the tools; joined libraries create more of them.
LIBRARY: Final = "library"  # The argument that chooses the libraries to search.
OF_THE_GRAPH: Final = ("graph.", "traverse_relationships")
"""Prefixes of the ids of tools that need the graph of a library."""
COLLECTION: Final = "collection"  # The argument that chooses, at a node, the collection that pages are stored in.
COLLECTION_NAME: Final[JsonObject] = {"type": "string", "maxLength": caps.MAX_COLLECTION_CHARS}
BYTES_PER_TOKEN: Final = 4  # For descriptions and schemas, in the models of assistants: English with punctuation.

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints for clients about a tool. `open_world`: it uses the network, so its calls may take long."""

    read_only: bool
    open_world: bool
    idempotent: bool = True
    destructive: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One validated call for a handler. `seconds` is the time after which it should return what it has."""

    engine: Engine
    arguments: JsonObject
    caller: Caller
    budget: Budget
    progress: ProgressCallback
    seconds: float = SOFT_DEADLINE_SECONDS
    library: str = PRIVATE  # The libraries to search: from the call, otherwise from the settings of its assistant.
    read: tuple[str, ...] | None = None
    """Pages that this connection received, newest first; None if connections of the client cannot be told apart."""

    @property
    def takes_task(self) -> bool:
        """Whether the client can follow a job, and the jobs are those of this computer."""
        return TASKS in self.caller.extensions and self.engine.node is None

    @property
    def takes_view(self) -> bool:
        """Whether the client shows evidence in a view."""
        return UI in self.caller.extensions and self.engine.node is None


@dataclass(frozen=True, slots=True)
class Link:
    """A resource that a client may read, listed next to the text of a result."""

    uri: str
    name: str
    title: str
    bytes: int
    last_modified: str = ""
    media_type: str = "text/plain"


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The result of a handler. `pages` are its addresses, best first; `failure_code` marks an error text.

    `passages` are the passages shown, best first, for the record of calls; empty if the engine already announced them. `failure` is the
    error for the Activity page, `verdict` the quality of the result. With `task`, the client follows this job instead.
    `view` is data for the evidence view. `needs_browser`: the page in `url` needs a sign-in, and the user's browser may show it.
    """

    text: str
    structured: JsonObject | None = None
    pages: tuple[str, ...] = ()
    failure_code: str = ""
    links: tuple[Link, ...] = ()
    failure: CallFailure | None = None
    picture: KeptPicture | None = None
    passages: tuple[ShownPassage, ...] = ()
    verdict: Verdict = Verdict.DONE
    task: Job | None = None
    view: JsonObject | None = None
    needs_browser: bool = False

    @property
    def is_error(self) -> bool:
        return bool(self.failure_code)


Handler = Callable[[ToolCall], Awaitable[ToolOutput]]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool.

    `time_limit` in seconds replaces the setting. `max_result_chars` is for clients that cut results. A tool with an `output_schema`
    returns structured content and a text with the same data. Clients get `listed_input` and `listed_output`, short forms of the schemas
    with every parameter; schemas with `$schema` stay whole. `check_output` checks the outer fields. `brief` replaces parameters that
    another listed tool explains. `notes_health`: results get a note about problems of the library. Other tools report them themselves
    or do not read the library. `asks_libraries`: has the argument `library` while a shared library is joined. `chooses_collection`: has
    the argument `collection` at a node. Tests check the schemas; checking them here would take a quarter of the startup time.
    """

    id: str
    title: str
    description: str
    input_schema: JsonObject
    hints: Hints
    handler: Handler
    output_schema: JsonObject | None = None
    brief: Mapping[str, JsonObject] = field(default_factory=dict)
    time_limit: float | None = None
    max_result_chars: int | None = None
    listed: bool = True
    notes_health: bool = False
    asks_libraries: bool = False
    chooses_collection: bool = False
    listed_input: JsonObject = field(init=False, repr=False)
    listed_output: JsonObject | None = field(init=False, repr=False)
    check_input: Draft202012Validator = field(init=False, repr=False)
    check_output: Draft202012Validator | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        given, listed, checked = self.input_schema, self.output_schema, self.output_schema
        if "$schema" not in given:
            given = _shortened({**given, "properties": {**given.get("properties", {}), **self.brief}})
        if checked is not None and "$schema" not in checked:
            # The full schema is in docs/api-contracts.md. Tests check the inner fields, of which there are hundreds.
            fields = checked.get("properties", {}).items()
            listed = {"type": "object", "required": checked.get("required", [])}
            checked = {
                **listed,
                "properties": {name: {"type": each["type"]} for name, each in fields if "type" in each},
            }
        object.__setattr__(self, "listed_input", given)
        object.__setattr__(self, "listed_output", listed)
        object.__setattr__(self, "check_input", Draft202012Validator(self.input_schema))
        object.__setattr__(self, "check_output", None if checked is None else Draft202012Validator(checked))

    @property
    def is_structured(self) -> bool:
        """Whether results have two forms."""
        return self.output_schema is not None


@dataclass(frozen=True, slots=True)
class ProfileCost:
    """The cost of a profile in every conversation: its tools and their tokens, rounded to tens for display."""

    tools: int
    tokens: int

    @property
    def about(self) -> str:
        return f"{round(self.tokens, -1):,}"


class Registry:
    """The tools of one profile under all spellings of their names, in the given order."""

    def __init__(self, specs: Iterable[ToolSpec], *, profile: str = "full", name_style: str = "underscore") -> None:
        patterns = PROFILES[profile]
        self.profile = profile
        self.name_style = name_style
        self._every = tuple(specs)
        self._views: dict[tuple[str, str, tuple[str, ...]], Registry] = {(profile, name_style, ()): self}
        self._specs = tuple(spec for spec in self._every if any(fnmatchcase(spec.id, pattern) for pattern in patterns))
        self._by_name: dict[str, ToolSpec] = {}
        for spec in self._specs:
            if not CANONICAL_NAME.fullmatch(spec.id) or not LISTED_NAME.fullmatch(normalised_name(spec.id)):
                raise ValueError(f"{spec.id!r} is not a usable tool name")
            if len(spec.description) > MAX_TOOL_DESCRIPTION_CHARS:
                raise ValueError(f"the description of {spec.id} has {len(spec.description)} characters")
            if self._by_name.setdefault(normalised_name(spec.id), spec) is not spec:
                raise ValueError(f"two tools share the name {normalised_name(spec.id)}")

    def view(self, profile: str, name_style: str, libraries: tuple[str, ...] = ()) -> Registry:
        """Return the same tools in another profile and name style, with these joined libraries; cached."""
        key = (profile, name_style, libraries)
        if key not in self._views:
            if len(self._views) >= MAX_VIEWS:
                self._views = {known: each for known, each in self._views.items() if not known[2]}
            every = tuple(with_libraries(spec, libraries) for spec in self._every) if libraries else self._every
            made = Registry(every, profile=profile, name_style=name_style)
            made._views = self._views
            made._every = self._every
            self._views[key] = made
        return self._views[key]

    def at_node(self) -> Registry:
        """Return the tools of a node: no graph tools, and pages are stored in a collection."""
        offered = (with_collection(spec) for spec in self._every if not spec.id.startswith(OF_THE_GRAPH))
        return Registry(offered, profile=self.profile, name_style=self.name_style)

    def listed(self) -> tuple[ToolSpec, ...]:
        return tuple(spec for spec in self._specs if spec.listed)

    def resolve(self, name: str) -> ToolSpec | None:
        """Return the tool by its canonical, underscore or camel-case name."""
        return self._by_name.get(normalised_name(name))

    def input_schema(self, name: str) -> JsonObject | None:
        spec = self.resolve(name)
        return spec.input_schema if spec is not None else None

    def tokens_of(self, spec: ToolSpec) -> int:
        """Estimate the tokens of the tool's description in an assistant that gives its model every tool."""
        told = {"name": self.wire_name(spec), "description": spec.description, "parameters": spec.listed_input}
        size = len(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())
        return -(-size // BYTES_PER_TOKEN)

    def cost(self) -> ProfileCost:
        listed = self.listed()
        return ProfileCost(len(listed), sum(self.tokens_of(spec) for spec in listed))

    def profiles_of(self, name: str) -> tuple[str, ...]:
        """Return the profiles that have a tool of this name, in any spelling."""
        return tuple(each for each in PROFILES if self.view(each, self.name_style).resolve(name) is not None)

    def wire_name(self, spec: ToolSpec) -> str:
        """Return the name that `tools/list` publishes."""
        return spec.id if self.name_style == "dotted" else normalised_name(spec.id)


class ToolOffers:
    """One registry per profile and name style. Follows ToolsChanged until closed, so changes need no restart."""

    def __init__(
        self, registry: Registry, settings: Settings, bus: EventBus, joined: Callable[[], tuple[str, ...]] = tuple
    ) -> None:
        self._registry = registry
        self._joined = joined
        self._take(replace(ToolsChanged.of(settings), profile=registry.profile, name_style=registry.name_style))
        self._result_mode = settings.mcp_result_mode
        self._result_modes = client_choices(settings.mcp_client_result_mode, RESULT_MODES)
        self._is_structured = settings.mcp_structured_output_enabled
        self.close = bus.subscribe(self._on_event)

    def of(self, caller: Caller) -> Registry:
        """Return the tools of a caller: its own request, otherwise the setting of its assistant, otherwise the general one."""
        asked = caller.tools if caller.tools in TOOL_PROFILES else ""
        profile = asked or _chosen(self._profiles, caller, self._now.profile)
        return self._registry.view(profile, _chosen(self._styles, caller, self._now.name_style), self._joined())

    def library(self, caller: Caller, arguments: Mapping[str, Any]) -> str:
        """Return the libraries of a call: its argument, otherwise the setting of its assistant, otherwise all."""
        return str(arguments.get(LIBRARY) or _chosen(self._libraries, caller, ALL))

    def result_mode(self, caller: Caller) -> str:
        """Return the form of results with two forms for this caller: one of RESULT_MODES."""
        if not self._is_structured:
            return "text"
        mode = _chosen(self._result_modes, caller, self._result_mode)
        return "text" if mode == "auto" and limits_of(caller.name).reads is Reads.BOTH else mode

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ToolsChanged):
            self._take(event)

    def _take(self, choice: ToolsChanged) -> None:
        self._now = choice
        self._profiles = client_choices(choice.client_profiles, TOOL_PROFILES)
        self._styles = client_choices(choice.client_name_styles, NAME_STYLES)
        self._libraries = client_libraries(choice.client_libraries)


def switched(specs: Iterable[ToolSpec], *, kb: bool, legacy: bool) -> tuple[ToolSpec, ...]:
    """Return the tools that the switches allow: without knowledge base and graph, or with old names in the list."""
    offered = (spec for spec in specs if kb or not (spec.id.startswith(("kb.", "graph.")) or spec.id in LEGACY))
    return tuple(replace(spec, listed=True) if legacy and spec.id in LEGACY else spec for spec in offered)


def with_libraries(spec: ToolSpec, names: tuple[str, ...]) -> ToolSpec:
    """Return the tool with the argument `library` for these shared libraries and the private one, if it searches libraries."""
    if not spec.asks_libraries:
        return spec
    choices = list(dict.fromkeys((ALL, PRIVATE, *names)))
    declared = {"type": "string", "enum": choices, "description": "Where to search; shared libraries by name."}
    return _with_parameter(spec, LIBRARY, declared)


def with_collection(spec: ToolSpec) -> ToolSpec:
    """Return the tool with the argument `collection`, if the tool lets the caller choose it."""
    if not spec.chooses_collection:
        return spec
    meaning = f"Collection to store in; default: the page's own, else your only one, else {FIRST_COLLECTION}."
    return _with_parameter(spec, COLLECTION, {**COLLECTION_NAME, "description": meaning})


def _with_parameter(spec: ToolSpec, name: str, declared: JsonObject) -> ToolSpec:
    properties = {**spec.input_schema["properties"], name: declared}
    return replace(spec, input_schema={**spec.input_schema, "properties": properties})


def _shortened(schema: Any) -> Any:
    """Return an input schema, or a part of it, shortened to save tokens in the list of tools.

    Keeps every parameter, because clients only send listed ones, with its type, choices, default, maximum, and a description if the name
    alone is unclear. Other limits are checked here.
    """
    if not isinstance(schema, Mapping):
        return schema
    short: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            short[key] = {name: _shortened(each) for name, each in value.items()}
            for name in CLEAR_NAMES & value.keys():
                short[key][name].pop("description", None)
        elif key == "anyOf":
            short[key] = [_shortened(each) for each in value]
        elif key == "type" and isinstance(value, list):
            kinds = [kind for kind in value if kind != "null"]
            short[key] = kinds[0] if len(kinds) == 1 else kinds
        elif key == "enum":
            short[key] = [each for each in value if each is not None]
        elif key not in UNLISTED and (key, value) != ("default", False):
            short[key] = _shortened(value)
    return short


def normalised_name(name: str) -> str:
    """`kb.search`, `kb_search` → kb_search; `web.readFromPage` → web_read_from_page."""
    return _CAMEL.sub("_", name).replace(".", "_").replace("-", "_").lower()


def disabled_message(name: str) -> str | None:
    return DISABLED.get(normalised_name(name))


def _chosen(choices: Mapping[str, str], caller: Caller, otherwise: str) -> str:
    """Return the setting for the name that the caller sends, or for the assistant with that name."""
    names = (caller.name.lower(), limits_of(caller.name).name)
    return next((choices[name] for name in names if name in choices), otherwise)
