"""The command `models`: list, add, test, choose and remove search models."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.cli.output import ProgressLine, remark, table, tell
from app.durations import time_span
from app.errors import InvalidArgumentError
from app.instance import find_instance
from app.settings import load_settings

if TYPE_CHECKING:
    from app.settings import Settings

ACTIONS: Final = ("list", "add", "test", "use", "remove")


def models(options: argparse.Namespace) -> int:
    """Run an action on the search models."""
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
    from app.embed import model_folder
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
    card = load_card(model_folder(replace(settings, embedding_model_folder=name)))
    if not card.calibrated:
        remark("Its vectors differ too much from the built-in model's, so WebRAG does not estimate confidence with it.")
    text = f"{name} is added. To search with it, run `webrag models use {name}`."
    tell({"added": name, "calibrated": card.calibrated, "dimension": card.dimension}, text, as_json=options.json)


def _choose(settings: Settings, options: argparse.Namespace) -> None:
    """Test a model, and with `use` and `--yes` make it the search model if the library has passages."""
    from app.engine.models import choose_model, try_model

    tried = try_model(settings, options.name)
    speed = f"{tried.check.question_ms:.1f} ms per question, {tried.check.passages_per_second:.0f} passages per second"
    work = (
        f"WebRAG embeds {tried.chunks:,} stored passages again, in about {time_span(tried.seconds)}, and stores"
        f" {tried.vector_bytes / 1e6:,.0f} MB of vectors. Until then, it finds them by keyword only."
    )
    if options.action == "use" and tried.chunks and not options.yes:
        raise InvalidArgumentError(work, hint="Confirm with --yes.")
    text = f"{tried.card.name} works: {tried.card.dimension} dimensions, {speed}."
    if options.action == "use":
        choose_model(options.name)
        text = f"{text}\nIt is the search model after the next start. {work if tried.chunks else ''}".rstrip()
    tell(tried, text, as_json=options.json)
    if options.action == "use" and find_instance(settings.data_dir) is not None:
        remark("Restart WebRAG to apply the change.")
