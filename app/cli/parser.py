"""The commands, their options and their exit status."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__, caps
from app.cli import care, clients, files, is_interrupt, jobs, library, output, packages, questions, serve, settings
from app.clients.hosts import CLIENTS
from app.clients.snippets import SKILL_READERS
from app.errors import WebRAGError
from app.secrets import SecretName
from app.settings_schema import LIBRARY_VARIABLE, TOOL_PROFILES

log = logging.getLogger(__name__)

EPILOG = "`webrag COMMAND --help` explains a command. Exit status: 0 success, 1 failure, 2 wrong command line."
_PROFILES = ", ".join(TOOL_PROFILES)
INTENTS = "factual, comparison, how_to or exploratory; default: inferred"
ON_A_NODE = "collection for the pages (shared library only)"
DATA_DIR = "folder with the library and logs"


def run(arguments: Sequence[str], pipes: tuple[int, int] | None = None) -> int:
    """Parse and run a command. `pipes` are the file descriptors for the protocol of `serve`."""
    output.tolerate_encoding()
    parser = build_parser()
    try:
        options, rest = parser.parse_known_args(arguments)
        # After an option, the parser does not accept further values of the action.
        if rest and options.command == "admin" and not any(each.startswith("-") for each in rest):
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
    """Run the command and print its errors as two lines, or as a JSON object."""
    try:
        return options.run(options) or 0
    except output.CommandFailedError as error:
        failure, status = error.failure, error.status
    except WebRAGError as error:
        failure, status = output.Failure.of(error), 1
    except BrokenPipeError:
        # The reader of our output is gone. Buffered output must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if is_interrupt(error):
            raise
        log.exception("the command %s failed", options.command)
        message, hint = f"Unexpected error ({type(error).__name__}: {error}).", "Please report it with the log file."
        failure, status = output.Failure("INTERNAL_ERROR", "Something went wrong", message, hint), 1
    output.show_failure(failure, as_json=bool(getattr(options, "json", False)))
    return status


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="webrag",
        usage="webrag [OPTIONS] COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"webrag {__version__}", help="print the version")
    parser.add_argument("--selftest", action="store_true", help="test every part of this installation")
    parser.add_argument("--data-dir", type=_path, default=None, metavar="FOLDER", help=DATA_DIR)
    # The description lists the commands in groups; argparse has only one flat list.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog="webrag", parser_class=_CommandParser, help=argparse.SUPPRESS
    )
    adder = _Adder(commands)
    for add in (_add_questions, _add_sources, _add_library, _add_assistants, _add_shared, _add_care):
        add(adder)
    parser.description = "\n".join(
        ["Answer questions with cited passages from pages and files.", "", "commands:", *adder.listing]
    )
    return parser


class _CommandParser(argparse.ArgumentParser):
    """Accepts options and arguments in any order: `folder add --wait PATH` and `folder add PATH --wait`."""

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
    """Adds commands with the options that all of them have, and lists them in groups."""

    def __init__(self, commands: argparse._SubParsersAction[_CommandParser]) -> None:
        self._commands = commands
        self.listing: list[str] = []

    def group(self, title: str, *unlisted: str) -> None:
        """Begin a group. Its `unlisted` commands are listed by name only, so that the whole help fits one screen."""
        self._title, self._unlisted = title, unlisted
        if unlisted:
            self.listing.append(f"{'':14}also: {', '.join(unlisted)}")

    def add(
        self,
        name: str,
        help_text: str,
        run: Callable[[argparse.Namespace], int | None],
        *,
        json: bool = True,
        earlier_name: str = "",
    ) -> argparse.ArgumentParser:
        """Add a command; `json` gives it `--json`. `earlier_name` still works, but the help does not show it."""
        description = f"{help_text[0].upper()}{help_text[1:]}."
        aliases = [earlier_name] if earlier_name else []
        parser = self._commands.add_parser(name, aliases=aliases, description=description, allow_abbrev=False)
        # Suppressed, so that the default does not overwrite a value given before the command.
        parser.add_argument("--data-dir", type=_path, default=argparse.SUPPRESS, metavar="FOLDER", help=DATA_DIR)
        if json:
            parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.set_defaults(run=run, command=name)
        if name not in self._unlisted:
            at = len(self.listing) - bool(self._unlisted)
            self.listing.insert(at, f"  {self._title:<12}{name:<12}{help_text}")
            self._title = ""
        return parser


def _add_questions(adder: _Adder) -> None:
    adder.group("Ask", "scratch")
    answer = adder.add("answer", "answer a question from web pages", questions.answer)
    answer.add_argument("urls", nargs="+", metavar="URL", help="page to read; collection:NAME for its stored pages")
    answer.add_argument("-q", "--question", required=True)
    answer.add_argument("--intent", help=INTENTS)
    answer.add_argument("--expansion-budget", type=int, help="rounds of following links; 0 follows none")
    answer.add_argument("--context", help="what is already known")
    answer.add_argument("--constraint", action="append", help="requirement for the passages; can be repeated")
    search = adder.add("search", "search your library, without the network", questions.search)
    search.add_argument("question", metavar="QUESTION")
    search.add_argument("--url", action="append", help="search only this stored page; can be repeated")
    search.add_argument(
        "--collection", metavar="NAME", action="append", help="search only this collection; can be repeated"
    )
    search.add_argument(
        "--tag", metavar="NAME", action="append", help="search only pages with this tag; can be repeated"
    )
    search.add_argument("--intent", help=INTENTS)
    search.add_argument("--top-k", type=int, help="maximum number of passages")
    search.add_argument("--mode", help="hybrid, keyword or meaning (semantic search)")
    passages = adder.add("scratch", "manage passages that assistants found", questions.scratch)
    passages.add_argument("action", choices=("list", "show", "pin", "unpin", "delete", "save"))
    passages.add_argument("id", nargs="?", metavar="ID")
    passages.add_argument("file", nargs="?", type=_path, metavar="FILE", help="file to save it to")
    passages.add_argument("--limit", type=int, metavar="N", help="maximum number of passages to list")


def _add_sources(adder: _Adder) -> None:
    adder.group("Add", "extract")
    ingest = adder.add("ingest", "fetch and index pages", questions.ingest)
    ingest.add_argument("urls", nargs="+", metavar="URL")
    ingest.add_argument("--refresh", action="store_true", help="fetch again even if the stored copy is fresh")
    ingest.add_argument("--collection", type=_name, metavar="NAME", help=ON_A_NODE)
    words = jobs.limits_help()
    crawl = adder.add("crawl", "index a site in the background", jobs.crawl)
    crawl.add_argument("url", metavar="URL")
    crawl.add_argument("--scope", choices=("page", "subpages", "host"), help=words["scope"])
    crawl.add_argument("--max-pages", type=int, metavar="N", help=words["max_pages"])
    crawl.add_argument("--max-depth", type=int, metavar="N", help=words["max_depth"])
    crawl.add_argument("--no-refresh", action="store_true", help="skip pages whose stored copy is fresh")
    crawl.add_argument("--leave-out", action="append", metavar="/FOLDER/", help="skip this folder; can be repeated")
    crawl.add_argument("--collection", type=_name, metavar="NAME", help=ON_A_NODE)
    crawl.add_argument("--preview", action="store_true", help="only show what the crawl would index")
    crawl.add_argument("--wait", action="store_true", help="return when the crawl has finished")
    one = adder.add("jobs", "list or control crawls, imports and watched folders", jobs.jobs)
    one.add_argument("id", nargs="?", type=int, metavar="ID")
    steps = one.add_mutually_exclusive_group()
    steps.add_argument("--pause", action="store_true", help="pause the job")
    steps.add_argument("--resume", action="store_true", help="resume the job")
    steps.add_argument("--cancel", action="store_true", help="cancel the job; pages stored so far are kept")
    steps.add_argument("--retry", action="store_true", help="retry the pages that failed")
    one.add_argument("--wait", action="store_true", help="return when the job has finished")
    folder = adder.add("folder", "keep the files of a folder indexed", jobs.folder)
    folder.add_argument("action", choices=("add", "remove", "list", "refresh", "rename"))
    folder.add_argument("path", nargs="?", type=_path, metavar="PATH")
    folder.add_argument("name", nargs="?", metavar="NAME", help="new name, for rename")
    folder.add_argument("--wait", action="store_true", help="return when its files are indexed")
    package = adder.add("packages", "add the documentation of the packages that a project uses", packages.packages)
    package.add_argument("action", choices=packages.ACTIONS)
    package.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="scan: the folder; symbol: its name, then a package; else packages: flask@3.1.3",
    )
    package.add_argument(
        "--project", type=_path, metavar="FOLDER", help="add: packages of this project; remove: forget it"
    )
    package.add_argument(
        "--download", action="store_true", help="add: ask the public registries for what is not installed"
    )
    package.add_argument("--yes", action="store_true", help="add --download: confirm the requests")
    package.add_argument(
        "--all", action="store_true", help="scan: also list packages that the project does not name itself"
    )
    package.add_argument(
        "--docset", type=_path, metavar="PATH", help="add: a docset of Dash, Zeal or doc2dash, or its .tgz"
    )
    package.add_argument(
        "--site", metavar="URL", help="add: a documentation site of exactly this version, with objects.inv"
    )
    package.add_argument("--docsets", action="store_true", help="scan: list the docsets of Dash and Zeal")
    imported = adder.add("import", "index files and bookmarks", files.import_files)
    imported.add_argument("files", nargs="+", type=_path, metavar="FILE")
    extract = adder.add("extract", "show the text of a file or page without storing it", files.extract)
    extract.add_argument("source", metavar="FILE|URL")


def _add_library(adder: _Adder) -> None:
    adder.group("Library", "export-docs", "verify", "storage", "compact")
    pages = adder.add("pages", "list stored pages, or what changed on them", questions.pages)
    pages.add_argument("text", nargs="?", metavar="TEXT", help="part of the title or address")
    pages.add_argument("--changed", action="store_true", help="list changes since a page was added or last cited")
    pages.add_argument("--cited", action="store_true", help="with --changed: only since a page was last cited")
    pages.add_argument("--limit", type=int, metavar="N", help="maximum number of pages")
    status = adder.add("status", "show what is indexed", questions.status)
    status.add_argument("url", nargs="?", metavar="URL")
    delete = adder.add("delete", "delete stored pages", care.delete)
    delete.add_argument("urls", nargs="+", metavar="URL")
    export = adder.add("export", "write stored pages as Markdown", files.export)
    export.add_argument(
        "source", metavar="URL", help="a page, every page whose address begins like this, collection:NAME or tag:NAME"
    )
    export.add_argument("target", type=_path, metavar="TARGET", help="a folder, or a .md file for a single page")
    backup = adder.add("backup", "copy the library to a file", files.backup)
    backup.add_argument("file", type=_path, metavar="FILE")
    restore = adder.add("restore", "replace the library with a backup", files.restore)
    restore.add_argument("file", type=_path, metavar="FILE", nargs="?")
    way = restore.add_mutually_exclusive_group()
    way.add_argument("--newest", action="store_true", help="use the newest automatic backup that is intact")
    way.add_argument(
        "--salvage", action="store_true", help="recover what is readable in FILE or in the damaged library"
    )
    docs = adder.add("export-docs", "write the documentation index of a folder as JSON", files.export_docs)
    docs.add_argument("name", metavar="NAME", help="folder name as in `webrag folder list`, or guide")
    docs.add_argument("target", type=_path, metavar="FILE")
    adder.add("verify", "check the library for damage", questions.verify)
    adder.add("storage", "show disk usage by kind", care.storage)
    adder.add("compact", "return unused space in the library to the disk", care.compact)


def _add_assistants(adder: _Adder) -> None:
    adder.group("Assistants", "skill", "usage", "diagnostics", "mcp")
    names = [profile.name for profile in CLIENTS]
    register = adder.add("register", "add WebRAG to your assistants", clients.register)
    unregister = adder.add("unregister", "remove WebRAG from your assistants", clients.unregister)
    for parser in (register, unregister):
        parser.add_argument("names", nargs="*", type=_one_of(names), metavar="NAME", help="same as --client NAME")
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--client", choices=names, action="append", metavar="NAME", help=f"only this one: {', '.join(names)}"
        )
        which.add_argument("--all", action="store_true", help="every installed assistant (default)")
        parser.add_argument("--dry-run", action="store_true", help="only show the change")
    register.add_argument("--force", action="store_true", help="write the file even if the assistant is not installed")
    unregister.add_argument("--own", action="store_true", help="only entries that start this installation")
    unregister.add_argument("--delete-copies", action="store_true", help="also delete the backups of changed files")
    skill = adder.add("skill", "give assistants instructions for WebRAG's tools", clients.skill)
    skill.add_argument("action", choices=("install", "remove"))
    readers = SKILL_READERS
    skill.add_argument("names", nargs="*", type=_one_of(readers), metavar="NAME", help=f"only {', '.join(readers)}")
    skill.add_argument("--dry-run", action="store_true", help="only show the change")
    listed = adder.add("clients", "list the assistants on this computer", clients.clients)
    listed.add_argument(
        "--show",
        choices=clients.PASTE_NAMES,
        metavar="NAME",
        help=f"print the entry to paste manually: {', '.join(clients.PASTE_NAMES)}",
    )
    listed.add_argument("--http", action="store_true", help="with --show: connect by HTTP, not by command")
    doctor = adder.add("doctor", "check this computer and each assistant", clients.doctor)
    doctor.add_argument("names", nargs="*", type=_one_of(names), metavar="NAME", help="same as --client NAME")
    doctor.add_argument("--client", choices=names, action="append", metavar="NAME", help="only this assistant")
    tools = adder.add("tools", "choose which tools assistants can use", care.tools)
    tools.add_argument(
        "profile", nargs="?", choices=(*TOOL_PROFILES, "default"), help="new choice; default removes the choice"
    )
    tools.add_argument("--client", metavar="NAME", help="only for this assistant, e.g. claude-code, cursor or vscode")
    ledger = adder.add("usage", "show tokens that assistants received and saved, by day", care.usage)
    ledger.add_argument("--days", type=int, metavar="N", help=f"the last N days; default {caps.USAGE_DAYS}")
    ledger.add_argument("--csv", type=_path, metavar="FILE", help="write it as CSV")
    ledger.add_argument("--erase", action="store_true", help="erase the record of all calls")
    server = adder.add("serve", "run the server without a window", serve.serve, json=False)
    server.add_argument("--transport", choices=("stdio", "streamable-http"))
    server.add_argument("--host")
    server.add_argument("--port", type=int, help="0 uses any free port")
    server.add_argument(
        "--token-file",
        type=_path,
        metavar="FILE",
        help="file with the access token; otherwise MCP_AUTH_TOKEN or the keyring is used",
    )
    server.add_argument("--token", nargs="?", const="", help=argparse.SUPPRESS)
    server.add_argument("--tools", choices=TOOL_PROFILES, metavar="PROFILE", help=f"tools to offer: {_PROFILES}")
    server.add_argument("--while-attached", action="store_true", help="end when no bridge is attached")
    server.add_argument("--allow-networks", metavar="CIDR,…", help="private networks that WebRAG can fetch from")
    bridge = adder.add("mcp", "connect an assistant to WebRAG over stdio", _bridge, json=False)
    bridge.add_argument(
        "--tools", choices=TOOL_PROFILES, metavar="PROFILE", help=f"tools to offer this assistant: {_PROFILES}"
    )
    diagnostics = adder.add("diagnostics", "log arguments and results of calls for an hour", care.diagnostics)
    diagnostics.add_argument("state", nargs="?", choices=("on", "off", "status"), default="status")


def _add_shared(adder: _Adder) -> None:
    adder.group("Shared")
    joined = adder.add("shared", "join, list or leave shared libraries", library.libraries, earlier_name="libraries")
    joined.add_argument("action", nargs="?", choices=library.ACTIONS, default="list")
    joined.add_argument("name", nargs="?", metavar="NAME", help="name of the library; its address with join")
    joined.add_argument("--collection", metavar="NAME", help="collection that your shared pages go to")
    joined.add_argument("--token-stdin", action="store_true", help="read the access token of the library from stdin")
    joined.add_argument("--client-id", metavar="ID", help="client ID for the sign-in, if it is not webrag-desktop")
    admin = adder.add("admin", "set up and run a shared library on PostgreSQL", library.library, earlier_name="library")
    admin.add_argument("action", choices=("init", "migrate", "status", *library.COPIES, *library.RIGHTS))
    admin.add_argument("values", nargs="*", metavar="VALUE", help="; ".join(library.HELP))
    admin.add_argument(
        "--collection", action="append", metavar="NAME", help="import: target; export: only this one, can be repeated"
    )
    admin.add_argument("--without-vectors", action="store_true", help="copy texts only; the nodes embed them again")
    admin.add_argument("--files", action="store_true", help="import: include local files, with their paths")
    admin.add_argument("--forget", type=int, metavar="DAYS", help="audit: delete calls that are older")
    admin.add_argument(
        "--reindex", action="store_true", help="migrate: embed every passage again with the model of this version"
    )
    admin.add_argument("--yes", action="store_true", help="migrate --reindex: confirm")
    admin.add_argument(
        "--database", metavar="ADDRESS", help=f"postgresql://USER@HOST/DATABASE; default: {LIBRARY_VARIABLE}"
    )


def _add_care(adder: _Adder) -> None:
    adder.group("Other", "autostart", "erase", "licenses", "models")
    setting = adder.add("settings", "show or change settings", settings.settings)
    setting.add_argument("name", nargs="?", metavar="NAME")
    setting.add_argument("value", nargs="?", metavar="VALUE", help="new value; separate list entries with commas")
    setting.add_argument("--default", action="store_true", help="restore the default")
    model = adder.add("models", "add, test or choose the search model or a reranker", settings.models)
    model.add_argument("action", nargs="?", choices=settings.ACTIONS, default="list")
    model.add_argument("name", nargs="?", metavar="NAME", help="name from the list; a folder with a card.toml")
    model.add_argument(
        "--source", default="", metavar="FOLDER|URL", help="add: folder with the files, or a server to use instead"
    )
    model.add_argument("--yes", action="store_true", help="use: confirm that WebRAG embeds all passages again")
    secret = adder.add("secret", "show or store API keys and tokens", settings.secret)
    secret.add_argument("name", nargs="?", choices=[name.value for name in SecretName], metavar="NAME")
    secret.add_argument("--delete", action="store_true", help="delete it from the keyring")
    login = adder.add("autostart", "start WebRAG when you log in", settings.at_login)
    login.add_argument("state", nargs="?", choices=("on", "off", "status"), default="status")
    adder.add("update", "check for a newer version without downloading it", care.update)
    adder.add("tour", "ask the included guide and see how to connect", serve.tour, json=False, earlier_name="demo")
    erase = adder.add("erase", "permanently delete stored data", care.erase, json=False)
    erase.add_argument("kinds", nargs="+", choices=("library", "backups", "logs", "secrets", "settings"))
    erase.add_argument("--yes", action="store_true", help="confirm")
    adder.add("licenses", "list the packages in this program", care.licences, earlier_name="licences")


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    """Return an argument type; argparse rejects `choices` for a list that can be empty."""

    def name(given: str) -> str:
        if given not in names:
            raise argparse.ArgumentTypeError(f"invalid choice: {given!r} (choose from {', '.join(names)})")
        return given

    return name


def _bridge(options: argparse.Namespace) -> int:
    from app.bridge import serve as carry

    return carry(options.data_dir, options.tools or "")


def _name(text: str) -> str:
    """Return a name. An empty one, for example from an unset variable, is an error."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()
