"""The hot key under Wayland: the portal GlobalShortcuts, which asks the person and reports presses over D-Bus.

A thread of its own speaks with the portal, because its answer is that of a person in a dialog; what it learns comes to the window's
thread as a signal.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, Say, missing_key_text, no_way_text
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
APPLICATION: Final = "webrag"
"""The name of the application's desktop file, by which portals know it."""
SHORTCUT: Final = "ask"
ANSWER_SECONDS: Final = 25.0
"""For what no person is asked."""
MAX_WAITING: Final = 64
"""Messages that are held while another one is waited for."""
SHOWN_CHARS: Final = 60
"""Of the desktop's own name for the combination."""
TOKEN_VARIABLE: Final = "XDG_ACTIVATION_TOKEN"
"""Where Qt looks for what lets a window take the keyboard."""
_NAMES: Final = (
    "space apostrophe comma minus period slash semicolon equal bracketleft backslash bracketright grave numbersign less"
)
_SIGNS: Final = dict(zip(" ',-./;=[\\]`#<", _NAMES.split(), strict=True))
"""Names of signs as the desktops count them; those of letters and digits are themselves."""


class PortalError(Exception):
    """The portal cannot be spoken with."""


@dataclass(frozen=True, slots=True)
class _News:
    """From the thread: a press, or how it stands with the key. `turn` tells an earlier key's from this one's."""

    turn: int
    pressed: bool = False
    token: str = ""
    problem: str = ""
    note: str = ""


class PortalGrabber(QObject):
    """`pressed` is called for each press, `say` as soon as the desktop or its person has decided."""

    _news = Signal(object)

    def __init__(self, pressed: Callable[[], object], say: Say) -> None:
        super().__init__()
        self._pressed, self._say = pressed, say
        self._turn = 0
        self._talk: _Talk | None = None
        self._news.connect(self._learn, Qt.ConnectionType.QueuedConnection)

    def take(self, keys: Keys) -> None:
        """Ask for a key; the answer comes later."""
        self.release()
        self._talk = _Talk(trigger(keys), self._turn, self._news.emit)
        self._say("", _tr("The desktop is asked for this key; it may ask you in turn."))
        threading.Thread(target=self._talk.run, name="hot key", daemon=True).start()

    def release(self) -> None:
        """End the session with the portal."""
        self._turn += 1
        if self._talk is not None:
            self._talk.end()
            self._talk = None

    def _learn(self, news: _News) -> None:
        if news.turn != self._turn:
            return
        if news.pressed:
            if news.token:
                os.environ[TOKEN_VARIABLE] = news.token
            self._pressed()
        else:
            self._say(news.problem, news.note)


