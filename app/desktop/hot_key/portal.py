"""The global shortcut on Wayland: the GlobalShortcuts portal, which asks the user and reports presses over D-Bus.

A separate thread talks to the portal, because the user answers its dialog at any time. It reports to the main thread by signals.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, Say, missing_key_text, no_way_text
from app.desktop.qt import Act
from app.desktop.wording import translator

if TYPE_CHECKING:
    from jeepney import Message

_tr = translator("HotKey")
log = logging.getLogger(__name__)

PORTAL: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"
SHORTCUTS: Final = "org.freedesktop.portal.GlobalShortcuts"
SESSION: Final = "org.freedesktop.portal.Session"
REGISTRY: Final = "org.freedesktop.host.portal.Registry"
APPLICATION: Final = "webrag"  # The name of the application's desktop file, which identifies it to portals.
SHORTCUT: Final = "ask"
ANSWER_SECONDS: Final = 25.0  # Seconds to wait for calls that do not ask the user.
MAX_WAITING: Final = 64  # Maximum number of messages to keep while waiting for another one.
SHOWN_CHARS: Final = 60  # Maximum length of the desktop's name for the shortcut.
TOKEN_VARIABLE: Final = "XDG_ACTIVATION_TOKEN"
"""The variable in which Qt looks for the token that lets a window take the focus."""
_NAMES: Final = (
    "space apostrophe comma minus period slash semicolon equal bracketleft backslash bracketright grave numbersign less"
)
_SIGNS: Final = dict(zip(" ',-./;=[\\]`#<", _NAMES.split(), strict=True))
"""XKB names of symbols; letters and digits are their own names."""


class PortalError(Exception):
    """The portal is not reachable."""


class PortalGrabber(QObject):
    """The Wayland implementation. Calls `pressed` for each press, and `say` when the desktop or the user has decided."""

    _news = Signal(int, dict)
    """The turn, which tells the current shortcut from earlier ones, and the `token` of a press, a `problem` or a `note`."""

    def __init__(self, pressed: Act, say: Say) -> None:
        super().__init__()
        self._pressed, self._say = pressed, say
        self._turn = 0
        self._talk: _Talk | None = None
        self._news.connect(self._learn, Qt.ConnectionType.QueuedConnection)

    def take(self, keys: Keys) -> None:
        """Request a shortcut. The result is reported later."""
        self.release()
        self._talk = _Talk(trigger(keys), self._turn, self._news.emit)
        self._say("", _tr("WebRAG asked the desktop for this shortcut. The desktop may ask you to confirm."))
        threading.Thread(target=self._talk.run, name="hot key", daemon=True).start()

    def release(self) -> None:
        """End the portal session."""
        self._turn += 1
        if self._talk is not None:
            self._talk.end()
            self._talk = None

    def _learn(self, turn: int, facts: dict[str, str]) -> None:
        if turn != self._turn:
            return
        if "token" in facts:
            if facts["token"]:
                os.environ[TOKEN_VARIABLE] = facts["token"]
            self._pressed()
        else:
            self._say(facts.get("problem", ""), facts.get("note", ""))


class _Talk:
    """A portal session with its own thread and connection."""

    def __init__(self, wanted: str, turn: int, emit: Callable[[int, dict[str, str]], object]) -> None:
        self._wanted, self._turn, self._emit = wanted, turn, emit
        self._guard = threading.Lock()
        self._is_ended = False
        self._connection: Any = None
        self._held: deque[Message] = deque(maxlen=MAX_WAITING)

    def end(self) -> None:
        """Stop reporting and end the thread. Thread-safe."""
        with self._guard:
            self._is_ended = True
            if self._connection is not None:
                try:
                    self._connection.sock.shutdown(socket.SHUT_RDWR)
                except OSError as error:
                    log.debug("the connection was already closed: %s", error)

    def run(self) -> None:
        """Request the shortcut and report presses until the session ends."""
        try:
            self._open()
            while self._serve(self._bind()):
                log.info("The portal restarted; requesting the shortcut again.")
        except HotKeyRefusedError as refused:
            self._tell(problem=str(refused))
        except (PortalError, OSError, LookupError, TypeError, ValueError, AttributeError) as error:
            # Includes a response in an unexpected format.
            log.info("the portal rejected the shortcut: %s", error)
            self._tell(problem=no_way_text())
        finally:
            if self._connection is not None:
                self._connection.close()

    def _tell(self, **facts: str) -> None:
        with self._guard:
            if not self._is_ended:
                self._emit(self._turn, facts)

    def _open(self) -> None:
        from jeepney import DBusAddress, MatchRule, new_method_call
        from jeepney.io.blocking import open_dbus_connection

        connection = open_dbus_connection("SESSION")
        with self._guard:
            self._connection = connection
            if self._is_ended:
                raise PortalError("no longer needed")
        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        coming = MatchRule(type="signal", sender=bus.bus_name, member="NameOwnerChanged")
        coming.add_arg_condition(0, PORTAL)
        for rule in (MatchRule(type="signal", sender=PORTAL), coming):
            self._call(new_method_call(bus, "AddMatch", "s", (rule.serialise(),)))
        try:
            self._ask(REGISTRY, "Register", "sa{sv}", (APPLICATION, {}))
        except PortalError as error:
            # Older portals identify programs by their systemd unit.
            log.debug("the portal does not accept names: %s", error)

    def _bind(self) -> str:
        """Request the shortcut and return the session path. Raises HotKeyRefusedError if the desktop or the user rejects it."""
        made = self._request("CreateSession", "a{sv}", (), {"session_handle_token": ("s", _token())}, ANSWER_SECONDS)
        session = str(made["session_handle"][1])
        wanted = [(SHORTCUT, {"description": ("s", _tr("Ask WebRAG")), "preferred_trigger": ("s", self._wanted)})]
        bound = self._request("BindShortcuts", "oa(sa{sv})sa{sv}", (session, wanted, ""), {}, None)
        given = dict(bound.get("shortcuts", ("", []))[1]).get(SHORTCUT)
        if given is None:
            raise HotKeyRefusedError(_refused_text())
        name = str(given.get("trigger_description", ("s", ""))[1]).strip()[:SHOWN_CHARS]
        if name:
            self._tell(note=_tr("Shortcut set by the desktop: {}").format(name))
        else:
            self._tell(
                problem=_tr("The desktop did not assign a shortcut. Set one for WebRAG in the desktop settings.")
            )
        return session

    def _serve(self, session: str) -> bool:
        """Report presses until the session ends. Return True if the portal restarted, so that the shortcut must be requested again."""
        while True:
            message = self._next(None)
            member, body = _field(message, "member"), message.body
            if member == "Activated" and body[:2] == (session, SHORTCUT):
                token = body[3].get("activation_token", ("s", ""))[1] if len(body) > 3 else ""
                self._tell(token=str(token))
            elif member == "Closed" and _field(message, "path") == session:
                raise HotKeyRefusedError(
                    _tr("The desktop removed the shortcut of the Ask window. Choose a different one.")
                )
            elif member == "NameOwnerChanged" and body[0] == PORTAL and body[2]:
                return True

    def _request(
        self, method: str, kinds: str, fields: tuple[Any, ...], options: Mapping[str, Any], seconds: float | None
    ) -> dict[str, Any]:
        """Send a request and return the results from its response signal."""
        handle = str(self._ask(SHORTCUTS, method, kinds, (*fields, {**options, "handle_token": ("s", _token())}))[0])
        while True:
            message = self._next(seconds)
            # A portal started by this call did not have an owner before.
            member = _field(message, "member")
            if member == "NameOwnerChanged" and message.body[1]:
                raise PortalError("the portal disappeared")
            if member == "Response" and _field(message, "path") == handle:
                code, results = message.body
                if code:
                    raise HotKeyRefusedError(_refused_text())
                return dict(results)

    def _ask(self, interface: str, method: str, kinds: str, body: tuple[Any, ...]) -> Any:
        from jeepney import DBusAddress, new_method_call

        return self._call(new_method_call(DBusAddress(PATH, PORTAL, interface), method, kinds, body))

    def _call(self, message: Message) -> Any:
        """Send a call and return the body of the reply. Keeps messages that arrive in the meantime."""
        from jeepney import HeaderFields, MessageType

        serial = next(self._connection.outgoing_serial)
        self._connection.send(message, serial=serial)
        while True:
            answer = self._connection.receive(timeout=ANSWER_SECONDS)
            if answer.header.fields.get(HeaderFields.reply_serial) != serial:
                self._held.append(answer)
            elif answer.header.message_type is MessageType.error:
                raise PortalError(f"{answer.header.fields.get(HeaderFields.error_name)}: {answer.body}")
            else:
                return answer.body

    def _next(self, seconds: float | None) -> Message:
        return self._held.popleft() if self._held else self._connection.receive(timeout=seconds)


def trigger(keys: Keys) -> str:
    """Return the shortcut in portal syntax, such as CTRL+ALT+space. Raises HotKeyRefusedError for a symbol without a name."""
    held = [
        name
        for name, is_held in (("CTRL", keys.ctrl), ("ALT", keys.alt), ("SHIFT", keys.shift), ("LOGO", keys.meta))
        if is_held
    ]
    letter = chr(keys.key)
    name = f"F{keys.function}" if keys.function else letter.lower() if letter.isalnum() else _SIGNS.get(letter, "")
    if not name:
        raise HotKeyRefusedError(missing_key_text())
    return "+".join((*held, name))


def _refused_text() -> str:
    return _tr(
        "The desktop rejected this shortcut. Choose a different one, or add one in the desktop settings that runs: webrag-desktop --ask"
    )


def _token() -> str:
    return f"webrag_{secrets.token_hex(8)}"


def _field(message: Message, name: str) -> str:
    from jeepney import HeaderFields

    return str(message.header.fields.get(HeaderFields[name], ""))
