"""`tools` and `diagnostics`: what assistants are offered, and what the log keeps of their calls."""

from __future__ import annotations

import argparse

from app.bridge.find import find_instance
from app.cli.asking import asked
from app.cli.output import say, say_json
from app.errors import NotRunningError
from app.events import ToolsChanged
from app.paths import log_dir
from app.settings import load_settings


def tools(options: argparse.Namespace) -> int:
    """Show or change the tool profile of all assistants or of one."""
    from app.server.control.surface import choose_tools

    settings = load_settings(data_dir=options.data_dir)
    if find_instance(settings.data_dir) is not None:
        params = {"profile": options.profile, "client": options.client}
        asked(options, "tools", params, ToolsChanged, lambda choice, *_: tools_text(choice))
        return 0
    choice = choose_tools(settings.data_dir, options.profile, options.client)
    if options.json:
        from app.serialise import to_jsonable

        say_json(to_jsonable(choice))
    else:
        say(tools_text(choice))
    return 0


def tools_text(choice: ToolsChanged) -> str:
    """The choice in words."""
    lines = [f"All assistants: {choice.profile}"]
    lines += [f"{client.strip()}: {profile.strip()}" for client, _, profile in map(_parts, choice.client_profiles)]
    return "\n".join(lines)


def diagnostics(options: argparse.Namespace) -> int:
    """Switch diagnostic logging of the running instance."""
    from app.server.control.surface import DiagnosticState

    settings = load_settings(data_dir=options.data_dir)
    if find_instance(settings.data_dir) is None:
        raise NotRunningError("Diagnostic logging belongs to a running WebRAG, and none runs for this data directory.")
    folder = log_dir(settings.data_dir)
    asked(
        options,
        "diagnostics",
        {"state": options.state},
        DiagnosticState,
        lambda state, *_: diagnostics_text(state.on, state.seconds_left, str(folder)),
    )
    return 0


def diagnostics_text(on: bool, seconds_left: float, folder: str) -> str:
    """The state in words."""
    if not on:
        return "Diagnostic logging is off: the log holds no arguments and no text."
    minutes = max(1, round(seconds_left / 60))
    return f"Diagnostic logging is on for {minutes} more minutes. Arguments and text of calls go to {folder}."


def _parts(entry: str) -> tuple[str, str, str]:
    return entry.rpartition("=")