class _Talk:
    """One session with the portal, on its own thread and connection, which ends with the session."""

    def __init__(self, wanted: str, turn: int, emit: Callable[[object], object]) -> None:
        self._wanted, self._turn, self._emit = wanted, turn, emit
        self._guard = threading.Lock()
        self._is_ended = False
        self._connection: Any = None
        self._held: deque[Message] = deque(maxlen=MAX_WAITING)

    def end(self) -> None:
        """Say nothing more, and have the thread end. May be called from another thread."""
        with self._guard:
            self._is_ended = True
            if self._connection is not None:
                try:
                    self._connection.sock.shutdown(socket.SHUT_RDWR)
                except OSError as error:
                    log.debug("the connection was gone already: %s", error)

    def run(self) -> None:
        """Ask for the key and report presses until the session ends."""
        try:
            self._open()
            while self._serve(self._bind()):
                log.info("The portal was started anew and is asked for the key again.")
        except HotKeyRefusedError as refused:
            self._tell(problem=str(refused))
        except (PortalError, OSError, LookupError, TypeError, ValueError, AttributeError) as error:
            # Also an answer that has another form.
            log.info("The desktop's portal gives no key: %s", error)
            self._tell(problem=no_way_text())
        finally:
            if self._connection is not None:
                self._connection.close()

    def _tell(self, **facts: Any) -> None:
        with self._guard:
            if not self._is_ended:
                self._emit(_News(self._turn, **facts))

    def _open(self) -> None:
        from jeepney import DBusAddress, MatchRule, new_method_call
        from jeepney.io.blocking import open_dbus_connection

        connection = open_dbus_connection("SESSION")
        with self._guard:
            self._connection = connection
            if self._is_ended:
                raise PortalError("not wanted any more")
        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        coming = MatchRule(type="signal", sender=bus.bus_name, member="NameOwnerChanged")
        coming.add_arg_condition(0, PORTAL)
        for rule in (MatchRule(type="signal", sender=PORTAL), coming):
            self._call(new_method_call(bus, "AddMatch", "s", (rule.serialise(),)))
        try:
            self._ask(REGISTRY, "Register", "sa{sv}", (APPLICATION, {}))
        except PortalError as error:
            # Older portals know programs by the name of their unit.
            log.debug("The portal takes no names: %s", error)

    def _bind(self) -> str:
        """Ask for the key; the path of the session. Raises HotKeyRefusedError with what the desktop or its person decided."""
        made = self._request("CreateSession", "a{sv}", (), {"session_handle_token": ("s", _token())}, ANSWER_SECONDS)
        session = str(made["session_handle"][1])
        wanted = [(SHORTCUT, {"description": ("s", _tr("Ask WebRAG")), "preferred_trigger": ("s", self._wanted)})]
        bound = self._request("BindShortcuts", "oa(sa{sv})sa{sv}", (session, wanted, ""), {}, None)
        given = dict(bound.get("shortcuts", ("", []))[1]).get(SHORTCUT)
        if given is None:
            raise HotKeyRefusedError(_refused_text())
        name = str(given.get("trigger_description", ("s", ""))[1]).strip()[:SHOWN_CHARS]
        if name:
            self._tell(note=_tr("The desktop opens it with: {}").format(name))
        else:
            self._tell(
                problem=_tr(
                    "The desktop knows the ask window but has set no key. Set one in the desktop’s own settings."
                )
            )
        return session

    def _serve(self, session: str) -> bool:
        """Report presses; true once the portal was started anew and has to be asked again."""
        while True:
            message = self._next(None)
            member, body = _member(message), message.body
            if member == "Activated" and body[:2] == (session, SHORTCUT):
                token = body[3].get("activation_token", ("s", ""))[1] if len(body) > 3 else ""
                self._tell(pressed=True, token=str(token))
            elif member == "Closed" and _path(message) == session:
                raise HotKeyRefusedError(_tr("The desktop took the key of the ask window back. Choose another one."))
            elif member == "NameOwnerChanged" and body[0] == PORTAL and body[2]:
                return True

    def _request(
        self, method: str, kinds: str, fields: tuple[Any, ...], options: Mapping[str, Any], seconds: float | None
    ) -> dict[str, Any]:
        """The results of a request, whose answer is a signal at a path of its own."""
        handle = str(self._ask(SHORTCUTS, method, kinds, (*fields, {**options, "handle_token": ("s", _token())}))[0])
        while True:
            message = self._next(seconds)
            # One that is started by this very call had no owner before.
            if _member(message) == "NameOwnerChanged" and message.body[1]:
                raise PortalError("the portal went away")
            if _member(message) == "Response" and _path(message) == handle:
                code, results = message.body
                if code:
                    raise HotKeyRefusedError(_refused_text())
                return dict(results)

    def _ask(self, interface: str, method: str, kinds: str, body: tuple[Any, ...]) -> Any:
        from jeepney import DBusAddress, new_method_call

        return self._call(new_method_call(DBusAddress(PATH, PORTAL, interface), method, kinds, body))

    def _call(self, message: Message) -> Any:
        """The body of the answer; what comes meanwhile is held."""
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
    """Keys as portals read them, such as CTRL+ALT+space. Raises HotKeyRefusedError for a sign without a name."""
    held = [
        name
        for name, is_held in (("CTRL", keys.ctrl), ("ALT", keys.alt), ("SHIFT", keys.shift), ("LOGO", keys.meta))
        if is_held
    ]
    if keys.function:
        return "+".join((*held, f"F{keys.function}"))
    letter = chr(keys.key)
    name = letter.lower() if letter.isalnum() else _SIGNS.get(letter, "")
    if not name:
        raise HotKeyRefusedError(missing_key_text())
    return "+".join((*held, name))


def _refused_text() -> str:
    return _tr(
        "The desktop did not give WebRAG this key. Choose another one, or set one in its own settings that starts: webrag-desktop --ask"
    )


def _token() -> str:
    return f"webrag_{secrets.token_hex(8)}"


def _member(message: Message) -> str:
    from jeepney import HeaderFields

    return str(message.header.fields.get(HeaderFields.member, ""))


def _path(message: Message) -> str:
    from jeepney import HeaderFields

    return str(message.header.fields.get(HeaderFields.path, ""))
