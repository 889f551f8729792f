"""`[surface]` in a sweep file, and what a surface finds beside its table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InputError
from kugiri.evidence.placed import PlacedEvidence
from kugiri.evidence.surface import loss_surface
from kugiri.model.windows import Windows
from kugiri.sweeps.file import read_sweep
from kugiri.sweeps.surface import SurfacePlan, pareto_front, run_surface
from kugiri.sweeps.surface_file import read_surface
from worlds import World, worlds

HEAD = 'title = "面 👩\u200d🍳"\ncorpus = "c"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "面.toml"
    path.write_bytes((HEAD + text).encode())
    return path


def test_ranges_numbers_and_arrays(tmp_path: Path) -> None:
    text = (
        '[surface]\nsize = "50:100:25"\noverlap = [0, 0.29]\ntarget = 0.001\n[questions]\nsample = 3\nsplit = "test"\n'
    )
    found = read_surface(written(tmp_path, text))
    plan = found.plan
    assert (plan.title, plan.sizes, plan.overlaps) == ("面 👩\u200d🍳", (50, 75, 100), (0.0, 0.29))
    assert (plan.target, plan.sample, plan.split, plan.unit) == (Fraction(1, 1000), 3, "test", "char")
    assert found.alone
    assert found.corpus == tmp_path / "c"


def test_a_tokenizer_is_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(b"{}")
    text = '[surface]\nsize = 9\nunit = "token"\ntokenizer = "t.json"\n'
    assert read_surface(written(tmp_path, text)).plan.tokenizer == str(tmp_path / "t.json")


def test_a_file_with_chunkers_and_a_surface_is_both(tmp_path: Path) -> None:
    path = written(tmp_path, '[surface]\nsize = 9\n[[chunkers]]\nuse = "paragraph"\n')
    assert [str(one) for one in read_sweep(path).plan.configurations] == ["paragraph()"]
    assert not read_surface(path).alone


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[chunkers]]\nuse = 'paragraph'\n", "no table \\[surface\\]"),
        ('[surface]\nsize = "9:1"\n', "ends before it begins"),
        ("[surface]\nsize = 9\nstep = 2\n", "unknown key 'step'"),
        ("[surface]\nsize = 9.5\n", "expected"),
        ("[surface]\nsize = 0\n", "at least one unit"),
        ("[surface]\nsize = 9\noverlap = 9\n", "larger than the overlap"),
        ("[surface]\nsize = 9\ntarget = 1.0\n", "no share of questions"),
        ('[surface]\nsize = 9\nunit = "word"\n', "unknown"),
        ('[surface]\nsize = 9\nunit = "token"\ntokenizer = "none.json"\n', "none.json"),
        ('[surface]\nsize = 9\ntokenizer = "cl100k"\n', "means nothing"),
        ('[surface]\nsize = "1:10000"\noverlap = "0:1000"\n', "more than 1,000,000 pairs"),
        ('[surface]\nsize = 9\n[questions]\nsplit = "all"\n', "unknown part"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_surface(written(tmp_path, text))
    assert "面.toml" in caught.value.where


def test_an_absent_corpus_says_how_to_get_it(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(b'title = "t"\ncorpus = "none"\nobtain = "make it"\n[surface]\nsize = 9\n')
    with pytest.raises(InputError) as caught:
        read_surface(path)
    assert caught.value.remedy == "run: make it"


def test_a_sweep_without_chunkers_says_what_to_run(tmp_path: Path) -> None:
    path = written(tmp_path, "[surface]\nsize = 9\n")
    with pytest.raises(InputError) as caught:
        read_sweep(path)
    assert caught.value.remedy == f"run: kugiri surface {path}"


def test_overlaps_in_units_go_with_the_sizes_that_are_larger() -> None:
    assert SurfacePlan("t", (5, 10), (0, 5)).pairs() == [Windows(5, 0), Windows(10, 0), Windows(10, 5)]


@settings(max_examples=100)
@given(world=worlds(answerable=True), sizes=st.sets(st.integers(1, 12), min_size=1, max_size=6))
def test_the_front_is_what_nothing_dominates(world: World, sizes: set[int]) -> None:
    placed = PlacedEvidence.of(world.corpus(), world.questions().evidence)
    found = loss_surface(placed, [Windows(size, overlap) for size in sorted(sizes) for overlap in (0.0, 0.2, 0.5, 0.9)])
    front = pareto_front(found)
    rows = list(zip(found.chunks.tolist(), found.expected.tolist(), strict=True))
    for row, (chunks, expected) in enumerate(rows):
        beaten = any(a <= chunks and b <= expected and (a, b) != (chunks, expected) for a, b in rows)
        twins = [other for other, pair in enumerate(rows) if pair == (chunks, expected)]
        first = min(twins, key=lambda other: (found.indexed[other], found.size[other], other))
        assert front[row] == (not beaten and row == first)


@settings(max_examples=30)
@given(world=worlds(answerable=True), size=st.integers(2, 9))
def test_the_units_indexed_are_those_of_all_windows(world: World, size: int) -> None:
    corpus, questions = world.corpus(), world.questions()
    if not questions.answerable.any():
        return
    found = run_surface(SurfacePlan("t", (size,), (0, 1)), corpus, questions, ("", ""))
    for row, overlap in enumerate((0, 1)):
        windows = Windows(size, overlap)
        total = 0
        for text in world.texts:
            starts = np.arange(windows.counts(np.array([len(text)]))[0]) * windows.stride
            total += int((np.minimum(starts + size, len(text)) - starts).sum())
        assert found.surface.indexed[row] == total
    assert [one.size for one in found.overlaps_enough] == [size]
    assert [one.overlap for one in found.sizes_enough] == [0, 1]
