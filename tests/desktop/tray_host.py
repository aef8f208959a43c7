"""A panel for tests that accepts tray items over D-Bus and reads and clicks their menus. Runs in a D-Bus session.

Starts the real application on the given display and prints the content of the tray as one JSON object.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    Properties,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from app.desktop.application import SHOWN, STATE_FILE
from app.instance import holder

ROOT = Path(__file__).resolve().parents[2]
BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
WATCHER_NAME = "org.kde.StatusNotifierWatcher"
NOTIFICATIONS_NAME = "org.freedesktop.Notifications"
NOTIFICATIONS = DBusAddress("/org/freedesktop/Notifications", NOTIFICATIONS_NAME, NOTIFICATIONS_NAME)
TITLE = "WebRAG Desktop"
WATCHER = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "ProtocolVersion": ("i", 0),
    "RegisteredStatusNotifierItems": ("as", []),
}


@dataclass(frozen=True)
class Entry:
    """An entry of a tray menu."""

    id: int
    label: str
    enabled: bool
    separator: bool


class Panel:
    """Owns the D-Bus names that tray icons look for, and answers their calls while waiting."""

    def __init__(self, *, tray: bool = True) -> None:
        self._connection: DBusConnection = open_dbus_connection("SESSION")
        self.items: list[str] = []
        self.notifications: list[str] = []
        self.texts: list[str] = []
        self.ask(new_method_call(BUS, "RequestName", "su", (NOTIFICATIONS_NAME, 4)))
        if tray:
            self.come()

    def come(self) -> None:
        """Show the tray."""
        self.ask(new_method_call(BUS, "RequestName", "su", (WATCHER_NAME, 4)))

    def go(self) -> None:
        """Hide the tray."""
        self.items.clear()
        self.ask(new_method_call(BUS, "ReleaseName", "s", (WATCHER_NAME,)))

    def press_notification(self) -> None:
        """Click the displayed notification."""
        self._connection.send(new_signal(NOTIFICATIONS, "ActionInvoked", "us", (1, "default")))

    def ask(self, message: Message) -> Any:
        """Send a call and return the body of its reply."""
        serial = next(self._connection.outgoing_serial)
        self._connection.send(message, serial=serial)
        while True:
            answer = self._connection.receive(timeout=10)
            if answer.header.fields.get(HeaderFields.reply_serial) == serial:
                if answer.header.message_type is MessageType.error:
                    raise RuntimeError(f"{answer.header.fields.get(HeaderFields.error_name)}: {answer.body}")
                return answer.body
            self._serve(answer)

    def wait_for_item(self, seconds: float) -> str:
        """Wait for the first tray icon and return its service name."""
        deadline = time.monotonic() + seconds
        while not self.items and time.monotonic() < deadline:
            self._serve_next()
        if not self.items:
            raise TimeoutError("no tray icon was registered")
        return self.items[0]

    def settle(self, seconds: float) -> None:
        """Serve for a while."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._serve_next()

    def wait_for_tooltip(self, item: str, words: str) -> None:
        """Serve until the tooltip has this text. Raises TimeoutError with the actual text."""
        deadline = time.monotonic() + 60
        while (shown := tooltip(self.properties(item))) != words:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the tooltip is {shown!r}")
            self.settle(0.1)

    def properties(self, item: str) -> dict[str, Any]:
        """Return the properties of the icon."""
        address = DBusAddress("/StatusNotifierItem", item, "org.kde.StatusNotifierItem")
        (raw,) = self.ask(Properties(address).get_all())
        return {name: value for name, (_signature, value) in raw.items()}

    def menu(self, item: str) -> list[Entry]:
        """Return the entries of the icon's menu."""
        address = self._menu_address(item)
        _, (_, _, children) = self.ask(new_method_call(address, "GetLayout", "iias", (0, -1, [])))
        found = []
        for _signature, (number, values, _below) in children:
            plain = {name: value for name, (_kind, value) in values.items()}
            if not plain.get("visible", True):
                continue
            label = str(plain.get("label", "")).replace("_", "")
            found.append(Entry(number, label, bool(plain.get("enabled", True)), plain.get("type") == "separator"))
        return found

    def click(self, item: str, label: str) -> None:
        """Click an entry of the menu."""
        entry = next(entry for entry in self.menu(item) if entry.label == label)
        address = self._menu_address(item)
        self.ask(new_method_call(address, "Event", "isvu", (entry.id, "clicked", ("i", 0), 0)))

    def press(self, item: str, how: str) -> None:
        """Click the icon: Activate is the left button, SecondaryActivate the middle one."""
        address = DBusAddress("/StatusNotifierItem", item, "org.kde.StatusNotifierItem")
        self.ask(new_method_call(address, how, "ii", (0, 0)))

    def look(self, item: str) -> str:
        """Return a hash of the icon's pixels."""
        pictures = self.properties(item)["IconPixmap"]
        if not pictures:
            raise RuntimeError("the icon has no pixels")
        return hashlib.sha256(b"".join(bytes(data) for _width, _height, data in pictures)).hexdigest()

    def wait_for_window(self, state: str) -> None:
        """Serve until the main window is shown, minimized or hidden. Raises TimeoutError with the actual state."""
        # A busy machine can take half a minute to start a program.
        deadline = time.monotonic() + 120
        while (now := window_state()) != state:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the window is {now}, not {state}")
            self.settle(0.1)

    def _menu_address(self, item: str) -> DBusAddress:
        return DBusAddress(self.properties(item)["Menu"], item, "com.canonical.dbusmenu")

    def _serve_next(self) -> None:
        try:
            message = self._connection.receive(timeout=0.1)
        except TimeoutError:
            return
        self._serve(message)

    def _serve(self, message: Message) -> None:
        if message.header.message_type is not MessageType.method_call:
            return
        fields = message.header.fields
        member = fields[HeaderFields.member]
        if member == "Get":
            self._connection.send(new_method_return(message, "v", (WATCHER[message.body[1]],)))
        elif member == "RegisterStatusNotifierItem":
            self.items.append(fields[HeaderFields.sender])
            self._connection.send(new_method_return(message))
        elif member == "Notify":
            self.notifications.append(message.body[3])
            self.texts.append(message.body[4])
            self._connection.send(new_method_return(message, "u", (1,)))
        elif member == "GetCapabilities":
            self._connection.send(new_method_return(message, "as", (["body", "actions"],)))
        else:
            self._connection.send(new_method_return(message))


