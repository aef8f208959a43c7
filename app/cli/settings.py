"""The commands `settings`, `secret` and `autostart`."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Any, Final

from app.autostart import autostart
from app.cli.calls import call_method
from app.cli.output import remark, say, say_json, table, tell
from app.errors import AutostartError, InvalidArgumentError, SettingsError
from app.instance import find_instance
from app.secrets import SecretName, SecretSource, SecretStore
from app.settings import SETTINGS, load_settings, save_setting

OFFERS: Final = frozenset(
    {"mcp_tool_profile", "mcp_client_tools", "mcp_tool_name_style", "mcp_client_name_style", "mcp_client_library"}
)
"""Settings that a running instance applies immediately, as for `webrag tools`."""


def settings(options: argparse.Namespace) -> None:
    """Show all settings or a single one, or change one in the file."""
    if options.default and (options.name is None or options.value is not None):
        raise InvalidArgumentError(
            "--default needs the name of a setting and no value.", hint="Usage: webrag settings NAME --default."
        )
    is_change = options.default or options.value is not None
    if is_change:
        save_setting(options.name, None if options.default else options.value)
    found = load_settings(data_dir=options.data_dir)
    if options.name is not None and options.name not in SETTINGS:
        raise SettingsError(f"Unknown setting: {options.name}.", hint="`webrag settings` lists all settings.")
    shown = {each: getattr(found, each) for each in SETTINGS if options.name in (None, each)}
    if options.json:
        say_json(shown)
    elif options.name is not None and not is_change:
        say(_value_text(shown[options.name]))
    else:
        say(table([[name, _value_text(value)] for name, value in shown.items()]))
    if is_change and find_instance(found.data_dir) is not None:
        if options.name in OFFERS:
            from app.events import ToolsChanged

            call_method(options, "tools", {"changed": True}, ToolsChanged, lambda _: "")
        else:
            remark("Restart WebRAG to apply the change.")


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def secret(options: argparse.Namespace) -> None:
    """Show where each key comes from, or store one in the keyring. Reads it from the terminal or standard input."""
    store = SecretStore()
    if options.name is None:
        _list(store, as_json=options.json)
        return
    name = SecretName(options.name)
    if options.delete:
        store.delete(name)
    else:
        value = (getpass.getpass(f"{name}: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
        if not value:
            raise InvalidArgumentError("No value given.", hint="Type it, or write it to standard input.")
        if store.set(name, value) is not SecretSource.KEYRING:
            raise InvalidArgumentError(
                f"Cannot store the key: {store.note}", hint=f"Set the environment variable {name} instead."
            )
    _list(store, as_json=options.json)


def _list(store: SecretStore, *, as_json: bool) -> None:
    """Print the sources, never a value."""
    sources = {name.value: store.get(name).source.value for name in SecretName}
    tell(sources, table(list(sources.items())), as_json=as_json)
    if store.note:
        remark(store.note)


def at_login(options: argparse.Namespace) -> None:
    """Turn autostart on or off, or show its state."""
    entry = autostart(options.data_dir)
    if entry is None:
        raise AutostartError(
            "WebRAG does not know how to start at login on this system.",
            hint="Configure your system to start `webrag-desktop --hidden`.",
        )
    if options.state == "on":
        entry.enable()
    elif options.state == "off":
        entry.disable()
    if options.json:
        say_json({"enabled": entry.is_enabled, "needsRepair": entry.needs_repair})
    elif entry.needs_repair:
        say("Another copy of WebRAG Desktop starts at login. To start this one, run `webrag autostart on`.")
    else:
        say(f"WebRAG Desktop {'starts' if entry.is_enabled else 'does not start'} when you log in.")
