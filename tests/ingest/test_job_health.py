from __future__ import annotations

import pytest

from app.errors import FetchTimeoutError, HTTPStatusError
from app.ingest.runner.run import FAIL_FAST_ITEMS, Health
from app.library.job_records import JobCounts

TIMEOUT = FetchTimeoutError("x.org did not answer.")
MISSING = HTTPStatusError("x.org has no page at this address (404).", url="https://x.org/", status=404)


def health(succeeded: int = 0, timeouts: int = 0, missing: int = 0, *, share: float = 0.5) -> Health:
    counted = Health(share)
    for _ in range(succeeded):
        counted.succeeded()
    for _ in range(timeouts):
        counted.failed(TIMEOUT)
    for _ in range(missing):
        counted.failed(MISSING)
    return counted


@pytest.mark.parametrize(
    ("counted", "ends"),
    [
        (health(0, FAIL_FAST_ITEMS - 1), False),
        (health(0, FAIL_FAST_ITEMS), True),
        (health(5, 5), True),
        (health(6, 5), False),
        (health(3, 0, 30), False),
        (health(3, 0, 60), True),
        (health(300, 0, 60), False),
        (health(0, 0, 10), True),
        (health(1, 60, share=1.0), False),
        (health(0, 60, share=1.0), True),
        (health(100), False),
    ],
)
def test_a_job_ends_when_most_of_it_fails(counted: Health, ends: bool) -> None:
    assert bool(counted.verdict) is ends


def test_the_most_common_reason_is_reported_with_a_hint() -> None:
    verdict = health(1, 20, 3).verdict
    assert TIMEOUT.title in verdict and "20×" in verdict and TIMEOUT.hint in verdict


def test_pages_of_an_earlier_run_count() -> None:
    counted = Health(0.5, JobCounts(stored=100))
    for _ in range(50):
        counted.failed(TIMEOUT)
    assert not counted.verdict and not counted.barren
