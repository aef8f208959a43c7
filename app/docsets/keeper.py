"""One folder and its index, compared again and again, without waiting for a disk that does not answer."""

from __future__ import annotations

import logging
import math
import threading
import time

from app import caps
from app.corpus.doc_index import DocIndex
from app.corpus.doc_records import Docset
from app.docsets.build import Attempts, Source, bring_up_to_date
from app.errors import FileAccessError, WebRAGError

log = logging.getLogger(__name__)


class Keeper:
    """Keeps the index of one folder in step with its files.

    A look takes place in a thread of its own, because a dead network share may keep it for ever. Looks are no closer together than
    DOC_LOOK_SECONDS, and take no more than DOC_LOOK_SHARE of the time; after one that found changes the pause is as long as it took,
    so that a folder that was just read for the first time is not left alone for minutes. `problem` says why the last one failed,
    empty when it did not.
    """

    def __init__(self, index: DocIndex, source: Source, *, rebuild: bool) -> None:
        self._index = index
        self._source = source
        self._rebuild = rebuild
        self._attempts: Attempts = {}
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._done.set()
        self._next_look = 0.0
        self._is_slow = False
        self.problem = ""

    def look(self, docset: Docset) -> bool:
        """Compare the folder with its index if that is due; False while a look is still under way when the time is over.

        A look that took too long once is not waited for a second time.
        """
        self.begin(docset)
        patience = caps.DOC_ANSWER_SECONDS if docset.version else caps.DOC_BUILD_SECONDS
        self._is_slow = not self._done.wait(0 if self._is_slow else patience)
        return not self._is_slow

    def begin(self, docset: Docset) -> None:
        """Begin a look if one is due; nothing is waited for."""
        with self._lock:
            if self._done.is_set() and time.monotonic() >= self._next_look:
                self._done.clear()
                thread = threading.Thread(target=self._run, args=(docset,), name="documentation folder", daemon=True)
                thread.start()

    def stop(self) -> None:
        """Begin no more, and wait a moment for the look in hand, so that it ends before the corpus is closed."""
        with self._lock:
            self._next_look = math.inf
        self._done.wait(caps.DOC_ANSWER_SECONDS)

    def _run(self, docset: Docset) -> None:
        started, share = time.monotonic(), caps.DOC_LOOK_SHARE
        try:
            has_changed = bring_up_to_date(self._index, docset, self._source, self._attempts, anew=self._rebuild)
            self._rebuild, self.problem = False, ""
            share = max(share, 1.0) if has_changed else share
        except FileAccessError as error:
            self.problem = error.message
        except WebRAGError as error:
            log.warning("a documentation folder was not read: %s", error)
            self.problem = error.message
        except Exception:
            log.exception("reading a documentation folder failed")
            self.problem = "Its files could not be read."
        finally:
            took = time.monotonic() - started
            pause = max(caps.DOC_LOOK_SECONDS, took / share)
            with self._lock:
                self._next_look = max(self._next_look, time.monotonic() + pause)
            self._done.set()
