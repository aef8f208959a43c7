"""A scripted model on loopback with four protocols: OpenAI chat completions, OpenAI responses, Anthropic messages, Gemini.

A script is a list of steps. The model requests the tool of the first step. Each tool result in the next request leads to the next step, and
after the last one the model replies Done. It records the tools of each request with their size, and every tool result exactly as the model
would read it.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from app.server.calls.registry import BYTES_PER_TOKEN, normalised_name
from app.server.tools import TOOLS

Json = dict[str, Any]

MODEL: Final = "scripted"
CONTEXT_TOKENS: Final = 200_000
FINAL_WORDS: Final = "Done."
MAX_REQUESTS: Final = 400
FINDING: Final = "find_"
FINDERS: Final = ("ToolSearch", "tool_search")
"""Tools that search for other tools, of which the assistant only sends the names at first."""
INVOKER: Final = "tool_call"
OUR_TOOLS: Final = frozenset(normalised_name(spec.id) for spec in TOOLS)


@dataclass(frozen=True)
class Step:
    """A tool that the model requests, by the end of its name. `before` runs first, between two calls."""

    tool: str
    arguments: Json
    before: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Turn:
    """A request of an assistant with tools: the tools by name, as sent, and the results so far, oldest first."""

    protocol: str
    tools: dict[str, Json]
    answers: tuple[tuple[str, str], ...]

    @property
    def results(self) -> tuple[str, ...]:
        """Return the results of the steps, without tool searches."""
        return tuple(text for name, text in self.answers if not name.startswith(FINDING))

    @property
    def searches(self) -> int:
        return len(self.answers) - len(self.results)

    @property
    def ours(self) -> frozenset[str]:
        """Return our tools that the request describes."""
        return frozenset(name for name in self.tools if self.bare(name))

    @property
    def tokens(self) -> int:
        """Return the approximate number of tokens of our tools in the request."""
        told = (
            json.dumps(each, ensure_ascii=False, separators=(",", ":"))
            for name, each in self.tools.items()
            if self.bare(name)
        )
        return sum(len(each.encode()) for each in told) // BYTES_PER_TOKEN

    @staticmethod
    def bare(name: str) -> str:
        """Return a tool's name without the assistant's prefix, or an empty string for a foreign tool."""
        own = re.sub(r"^(?:mcp_+)?webrag(?:_+|\.|:|-)", "", name)
        return own if own in OUR_TOOLS else ""


@dataclass
class Conversation:
    """The requests of a script and their results."""

    steps: Sequence[Step]
    full_name: str = "{tool}"
    found: set[str] = field(default_factory=set)
    turns: list[Turn] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, turn: Turn) -> tuple[str, str, Json] | None:
        """Return ID, name and arguments of the next call, or None at the end of the script or for a missing tool."""
        with self.lock:
            if len(self.turns) < MAX_REQUESTS:
                self.turns.append(turn)
            place = len(turn.results)
            if place >= len(self.steps):
                return None
            step = self.steps[place]
            if place >= len(self.asked):
                step.before()
                self.asked.append(step.tool)
            return self._call(turn, place, step)

    def _call(self, turn: Turn, place: int, step: Step) -> tuple[str, str, Json]:
        """Return the name under which the tool is offered. A tool without a description is searched for first, if possible."""
        described = next((name for name in turn.tools if turn.bare(name) == step.tool), "")
        full = self.full_name.format(tool=step.tool)
        finder = next((name for name in turn.tools if name in FINDERS), "")
        if described:
            return f"call_{place}", described, step.arguments
        if finder and step.tool not in self.found:
            self.found.add(step.tool)
            return f"{FINDING}{place}", finder, {"query": f"select:{full}", "max_results": 5}
        if INVOKER in turn.tools:
            return f"call_{place}", INVOKER, {"name": full, "arguments": step.arguments}
        return f"call_{place}", full, step.arguments

    @property
    def results(self) -> tuple[str, ...]:
        """Return the results of the longest conversation."""
        return max((turn.results for turn in self.turns), key=len, default=())


class Model:
    """The server. `conversation` is replaced for each run."""

    def __init__(self) -> None:
        self.conversation = Conversation(())
        self.requests: list[tuple[str, Json]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def play(self, full_name: str, *steps: Step) -> Conversation:
        """Start a new script. `full_name` is the assistant's name for our tools."""
        self.conversation = Conversation(steps, full_name)
        self.requests.clear()
        return self.conversation

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=60)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing: pytest shows the relevant output."""

        def do_HEAD(self) -> None:
            self._send(b"", "application/json")

        def do_GET(self) -> None:
            listed = {"object": "list", "data": [{"id": MODEL, "object": "model", "context_length": CONTEXT_TOKENS}]}
            self._send(json.dumps(listed).encode(), "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = json.loads(body or b"{}")
            path = self.path.split("?")[0]
            if len(model.requests) < MAX_REQUESTS:
                model.requests.append((path, request))
            for ending, answer in PROTOCOLS.items():
                if path.endswith(ending):
                    is_stream = bool(request.get("stream")) or ":stream" in path
                    parts = list(answer(model.conversation, request, is_stream))
                    if is_stream:
                        self._send("".join(parts).encode(), "text/event-stream")
                    else:
                        self._send(parts[0].encode(), "application/json")
                    return
            if path.endswith(("count_tokens", ":countTokens")):
                self._send(b'{"input_tokens": 1000, "totalTokens": 1000}', "application/json")
                return
            self._send(b"{}", "application/json")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _text(content: Any) -> str:
    """Return the text of a result, whether it arrived as one text or in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_text(part.get("text", part.get("content", ""))) for part in content if isinstance(part, dict))
    return json.dumps(content, ensure_ascii=False)


