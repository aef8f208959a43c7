"""The token ledger: what assistants were given per day over two weeks, as numbers for a chart and a table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Signal

from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import counted, number
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.corpus.records import DayUsage
    from app.desktop.engine_thread import EngineThread, Job

DAYS: Final = 14
COLOURS: Final = ("series_1", "series_2", "series_3", "series_4", "series_5")
REST_COLOUR: Final = "muted"


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls and what they returned."""

    calls: int = 0
    tokens: int = 0
    pages: int = 0

    def plus(self, other: Usage) -> Usage:
        return Usage(self.calls + other.calls, self.tokens + other.tokens, self.pages + other.pages)


@dataclass(frozen=True, slots=True)
class ClientUsage:
    """One assistant over all days. `colour` is a field of Colours, `share` its part of all tokens in 0..1."""

    client: str
    usage: Usage
    colour: str
    share: float


@dataclass(frozen=True, slots=True)
class Ledger:
    """`days` are in order, the last one is today; `clients` in order of tokens; `cells` by day and assistant."""

    days: tuple[date, ...]
    clients: tuple[ClientUsage, ...]
    cells: dict[tuple[date, str], Usage]

    @property
    def total(self) -> Usage:
        return _sum(self.cells.values())

    def of_day(self, day: date) -> Usage:
        """All assistants on one day."""
        return _sum(self.cells.get((day, each.client), Usage()) for each in self.clients)

    def parts(self, day: date) -> list[tuple[ClientUsage, Usage]]:
        """The assistants that called on a day, in the order of `clients`."""
        found = ((each, self.cells.get((day, each.client))) for each in self.clients)
        return [(each, usage) for each, usage in found if usage is not None]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Ledger", text)


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total = total.plus(usage)
    return total


def first_moment(today: date) -> float:
    """When the first day of the ledger began, in seconds since the epoch."""
    return datetime.combine(today - timedelta(days=DAYS - 1), time()).astimezone().timestamp()


def ledger_of(rows: Iterable[DayUsage], today: date) -> Ledger:
    """The ledger of the days up to today; what is older is left out."""
    days = tuple(today - timedelta(days=back) for back in reversed(range(DAYS)))
    cells = {
        (date.fromisoformat(row.day), row.client): Usage(row.calls, row.tokens, row.pages)
        for row in rows
        if days[0].isoformat() <= row.day <= days[-1].isoformat()
    }
    sums = {client: _sum(usage for (_, of), usage in cells.items() if of == client) for client in _clients(cells)}
    order = sorted(sums, key=lambda client: (-sums[client].tokens, -sums[client].calls, client))
    # By name, so that colours stay when the order changes.
    colours = dict(zip(sorted(order[: len(COLOURS)]), COLOURS, strict=False))
    total = max(1, sum(usage.tokens for usage in sums.values()))
    clients = tuple(
        ClientUsage(client, sums[client], colours.get(client, REST_COLOUR), sums[client].tokens / total)
        for client in order
    )
    return Ledger(days, clients, cells)


def _clients(cells: Iterable[tuple[date, str]]) -> set[str]:
    return {client for _, client in cells}


def client_name(client: str) -> str:
    """An assistant's name, also of one that gave none."""
    return client or _tr("unknown")


def short_day(day: date, today: date) -> str:
    """Below a bar: Today, 20 Nov."""
    return _tr("Today") if day == today else QLocale().toString(_qt_date(day), _tr("d MMM"))


def usage_text(usage: Usage) -> str:
    """12 calls, 7,431 tokens."""
    calls = counted(usage.calls, _tr("1 call"), _tr("{} calls"))
    return f"{calls}, {counted(usage.tokens, _tr('1 token'), _tr('{} tokens'))}"


def day_text(ledger: Ledger, day: date) -> str:
    """One day in words: its sum, then every assistant on a line."""
    name = QLocale().toString(_qt_date(day), QLocale.FormatType.LongFormat)
    if not ledger.of_day(day).calls:
        return f"{name}: {_tr('no calls')}"
    lines = [f"{client_name(each.client)}: {usage_text(usage)}" for each, usage in ledger.parts(day)]
    return "\n".join((f"{name}: {usage_text(ledger.of_day(day))}", *lines))


def day_line(ledger: Ledger, day: date) -> str:
    """One day on one line: its sum, then the tokens of every assistant."""
    first = day_text(ledger, day).partition("\n")[0]
    parts = [f"{client_name(each.client)} {number(usage.tokens)}" for each, usage in ledger.parts(day)]
    return "  ·  ".join((first, *parts))


def summary_text(ledger: Ledger) -> str:
    """The whole chart in words."""
    return "  ·  ".join(
        (
            _tr("{} tokens in {} calls over {} days").format(
                number(ledger.total.tokens), number(ledger.total.calls), number(len(ledger.days))
            ),
            _tr("today {} tokens").format(number(ledger.of_day(ledger.days[-1]).tokens)),
        )
    )


def _qt_date(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)


class LedgerModel(RowsModel[ClientUsage]):
    """One row an assistant. `loaded` follows every load, `failed` carries a WebRAGError."""

    loaded = Signal()
    failed = Signal(object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[ClientUsage]] = [
            Column(
                _tr("Assistant"),
                lambda r: client_name(r.client),
                lambda r: r.client.casefold(),
                mark=lambda r: ("dot", r.colour),
            ),
            Column(_tr("Calls"), lambda r: number(r.usage.calls), lambda r: r.usage.calls, right=True),
            Column(_tr("Pages"), lambda r: number(r.usage.pages), lambda r: r.usage.pages, right=True),
            Column(_tr("Tokens"), lambda r: number(r.usage.tokens), lambda r: r.usage.tokens, right=True),
            Column(_tr("Share"), lambda r: f"{r.share:.0%}", lambda r: r.share, right=True),
        ]
        super().__init__(columns, parent)
        self._thread = thread
        self._job: Job | None = None
        self._again = False
        self.ledger: Ledger | None = None

    def key(self, record: ClientUsage) -> Hashable:
        return record.client

    def haystack(self, record: ClientUsage) -> str:
        return record.client.casefold()

    def reload(self) -> None:
        """Add up again; a call meanwhile does so afterwards."""
        if self._job is not None and self._job.is_running:
            self._again = True
            return
        self._again = False
        today = datetime.now().astimezone().date()
        self._job = self._thread.submit(
            lambda engine: engine.usage(first_moment(today)),
            lambda rows: self._show(ledger_of(rows, today)),
            self._fail,
            owner=self,
        )

    def _show(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.replace(ledger.clients)
        self.loaded.emit()
        if self._again:
            self.reload()

    def _fail(self, error: WebRAGError) -> None:
        self._again = False
        self.failed.emit(error)
