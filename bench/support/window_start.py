"""One start of the application in this process, like `webrag-desktop`. Prints its times as JSON: by the clock and of the processor.

    python -m support.window_start DATA_DIR BEGAN

BEGAN is the start time of the process, in seconds since the epoch.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main() -> None:
    began = float(sys.argv[2])
    from app.desktop.qt import spare_sources

    spare_sources()
    from app.desktop.application import DesktopApp, make_qt_application
    from app.settings import load_settings
    from support.event_loop import wait

    application = make_qt_application(["bench"])
    desktop = DesktopApp(application, load_settings({"mcp_port": 0}, data_dir=Path(sys.argv[1])))
    desktop.start()
    application.processEvents()
    times = {"painted": _since(began)}
    wait(lambda: bool(desktop.status.url))
    times["serving"] = _since(began)
    desktop.quit()
    print(json.dumps(times))


def _since(began: float) -> tuple[float, float]:
    """Return the milliseconds since then, and those of the processor in this process."""
    return 1000 * (time.time() - began), 1000 * time.process_time()


if __name__ == "__main__":
    main()
