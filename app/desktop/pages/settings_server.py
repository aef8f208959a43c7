"""Server and Tools: how assistants reach WebRAG, and what they are offered."""

from __future__ import annotations

from app.desktop.context import Context
from app.desktop.pages.settings_layout import Section
from app.desktop.pages.settings_rows import number_row, switch_row
from app.desktop.pages.settings_secrets import TokenRow
from app.desktop.pages.settings_state import AddressRow
from app.desktop.pages.settings_tools import ClientToolsRow, ToolsRow


class ServerSection(Section):
    """How assistants reach WebRAG on this computer."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Server"), self.tr("How assistants reach WebRAG on this computer."))
        store = context.settings
        self.token = TokenRow(context)
        self.add(
            switch_row(
                store,
                "mcp_enabled",
                self.tr("Serve assistants"),
                self.tr("Off: WebRAG is a library for you alone, and no assistant can reach it."),
            ),
            AddressRow(context),
            self.token,
            number_row(
                store,
                "mcp_port",
                self.tr("Port"),
                self.tr("0 takes any free one. A taken port gives way to the next free one."),
            ),
            switch_row(
                store,
                "mcp_http_streamable_enabled",
                self.tr("Connections over HTTP"),
                self.tr("Off: only assistants that start WebRAG's bridge program themselves are served."),
            ),
            number_row(
                store,
                "mcp_response_token_budget",
                self.tr("Largest answer"),
                self.tr("Texts are cut to this size. A token is about four letters."),
                self.tr(" tokens"),
            ),
            number_row(
                store,
                "mcp_soft_deadline",
                self.tr("Answer at the latest after"),
                self.tr("An answer that is still reading pages by then comes with what it has found."),
                self.tr(" s"),
            ),
            number_row(
                store,
                "mcp_tool_timeout",
                self.tr("Time limit of a call"),
                self.tr("A call that takes longer is ended with an error."),
                self.tr(" s"),
            ),
            number_row(
                store,
                "scratch_max_mb",
                self.tr("Memory for kept passages"),
                self.tr("Passages that tools found are kept for assistants for half an hour; the oldest go first."),
                self.tr(" MB"),
            ),
        )


class ToolsSection(Section):
    """What assistants are offered."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Tools"), self.tr("What assistants can do with WebRAG. Changes take effect at once."))
        self.all = ToolsRow(context)
        self.single = ClientToolsRow(context)
        self.add(self.all, self.single)
        self.add(
            switch_row(
                context.settings,
                "repair_clients",
                self.tr("Repair connections by itself"),
                self.tr(
                    "When another program removes WebRAG from an assistant's configuration, it is put back at once."
                    " Off: you are told and decide."
                ),
            )
        )
