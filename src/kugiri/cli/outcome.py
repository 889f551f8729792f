"""How a command ends: three lines on standard error and the exit status that goes with them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from kugiri.errors import KugiriError


@contextmanager
def reported(debug: bool) -> Iterator[None]:
    """Turns errors into three lines (what, where, what to do), findings on standard output and an exit status."""
    try:
        yield
    except KugiriError as error:
        if debug:
            traceback.print_exc()
        for line in error.listing:
            print(line)  # noqa: T201
        _three_lines(error.what, error.where, error.remedy)
        raise SystemExit(error.exit_code) from None
    except Exception as error:  # noqa: BLE001  the last frame before the user: whatever is left is our fault, and says so
        if debug:
            traceback.print_exc()
        frame = traceback.extract_tb(error.__traceback__)[-1]
        unexpected = KugiriError(
            f"kugiri failed: {type(error).__name__}: {error}",
            f"{frame.filename}:{frame.lineno} in {frame.name}",
            "this is our fault: run it again as `kugiri --debug …` and report what it prints",
        )
        _three_lines(unexpected.what, unexpected.where, unexpected.remedy)
        raise SystemExit(unexpected.exit_code) from None


def _three_lines(what: str, where: str, remedy: str) -> None:
    print(f"error: {what}\nwhere: {where}\ndo: {remedy}", file=sys.stderr)  # noqa: T201