def tooltip(properties: dict[str, Any]) -> str:
    return str(properties["ToolTip"][2])


def window_state() -> str:
    """Return the state of the main window from the window manager: shown, minimized or hidden."""
    # It fails if a window disappears in the meantime.
    tree = subprocess.run(["xwininfo", "-root", "-tree"], capture_output=True, text=True, check=False).stdout
    for number in re.findall(rf'^\s+(0x[0-9a-f]+) "{TITLE}": \("', tree, re.MULTILINE):
        found = subprocess.run(["xprop", "-id", number, "WM_STATE"], capture_output=True, text=True, check=False).stdout
        if "Normal" in found:
            return "shown"
        if "Iconic" in found:
            return "minimised"
    return "hidden"


def manage() -> subprocess.Popen[bytes]:
    """Start a window manager and wait until it manages windows. Raises TimeoutError."""
    for _ in range(3):
        manager = subprocess.Popen(["openbox"])
        deadline = time.monotonic() + 20
        while manager.poll() is None and time.monotonic() < deadline:
            asked = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
            if "window id" in subprocess.run(asked, capture_output=True, text=True, check=False).stdout:
                return manager
            time.sleep(0.1)
        manager.kill()
        manager.wait()
    raise TimeoutError("openbox does not start")


def start(data_dir: str, *options: str, module: str = "app.desktop") -> subprocess.Popen[bytes]:
    """Start the real application like a user or an autostart entry."""
    command = [sys.executable, "-m", module, "--data-dir", data_dir, *options]
    return subprocess.Popen(command, cwd=ROOT)


