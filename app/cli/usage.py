"""`usage`: what assistants were given, by day, and what they did not have to read."""

from __future__ import annotations

import argparse

from app.cli.asking import answered, asked, told
from app.cli.output import remark, table
from app.corpus.records import DayUsage

NOTHING = "No calls are recorded for these days."


def usage(options: argparse.Namespace) -> int:
    """Show the sums, write them to a file, or erase the record."""
    if options.erase:
        asked(options, "usage_erase", {}, bool, lambda *_: "The record of calls is erased.")
        return 0
    params = {"days": options.days}
    rows, shown = answered(options, "usage", params, list[DayUsage], lambda rows, *_: usage_text(rows))
    if options.csv is None:
        told(options, rows, shown)
    else:
        from app.server.reports.usage import save_csv

        save_csv(rows, options.csv)
        remark(f"Written to {options.csv}.")
    return 0


def usage_text(rows: list[DayUsage]) -> str:
    """The sums as a table."""
    from app.server.reports.usage import usage_rows

    return table(usage_rows(rows)) if rows else NOTHING
