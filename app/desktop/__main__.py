"""The `webrag-desktop` program: the tray application."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from app import __version__
from app.errors import AlreadyRunningError, DataFolderError, SettingsError, WebRAGError
from app.paths import DATA_DIR_VARIABLES, choose_data_dir, usual_data_dir

if TYPE_CHECKING:
    from app.desktop.ending import Application
    from app.desktop.single_instance import Handover
    from app.settings import Settings

STOP_WAIT_SECONDS = 15.0
ANSWER_WAIT_SECONDS = 10.0  # Seconds to wait for a starting instance, which responds only after creating its window.


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    for name in ("stdout", "stderr"):
        # Windows GUI programs lack them, and libraries write to them.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    if options.selftest:
        from app.desktop.selftest import run_selftest

        return run_selftest(options.data_dir)
    from app.desktop.qt import spare_sources
    from app.memory import limit_arenas

    limit_arenas()
    spare_sources()
    if not _is_taken_over(options):
        _run_window(options)
    return 0


def _run_window(options: argparse.Namespace) -> NoReturn:
    import shiboken6

    from app.desktop.application import make_qt_application, tell_and_wait
    from app.desktop.wording import speak
    from app.ending import end_now

    application = make_qt_application([sys.argv[0]])
    try:
        status = _run_somewhere(application, options)
    except WebRAGError as error:
        if _is_of_bridge(options):
            # Each try of an assistant would open another dialog, and wait for it.
            sys.stderr.write(f"error: {error.message}\nhint: {error.hint}\n")
        else:
            speak(error)
            tell_and_wait(error.title, error.message, error.hint)
        status = 1
    if application.clipboard().ownsClipboard():
        # At its end, Qt hands a copied text over to the desktop.
        shiboken6.delete(application)
    end_now(status)


def _is_of_bridge(options: argparse.Namespace) -> bool:
    """Whether a bridge started this program. It waits for a response, and reports an error to its assistant."""
    return options.hidden and options.data_dir is not None


def _is_taken_over(options: argparse.Namespace) -> bool:
    """Whether a running window takes over. It is asked before this start loads its own."""
    from app.desktop.single_instance import is_reached
    from app.settings import load_settings

    try:
        data_dir = load_settings(data_dir=options.data_dir).data_dir
    except WebRAGError:
        # The start reports it.
        return False
    return is_reached(data_dir, None if options.hidden else _named(options))


def _run_somewhere(application: Application, options: argparse.Namespace) -> int:
    """Run with the data folder. If it is not usable, ask for another one where the user can see the dialog."""
    while True:
        try:
            return _run(application, options)
        except DataFolderError as error:
            if _is_of_bridge(options):
                raise
            folder = ask_for_folder(application, options, error)
            if folder is None:
                return 1
            if not is_folder_given(options):
                choose_data_dir(folder if folder != usual_data_dir() else None)
            options.data_dir = folder
        except SettingsError as error:
            if _is_of_bridge(options):
                raise
            if not set_settings_aside(application, error):
                return 1


def set_settings_aside(application: Application, error: SettingsError) -> bool:
    """Offer to rename an invalid settings file. Return whether that was done. Raises SettingsError if it would not help."""
    import time

    from app.desktop.dialogs.confirm import is_reset_wanted
    from app.desktop.qt import SILENT_PLATFORMS
    from app.desktop.wording import speak
    from app.paths import config_file
    from app.settings import load_settings

    file = config_file()
    kept = file.with_name(f"{file.stem}-{time.strftime('%Y%m%d-%H%M%S')}{file.suffix}")
    if application.platformName() in SILENT_PLATFORMS or not file.exists():
        raise error
    # An invalid environment variable is an error with every file.
    _dress(application, load_settings(file=kept))
    if not is_reset_wanted(speak(error), kept):
        return False
    try:
        file.replace(kept)
    except OSError as refused:
        raise error from refused
    return True


def is_folder_given(options: argparse.Namespace) -> bool:
    """Whether the data folder was given for this start only, so that a new choice does not apply to others."""
    return options.data_dir is not None or any(os.environ.get(name) for name in DATA_DIR_VARIABLES)


def ask_for_folder(application: Application, options: argparse.Namespace, error: DataFolderError) -> Path | None:
    """Ask for a writable folder. Return None if the user cancels. Raises DataFolderError without a display."""
    from PySide6.QtWidgets import QDialog

    from app.desktop.dialogs.confirm import DataFolderDialog
    from app.desktop.qt import SILENT_PLATFORMS
    from app.desktop.wording import speak
    from app.settings import load_settings

    if application.platformName() in SILENT_PLATFORMS:
        raise error
    settings = load_settings(data_dir=options.data_dir)
    _dress(application, settings)
    speak(error)
    dialog = DataFolderDialog(error, settings.data_dir, is_remembered=not is_folder_given(options))
    return dialog.folder if dialog.exec() == QDialog.DialogCode.Accepted else None


def _dress(application: Application, settings: Settings) -> None:
    """Set language and theme for dialogs that open before the window."""
    from app.desktop.theme import Appearance, theme
    from app.desktop.wording import install_language

    install_language(application, settings.language)
    theme().install(application, Appearance(settings.appearance))


def _run(application: Application, options: argparse.Namespace) -> int:
    from app.instance import Holding, hold_instance
    from app.logs import configure_logging
    from app.paths import log_dir
    from app.settings import load_settings

    settings = load_settings(data_dir=options.data_dir)
    try:
        with hold_instance(settings.data_dir, Holding.APPLICATION if settings.mcp_enabled else Holding.WINDOW):
            # When a bridge or the login starts WebRAG, stderr only reaches the start log.
            configure_logging(settings.mcp_log_level, log_dir=log_dir(settings.data_dir), to_stderr=not options.hidden)
            return _show(application, settings, options)
    except AlreadyRunningError:
        return _hand_over(application, settings, options)


def _show(application: Application, settings: Settings, options: argparse.Namespace) -> int:
    from app.desktop.application import DesktopApp
    from app.desktop.config_watch import real_monitor
    from app.ending import end_now
    from app.instance import remove_runtime

    desktop = DesktopApp(application, settings, make_monitor=real_monitor(settings.data_dir))
    desktop.ending.govern(application)
    desktop.start(hidden=options.hidden, set_up=True)
    if named := _named(options):
        desktop.open_with(named)
    status = application.exec()
    if not desktop.ended_in_time:
        # A hanging thread may still use the data directory, so the process holds it to its end.
        remove_runtime(settings.data_dir)
        end_now(status)
    return status


def _hand_over(application: Application, settings: Settings, options: argparse.Namespace) -> int:
    """Let the other instance show its window, or replace one without a window after asking the user."""
    from app.desktop.single_instance import Handover
    from app.instance import silent_holder

    if options.hidden:
        return 0
    outcome = _ask_until_answered(settings.data_dir, _named(options))
    if outcome is Handover.SHOWN:
        return 0
    if outcome is Handover.HEADLESS:
        if not _may_replace(application, settings):
            return 0
        _replace(settings.data_dir)
    elif outcome is Handover.SILENT and not _may_end(application, settings):
        raise silent_holder(settings.data_dir)
    return _run(application, options)


def _may_end(application: Application, settings: Settings) -> bool:
    """End an unresponsive process after asking the user. Return whether it was ended."""
    from app.desktop.dialogs.confirm import is_end_wanted
    from app.desktop.qt import SILENT_PLATFORMS
    from app.ending import Earlier
    from app.instance import command_in_use, holder

    earlier = Earlier.of(holder(settings.data_dir)[0])
    if application.platformName() in SILENT_PLATFORMS or earlier is None or command_in_use(settings.data_dir):
        return False
    _dress(application, settings)
    return is_end_wanted(earlier) and earlier.end()


def _ask_until_answered(data_dir: Path, address: str) -> Handover | None:
    """Return the result of the request, or None if the other instance has ended and this one can take over."""
    import time

    from app.desktop.single_instance import Handover, ask_to_show
    from app.instance import command_in_use, hold_instance

    deadline = time.monotonic() + ANSWER_WAIT_SECONDS
    while (outcome := ask_to_show(data_dir, address)) is Handover.SILENT:
        if command_in_use(data_dir) is not None or time.monotonic() > deadline:
            return outcome
        time.sleep(0.2)
        try:
            with hold_instance(data_dir):
                return None
        except AlreadyRunningError:
            continue
    return outcome


def _may_replace(application: Application, settings: Settings) -> bool:
    from app.desktop.dialogs.confirm import is_agreed
    from app.desktop.wording import translator

    _dress(application, settings)
    tr = translator("Main")
    question = tr(
        "An assistant started WebRAG without a window. Restart it with a window? Assistants reconnect automatically."
    )
    return is_agreed(None, "WebRAG", question, tr("Restart"))


def _replace(data_dir: Path) -> None:
    """Stop the instance without a window and wait until the data directory is free."""
    import time

    from app.desktop.single_instance import ask_to_stop
    from app.instance import hold_instance

    hint = "Quit it from its tray menu, then try again."
    if not ask_to_stop(data_dir):
        raise AlreadyRunningError("The running WebRAG refused to quit.", hint=hint)
    deadline = time.monotonic() + STOP_WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            with hold_instance(data_dir):
                return
        except AlreadyRunningError:
            time.sleep(0.1)
    raise AlreadyRunningError("The running WebRAG did not quit in time.", hint=hint)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="webrag-desktop", description="WebRAG Desktop: the tray application.")
    parser.add_argument("things", nargs="*", metavar="URL|PATH", help="pages, files and folders to add")
    parser.add_argument("--hidden", action="store_true", help="start in the tray without a window")
    parser.add_argument("--ask", action="store_true", help="open the Ask window, for a shortcut of the desktop")
    parser.add_argument("--data-dir", type=Path, default=None, help="folder for library, logs and state")
    parser.add_argument("--selftest", action="store_true", help="check that every part works, then exit")
    parser.add_argument("--version", action="version", version=f"WebRAG Desktop {__version__}")
    return parser


def _named(options: argparse.Namespace) -> str:
    """Return the items to add as one line for a running instance; items that do not fit are left out."""
    from app.desktop.single_instance import ASK, MAX_REQUEST_BYTES

    if options.ask or not options.things:
        return ASK if options.ask else ""
    from app.desktop.offer import as_argument

    named = ""
    for given in options.things:
        longer = f"{named} {as_argument(given)}".strip()
        if len(longer.encode()) >= MAX_REQUEST_BYTES:
            break
        named = longer
    return named


if __name__ == "__main__":
    sys.exit(main())
