"""The rows of Settings > Search model that show, download and choose models and rerankers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog

from app.desktop.context import Context
from app.desktop.engine_thread import LongWork
from app.desktop.pages.settings.layout import own_row, side_by_side
from app.desktop.pages.settings.storage_rows import WorkRow
from app.desktop.widgets import button
from app.desktop.wording import size, translator
from app.embed import is_multilingual
from app.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.corpus.watch import Watch
    from app.embed.models import KnownModel
    from app.engine.models import ModelTrial
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
        row = f"{kind or 'model'}_choice"
        self._kind, self._setting = kind, "reranker_model" if kind else SETTING
        self._context, self._tried, self._wanted = context, tried, wanted
        self._known: dict[str, KnownModel] = {}
        self.choice = QComboBox()
        self.choice.setAccessibleName(_tr("Available rerankers") if kind else _tr("Available models"))
        self.choice.currentIndexChanged.connect(lambda _place: self._describe())
        folder = button(own_row(row).buttons[1], self._choose_folder, "", "folder")
        super().__init__(LongWork(context.thread), row, self._begin_use)
        self.append(side_by_side(self.choice, folder))

    def reload(self) -> None:
        """Read which models there are."""
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
        self.running(_tr("Adding and testing the model…"))
        self._work.start_blocking(lambda watch: _try(settings, wanted, watch), self._choose, self.fail, self.cancelled)

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
        self._context.settings.save(self._setting, name)
        self.reload()
        self.chosen.emit()


def _said(text: str) -> str:
    """Translate a text of the catalog."""
    return QCoreApplication.translate("Models", text) if text else ""


def _known(settings: Settings) -> tuple[KnownModel, ...]:
    from app.embed.models import known_models

    return known_models(settings)


def _try(settings: Settings, wanted: str, watch: Watch) -> ModelTrial:
    """Add the model if it is not yet, and test it. Raises EmbedderError."""
    from app.engine.models import add, try_model

    known = {each.name: each for each in _known(settings)}
    if wanted not in known or not known[wanted].is_added:
        wanted = add(settings, wanted, told=lambda _step, done, whole: watch.at(done / max(whole, 1)))
    return try_model(settings, wanted)
