"""Answers, Graph and Search provider: how evidence is found."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication

from app.desktop.context import Context
from app.desktop.pages.settings_layout import Section
from app.desktop.pages.settings_rows import choice_row, number_row, switch_row, text_row


def address_problem(url: str) -> str:
    """What is wrong with the address of a server, in words; empty when nothing is, or no address is given."""
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    text = QCoreApplication.translate("Settings", "“{}” is not a web address. It starts with http:// or https://.")
    return "" if usable else text.format(url)


class AnswersSection(Section):
    """How far an answer looks."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Answers"), self.tr("How evidence for a question is found."))
        store = context.settings
        self.add(
            number_row(
                store,
                "max_expansion_depth",
                self.tr("Rounds of followed links"),
                self.tr("How far an answer may go beyond the pages it was given. 0 stays on them."),
            ),
            switch_row(
                store,
                "rerank",
                self.tr("Compare word by word"),
                self.tr("Puts the passages that answer best first. More exact, a few milliseconds slower."),
            ),
            number_row(
                store,
                "mcp_max_search_results",
                self.tr("Results from documentation"),
                self.tr("Most pages that a search in stored documentation gives."),
            ),
        )


class GraphSection(Section):
    """What the graph is and its switch."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Graph"), self.tr("Which pages link to each other, and which names and terms they share.")
        )
        self.add(
            switch_row(
                context.settings,
                "graph_enabled",
                self.tr("Use the graph"),
                self.tr(
                    "Assistants can walk from page to page, and searches look at the neighbours of what they found."
                    " Off: those tools answer that the graph is switched off. Nothing stored is lost."
                ),
            )
        )


class ProviderSection(Section):
    """Who searches the web for assistants."""

    def __init__(self, context: Context) -> None:
        text = self.tr(
            "Who searches the web for assistants. Questions go to this provider. Its key is set under Secrets."
        )
        super().__init__(self.tr("Search provider"), text)
        store = context.settings
        names = {"google": "Google", "searxng": "SearXNG", "brave": "Brave", "tavily": "Tavily"}
        safe = {"off": self.tr("Off"), "moderate": self.tr("Moderate"), "strict": self.tr("Strict")}
        self.add(
            choice_row(
                store,
                "search_provider",
                self.tr("Provider"),
                self.tr("SearXNG is a server of your own and needs no key."),
                names,
            ),
            text_row(
                store,
                "google_search_engine_id",
                self.tr("Google search engine ID"),
                self.tr("From the control panel of Google's Programmable Search Engine; needed for Google only."),
            ),
            text_row(
                store,
                "searxng_url",
                self.tr("SearXNG address"),
                self.tr("May stand in a private network; needed for SearXNG only."),
                "https://search.example.lan",
                address_problem,
            ),
            choice_row(
                store,
                "google_safe_search",
                self.tr("Safe search"),
                self.tr("For every provider, unless the assistant asks otherwise."),
                safe,
            ),
        )
