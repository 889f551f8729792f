"""The results folder as a whole: replaced by a finished one or not at all, at whatever moment the process is killed.

The states of a publication, where `partial` is `NAME.partial-XXXXXXXX` and `previous` is `NAME.previous`:

    building    NAME = old                      partial/new, unfinished
    between     previous = old                  partial/new, finished    partial/swapping
    replaced    NAME = new    previous = old                             partial/swapping
    done        NAME = new                      partial/old-…            (then no partial)

`_settle` takes each of them to `NAME` alone, old or new. It is how every command begins and how it ends, well or badly,
so what happens after a kill is what happens every time. `swapping` says that `previous` is ours to put back or discard:
one that a person made, to keep it, stands in the way and is never touched.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from kugiri.errors import InputError, InvariantError
from kugiri.export.lock import locked
from kugiri.export.manifest import MANIFEST, files_below, listed_files

_NEW, _SWAPPING = "new", "swapping"
_RESERVED = re.compile(r".+\.(?:previous|partial-[0-9a-f]{8})", re.DOTALL)
# The report's own names, listed or not: after `git checkout` of committed results, figures of this machine remain.
_REPORT = re.compile(r"report\.(?:html|md)|figures/[a-z_]+\.(?:ja|en)\.(?:svg|png)")
_FULL = frozenset({errno.ENOSPC, errno.EROFS, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
# How long a reader waits where it finds no folder and a writer at work: between its two renames are microseconds.
_PATIENCE_SECONDS = 2.0


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A new folder to fill, manifest last; when the block ends, it takes the place of `out`, at once and whole.

    If the block raises, the new folder is removed, and `out` stays as it was. Nobody else can replace `out` meanwhile.

    Raises:
        InputError: at the start, if `out` may not or cannot be replaced: another kugiri is writing to it; it is a file,
            or a folder that holds anything but results of ours; it or its parent cannot be written. At the end, if that
            has come to be so since.
        InvariantError: the block ended without a manifest.
    """
    target = _resolved(out)
    _check_name(target)
    with ExitStack() as stack:
        with _told(target):
            stack.enter_context(locked(target))
            _settle(target)
            _check_replaceable(target)
            parents = _missing(target.parent)
            stack.callback(_remove_empty, parents)
            stack.callback(_tidy, target)
            for parent in reversed(parents):
                parent.mkdir(exist_ok=True)
            partial = _beside(target, f".partial-{secrets.token_hex(4)}")
            new = partial / _NEW
            partial.mkdir()
            new.mkdir()
        try:
            yield new
        except OSError as error:
            if error.errno in _FULL:
                raise _unwritable(target, error) from error
            raise
        if not (new / MANIFEST).is_file():
            raise InvariantError(
                f"the results were finished without a {MANIFEST}", str(target), "this is our fault: report it"
            )
        with _told(target):
            _flush(new)
            # Again: a long sweep leaves time to put something there, and it would be discarded with the old results.
            _check_replaceable(target)
            if os.path.lexists(target):
                (partial / _SWAPPING).touch()
                target.rename(_beside(target, ".previous"))
            new.rename(target)


def recover(folder: Path) -> None:
    """Puts back the results that a kill between the two renames left as `NAME.previous`: every reader's first step.

    Raises:
        InputError: another kugiri is writing to the folder and does not end; the old results cannot be renamed.
    """
    target = _resolved(folder)
    with _told(target):
        if _is_vacant(target) and os.path.lexists(_beside(target, ".previous")):
            with locked(target, _PATIENCE_SECONDS):
                _put_back(target, bool(_swapping(_partials(target))))


def _settle(target: Path) -> None:
    """Ends whatever a killed command began, given the lock: leaves NAME alone, old or new."""
    partials, previous = _partials(target), _beside(target, ".previous")
    ours = _swapping(partials)
    _put_back(target, bool(ours))
    if ours and os.path.lexists(previous):
        # Renamed before anything in it is deleted: what stands as `previous` is whole, always.
        previous.rename(ours[0] / f"old-{secrets.token_hex(4)}")
    for partial in partials:
        (partial / _SWAPPING).unlink(missing_ok=True)
        shutil.rmtree(partial, ignore_errors=True)


