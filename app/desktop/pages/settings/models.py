"""The Search model section: the choice of models and rerankers, the self-test, and the effect of a change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.engine_thread import LongWork
from app.desktop.pages.parts import FactGrid
from app.desktop.pages.settings.layout import OwnRow, own_row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.pages.settings.storage_rows import WorkRow
from app.desktop.tokens import XL, XS
from app.desktop.widgets import Badge, button, held, label, row
from app.desktop.wording import counted, decimal, number, percent, size, spoken, translator
from app.durations import time_span
from app.embed import is_multilingual
from app.errors import EmbedderError, WebRAGError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.corpus.watch import Watch
    from app.embed.embedder import EmbedderCheck
    from app.embed.models import KnownModel
    from app.engine import Engine
    from app.engine.maintenance import EmbedderFacts
    from app.engine.models import ModelTrial
    from app.library.records import CorpusTotals
    from app.settings import Settings

_tr = translator("Models")
SETTING = "embedding_model_folder"


class ModelRow(WorkRow):
    """The known models of one kind, and a button that adds, tests and chooses the selected one; then emits `chosen`.

    `tried` gets the result of the test. `wanted` is selected while the built-in model is in use.
    """

    chosen = Signal()

    def __init__(
        self,
        context: Context,
        tried: Callable[[ModelTrial], object] = lambda trial: None,
        wanted: str = "",
        kind: str = "",
    ) -> None:
        name = f"{kind or 'model'}_choice"
        self._kind, self._setting = kind, "reranker_model" if kind else SETTING
        self._context, self._tried, self._wanted = context, tried, wanted
        self._known: dict[str, KnownModel] = {}
        self.choice = QComboBox()
        self.choice.setAccessibleName(_tr("Available rerankers") if kind else _tr("Available models"))
        self.choice.currentIndexChanged.connect(lambda _place: self._describe())
        folder = button(own_row(name).buttons[1], self._choose_folder, "", "folder")
        super().__init__(LongWork(context.thread), name, self._begin_use)
        self.append(held(row(self.choice, folder)))

    def reload(self) -> None:
        settings = self._context.settings.saved
        self._context.run(self, lambda: _known(settings), self.show_models, self.fail)

    def show_models(self, known: tuple[KnownModel, ...]) -> None:
        """List the models and select the chosen one."""
        known = tuple(each for each in known if each.kind == self._kind)
        self._known = {each.name: each for each in known}
        self.choice.clear()
        first = _tr("None") if self._kind else _tr("Built-in model")
        for place, each in enumerate(known):
            self.choice.addItem(each.name if place else first, each.name)
            if each.is_used or (each.name == self._wanted and known[0].is_used):
                self.choice.setCurrentIndex(place)
        self._describe()

    def _describe(self) -> None:
        """Show what is known about the selected model, and whether it can be chosen."""
        wanted = str(self.choice.currentData() or "")
        model = self._known.get(wanted)
        self.button.setEnabled(bool(wanted) and not (model is not None and model.is_used and not model.problem))
        if model is None:
            self.plain(_tr("WebRAG copies this folder and tests the model.") if wanted else "")
            return
        facts = _tr("License: {}, {}.").format(model.licence, size(model.bytes)) if model.licence else ""
        source = self._context.settings.saved.embedding_model_mirror or model.source.partition("/tree/")[0]
        kept = "" if model.is_added else _tr("WebRAG downloads it from {} when you choose it.").format(source)
        self.forget()
        explained = self._kind and self.choice.currentIndex() == 0
        meaning = _tr("Reads the best passages with the question and orders them again.") if explained else ""
        beside = _tr("The built-in model stays in use for English.") if self.is_beside(wanted) else ""
        self.plain(" ".join(filter(None, (model.problem, meaning or _said(model.meaning), beside, facts, kept))))

    def is_beside(self, name: str) -> bool:
        """Whether the model runs next to the built-in one."""
        return not self._kind and name in self._known and is_multilingual(self._known[name].languages)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, _tr("Choose the folder of a model"), str(Path.home()))
        if chosen:
            self.choice.addItem(chosen, chosen)
            self.choice.setCurrentIndex(self.choice.count() - 1)

    def _begin_use(self) -> None:
        settings, wanted = self._context.settings.saved, str(self.choice.currentData())
        if self._kind and wanted == next(iter(self._known), ""):
            self._save("")
            return

        def add_and_try(watch: Watch) -> ModelTrial:
            from app.engine.models import add, try_model

            known = {each.name: each for each in _known(settings)}
            is_added = wanted in known and known[wanted].is_added
            tell = lambda _step, done, whole: watch.at(done / max(whole, 1))  # noqa: E731
            return try_model(settings, wanted if is_added else add(settings, wanted, told=tell))

        self.running(_tr("Adding and testing the model…"))
        self._work.start_blocking(add_and_try, self._choose, self.fail, self.cancelled)

    def _choose(self, trial: ModelTrial) -> None:
        from app.embed.models import BUILT_IN

        if trial.card.kind != self._kind:
            reranker = _tr("This is a reranker. Choose it in Settings > Search model > Reranker.")
            other = reranker if trial.card.kind else _tr("This is a search model. Choose it in the row above.")
            self.fail(EmbedderError(other, hint=""))
            return
        self._tried(trial)
        self._save("" if trial.name == BUILT_IN else trial.name)

    def _save(self, name: str) -> None:
        if self._context.save(self._setting, name):
            self.reload()
            self.chosen.emit()


def _said(text: str) -> str:
    return QCoreApplication.translate("Models", text) if text else ""


def _known(settings: Settings) -> tuple[KnownModel, ...]:
    from app.embed.models import known_models

    return known_models(settings)


def work_left(chunks: int, per_second: float) -> str:
    """Return how long it takes to embed this many chunks, as text."""
    if not per_second:
        return _tr("Run the self-test to see how long this takes.")
    return _tr("This takes about {}.").format(time_span(chunks / per_second))


class StateRow(OwnRow):
    """The model, its status and the number of chunks not embedded yet."""

    def __init__(self, context: Context) -> None:
        badge = Badge()
        self.again = button(_tr("Try again"), lambda: context.restart())
        super().__init__("model_state", badge)
        self.badge = badge
        self._context = context
        self._grid = FactGrid(spacing=2)
        self._grid.setContentsMargins(0, XS, 0, 0)
        self._grid.setHorizontalSpacing(XL)
        self.values = self._grid.values
        self.append(held(self._grid))
        self.append(self.again)
        self.per_second = 0.0  # Passages embedded, from the engine's estimate or the self-test; 0 if unknown.
        self._known: EmbedderFacts | None = None
        context.status.changed.connect(self.show_state)
        self.show_state()

    def reload(self) -> None:
        async def facts(engine: Engine) -> EmbedderFacts | None:
            return engine.maintenance.embedder()

        self._context.ask(self, facts, self._take_facts, lambda _error: None)

    def show_state(self) -> None:
        state = self._context.status.embedder
        if state is not None and state.waiting and state.seconds_left:
            self.per_second = state.waiting / state.seconds_left
        self._show_facts()
        self.again.setVisible(state is not None and not state.usable)
        if state is None:
            has_failed = self._context.status.phase is Phase.FAILED
            self.show_text(self.tr("WebRAG did not start.") if has_failed else self.tr("WebRAG is starting."))
            self.badge.show_text("")
            return
        if state.usable:
            self.show_text(state.name)
            self.badge.show_text(self.tr("ready"), "good")
        else:
            without = self.tr("Until this is fixed, WebRAG uses keyword search only. Stored pages are not affected.")
            badge = self.tr("keyword search only")
            if state.is_english_only:
                without = self.tr("Until this is fixed, semantic search only works for English.")
                badge = self.tr("English only")
            self.show_text(f"{spoken(state.detail)} {without}".strip())
            self.badge.show_text(badge, "warning")

    def _take_facts(self, facts: EmbedderFacts | None) -> None:
        self._known = facts
        self._show_facts()

    def _show_facts(self) -> None:
        state, facts = self._context.status.embedder, self._known
        status = self._context.status.meaning_text() if state is not None else "–"
        if state is not None and state.waiting and not state.reason and state.seconds_left is None:
            # Without a recent measurement, the self-test tells how long it takes.
            status = f"{status}. {work_left(state.waiting, self.per_second)}"
        where = dimension = reads = licence = "–"
        if facts is not None:
            threads = counted(facts.threads, self.tr("1 thread"), self.tr("{} threads"))
            here = self.tr("on this computer, with {}").format(threads)
            there = self.tr("on the server {}, which receives passages and questions").format(facts.server)
            where, licence = there if facts.server else here, facts.licence or self.tr("same as the server's model")
            dimension = self.tr("{} dimensions each").format(number(facts.dimension))
            words = number(round(facts.max_tokens * 3 / 4 / 10) * 10)
            reads = self.tr("{} tokens, about {} words").format(facts.max_tokens, words)
        self._grid.show_facts(
            (
                (self.tr("Runs"), where),
                (self.tr("Vectors"), dimension),
                (self.tr("Context length"), reads),
                (self.tr("License"), licence),
                (self.tr("Status"), status),
            )
        )


class TestRow(OwnRow):
    """The self-test compares the embedder with reference vectors and measures its speed."""

    __test__ = False

    def __init__(self, context: Context, state: StateRow) -> None:
        self.run = button(own_row("model_test").buttons[0], self.start, "", "play")
        super().__init__("model_test", self.run)
        self._context, self._state = context, state

    def start(self) -> None:
        self.begin(self.run, self.tr("Testing…"))
        self._context.ask(self, lambda engine: engine.maintenance.check_embedder(), self._show, self._fail)

    def _show(self, check: EmbedderCheck) -> None:
        self.run.setEnabled(True)
        self._state.per_second = self._state.per_second or check.passages_per_second
        speed = self.tr("{} ms per question, {} passages per second.").format(
            decimal(check.question_ms, 1), decimal(check.passages_per_second, 0)
        )
        if check.cosine is None:
            likeness = self.tr("This model has no reference vectors to compare.")
            if not check.calibrated:
                apart = self.tr("Its vectors differ too much from the built-in model's to estimate confidence.")
                likeness = f"{likeness} {apart}"
        else:
            likeness = self.tr("Its vectors match the reference to {} (cosine {}).").format(
                percent(check.cosine, 1), decimal(check.cosine, 4)
            )
        self.show_text(f"{speed} {likeness}")
        if check.is_sound:
            self.badge.show_text(self.tr("passed"), "good")
        else:
            self.badge.show_text(self.tr("failed"), "error")
            own = self._context.settings.running.embedding_model_folder
            again = self.tr("The model is damaged or has been replaced. Choose another model.")
            built_in = self.tr("The model is damaged or has been replaced. Reinstall WebRAG.")
            self.complain(again if own else built_in)

    def _fail(self, error: WebRAGError) -> None:
        self.run.setEnabled(True)
        self.badge.show_text(self.tr("failed"), "error")
        self.show_text(self.tr("The search model could not be tested."))
        self.fail(error)


class EmbedderSection(SettingsSection):
    """The section with the embedding model and where it runs."""

    def __init__(self, context: Context) -> None:
        super().__init__("embedder")
        store = context.settings
        self._context = context
        self.state = StateRow(context)
        self.test = TestRow(context, self.state)
        self.choice = ModelRow(context, self._take_speed)
        self.reranker = ModelRow(context, kind="reranker")
        self.add(self.state, self.choice, self.test, self.reranker)
        self.add_settings(store, "embedder")
        self.url, self.model = self.setting_rows["embedding_server_url"], self.setting_rows["embedding_model_name"]
        self.change = label("", "warning", wrap=True, margins=(XS * 2, XS, XS * 2, XS))
        self.model.append(self.change)
        store.changed.connect(self._show_change)
        self.change.hide()

    def reload(self) -> None:
        self.state.reload()
        self.choice.reload()
        self.reranker.reload()

    def _take_speed(self, trial: ModelTrial) -> None:
        self.state.per_second = trial.check.passages_per_second

    def _show_change(self) -> None:
        """Describe the effect of a model change on stored pages before it takes effect."""
        store = self._context.settings
        if not any(map(store.is_waiting, ("embedding_server_url", "embedding_model_name", SETTING))):
            self.change.hide()
            return

        async def totals(engine: Engine) -> CorpusTotals:
            return (await engine.status(limit=1)).totals

        self._context.ask(self, totals, self._show_estimate, lambda _error: None)

    def _show_estimate(self, totals: CorpusTotals) -> None:
        chunks = counted(totals.chunks, self.tr("1 stored passage"), self.tr("{} stored passages"))
        hosted = bool(self._context.settings.value("embedding_server_url"))
        time_words = self.tr("How long this takes depends on the server.")
        if not hosted:
            time_words = work_left(totals.chunks, self.state.per_second)
        text = self.tr(
            "After the restart, WebRAG re-embeds {} for the new model. {} Until then, it finds them by keyword only."
        )
        store = self._context.settings
        if not hosted and self.choice.is_beside(str(store.value(SETTING))):
            text = self.tr(
                "After the restart, the new model also embeds {}, pages in other languages first. {} English questions do not wait for it."
            )
        elif not hosted and not store.value(SETTING) and self.choice.is_beside(store.running.embedding_model_folder):
            text = self.tr(
                "After the restart, WebRAG embeds pages in other languages again. Compact the library to delete the other model's vectors."
            )
        self.change.setText(text.format(chunks, time_words))
        self.change.show()
