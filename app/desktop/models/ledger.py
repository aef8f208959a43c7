"""Token ledger: tokens returned to assistants per day, as numbers for a chart and a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from PySide6.QtCore import QObject

from app.corpus.records import DayUsage
from app.desktop.engine_thread import EngineThread
from app.desktop.models.rows import Column, LoadedModel, amount
from app.desktop.tokens import SERIES
from app.desktop.wording import assistant_title, counted, day_and_month, long_day, number, percent, translator

_tr = translator("Ledger")

WEEK: Final = 7
MONTH: Final = 30
REST_COLOUR: Final = "muted"


@dataclass(frozen=True, slots=True)
class Usage:
    """Number of calls and their tokens."""

    calls: int = 0
    tokens: int = 0
    pages: int = 0
    saved: int = 0  # Tokens of the counted pages minus tokens returned.

    def __add__(self, other: Usage) -> Usage:
        sums = (self.calls + other.calls, self.tokens + other.tokens, self.pages + other.pages)
        return Usage(*sums, self.saved + other.saved)


@dataclass(frozen=True, slots=True)
class ClientUsage:
    """Total of one assistant. `colour` is a field of Colours, `share` its part of all tokens in 0..1."""

    client: str
    usage: Usage
    colour: str
    share: float


@dataclass(frozen=True, slots=True)
class Ledger:
    """Tokens by day and assistant in `cells`. `days` are in order and end with today; `clients` are sorted by tokens."""

    days: tuple[date, ...]
    clients: tuple[ClientUsage, ...]
    cells: dict[tuple[date, str], Usage]

    @property
    def total(self) -> Usage:
        return sum(self.cells.values(), Usage())

    def of_day(self, day: date) -> Usage:
        return sum((self.cells.get((day, each.client), Usage()) for each in self.clients), Usage())

    def parts(self, day: date) -> list[tuple[ClientUsage, Usage]]:
        """Return the assistants that called on a day, in the order of `clients`."""
        found = ((each, self.cells.get((day, each.client))) for each in self.clients)
        return [(each, usage) for each, usage in found if usage is not None]


def first_moment(today: date, length: int) -> float:
    """Return the start of the first of `length` days up to today, in seconds since the epoch."""
    return datetime.combine(today - timedelta(days=length - 1), time()).astimezone().timestamp()


def ledger_of(rows: Iterable[DayUsage], today: date, length: int = MONTH) -> Ledger:
    """Sum the usage of the last `length` days."""
    days = tuple(today - timedelta(days=back) for back in reversed(range(length)))
    cells = {
        (date.fromisoformat(row.day), row.client): Usage(row.calls, row.tokens, row.pages, row.saved)
        for row in rows
        if days[0].isoformat() <= row.day <= days[-1].isoformat()
    }
    sums: defaultdict[str, Usage] = defaultdict(Usage)
    for (_, client), usage in cells.items():
        sums[client] += usage
    order = sorted(sums, key=lambda client: (-sums[client].tokens, -sums[client].calls, client))
    # Sorted by name, so that colors stay when the order changes.
    colours = dict(zip(sorted(order[: len(SERIES)]), SERIES, strict=False))
    total = max(1, sum(usage.tokens for usage in sums.values()))
    clients = tuple(
        ClientUsage(client, sums[client], colours.get(client, REST_COLOUR), sums[client].tokens / total)
        for client in order
    )
    return Ledger(days, clients, cells)


def client_name(client: str) -> str:
    """Return the name of an assistant, also of an unnamed one."""
    return assistant_title(client) or _tr("unknown")


def legend_entries(clients: Sequence[ClientUsage]) -> list[tuple[str, str]]:
    """Return the name and color of each assistant. Those without their own color share one entry."""
    known = [(client_name(each.client), each.colour) for each in clients if each.colour != REST_COLOUR]
    return known if len(known) == len(clients) else [*known, (_tr("Others"), REST_COLOUR)]


def short_day(day: date, today: date) -> str:
    """Label a bar: Today, 20 Nov."""
    return _tr("Today") if day == today else day_and_month(day)


def usage_text(usage: Usage) -> str:
    """Return a text such as “12 calls, 7,431 tokens returned, 41,387 saved”."""
    parts = [
        counted(usage.calls, _tr("1 call"), _tr("{} calls")),
        counted(usage.tokens, _tr("1 token returned"), _tr("{} tokens returned")),
    ]
    if usage.saved:
        words = _tr("{} saved") if usage.saved > 0 else _tr("{} more than on the pages")
        parts.append(words.format(number(abs(usage.saved))))
    return ", ".join(parts)


def day_text(ledger: Ledger, day: date) -> str:
    """Describe one day: the total, then one line per assistant."""
    name = long_day(day)
    if not ledger.of_day(day).calls:
        return f"{name}: {_tr('no calls')}"
    lines = [f"{client_name(each.client)}: {usage_text(usage)}" for each, usage in ledger.parts(day)]
    return "\n".join((f"{name}: {usage_text(ledger.of_day(day))}", *lines))


def day_line(ledger: Ledger, day: date) -> str:
    """Describe one day on one line: the total, then the tokens of each assistant."""
    first = day_text(ledger, day).partition("\n")[0]
    parts = [f"{client_name(each.client)} {number(usage.tokens)}" for each, usage in ledger.parts(day)]
    return "  ·  ".join((first, *parts))


def summary_text(ledger: Ledger) -> str:
    total, today = ledger.total, ledger.of_day(ledger.days[-1])
    words = _tr("{} tokens in {} calls over {} days")
    parts = [words.format(number(total.tokens), number(total.calls), number(len(ledger.days)))]
    if total.saved:
        more = _tr("{} tokens saved") if total.saved > 0 else _tr("{} more tokens than on the pages")
        parts.append(more.format(number(abs(total.saved))))
    return "  ·  ".join((*parts, _tr("today {} tokens").format(number(today.tokens))))


class LedgerModel(LoadedModel[ClientUsage]):
    """One row per assistant."""

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[ClientUsage]] = [
            Column(
                _tr("Assistant"),
                lambda r: client_name(r.client),
                lambda r: r.client.casefold(),
                mark=lambda r: ("dot", r.colour),
            ),
            amount(_tr("Calls"), lambda r: r.usage.calls),
            amount(_tr("Pages"), lambda r: r.usage.pages),
            amount(
                _tr("Tokens"),
                lambda r: r.usage.tokens,
                tip=lambda r: _tr("Tokens of the answers returned to the assistant"),
            ),
            amount(
                _tr("Saved"),
                lambda r: r.usage.saved,
                is_zero_shown=False,
                tip=lambda r: _tr(
                    "Page length minus returned text. Each page counts once a day; for searches, only the top page counts. Negative "
                    "if more was returned."
                ),
            ),
            Column(_tr("Share"), lambda r: percent(r.share), lambda r: r.share, right=True),
        ]
        super().__init__(thread, columns, parent, lambda row: row.client)
        self.ledger: Ledger | None = None
        self.rows: list[DayUsage] = []
        self.length = MONTH  # Number of days to sum up.

    def reload(self) -> None:
        today, length = datetime.now().astimezone().date(), self.length

        def take(rows: list[DayUsage]) -> None:
            self.rows, self.ledger = rows, ledger_of(rows, today, length)
            self.replace(self.ledger.clients)

        self._load(lambda engine: engine.activity.usage(first_moment(today, length)), take)

    def set_length(self, days: int) -> None:
        self.length = days
        self.reload()
