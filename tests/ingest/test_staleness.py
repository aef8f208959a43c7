from __future__ import annotations

import pytest

from app import caps
from app.ingest.policies import StaleAfter

RULES = StaleAfter(100.0, {"docs.example": 900.0, "www.shop.example": 300.0, "now.example": 0.0})


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("https://docs.example/a?b#c", 900),
        ("http://docs.example:8080/", 900),
        ("https://www.docs.example/", 900),
        ("https://shop.example/", 300),
        ("https://en.docs.example/", 100),
        ("https://mydocs.example/", 100),
        ("https://other.example/docs.example", 100),
        ("https://now.example/", caps.REFETCH_THROTTLE_SECONDS),
    ],
)
def test_a_site_has_its_own_time_and_its_subdomains_do_not(url: str, seconds: float) -> None:
    assert RULES.seconds_for(url) == seconds