def life(data_dir: str) -> dict[str, Any]:
    """Story: a late tray; ready, paused, resumed, shown, hidden; the tray disappears and returns; quit."""
    panel, application = Panel(tray=False), start(data_dir, "--hidden")
    panel.wait_for_window("minimised")
    panel.come()
    item = panel.wait_for_item(60)
    panel.wait_for_window("hidden")
    panel.wait_for_tooltip(item, "WebRAG: Ready")
    properties = panel.properties(item)
    seen: dict[str, Any] = {
        "id": properties["Id"],
        "title": properties["Title"],
        "tooltip": tooltip(properties),
        "menu": [[entry.label, entry.enabled] for entry in panel.menu(item) if not entry.separator],
        "separators": sum(entry.separator for entry in panel.menu(item)),
        "idle look": panel.look(item),
    }
    panel.click(item, "Pause")
    panel.wait_for_tooltip(item, "WebRAG: Paused: assistants get no answers")
    seen["paused menu"] = [entry.label for entry in panel.menu(item)]
    seen["paused look"] = panel.look(item)
    panel.click(item, "Resume")
    panel.wait_for_tooltip(item, "WebRAG: Ready")
    seen["resumed look"] = panel.look(item)
    panel.press(item, "Activate")
    panel.wait_for_window("shown")
    panel.settle(0.6)
    panel.press(item, "Activate")
    panel.wait_for_window("hidden")
    panel.go()
    panel.wait_for_window("minimised")
    second = start(data_dir)
    panel.wait_for_window("shown")
    seen["second start"] = second.wait(60)
    panel.come()
    item = panel.wait_for_item(60)
    panel.click(item, "Quit")
    panel.settle(0.3)
    seen["exit status"] = application.wait(60)
    seen["notifications"] = panel.notifications
    return seen


def failure(data_dir: str) -> dict[str, Any]:
    """Story: the engine cannot start while no window is open."""
    panel, application = Panel(), start(data_dir, "--hidden")
    item = panel.wait_for_item(60)
    # While a notification is visible, Qt reports its title as tooltip.
    panel.wait_for_tooltip(item, "Library damaged")
    panel.settle(0.3)
    entries = {entry.label: entry.enabled for entry in panel.menu(item)}
    look = panel.look(item)
    panel.wait_for_window("hidden")
    panel.press_notification()
    panel.wait_for_window("shown")
    panel.click(item, "Quit")
    panel.settle(0.3)
    return {
        "notifications": panel.notifications,
        "menu": entries,
        "error look": look,
        "exit status": application.wait(60),
    }


def wiped(data_dir: str) -> dict[str, Any]:
    """Story: another program removes the WebRAG entry while no window is open; a click restores it."""
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    register = [sys.executable, "-m", "app", "register", "--client", "claude-desktop", "--data-dir", data_dir]
    subprocess.run(register, cwd=ROOT, check=True, capture_output=True)
    panel, application = Panel(), start(data_dir, "--hidden", module="tests.desktop.pressed")
    item = panel.wait_for_item(60)
    panel.wait_for_tooltip(item, "WebRAG: Ready")
    panel.settle(3)
    quiet = list(panel.notifications)
    other = "import sys; open(sys.argv[1], 'w').write('{}')"
    subprocess.run([sys.executable, "-c", other, str(file)], check=True)
    noticed = seconds_until(panel, lambda: bool(panel.notifications), 60)
    panel.press_notification()
    panel.wait_for_window("shown")
    (Path(data_dir) / "press").write_text("Restore entry")
    repaired = seconds_until(panel, lambda: "webrag" in file.read_text(), 60)
    panel.click(item, "Quit")
    panel.settle(0.3)
    return {
        "before": quiet,
        "notifications": panel.notifications,
        "texts": panel.texts,
        "noticed": noticed,
        "repaired": repaired,
        "file": json.loads(file.read_text()),
        "exit status": application.wait(60),
    }


def seconds_until(panel: Panel, is_so: Callable[[], bool], most: float) -> float:
    """Serve until a condition is true. Raises TimeoutError."""
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > most:
            raise TimeoutError("it did not become so")
        panel.settle(0.1)
    return time.monotonic() - begun


def main(story: str, data_dir: str) -> None:
    """Run the application and print the content of its tray icon."""
    manager = manage()
    # The setup of a new data directory would open with the window.
    Path(data_dir).mkdir(exist_ok=True)
    (Path(data_dir) / STATE_FILE).write_text(json.dumps({SHOWN: True}))
    try:
        seen = {"life": life, "failure": failure, "wiped": wiped}[story](data_dir)
        sys.stdout.write(json.dumps(seen) + "\n")
    finally:
        manager.kill()
        end_instance(Path(data_dir))


def end_instance(data_dir: Path) -> None:
    """Stop the instance that a failed story left running."""
    pid, _ = holder(data_dir)
    if pid.isdigit():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
