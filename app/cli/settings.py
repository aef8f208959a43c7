"""The commands `settings`, `secret`, `autostart` and `models`."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import TYPE_CHECKING, Any, Final

from app.autostart import autostart
from app.cli.calls import call_method
from app.cli.output import ProgressLine, remark, say, say_json, table, tell
from app.durations import time_span
from app.errors import AutostartError, InvalidArgumentError, SettingsError
from app.instance import find_instance
from app.secrets import SecretName, SecretSource, SecretStore
from app.settings import SETTINGS, Settings, load_settings, save_setting

if TYPE_CHECKING:
    from app.engine.models import ModelTrial

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
        save_setting(options.name, None if options.default else options.value, source="the command line")
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
        _list_secrets(store, as_json=options.json)
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
    _list_secrets(store, as_json=options.json)


def _list_secrets(store: SecretStore, *, as_json: bool) -> None:
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


ACTIONS: Final = ("list", "add", "test", "use", "remove")


def models(options: argparse.Namespace) -> int:
    """Run an action on the search models and rerankers."""
    settings = load_settings(data_dir=options.data_dir)
    if options.action != "list" and options.name is None:
        raise InvalidArgumentError("No model given.", hint="`webrag models list` lists them.")
    if options.action == "list":
        _list(settings, as_json=options.json)
    elif options.action == "remove":
        from app.embed.models import remove_model

        remove_model(settings, options.name)
        tell({"removed": options.name}, f"{options.name} is removed.", as_json=options.json)
    elif options.action == "add":
        _add(settings, options)
    else:
        _choose(settings, options)
    return 0


def _list(settings: Settings, *, as_json: bool) -> None:
    from app.embed.models import known_models

    found = known_models(settings)
    rows = []
    for each in found:
        state = each.problem or ("ready" if each.is_added else "not downloaded")
        size = f"{each.bytes / 1e6:,.0f} MB" if each.bytes else ""
        rows.append([("*" if each.is_used else " ") + each.name, state, each.licence, size])
    more = [f"\n{each.name}: {each.meaning}\n  {each.source}" for each in found if each.meaning or each.source]
    tell(found, "\n".join([table(rows), *more]), as_json=as_json)


def _add(settings: Settings, options: argparse.Namespace) -> None:
    from app.embed import folder_of
    from app.embed.folder import load_card
    from app.embed.models import PUBLISHER, catalogue
    from app.engine.models import add

    offer = catalogue().get(options.name)
    if offer is not None:
        source = options.source or settings.embedding_model_mirror or PUBLISHER
        remark(
            f"{offer.name}: {offer.bytes / 1e6:,.0f} MB from {source}, license {offer.card['licence']}, {offer.source}"
        )
    with ProgressLine(shown=not options.json) as line:
        name = add(
            settings,
            options.name,
            source=options.source,
            told=lambda step, done, whole: line.show(f"{step}: {100 * done // max(whole, 1)} %"),
        )
    card = load_card(folder_of(settings, name))
    if not card.calibrated:
        remark("Its vectors differ too much from the built-in model's, so WebRAG does not estimate confidence with it.")
    text = f"{name} is added. To search with it, run `webrag models use {name}`."
    facts = {} if card.kind else {"calibrated": card.calibrated, "dimension": card.dimension}
    tell({"added": name, **facts}, text, as_json=options.json)


def _work_of(tried: ModelTrial) -> str:
    """Return what a change to the model means for the stored passages."""
    cost = f"in about {time_span(tried.seconds)}, and stores {tried.vector_bytes / 1e6:,.0f} MB of vectors"
    if not tried.is_beside:
        again = f"WebRAG embeds {tried.chunks:,} stored passages again, {cost}."
        return f"{again} Until then, it finds them by keyword only."
    if tried.name == "built-in":
        return "WebRAG embeds pages in other languages again. `webrag compact` deletes the vectors of the other model."
    return (
        f"Next to the built-in model, which stays in use for English, it embeds {tried.chunks:,} stored passages, {cost}."
        " Pages in other languages come first."
    )


def _choose(settings: Settings, options: argparse.Namespace) -> None:
    """Test a model, and with `use` choose it; a search model needs `--yes` if the library has passages."""
    from app.embed.models import NO_RERANKER
    from app.engine.models import choose_model, try_model

    if options.name == NO_RERANKER and options.action == "use":
        choose_model(settings, NO_RERANKER)
        tell({"used": NO_RERANKER}, "WebRAG uses no reranker after the next start.", as_json=options.json)
        return
    tried = try_model(settings, options.name)
    speed = f"{tried.check.question_ms:.1f} ms per question, {tried.check.passages_per_second:.0f} passages per second"
    role, facts = (
        ("reranker", speed) if tried.card.kind else ("search model", f"{tried.card.dimension} dimensions, {speed}")
    )
    work = _work_of(tried)
    if options.action == "use" and tried.chunks and not options.yes:
        raise InvalidArgumentError(work, hint="Confirm with --yes.")
    text = f"{tried.card.name} works: {facts}."
    if options.action == "use":
        choose_model(settings, options.name)
        text = f"{text}\nIt is the {role} after the next start. {work if tried.chunks else ''}".rstrip()
    tell(tried, text, as_json=options.json)
    if options.action == "use" and find_instance(settings.data_dir) is not None:
        remark("Restart WebRAG to apply the change.")
