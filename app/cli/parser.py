"""The commands, their options, and how they end."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__
from app.cli import is_interrupt, output
from app.settings_schema import LIBRARY_VARIABLE, TOOL_PROFILES

log = logging.getLogger(__name__)

EPILOG = "The exit status is 0 only on success, 2 for a wrong command line."
_PROFILES = ", ".join(TOOL_PROFILES)
INTENTS = "factual, comparison, how_to or exploratory; inferred if omitted"
OF_A_NODE = "at a node of a shared library: the collection that pages go to"


def run(arguments: Sequence[str], pipes: tuple[int, int] | None = None) -> int:
    """Parse and run one command. `pipes` are the descriptors that `serve` speaks the protocol on."""
    output.tolerate_encoding()
    parser = build_parser()
    try:
        options, rest = parser.parse_known_args(arguments)
        # Once it met an option, the parser takes nothing more for what stands behind the action.
        if rest and options.command == "library" and not any(each.startswith("-") for each in rest):
            options.values += rest
        elif rest:
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else output.WRONG_COMMAND_LINE
    options.pipes = pipes
    if options.selftest:
        from app.cli.selftest import selftest

        return selftest()
    if options.command is None:
        parser.print_help(sys.stderr)
        return output.WRONG_COMMAND_LINE
    return _guarded(options)


def _guarded(options: argparse.Namespace) -> int:
    """Run the command; expected errors become two lines, or one JSON object."""
    from app.errors import WebRAGError

    as_json = bool(getattr(options, "json", False))
    try:
        status: int = options.run(options)
    except output.CommandFailedError as error:
        output.show_failure(error.failure, as_json=as_json)
        return error.status
    except WebRAGError as error:
        output.show_failure(output.Failure.of(error), as_json=as_json)
        return 1
    except BrokenPipeError:
        # The reader of our output has gone; what is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if is_interrupt(error):
            raise
        log.exception("the command %s failed", options.command)
        message = f"Unexpected error ({type(error).__name__}: {error})."
        failure = output.Failure(
            "INTERNAL_ERROR", "Something went wrong", message, "Please report it with the log file."
        )
        output.show_failure(failure, as_json=as_json)
        return 1
    return status


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="webrag",
        description="Grounded, cited answers from web pages.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"webrag {__version__}")
    parser.add_argument("--selftest", action="store_true", help="try every part of this installation")
    parser.add_argument("--data-dir", type=_folder, default=None, help="where library and logs are")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_CommandParser)
    adder = _Adder(commands)
    _add_questions(adder)
    _add_jobs(adder)
    _add_files(adder)
    _add_scratch(adder)
    _add_processes(adder)
    _add_clients(adder)
    _add_library(adder)
    _add_libraries(adder)
    return parser


class _CommandParser(argparse.ArgumentParser):
    """Takes options and arguments in any order: `folder add --wait PATH` as `folder add PATH --wait`."""

    _is_within = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self._is_within or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._is_within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_within = False


class _Adder:
    """Adds a command with the options that all of them have."""

    def __init__(self, commands: argparse._SubParsersAction[_CommandParser]) -> None:
        self._commands = commands

    def add(
        self, name: str, help_text: str, run: Callable[[argparse.Namespace], int], *, json: bool = True
    ) -> argparse.ArgumentParser:
        """A command; `json` gives it `--json`."""
        parser = self._commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        # Suppressed, so that a value given before the command is not overwritten by the default of this one.
        parser.add_argument("--data-dir", type=_folder, default=argparse.SUPPRESS, help="where library and logs are")
        if json:
            parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.set_defaults(run=run)
        return parser


def _add_questions(adder: _Adder) -> None:
    from app.cli import questions

    answer = adder.add("answer", "evidence for a question from web pages", questions.answer)
    answer.add_argument("urls", nargs="+", metavar="URL", help="an address; or collection:NAME for its stored pages")
    answer.add_argument("-q", "--question", required=True)
    answer.add_argument("--intent", help=INTENTS)
    answer.add_argument("--expansion-budget", type=int, help="rounds of following links; 0 stays on the pages")
    answer.add_argument("--context", help="what is known already")
    answer.add_argument("--constraint", action="append", help="what the evidence must have; may be repeated")
    search = adder.add("search", "evidence from what is indexed, without the network", questions.search)
    search.add_argument("question", metavar="QUESTION")
    search.add_argument("--url", action="append", help="search this indexed page only; may be repeated")
    search.add_argument(
        "--collection", metavar="NAME", action="append", help="search this collection only; may be repeated"
    )
    search.add_argument(
        "--tag", metavar="NAME", action="append", help="search pages with this tag only; may be repeated"
    )
    search.add_argument("--intent", help=INTENTS)
    search.add_argument("--top-k", type=int, help="most passages")
    search.add_argument("--mode", help="hybrid, keyword or meaning")
    status = adder.add("status", "what is indexed", questions.status)
    status.add_argument("url", nargs="?", metavar="URL")
    pages = adder.add("pages", "the stored pages, or what changed on them", questions.pages)
    pages.add_argument("text", nargs="?", metavar="TEXT", help="in the title or the address")
    pages.add_argument("--changed", action="store_true", help="what differs since a page was added or last cited")
    pages.add_argument("--cited", action="store_true", help="with --changed: only since a page was last cited")
    pages.add_argument("--limit", type=int, metavar="N", help="most pages")
    ingest = adder.add("ingest", "read pages and index them", questions.ingest)
    ingest.add_argument("urls", nargs="+", metavar="URL")
    ingest.add_argument("--refresh", action="store_true", help="fetch again even if the copy is fresh")
    ingest.add_argument("--collection", type=_name, metavar="NAME", help=OF_A_NODE)
    adder.add("verify", "check that the library is sound", questions.verify)
    _add_care(adder)


def _add_jobs(adder: _Adder) -> None:
    from app.cli import jobs

    words = jobs.limits_help()
    crawl = adder.add("crawl", "read a site in the background", jobs.crawl)
    crawl.add_argument("url", metavar="URL")
    crawl.add_argument("--scope", choices=("page", "subpages", "host"), help=words["scope"])
    crawl.add_argument("--max-pages", type=int, metavar="N", help=words["max_pages"])
    crawl.add_argument("--max-depth", type=int, metavar="N", help=words["max_depth"])
    crawl.add_argument("--no-refresh", action="store_true", help="do not ask again for pages whose copy is fresh")
    crawl.add_argument("--leave-out", action="append", metavar="/FOLDER/", help="do not read a folder; may be repeated")
    crawl.add_argument("--collection", type=_name, metavar="NAME", help=OF_A_NODE)
    crawl.add_argument("--preview", action="store_true", help="only say what it would take")
    crawl.add_argument("--wait", action="store_true", help="return when it has ended")
    one = adder.add("jobs", "the jobs in the background, or one of them", jobs.jobs)
    one.add_argument("id", nargs="?", type=int, metavar="ID")
    steps = one.add_mutually_exclusive_group()
    steps.add_argument("--pause", action="store_true", help="stop it for now")
    steps.add_argument("--resume", action="store_true", help="go on with it")
    steps.add_argument("--cancel", action="store_true", help="end it; what it read stays")
    steps.add_argument("--retry", action="store_true", help="try again what failed")
    one.add_argument("--wait", action="store_true", help="return when it has ended")
    folder = adder.add("folder", "folders whose files are kept up to date", jobs.folder)
    folder.add_argument("action", choices=("add", "remove", "list", "refresh", "rename"))
    folder.add_argument("path", nargs="?", type=_folder, metavar="PATH")
    folder.add_argument("name", nargs="?", metavar="NAME", help="another name, with rename")
    folder.add_argument("--wait", action="store_true", help="return when its files are read")


def _add_files(adder: _Adder) -> None:
    from app.cli import files

    imported = adder.add("import", "read files: documents, web pages, text, bookmarks", files.import_files)
    imported.add_argument("files", nargs="+", type=_folder, metavar="FILE")
    export = adder.add("export", "write indexed documents as Markdown", files.export)
    export.add_argument(
        "source", metavar="URL", help="one document, all whose address begins like this, collection:NAME or tag:NAME"
    )
    export.add_argument("target", type=_folder, metavar="TARGET", help="a folder, or a .md file for one document")
    docs = adder.add("export-docs", "write the documentation index of a folder as JSON", files.export_docs)
    docs.add_argument("name", metavar="NAME", help="the folder, as `webrag folder list` names it, or guide")
    docs.add_argument("target", type=_folder, metavar="FILE")
    backup = adder.add("backup", "copy the library to a file", files.backup)
    backup.add_argument("file", type=_folder, metavar="FILE")
    restore = adder.add("restore", "put a backup in the place of the library", files.restore)
    restore.add_argument("file", type=_folder, metavar="FILE", nargs="?")
    way = restore.add_mutually_exclusive_group()
    way.add_argument("--newest", action="store_true", help="the newest automatic backup that is sound")
    way.add_argument(
        "--salvage", action="store_true", help="what can be read of FILE, or of the damaged library itself"
    )
    extract = adder.add("extract", "show what is read of a file or page, without storing it", files.extract)
    extract.add_argument("source", metavar="FILE|URL")


def _add_care(adder: _Adder) -> None:
    from app.cli import care, settings
    from app.secrets import SecretName

    delete = adder.add("delete", "forget indexed pages", care.delete)
    delete.add_argument("urls", nargs="+", metavar="URL")
    adder.add("storage", "what lies on the disk, by kind", care.storage)
    adder.add("compact", "give unused room of the library back to the disk", care.compact)
    adder.add("update", "ask whether a newer version is out; nothing is downloaded", care.update)
    erase = adder.add("erase", "delete what is kept, for good", care.erase, json=False)
    erase.add_argument("kinds", nargs="+", choices=("library", "backups", "logs", "secrets", "settings"))
    erase.add_argument("--yes", action="store_true", help="really delete")
    setting = adder.add("settings", "show or change settings", settings.settings)
    setting.add_argument("name", nargs="?", metavar="NAME")
    setting.add_argument("value", nargs="?", metavar="VALUE", help="from now on; entries of a list with commas")
    setting.add_argument("--default", action="store_true", help="go back to the default")
    secret = adder.add("secret", "where keys come from, or keep one in the keyring", settings.secret)
    secret.add_argument("name", nargs="?", choices=[name.value for name in SecretName], metavar="NAME")
    secret.add_argument("--delete", action="store_true", help="take it out of the keyring")
    adder.add("licences", "the packages this program is made with", care.licences)


def _add_library(adder: _Adder) -> None:
    from app.cli import library

    shared = adder.add("library", "a library that several people share, in PostgreSQL", library.library)
    shared.add_argument("action", choices=("init", "migrate", "status", *library.COPIES, *library.RIGHTS))
    shared.add_argument("values", nargs="*", metavar="VALUE", help="; ".join(library.HELP))
    shared.add_argument("--collection", action="append", metavar="NAME", help="import: into it; export: only these")
    shared.add_argument("--without-vectors", action="store_true", help="copy texts only; they are embedded anew")
    shared.add_argument(
        "--files", action="store_true", help="import also pages of files of this machine, with their paths"
    )
    shared.add_argument("--forget", type=int, metavar="DAYS", help="audit: delete calls that are older")
    shared.add_argument(
        "--reindex", action="store_true", help="migrate: have every passage embedded anew, by the model of this program"
    )
    shared.add_argument("--yes", action="store_true", help="migrate --reindex: really do it")
    shared.add_argument(
        "--database", metavar="ADDRESS", help=f"postgresql://USER@HOST/DATABASE, instead of {LIBRARY_VARIABLE}"
    )


def _add_libraries(adder: _Adder) -> None:
    from app.cli import library

    joined = adder.add("libraries", "shared libraries to ask beside this one", library.libraries)
    joined.add_argument("action", nargs="?", choices=library.ACTIONS, default="list")
    joined.add_argument("name", nargs="?", metavar="NAME", help="of a joined library; with join its address")
    joined.add_argument("--collection", metavar="NAME", help="where pages go that are shared")
    joined.add_argument(
        "--token-stdin", action="store_true", help="the library has one token: read it from standard input"
    )
    joined.add_argument(
        "--client-id", metavar="ID", help="what the sign-in knows this program by, if it is not webrag-desktop"
    )


def _add_scratch(adder: _Adder) -> None:
    from app.cli import scratch

    passages = adder.add("scratch", "passages that assistants found", scratch.scratch)
    passages.add_argument("action", choices=("list", "show", "pin", "unpin", "delete", "save"))
    passages.add_argument("id", nargs="?", metavar="ID")
    passages.add_argument("file", nargs="?", type=_folder, metavar="FILE", help="where to save it")
    passages.add_argument("--limit", type=int, metavar="N", help="most passages to list")


def _add_processes(adder: _Adder) -> None:
    from app.cli import serve, settings

    server = adder.add("serve", "run the server without a window", serve.serve, json=False)
    server.add_argument("--transport", choices=("stdio", "streamable-http"))
    server.add_argument("--host")
    server.add_argument("--port", type=int, help="0 takes any free port")
    server.add_argument(
        "--token-file",
        type=_folder,
        metavar="FILE",
        help="a file with the bearer token; else the variable MCP_AUTH_TOKEN, else that of the keyring",
    )
    server.add_argument("--token", nargs="?", const="", help=argparse.SUPPRESS)
    server.add_argument("--tools", choices=TOOL_PROFILES, metavar="PROFILE", help=f"the tools offered: {_PROFILES}")
    server.add_argument("--while-attached", action="store_true", help="end when no bridge is attached any more")
    server.add_argument("--allow-networks", metavar="CIDR,…", help="private networks that may be fetched")
    bridge = adder.add("mcp", "join an assistant to the running application", _bridge, json=False)
    bridge.add_argument(
        "--tools", choices=TOOL_PROFILES, metavar="PROFILE", help=f"the tools this assistant is offered: {_PROFILES}"
    )
    adder.add("demo", "ask the bundled guide and show how to connect", serve.demo, json=False)
    login = adder.add("autostart", "start the tray application when you log in", settings.at_login)
    login.add_argument("state", nargs="?", choices=("on", "off", "status"), default="status")


def _add_clients(adder: _Adder) -> None:
    from app.cli import clients
    from app.clients import CLIENTS

    names = [profile.name for profile in CLIENTS]
    register = adder.add("register", "put WebRAG into an assistant's configuration", clients.register)
    unregister = adder.add("unregister", "take WebRAG out again", clients.unregister)
    for parser in (register, unregister):
        parser.add_argument("names", nargs="*", type=_one_of(names), metavar="NAME", help="the same as --client NAME")
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--client", choices=names, action="append", metavar="NAME", help=f"one assistant: {', '.join(names)}"
        )
        which.add_argument("--all", action="store_true", help="all that are there, as without --client")
        parser.add_argument("--dry-run", action="store_true", help="show the change only")
    register.add_argument("--force", action="store_true", help="write the file even if the assistant is not there")
    unregister.add_argument("--own", action="store_true", help="only entries that start this installation")
    unregister.add_argument("--delete-copies", action="store_true", help="also delete the copies of files as they were")
    listed = adder.add("clients", "the assistants on this machine", clients.clients)
    listed.add_argument(
        "--show",
        choices=clients.PASTE_NAMES,
        metavar="NAME",
        help=f"what to paste by hand: {', '.join(clients.PASTE_NAMES)}",
    )
    listed.add_argument("--http", action="store_true", help="with --show: by address instead of by command")
    doctor = adder.add("doctor", "try the connection of every assistant, and this computer", clients.doctor)
    doctor.add_argument("names", nargs="*", type=_one_of(names), metavar="NAME", help="the same as --client NAME")
    doctor.add_argument("--client", choices=names, action="append", metavar="NAME", help="only this assistant")
    _add_surface(adder)


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    """A type of values: argparse takes no `choices` for a list that may be empty."""

    def name(given: str) -> str:
        if given not in names:
            raise argparse.ArgumentTypeError(f"invalid choice: {given!r} (choose from {', '.join(names)})")
        return given

    return name


def _add_surface(adder: _Adder) -> None:
    from app import caps
    from app.cli import care

    tools = adder.add("tools", "which tools assistants are offered", care.tools)
    tools.add_argument(
        "profile", nargs="?", choices=(*TOOL_PROFILES, "default"), help="from now on; default takes a choice back"
    )
    tools.add_argument("--client", metavar="NAME", help="for this assistant only, e.g. claude-code, cursor or vscode")
    diagnostics = adder.add(
        "diagnostics", "write arguments and text of calls to the log, for an hour", care.diagnostics
    )
    diagnostics.add_argument("state", nargs="?", choices=("on", "off", "status"), default="status")
    ledger = adder.add("usage", "what assistants were given, by day, and what they did not have to read", care.usage)
    ledger.add_argument("--days", type=int, metavar="N", help=f"the last N days; default {caps.USAGE_DAYS}")
    ledger.add_argument("--csv", type=_folder, metavar="FILE", help="write it as CSV")
    ledger.add_argument("--erase", action="store_true", help="erase the record of all calls")


def _bridge(options: argparse.Namespace) -> int:
    from app.bridge import serve

    return serve(options.data_dir, options.tools or "")


def _name(text: str) -> str:
    """A name; an empty one, as an unset variable gives it, is none."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()