def _put_back(target: Path, ours: bool) -> None:
    previous = _beside(target, ".previous")
    if _is_vacant(target) and previous.is_dir() and (ours or listed_files(previous) is not None):
        if os.path.lexists(target):
            target.rmdir()
        previous.rename(target)


def _tidy(target: Path) -> None:
    # The results are in place by now, or another error is on its way: what cannot be removed (on Windows, a file that
    # somebody has open), the next command removes.
    with suppress(OSError):
        _settle(target)


def _check_replaceable(target: Path) -> None:
    previous = _beside(target, ".previous")
    if os.path.lexists(previous):
        raise InputError(
            "something that kugiri did not put there has the name that the old results need while they are replaced",
            str(previous),
            "move it away or rename it",
        )
    if _is_vacant(target):
        return
    if not target.is_dir():
        raise InputError("the results folder is a file", str(target), "give another --out, or move the file away")
    listed = listed_files(target)
    if listed is None:
        raise InputError(
            "the folder is not empty and is no results folder of kugiri's",
            str(target),
            "give another --out, or empty the folder yourself",
        )
    foreign = [name for name in files_below(target) if name not in listed and not _REPORT.fullmatch(name)]
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise InputError(
            f"replacing the results would delete a file that kugiri did not write: {foreign[0]}{more}",
            str(target),
            "move it out of the results folder, or give another --out",
        )


def _check_name(target: Path) -> None:
    if not target.name or _RESERVED.fullmatch(target.name):
        raise InputError("the results folder cannot have this name", str(target), "give another --out")
    if _resolved(Path()).is_relative_to(target):
        # The shell would be left in a folder that no longer exists, and Windows renames no folder that is in use.
        raise InputError(
            "the results folder cannot be replaced from inside it", str(target), "change to another folder first"
        )


def _resolved(folder: Path) -> Path:
    """Where the folder really is, symbolic links followed, so that two names for it have one lock."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a deleted working directory, a loop of links, a NUL
        raise InputError(f"the path leads nowhere: {error}", str(folder), "correct it") from error


def _missing(parent: Path) -> list[Path]:
    """The folders from here upwards that do not exist yet, the innermost first."""
    missing: list[Path] = []
    while not os.path.lexists(parent):
        missing.append(parent)
        parent = parent.parent
    if not parent.is_dir():
        raise InputError("a parent of the results folder is a file", str(parent), "give another --out")
    return missing


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """What the operating system refuses, said in three lines."""
    try:
        yield
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError(
        f"the results folder cannot be read or written: {reason}",
        str(target),
        "make room or permission there, or give another --out",
    )


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _beside(target: Path, ending: str) -> Path:
    return target.with_name(target.name + ending)


def _partials(target: Path) -> list[Path]:
    """The staging folders beside `target`; with the lock held, whoever made them is dead."""
    if not target.parent.is_dir():
        return []
    name = re.compile(re.escape(target.name) + r"\.partial-[0-9a-f]{8}")
    beside = (path for path in target.parent.iterdir() if name.fullmatch(path.name))
    return sorted(path for path in beside if path.is_dir() and not path.is_symlink())


def _swapping(partials: list[Path]) -> list[Path]:
    return [partial for partial in partials if (partial / _SWAPPING).exists()]


def _is_vacant(target: Path) -> bool:
    return not os.path.lexists(target) or (target.is_dir() and next(target.iterdir(), None) is None)


def _flush(folder: Path) -> None:
    # A kill needs none of this: what was written is the system's. A power failure does: the old results are deleted a
    # moment later, and the deletion may reach the disk before the new files do. Ten to thirty files, some milliseconds.
    for name in files_below(folder):
        with (folder / name).open("rb+") as file:
            os.fsync(file.fileno())
