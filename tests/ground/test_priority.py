"""Background work has a lower priority."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.memory import NICENESS, lower_priority


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the priority of a thread")
def test_only_the_calling_thread_is_lowered() -> None:
    def own() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = own()
    with ThreadPoolExecutor(1, initializer=lower_priority) as low, ThreadPoolExecutor(1) as usual:
        assert low.submit(own).result() == max(before, NICENESS)
        assert usual.submit(own).result() == before
    assert own() == before
