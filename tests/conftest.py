"""Settings of all tests: the same examples on every machine and no clock, and who runs which file.

The default run draws at most `AT_MOST` examples of each property, so that it stays short; with `KUGIRI_EXAMPLES=all`,
as in `.ci/run`, every property draws as many as its test says.
"""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

AT_MOST = 30
FIRST = {
    "repository/test_readme.py": "clone",
    "repository/test_committed_reports.py": "clone",
    "cli/test_sweep_command.py": "swept",
    "cli/test_lost_command.py": "swept",
    "cli/test_report_command.py": "swept",
    "cli/test_explain_command.py": "swept",
    "cli/test_export_command.py": "swept",
    "cli/test_check_command.py": "swept",
    "cli/test_ended_early.py": "swept",
    "repository/test_public_api.py": "public",
    "sweeps/test_workers.py": "workers",
}
"""The files that take longest, which run first; those of one group share what their fixtures make."""

ROOT = Path(__file__).parent

settings.register_profile(
    "kugiri",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("kugiri")


# What is imported and collected stays until the end: looking through it for garbage takes a third of the time.
gc.disable()


def pytest_configure() -> None:
    gone = [name for name in FIRST if not (ROOT / name).is_file()]
    if gone:
        raise pytest.UsageError(f"FIRST in tests/conftest.py names files that are not there: {gone}")


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """A worker runs a whole file, or all the files of a group, in the order in which they were collected."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return FIRST.get(file.removeprefix("tests/"), file)

    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {ROOT / name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
    few_examples(items)


def few_examples(items: list[pytest.Item]) -> None:
    if os.environ.get("KUGIRI_EXAMPLES") == "all":
        return
    for item in items:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        asked = getattr(test, "_hypothesis_internal_use_settings", None)
        if asked is not None and asked.max_examples > AT_MOST and item.get_closest_marker("slow") is None:
            test._hypothesis_internal_use_settings = settings(asked, max_examples=AT_MOST)


@pytest.fixture(scope="session", autouse=True)
def drawn_once() -> Iterator[dict[Any, Any]]:
    """Figures of this worker by what they were drawn from: one that is asked for again is not drawn again.

    A test of drawing itself clears it.
    """
    import vl_convert

    drawn: dict[Any, Any] = {}

    def once(draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawing(*arguments: Any, **options: Any) -> Any:
            key = (draw.__name__, repr(arguments), repr(options))
            if key not in drawn:
                drawn[key] = draw(*arguments, **options)
            return drawn[key]

        return drawing

    with pytest.MonkeyPatch.context() as patch:
        for name in ("vegalite_to_svg", "svg_to_png", "svg_to_pdf"):
            patch.setattr(vl_convert, name, once(getattr(vl_convert, name)))
        yield drawn


@pytest.fixture(scope="session", autouse=True)
def command_built_once() -> Iterator[None]:
    """The command line is made from its functions' annotations once a worker, and not again at every call."""
    import typer.main

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        yield
