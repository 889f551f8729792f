"""Errors that a person can act on: what is wrong, where, and what to do about it."""

from __future__ import annotations

from typing import ClassVar

from kugiri.visible import one_line


class KugiriError(Exception):
    """An error told in three lines.

    Attributes:
        what: what is wrong, one sentence.
        where: file, line, key path, document id or offsets: the place to look at.
        remedy: what to do about it.
        listing: further lines, one a finding, for standard output (data, not message).
        exit_code: the exit status of a command that ends with this error (DESIGN §6).
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, where: str, remedy: str, listing: tuple[str, ...] = ()) -> None:
        self.what, self.where, self.remedy = one_line(what), one_line(where), one_line(remedy)
        self.listing = tuple(one_line(line) for line in listing)
        super().__init__(f"{self.what}\n{self.where}\n{self.remedy}")

    def inside(self, place: str) -> KugiriError:
        """The same error, its place said from further outside (a file, a key path)."""
        return type(self)(self.what, f"{place}: {self.where}" if self.where else place, self.remedy, self.listing)


class InputError(KugiriError):
    """Something the user gave cannot be used: exit status 2."""

    exit_code: ClassVar[int] = 2


class InvariantError(KugiriError):
    """A component produced what its contract forbids: our fault, or a third party's. Exit status 1."""
