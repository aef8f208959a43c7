"""One start of the application in this process, like `webrag-desktop`. Prints its times as JSON.

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
    painted = time.time() - began
    wait(lambda: bool(desktop.status.url))
    serving = time.time() - began
    desktop.quit()
    print(json.dumps({"painted": painted * 1000, "serving": serving * 1000}))


if __name__ == "__main__":
    main()
