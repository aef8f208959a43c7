"""A panel for tests: takes tray items over D-Bus and reads and clicks their menus. Run inside a D-Bus session.

Starts the real application on the given display, prints what the tray showed as one JSON object, and ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, Properties, new_method_call, new_method_return
from jeepney.io.blocking import DBusConnection, open_dbus_connection

ROOT = Path(__file__).resolve().parents[2]
BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
NAMES = ("org.kde.StatusNotifierWatcher", "org.freedesktop.Notifications")
WATCHER = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "ProtocolVersion": ("i", 0),
    "RegisteredStatusNotifierItems": ("as", []),
}


@dataclass(frozen=True)
class Entry:
    """One entry of a tray menu."""

    id: int
    label: str
    enabled: bool
    separator: bool


class Panel:
    """Owns the names that tray icons look for, and answers their calls while it waits for its own."""

    def __init__(self) -> None:
        self._connection: DBusConnection = open_dbus_connection("SESSION")
        self.items: list[str] = []
        self.notifications: list[str] = []
        for name in NAMES:
            self.ask(new_method_call(BUS, "RequestName", "su", (name, 4)))

    def ask(self, message: Message) -> Any:
        """Send a call and give the body of its answer."""
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
        """The service name of the first tray icon that registers."""
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
        """Serve until the icon says this. Raises TimeoutError with what it says instead."""
        deadline = time.monotonic() + 30
        while (shown := tooltip(self.properties(item))) != words:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the tooltip is {shown!r}")
            self.settle(0.1)

    def properties(self, item: str) -> dict[str, Any]:
        """What the icon says of itself."""
        address = DBusAddress("/StatusNotifierItem", item, "org.kde.StatusNotifierItem")
        (raw,) = self.ask(Properties(address).get_all())
        return {name: value for name, (_signature, value) in raw.items()}

    def menu(self, item: str) -> list[Entry]:
        """The entries of the icon's menu."""
        address = self._menu_address(item)
        _, (_, _, children) = self.ask(new_method_call(address, "GetLayout", "iias", (0, -1, [])))
        found = []
        for _signature, (number, values, _below) in children:
            plain = {name: value for name, (_kind, value) in values.items()}
            label = str(plain.get("label", "")).replace("_", "")
            found.append(Entry(number, label, bool(plain.get("enabled", True)), plain.get("type") == "separator"))
        return found

    def click(self, item: str, label: str) -> None:
        """Choose an entry of the menu."""
        entry = next(entry for entry in self.menu(item) if entry.label == label)
        address = self._menu_address(item)
        self.ask(new_method_call(address, "Event", "isvu", (entry.id, "clicked", ("i", 0), 0)))

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
            self._connection.send(new_method_return(message, "u", (1,)))
        elif member == "GetCapabilities":
            self._connection.send(new_method_return(message, "as", (["body"],)))
        else:
            self._connection.send(new_method_return(message))


def tooltip(properties: dict[str, Any]) -> str:
    return str(properties["ToolTip"][2])


def life(panel: Panel, application: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Ready, paused, resumed, quit."""
    item = panel.wait_for_item(30)
    panel.wait_for_tooltip(item, "WebRAG: Ready")
    properties = panel.properties(item)
    seen: dict[str, Any] = {
        "id": properties["Id"],
        "title": properties["Title"],
        "tooltip": tooltip(properties),
        "menu": [[entry.label, entry.enabled] for entry in panel.menu(item) if not entry.separator],
        "separators": sum(entry.separator for entry in panel.menu(item)),
    }
    panel.click(item, "Pause")
    panel.settle(0.6)
    seen["paused tooltip"] = tooltip(panel.properties(item))
    seen["paused menu"] = [entry.label for entry in panel.menu(item)]
    panel.click(item, "Resume")
    panel.settle(0.6)
    seen["resumed tooltip"] = tooltip(panel.properties(item))
    panel.click(item, "Quit")
    panel.settle(0.3)
    seen["exit status"] = application.wait(15)
    return seen


def failure(panel: Panel, application: subprocess.Popen[bytes]) -> dict[str, Any]:
    """An engine that cannot start while no window is open."""
    item = panel.wait_for_item(30)
    # While a notification is shown, Qt gives its title as the tooltip.
    panel.wait_for_tooltip(item, "Corpus not usable")
    panel.settle(0.3)
    entries = {entry.label: entry.enabled for entry in panel.menu(item)}
    panel.click(item, "Quit")
    panel.settle(0.3)
    return {"notifications": panel.notifications, "menu": entries, "exit status": application.wait(15)}


def main(story: str, data_dir: str) -> None:
    """Run the application and tell what its tray icon showed."""
    panel = Panel()
    command = [sys.executable, "-m", "app.desktop", "--hidden", "--data-dir", data_dir]
    application = subprocess.Popen(command, cwd=ROOT)
    try:
        seen = {"life": life, "failure": failure}[story](panel, application)
        sys.stdout.write(json.dumps(seen) + "\n")
    finally:
        application.kill()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
