"""Since when an assistant runs."""

from __future__ import annotations

import re

from app.clients.profile import ClientProfile


def running_since(profile: ClientProfile) -> float | None:
    """When the oldest process of an assistant started (Unix time); None when none runs or that cannot be known."""
    if not profile.processes:
        return None
    import psutil

    pattern = re.compile("|".join(profile.processes), re.IGNORECASE)
    started: list[float] = []
    for process in psutil.process_iter(["exe", "create_time"]):
        path = str(process.info["exe"] or "").replace("\\", "/")
        if pattern.search(path) and process.info["create_time"]:
            started.append(float(process.info["create_time"]))
    return min(started, default=None)
