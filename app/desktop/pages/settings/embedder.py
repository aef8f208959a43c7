"""Embedder: the model behind search by meaning, its state, its self-test, and what a change of it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.pages.settings.layout import Row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.tokens import XL, XS
from app.desktop.widgets import Badge, button, label
from app.desktop.wording import counted, decimal, number, percent, translator
from app.durations import time_span
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.embed.embedder import EmbedderCheck
    from app.engine import EmbedderState, Engine
    from app.engine.maintenance import EmbedderFacts
    from app.library.records import CorpusTotals

_tr = translator("Embedder")


class Pace:
    """The rate at which passages are embedded, per second, from the engine's estimate or the self-test; 0 while unknown."""

    def __init__(self) -> None:
        self.per_second = 0.0

    def take(self, waiting: int, seconds_left: float | None) -> None:
        """Take over what the engine estimates for the passages that wait."""
        if waiting and seconds_left:
            self.per_second = waiting / seconds_left


def work_left(chunks: int, per_second: float) -> str:
    """The time that this many chunks take, in words."""
    if not per_second:
        return _tr("The self-test tells how long that takes.")
    return _tr("That takes about {}.").format(time_span(chunks / per_second))


class StateRow(Row):
    """Model, its state, and the chunks that wait for it."""

    def __init__(self, context: Context) -> None:
        self.badge = Badge()
        self.again = button(_tr("Try again"), lambda: context.restart())
        super().__init__(_tr("Model"), "–", self.badge)
        self._context = context
        self.facts = QWidget()
        self._grid = QGridLayout(self.facts)
        self._grid.setContentsMargins(0, XS, 0, 0)
        self._grid.setHorizontalSpacing(XL)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._values: dict[str, QLabel] = {}
        titles = {
            "where": self.tr("Runs"),
            "dimension": self.tr("Vectors"),
            "reads": self.tr("Reads at once"),
            "licence": self.tr("Licence"),
            "waiting": self.tr("State"),
        }
        for place, (key, title) in enumerate(titles.items()):
            self._grid.addWidget(label(title, "muted"), place, 0)
            self._values[key] = label("–", wrap=True, selectable=True)
            self._grid.addWidget(self._values[key], place, 1)
        self.append(self.facts)
        self.append(self.again)
        self.pace = Pace()
        self._known: EmbedderFacts | None = None
        context.status.changed.connect(self.show_state)
        self.show_state()

    def value(self, key: str) -> str:
        """The text shown for one fact."""
        return self._values[key].text()

    def reload(self) -> None:
        """Ask the engine what the embedder is."""
        self._context.thread.submit(_facts, self._show_facts, lambda _error: None, owner=self)

    def show_state(self) -> None:
        """Follow the application's state."""
        state = self._context.status.embedder
        self.again.setVisible(state is not None and not state.usable)
        if state is None:
            has_failed = self._context.status.phase is Phase.FAILED
            self.show_text(self.tr("The engine did not start.") if has_failed else self.tr("The engine is starting."))
            self.badge.show_text("")
            return
        self.pace.take(state.waiting, state.seconds_left)
        if state.usable:
            self.show_text(state.name)
            self.badge.show_text(self.tr("working"), "good")
        else:
            without = self.tr("Until this is mended, searches find words, not meaning. Nothing stored is lost.")
            self.show_text(f"{state.detail} {without}".strip())
            self.badge.show_text(self.tr("words only"), "warning")
        self._values["waiting"].setText(self._waiting(state))

    def _waiting(self, state: EmbedderState) -> str:
        """The phrase of the status bar; the self-test's pace where nothing was measured of late."""
        words = self._context.status.meaning_text()
        if not state.waiting or state.reason or state.seconds_left is not None:
            return words
        return f"{words}. {work_left(state.waiting, self.pace.per_second)}"

    def _show_facts(self, facts: EmbedderFacts | None) -> None:
        self._known = facts
        if facts is None:
            return
        threads = counted(facts.threads, self.tr("1 thread"), self.tr("{} threads"))
        here = self.tr("on this computer, with {}; nothing leaves it").format(threads)
        there = self.tr("on the server {}; passages and questions are sent there").format(facts.server)
        self._values["where"].setText(there if facts.server else here)
        self._values["dimension"].setText(self.tr("{} dimensions each").format(number(facts.dimension)))
        words = number(round(facts.max_tokens * 3 / 4 / 10) * 10)
        self._values["reads"].setText(self.tr("{} tokens, about {} words").format(facts.max_tokens, words))
        self._values["licence"].setText(facts.licence or self.tr("that of the server's model"))


