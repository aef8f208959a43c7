"""Crawling: how pages are read from the web, and which may be read at all."""

from __future__ import annotations

import re

from app.desktop.context import Context
from app.desktop.language import translator
from app.desktop.pages.settings_layout import Section
from app.desktop.pages.settings_rows import SettingRow, choice_row, list_row, number_row, switch_row
from app.desktop.settings_store import SettingsStore
from app.desktop.tokens import XS
from app.desktop.widgets import label

_tr = translator("Crawling")

_HOST = re.compile(r"(?:\*\.)?(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*\.?|\[?[0-9a-fA-F:.]+\]?")


def host_problem(hosts: tuple[str, ...]) -> str:
    """What is wrong with a list of host names, in words; empty when nothing is."""
    for host in hosts:
        if "://" in host or "/" in host:
            return _tr("“{}” is an address. Give the name of the site only, as in example.com.").format(host)
        if not _HOST.fullmatch(host):
            return _tr("“{}” is not the name of a site, as in example.com.").format(host)
    return ""


def warned(row: SettingRow, store: SettingsStore, text: str) -> SettingRow:
    """The row with a plain warning below it while its list is not empty."""
    made = label(text, "warning", wrap=True)
    made.setContentsMargins(XS * 2, XS, XS * 2, XS)
    layout = row.layout()
    if layout is not None:
        layout.addWidget(made)

    def show() -> None:
        made.setVisible(bool(store.value(row.setting)))

    store.changed.connect(show)
    show()
    return row


class CrawlingSection(Section):
    """Reading from the web."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Crawling"), self.tr("How pages are read from the web, and which may be read at all."))
        self._store = context.settings
        self._add_pace()
        self._add_manners()
        self._add_rules()

    def _add_pace(self) -> None:
        store = self._store
        self.add(
            number_row(
                store,
                "request_timeout_ms",
                self.tr("Time for one page"),
                self.tr("A page that takes longer counts as not readable."),
                self.tr(" s"),
                1000,
            ),
            number_row(
                store,
                "concurrency",
                self.tr("Requests at the same time"),
                self.tr("Over all sites. One site is never asked faster than it wants."),
            ),
            number_row(
                store,
                "stale_after_days",
                self.tr("Check pages again after"),
                self.tr("An answer asks the site first whether an older page has changed."),
                self.tr(" days"),
            ),
            list_row(
                store,
                "site_stale_after",
                self.tr("Other times for single sites"),
                self.tr("Days by site; subdomains other than www. are sites of their own."),
                "docs.python.org=30, news.example.com=0.5",
            ),
        )

    def _add_manners(self) -> None:
        robots = {
            "ignore": self.tr("Do not ask"),
            "auto_only": self.tr("Obey for followed links"),
            "always": self.tr("Always obey"),
        }
        self.add(
            switch_row(
                self._store,
                "render_pages",
                self.tr("Pages built by JavaScript"),
                self.tr(
                    "Opens such pages in a hidden browser and reads what it shows. Slower; needs the optional renderer."
                ),
            ),
            choice_row(
                self._store,
                "robots_policy",
                self.tr("Wishes of sites (robots.txt)"),
                self.tr("Pages that a person or assistant names can be read like in a browser."),
                robots,
            ),
        )

    def _add_rules(self) -> None:
        store = self._store
        open_warning = self.tr(
            "Assistants can have WebRAG read what stands there, such as routers, printers and internal sites."
            " Allow only what you would show them."
        )
        self.add(
            list_row(
                store,
                "deny_hosts",
                self.tr("Blocked sites"),
                self.tr("Never read, with all their subdomains."),
                "example.com, ads.example.org",
                host_problem,
            ),
            warned(
                list_row(
                    store,
                    "allow_hosts",
                    self.tr("Allowed sites in private networks"),
                    self.tr("May be read although their address is private. All other private addresses are blocked."),
                    "wiki.example.lan",
                    host_problem,
                ),
                store,
                open_warning,
            ),
            warned(
                list_row(
                    store,
                    "allow_networks",
                    self.tr("Allowed private networks"),
                    self.tr("Every address in them may be read, this computer's own services included."),
                    "192.168.1.0/24, 127.0.0.0/8",
                ),
                store,
                open_warning,
            ),
        )