def _event(data: Json, name: str = "") -> str:
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


# --- OpenAI chat completions ---


def _chat(conversation: Conversation, request: Json, is_stream: bool) -> Iterator[str]:
    offered = {tool["function"]["name"]: tool["function"] for tool in request.get("tools", []) if "function" in tool}
    answers = tuple(
        (str(said.get("tool_call_id", "")), _text(said.get("content")))
        for said in request.get("messages", [])
        if said.get("role") == "tool"
    )
    call = conversation.next(Turn("chat", offered, answers)) if offered else None
    said: Json = {"role": "assistant", "content": None if call else FINAL_WORDS}
    if call:
        function = {"name": call[1], "arguments": json.dumps(call[2])}
        said["tool_calls"] = [{"index": 0, "id": call[0], "type": "function", "function": function}]
    reason = "tool_calls" if call else "stop"
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
    head = {"id": "chat_1", "created": 1, "model": MODEL}
    if is_stream:
        for delta, ended in ((said, None), ({}, reason)):
            choice = {"index": 0, "delta": delta, "finish_reason": ended}
            yield _event({**head, "object": "chat.completion.chunk", "choices": [choice]})
        yield _event({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        yield "data: [DONE]\n\n"
    else:
        choice = {"index": 0, "message": said, "finish_reason": reason}
        yield json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


# --- OpenAI responses ---


def _response_tools(listed: Sequence[Json], prefix: str = "") -> dict[str, Json]:
    """Return the tools by name. Tools of a namespace have its name as a prefix."""
    found: dict[str, Json] = {}
    for tool in listed:
        if tool.get("type") == "namespace":
            found |= _response_tools(tool.get("tools", []), f"{tool['name']}.")
        elif "name" in tool:
            found[prefix + tool["name"]] = tool
    return found


def _responses(conversation: Conversation, request: Json, is_stream: bool) -> Iterator[str]:
    offered = _response_tools(request.get("tools", []))
    answers = tuple(
        (str(item.get("call_id", "")), _text(item.get("output")))
        for item in request.get("input", [])
        if isinstance(item, dict) and item.get("type") == "function_call_output"
    )
    call = conversation.next(Turn("responses", offered, answers)) if offered else None
    if call:
        space, _, name = call[1].rpartition(".")
        item: Json = {"type": "function_call", "id": f"fc_{call[0]}", "call_id": call[0], "name": name}
        item |= {"arguments": json.dumps(call[2]), "status": "completed"} | ({"namespace": space} if space else {})
    else:
        words = {"type": "output_text", "text": FINAL_WORDS, "annotations": []}
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [words]}
    usage = {"input_tokens": 1000, "output_tokens": 10, "total_tokens": 1010}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}  # type: ignore[dict-item]
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": MODEL, "status": "completed"}
    whole = {**response, "output": [item], "usage": usage}
    if not is_stream:
        yield json.dumps(whole)
        return
    begun = {**response, "status": "in_progress", "output": []}
    yield _event({"type": "response.created", "response": begun}, "response.created")
    for kind in ("response.output_item.added", "response.output_item.done"):
        yield _event({"type": kind, "output_index": 0, "item": item}, kind)
    yield _event({"type": "response.completed", "response": whole}, "response.completed")


