"""Whether the machine runs on its battery."""

from __future__ import annotations

import logging

log = logging.getLogger(__name__)


def is_on_battery() -> bool:
    """True when there is a battery and it is not being charged; a machine that cannot tell counts as plugged in."""
    import psutil

    sensor = getattr(psutil, "sensors_battery", None)
    try:
        battery = sensor() if sensor is not None else None
    except (OSError, ValueError, RuntimeError) as error:
        log.debug("the battery cannot be read: %s", error)
        return False
    return battery is not None and battery.power_plugged is False
