"""Settings: sections in one scrolled column, a list of them at the left; written at once."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from app.desktop.banners import BannerStack, Notice
from app.desktop.context import Context
from app.desktop.pages.page import Page
from app.desktop.pages.settings_about import AboutSection
from app.desktop.pages.settings_rows import Section, choice_row, list_row, number_row, switch_row, text_row
from app.desktop.pages.settings_secrets import SecretsSection, TokenRow
from app.desktop.pages.settings_state import AddressRow, EmbedderRow
from app.desktop.pages.settings_tools import ClientToolsRow, ToolsRow
from app.desktop.theme import Appearance, theme
from app.desktop.tokens import L, M

ENTRY_HEIGHT = 34


class SettingsPage(Page):
    """Everything a person may want to change, with an honest word on when it takes effect."""

    name = "settings"
    icon_name = "settings"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Settings"), self.tr("Changes are saved at once."))
        self.banners = BannerStack()
        self.column.addWidget(self.banners)
        self.secrets = SecretsSection(context)
        self.sections = [
            self._appearance(),
            self._server(),
            self._crawling(),
            self._retrieval(),
            self._search(),
            self._embedder(),
            self.secrets,
            self._privacy(),
            AboutSection(context),
        ]
        self._build()
        context.settings.changed.connect(self._show_waiting)

    def activate(self) -> None:
        super().activate()
        self.secrets.reload()
        self.token.reload()
        self.tools.reload()

    def _build(self) -> None:
        self.list = QListWidget()
        self.list.setProperty("role", "sections")
        self.list.setAccessibleName(self.tr("Sections of the settings"))
        self.list.setFixedWidth(150)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for section in self.sections:
            entry = QListWidgetItem(section.title, self.list)
            entry.setSizeHint(QSize(0, ENTRY_HEIGHT))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, M, 0)
        column.setSpacing(0)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setProperty("role", "page")
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(content)
        line = QHBoxLayout()
        line.setSpacing(L)
        line.addWidget(self.list)
        line.addWidget(self.area, 1)
        self.column.addLayout(line, 1)
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._scroll_to)

    def _scroll_to(self, place: int) -> None:
        self.area.verticalScrollBar().setValue(self.sections[place].y())

    def _show_waiting(self) -> None:
        waiting = self.context.settings.waiting
        if not waiting:
            self.banners.show_notices(())
            return
        text = self.tr("The running server still uses the old values. Calls under way get a moment to finish.")
        notice = Notice(
            "restart",
            "info",
            self.tr("Restart the server to use your changes"),
            text,
            self.tr("Restart now"),
            self.context.restart,
        )
        self.banners.show_notices((notice,))

    def _appearance(self) -> Section:
        section = Section(self.tr("Appearance"))
        words = {"system": self.tr("Like the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        made = choice_row(
            self.context.settings, "appearance", self.tr("Colours"), self.tr("Takes effect at once."), words
        )
        made.saved.connect(lambda _name: theme().select(Appearance(self.context.settings.value("appearance"))))
        section.add(made)
        return section

    def _server(self) -> Section:
        store = self.context.settings
        section = Section(self.tr("Server"), self.tr("How assistants reach WebRAG on this computer."))
        section.add(AddressRow(self.context))
        self.token = TokenRow(self.context)
        section.add(self.token)
        section.add(
            number_row(
                store,
                "mcp_port",
                self.tr("Port"),
                self.tr("0 takes any free one. A taken port gives way to the next free one."),
            )
        )
        section.add(
            switch_row(
                store,
                "mcp_http_streamable_enabled",
                self.tr("Connections over HTTP"),
                self.tr("Off: only assistants that start the bridge themselves (stdio) are served."),
            )
        )
        section.add(
            number_row(
                store,
                "mcp_response_token_budget",
                self.tr("Largest answer"),
                self.tr("Texts are cut to this many tokens."),
                self.tr(" tokens"),
            )
        )
        section.add(
            number_row(
                store,
                "mcp_tool_timeout",
                self.tr("Time limit of a call"),
                self.tr("A call that takes longer is ended with an error."),
                self.tr(" s"),
            )
        )
        self.tools = ToolsRow(self.context)
        section.add(self.tools)
        section.add(ClientToolsRow(self.context))
        return section

    def _crawling(self) -> Section:
        store = self.context.settings
        section = Section(
            self.tr("Crawling"), self.tr("How pages are read from the web, and which may be read at all.")
        )
        section.add(number_row(store, "request_timeout_ms", self.tr("Time for one page"), "", self.tr(" s"), 1000))
        section.add(number_row(store, "concurrency", self.tr("Requests at the same time"), ""))
        section.add(number_row(store, "stale_after_days", self.tr("Check pages again after"), "", self.tr(" days")))
        section.add(
            list_row(
                store,
                "site_stale_after",
                self.tr("Other times for single sites"),
                self.tr("Days by site; subdomains other than www. are sites of their own."),
                "docs.python.org=30",
            )
        )
        section.add(
            switch_row(
                store,
                "render_pages",
                self.tr("Pages built by JavaScript"),
                self.tr(
                    "Opens such pages in a hidden browser and reads what it shows. Slower; needs the optional renderer."
                ),
            )
        )
        words = {
            "ignore": self.tr("Do not ask"),
            "auto_only": self.tr("Obey for followed links"),
            "always": self.tr("Always obey"),
        }
        section.add(
            choice_row(
                store,
                "robots_policy",
                "robots.txt",
                self.tr("Pages that a person or assistant names can be read like in a browser."),
                words,
            )
        )
        section.add(
            list_row(
                store,
                "allow_networks",
                self.tr("Allowed private networks"),
                self.tr("Private addresses are blocked unless their network is listed here."),
                "127.0.0.0/8, 192.168.1.0/24",
            )
        )
        section.add(
            list_row(
                store,
                "allow_hosts",
                self.tr("Allowed hosts"),
                self.tr("Hosts that may be read although their address is private."),
                "wiki.example.lan",
            )
        )
        section.add(
            list_row(
                store,
                "deny_hosts",
                self.tr("Blocked hosts"),
                self.tr("Never read, with all their subdomains."),
                "example.com",
            )
        )
        return section

    def _retrieval(self) -> Section:
        store = self.context.settings
        section = Section(self.tr("Answers"), self.tr("How evidence is found."))
        section.add(
            number_row(
                store,
                "max_expansion_depth",
                self.tr("Rounds of followed links"),
                self.tr("How far an answer may go beyond the pages it was given."),
            )
        )
        section.add(
            switch_row(
                store,
                "rerank",
                self.tr("Rerank by meaning"),
                self.tr("Orders evidence by its words' vectors. More exact, a few milliseconds slower."),
            )
        )
        return section

    def _embedder(self) -> Section:
        store = self.context.settings
        section = Section(
            self.tr("Embedder"),
            self.tr("The model behind search by meaning. The built-in one works without network."),
        )
        section.add(EmbedderRow(self.context))
        section.add(
            switch_row(
                store,
                "embed_on_battery",
                self.tr("Work on battery"),
                self.tr(
                    "Off: new pages are found by keyword only until the computer is plugged in. Questions always work."
                ),
            )
        )
        section.add(
            text_row(
                store,
                "embedding_server_url",
                self.tr("Hosted embeddings"),
                self.tr("Address of an OpenAI-compatible server; empty uses the built-in model."),
                "https://…/v1",
            )
        )
        section.add(
            text_row(
                store,
                "embedding_model_name",
                self.tr("Model of the hosted server"),
                "",
                "text-embedding-3-small",
            )
        )
        return section

    def _search(self) -> Section:
        store = self.context.settings
        text = self.tr("Who searches the web for assistants. Keys are set below, under Secrets.")
        section = Section(self.tr("Search provider"), text)
        names = {"google": "Google", "searxng": "SearXNG", "brave": "Brave", "tavily": "Tavily"}
        section.add(choice_row(store, "search_provider", self.tr("Provider"), "", names))
        section.add(text_row(store, "google_search_engine_id", self.tr("Google search engine ID"), ""))
        section.add(
            text_row(
                store,
                "searxng_url",
                self.tr("SearXNG address"),
                self.tr("May stand in a private network."),
                "https://search.example.lan",
            )
        )
        words = {"off": self.tr("Off"), "moderate": self.tr("Moderate"), "strict": self.tr("Strict")}
        section.add(
            choice_row(
                store,
                "google_safe_search",
                self.tr("Safe search"),
                self.tr("For every provider, unless the assistant asks otherwise."),
                words,
            )
        )
        return section

    def _privacy(self) -> Section:
        store = self.context.settings
        section = Section(
            self.tr("Privacy"),
            self.tr(
                "Pages, questions and answers stay on this computer, unless you choose hosted embeddings."
                " Web searches go to the provider you choose."
            ),
        )
        section.add(
            switch_row(
                store,
                "activity_log",
                self.tr("Record calls"),
                self.tr("Time, assistant, tool, pages and sizes of every call, for the Activity page."),
            )
        )
        words = {name: name.capitalize() for name in store.choices("mcp_log_level")}
        section.add(
            choice_row(
                store,
                "mcp_log_level",
                self.tr("Log file"),
                self.tr("How much the log file tells. Tokens and keys never appear in it."),
                words,
            )
        )
        return section