class TestRow(Row):
    """The self-test: the real embedder against reference vectors, and its speed."""

    __test__ = False

    def __init__(self, context: Context, pace: Pace) -> None:
        self.run = button(self.tr("Self-test"), self.start, "", "play")
        super().__init__(
            self.tr("Self-test"),
            self.tr("Makes the vectors of some known texts, compares them and takes the time. About a second."),
            self.run,
        )
        self._context, self._pace = context, pace
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)

    def start(self) -> None:
        """Test the embedder in use."""
        self.run.setEnabled(False)
        self.badge.show_text("")
        self.complain("")
        self.show_text(self.tr("Testing…"))
        self._context.thread.submit(
            lambda engine: engine.maintenance.check_embedder(), self._show, self._fail, owner=self
        )

    def _show(self, check: EmbedderCheck) -> None:
        self.run.setEnabled(True)
        self._pace.per_second = self._pace.per_second or check.passages_per_second
        speed = self.tr("{} ms a question, {} passages a second.").format(
            decimal(check.question_ms, 1), decimal(check.passages_per_second, 0)
        )
        if check.cosine is None:
            likeness = self.tr("This model has no reference vectors to compare with.")
        else:
            likeness = self.tr("Its vectors match the reference to {} (cosine {}).").format(
                percent(check.cosine, 1), decimal(check.cosine, 4)
            )
        self.show_text(f"{speed} {likeness}")
        if check.is_sound:
            self.badge.show_text(self.tr("passed"), "good")
        else:
            self.badge.show_text(self.tr("failed"), "error")
            self.complain(self.tr("The model is damaged or another one. Install WebRAG again."))

    def _fail(self, error: WebRAGError) -> None:
        self.run.setEnabled(True)
        self.badge.show_text(self.tr("failed"), "error")
        self.show_text(self.tr("The embedder could not be tested."))
        self.fail(error)


class EmbedderSection(SettingsSection):
    """The model and where it runs."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Embedder"),
            self.tr(
                "The model behind search by meaning. A page is found by its words as soon as it is stored, and by meaning once the"
                " model has prepared its passages. The built-in one works without network."
            ),
        )
        store = context.settings
        self._context = context
        self.state = StateRow(context)
        self.test = TestRow(context, self.state.pace)
        self.add(self.state, self.test)
        self.add_settings(store, "embedder")
        self.url, self.model = self.setting_rows["embedding_server_url"], self.setting_rows["embedding_model_name"]
        self.change = label("", "warning", wrap=True)
        self.change.setContentsMargins(XS * 2, XS, XS * 2, XS)
        self.model.append(self.change)
        store.changed.connect(self._show_change)
        self.change.hide()

    def reload(self) -> None:
        """Ask the engine what the embedder is."""
        self.state.reload()

    def _show_change(self) -> None:
        """What another model means for what is stored, before it is in force."""
        store = self._context.settings
        if not (store.is_waiting("embedding_server_url") or store.is_waiting("embedding_model_name")):
            self.change.hide()
            return
        self._context.thread.submit(_totals, self._show_estimate, lambda _error: None, owner=self)

    def _show_estimate(self, totals: CorpusTotals) -> None:
        chunks = counted(totals.chunks, self.tr("1 stored passage"), self.tr("{} stored passages"))
        hosted = bool(self._context.settings.value("embedding_server_url"))
        time_words = (
            self.tr("How long that takes depends on the server.")
            if hosted
            else work_left(totals.chunks, self.state.pace.per_second)
        )
        text = self.tr(
            "After the restart {} get new vectors, because those of another model cannot be compared. {}"
            " Until then these are found by their words only."
        )
        self.change.setText(text.format(chunks, time_words))
        self.change.show()


async def _facts(engine: Engine) -> EmbedderFacts | None:
    return engine.maintenance.embedder()


async def _totals(engine: Engine) -> CorpusTotals:
    return (await engine.status(limit=1)).totals
