"""How a command ends: three lines on standard error and the exit status that goes with them."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from kugiri.errors import InputError, KugiriError
from kugiri.visible import one_line


@contextmanager
def reported(debug: bool, as_json: bool = False) -> Iterator[None]:
    """Turns errors into three lines (what, where, what to do), findings on standard output and an exit status."""
    try:
        yield
    except SystemExit as ended:
        # Neither rich nor typer lets a broken pipe through: both end with 1, which is our fault.
        if isinstance(ended.__context__, BrokenPipeError) or not _flushed():
            _nobody_reads()
        raise
    except BrokenPipeError:
        _nobody_reads()
    except KugiriError as error:
        if debug:
            traceback.print_exc()
        if error.listing and as_json:
            print(json.dumps({"error": error.what, "findings": error.listing}, ensure_ascii=False))  # noqa: T201
        elif error.listing:
            print("\n".join(error.listing))  # noqa: T201
        _three_lines(error.what, error.where, error.remedy)
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        # What the shell expects of a command that was told to stop; nothing is wrong, so nothing is said.
        raise SystemExit(130) from None
    except OSError as error:
        if debug or error.filename is None:
            raise
        # The system refuses a path that somebody gave: too long a name, a folder that may not be looked into.
        reason = error.strerror or type(error).__name__
        _three_lines(one_line(reason), one_line(str(error.filename)), "check the path and its permissions")
        raise SystemExit(InputError.exit_code) from None
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


def _flushed() -> bool:
    """Whether somebody still reads what was printed; other failures are left to Python, which says so as it ends."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return False
    except (OSError, ValueError):
        pass
    return True


def _nobody_reads() -> NoReturn:
    """Ends as the shell expects of a command whose reader has gone (`kugiri lost … | head`): 128 + SIGPIPE, no word."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        # Python flushes once more as it ends.
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    raise SystemExit(141) from None