# --- Anthropic messages ---


def _messages(conversation: Conversation, request: Json, is_stream: bool) -> Iterator[str]:
    offered = {tool["name"]: tool for tool in request.get("tools", []) if "name" in tool}
    blocks = [
        block
        for said in request.get("messages", [])
        if isinstance(said.get("content"), list)
        for block in said["content"]
    ]
    answers = tuple(
        (str(block.get("tool_use_id", "")).removeprefix("toolu_"), _text(block.get("content")))
        for block in blocks
        if block.get("type") == "tool_result"
    )
    call = conversation.next(Turn("messages", offered, answers)) if offered else None
    block: Json = {"type": "text", "text": FINAL_WORDS}
    if call:
        block = {"type": "tool_use", "id": f"toolu_{call[0]}", "name": call[1], "input": call[2]}
    reason = "tool_use" if call else "end_turn"
    usage = {"input_tokens": 1000, "output_tokens": 10}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", MODEL)}
    message |= {"content": [block], "stop_reason": reason, "stop_sequence": None, "usage": usage}
    if not is_stream:
        yield json.dumps(message)
        return
    begun = {**message, "content": [], "stop_reason": None}
    yield _event({"type": "message_start", "message": begun}, "message_start")
    empty = {**block, "input": {}} if call else {**block, "text": ""}
    delta: Json = {"type": "text_delta", "text": FINAL_WORDS}
    if call:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[2])}
    yield _event({"type": "content_block_start", "index": 0, "content_block": empty}, "content_block_start")
    yield _event({"type": "content_block_delta", "index": 0, "delta": delta}, "content_block_delta")
    yield _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    ended = {"stop_reason": reason, "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}}, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


# --- Gemini ---


def _gemini(conversation: Conversation, request: Json, is_stream: bool) -> Iterator[str]:
    declared = [each for group in request.get("tools", []) for each in group.get("functionDeclarations", [])]
    offered = {tool["name"]: tool for tool in declared}
    parts = [part for said in request.get("contents", []) for part in said.get("parts", [])]
    responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
    answers = tuple(
        (str(said.get("id", "")), _text(said.get("response", {}).get("output", said.get("response", {}))))
        for said in responses
    )
    call = conversation.next(Turn("gemini", offered, answers)) if offered else None
    part: Json = {"text": FINAL_WORDS}
    if call:
        part = {"functionCall": {"id": call[0], "name": call[1], "args": call[2]}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 10, "totalTokenCount": 1010}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}
    yield _event(answer) if is_stream else json.dumps(answer)


PROTOCOLS: Final[dict[str, Callable[[Conversation, Json, bool], Iterator[str]]]] = {
    "/chat/completions": _chat,
    "/responses": _responses,
    "/messages": _messages,
    ":generateContent": _gemini,
    ":streamGenerateContent": _gemini,
}
"""The handlers by the end of the requested path."""
