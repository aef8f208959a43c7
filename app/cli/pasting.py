"""`clients --show`: the entry of one assistant, to be pasted by hand."""

from __future__ import annotations

import argparse

from app.cli.output import remark, say
from app.clients import CLIENTS, server_command
from app.clients.snippets import SNIPPETS, Snippet, entry_text, own_command
from app.errors import InvalidArgumentError, NotRunningError
from app.paths import default_data_dir

NAMES = (*(profile.name for profile in CLIENTS), *(snippet.name for snippet in SNIPPETS))


def paste(options: argparse.Namespace) -> int:
    """Print the text to paste on stdout and where it goes on stderr."""
    profile = next((profile for profile in CLIENTS if profile.name == options.show), None)
    if profile is None:
        _paste_snippet(next(snippet for snippet in SNIPPETS if snippet.name == options.show), options)
        return 0
    if options.http:
        raise InvalidArgumentError(f"{profile.title} is connected by its command.", hint="Leave out --http.")
    command = server_command(options.data_dir)
    say(entry_text(profile, command).rstrip("\n"))
    if profile.by_hand:
        remark(f"Or run: {own_command(profile, command)}")
    remark(profile.after_change)
    return 0


def _paste_snippet(snippet: Snippet, options: argparse.Namespace) -> None:
    if snippet.stdio is not None and not options.http:
        say(snippet.stdio(server_command(options.data_dir)).rstrip("\n"))
    elif snippet.http is not None:
        say(_address(snippet, options).rstrip("\n"))
    remark(" ".join(filter(None, (snippet.where, snippet.note))))


def _address(snippet: Snippet, options: argparse.Namespace) -> str:
    from app.bridge.find import find_instance

    info = find_instance(options.data_dir or default_data_dir())
    if info is None:
        raise NotRunningError(f"The address for {snippet.title} is known only while WebRAG runs.")
    assert snippet.http is not None
    return snippet.http(info.url, info.token)
