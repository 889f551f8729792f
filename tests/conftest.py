"""Settings of the property tests: the same examples on every machine, and no clock.

The default run draws at most `AT_MOST` examples of each property, so that it stays short; with `KUGIRI_EXAMPLES=all`,
as in `.ci/run`, every property draws as many as its test says.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

AT_MOST = 30

settings.register_profile(
    "kugiri",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kugiri")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("KUGIRI_EXAMPLES") == "all":
        return
    for item in items:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        asked = getattr(test, "_hypothesis_internal_use_settings", None)
        if asked is not None and asked.max_examples > AT_MOST and item.get_closest_marker("slow") is None:
            test._hypothesis_internal_use_settings = settings(asked, max_examples=AT_MOST)
