"""A sweep file as the source of a loss surface: its corpus, its questions and its table `[surface]`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from kugiri.errors import InputError
from kugiri.formats.strict import read_toml
from kugiri.model.questions import SPLITS
from kugiri.sweeps.file import SweepTable
from kugiri.sweeps.surface import SurfacePlan


@dataclasses.dataclass(frozen=True, slots=True)
class SurfaceFile:
    """What a sweep file says of a surface, read and checked.

    Attributes:
        corpus: the corpus folder; a relative path is relative to the file.
        obtain: the command that makes the corpus where it is absent.
        alone: whether the file describes nothing but the surface: no chunkers to sweep.
    """

    path: Path
    corpus: Path
    plan: SurfacePlan
    obtain: str | None
    alone: bool


def read_surface(path: Path, expected: bool = True) -> SurfaceFile:
    """The surface that the file describes.

    Raises:
        InputError: whatever keeps the file from being read or `[surface]` from being meant so, with the key path; there
            is no such table; the corpus is absent and the file says which command makes it.
    """
    table = read_toml(path, SweepTable)
    if table.surface is None:
        raise InputError(
            "the sweep file has no table [surface]",
            str(path),
            'add one, with size = "50:2000:10" and overlap = "0:0.5:0.01", or give a corpus folder and --size',
        )
    asked, corpus = table.questions, path.parent / table.corpus
    if asked.split is not None and asked.split not in SPLITS:
        raise InputError(
            f"unknown part {asked.split!r}", f"{path}: questions.split", f"use one of: {', '.join(SPLITS)}"
        )
    if table.obtain is not None and not corpus.exists():
        raise InputError("the corpus is not there", f"{path}: corpus = {corpus}", f"run: {table.obtain}")
    try:
        plan = table.surface.plan(
            table.title, path.parent, expected=expected, sample=asked.sample, split=asked.split, seed=table.seed
        )
    except InputError as error:
        raise error.inside(f"{path}: surface") from None
    return SurfaceFile(path, corpus, plan, table.obtain, not table.chunkers)
