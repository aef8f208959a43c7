"""Holds what a server offers against the limits of a client."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from app import caps
from app.client_limits import ClientLimits
from app.clients.checks import Findings
from app.clients.probing import ERAS, Era
from app.text.sentence import sentence

REPORT_IT: Final = sentence("Please report this with the output of: webrag doctor --json")


def judge_era(findings: Findings, era: Era, limits: ClientLimits) -> None:
    """Whether it answered, in time, wrote nothing but messages, and ended with its input."""
    if era.error:
        hint = sentence("Run the command in a terminal to see what it says; if the program was moved, register again.")
        findings.add(era.name, False, era.error, hint)
        return
    findings.start_ms = max(findings.start_ms, era.start_ms)
    findings.list_ms = era.list_ms
    in_time = era.start_ms <= limits.start_seconds * 1000
    slow = sentence(
        "It waits {} s: keep WebRAG running, or let it start when you log in.", f"{limits.start_seconds:.0f}"
    )
    found = sentence("answers after {0} ms, {1} tools", f"{era.start_ms:.0f}", len(era.tools))
    findings.add(era.name, in_time, found, slow)
    late = sentence("was still there {} s after its input had ended, and was killed", f"{caps.CLIENT_EXIT_SECONDS:.0f}")
    ends = {0: sentence("ends with its input"), None: late}.get(era.status, sentence("exit status {}", era.status))
    findings.add(f"{era.name} end", era.status == 0, ends, REPORT_IT)
    if era.noise:
        findings.add("stdout", False, sentence("holds something else than messages: {}", era.noise), REPORT_IT)
    size, limit = len(era.instructions.encode("utf-8")), limits.instructions_bytes
    if size > limit:
        words = sentence("cut short: {0} bytes, {1} are read", size, limit)
        findings.add(f"{era.name} instructions", False, words, REPORT_IT)


def judge_tools(findings: Findings, answered: list[Era], limits: ClientLimits) -> None:
    """Whether the client takes every tool, and finds the same ones in both eras."""
    if answered:
        _judge_list(findings, answered[0].tools, limits)
    if len(answered) == len(ERAS):
        first, second = (json.dumps(era.tools, sort_keys=True) for era in answered)
        findings.add("same tools", first == second, sentence("in both protocol eras"), REPORT_IT)


def _judge_list(findings: Findings, tools: tuple[Any, ...], limits: ClientLimits) -> None:
    findings.tools = len(tools)
    hint = sentence("Choose a tool profile in Settings > Tools.")
    if not findings.add("tools", bool(tools), sentence("{} listed", len(tools)), hint):
        return
    listed = [tool if isinstance(tool, dict) else {} for tool in tools]
    names = [str(tool.get("name", "")) for tool in listed]
    repeated = sorted({name for name in names if names.count(name) > 1})
    wrong = _shown([*(name for name in names if not limits.accepts(name)), *repeated])
    style = sentence("Set MCP_TOOL_NAME_STYLE to underscore.") if "." in wrong else REPORT_IT
    findings.add("names", not wrong, wrong or sentence("accepted by the client"), style)
    long = _shown(name for name, tool in zip(names, listed, strict=True) if _is_long(tool, limits))
    arrived = sentence("cut short: {}", long) if long else sentence("within the limit")
    findings.add("descriptions", not long, arrived, REPORT_IT)
    shapeless = _shown(name for name, tool in zip(names, listed, strict=True) if not _is_schema(tool))
    findings.add("schemas", not shapeless, shapeless or sentence("objects"), REPORT_IT)


def _is_long(tool: dict[str, Any], limits: ClientLimits) -> bool:
    return len(str(tool.get("description", "")).encode("utf-8")) > limits.description_bytes


def _is_schema(tool: dict[str, Any]) -> bool:
    schema = tool.get("inputSchema")
    return isinstance(schema, dict) and schema.get("type") == "object"


def _shown(names: Iterable[str]) -> str:
    return ", ".join(list(names)[: caps.MAX_TOOL_NAMES_SHOWN])
