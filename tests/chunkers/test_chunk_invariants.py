"""What `cases.md` calls INV, for every chunker of the catalogue."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri import catalog
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds

WINDOWS = ((1, 0), (3, 1), (5, 0.5), (7, 6), (100, 0.2))
LABELS = ["paragraph()", *(f"fixed(size={size}, overlap={overlap})" for size, overlap in WINDOWS)]
IN_ANOTHER_PROCESS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from worlds import HOSTILE, corpus_of
from kugiri import catalog
made = catalog.chunker(sys.argv[2]).chunk(corpus_of([HOSTILE, "", HOSTILE * 3]))
print(hashlib.sha256(repr([made.chunk(i).id for i in range(len(made))]).encode()).hexdigest())
"""


@settings(max_examples=200)
@given(worlds(), st.sampled_from(LABELS))
def test_the_invariants_hold(world: World, label: str) -> None:
    chunking = catalog.chunker(label).chunk(world.corpus())
    chunks = local_chunks(chunking)
    assert len(set(chunks)) == len(chunks)
    for before, after in pairwise(chunks):
        assert before[0] <= after[0]
        assert before[0] < after[0] or (before[1] <= after[1] and before[2] <= after[2])
    for index, (d, s, e) in enumerate(chunks):
        assert 0 <= s < e <= len(world.texts[d])
        assert chunking.chunk(index).text == world.texts[d][s:e]
    for d, text in enumerate(world.texts):
        # Recorded paragraphs declare their gaps.
        recorded = world.paragraphs[d] if label == "paragraph()" else ()
        allowed = [range(*pair) for pair in recorded or ((0, len(text)),)]
        covered = {place for number, s, e in chunks if number == d for place in range(s, e)}
        demanded = {place for places in allowed for place in places if not text[place].isspace()}
        assert demanded <= covered


def test_every_chunker_of_the_catalogue_is_held_to_this() -> None:
    assert {label.split("(")[0] for label in LABELS} == set(catalog.CATALOG["chunkers"])


@pytest.mark.parametrize("label", [LABELS[0], LABELS[3]])
def test_ids_are_the_same_in_any_process(label: str, pytestconfig: pytest.Config) -> None:
    made = catalog.chunker(label).chunk(corpus_of([HOSTILE, "", HOSTILE * 3]))
    ids = [made.chunk(index).id for index in range(len(made))]
    expected = hashlib.sha256(repr(ids).encode()).hexdigest()
    command: list[Any] = [sys.executable, "-c", IN_ANOTHER_PROCESS, pytestconfig.rootpath / "tests", label]
    run: Callable[..., Any] = subprocess.run
    done = run(command, capture_output=True, encoding="utf-8", env={"PYTHONHASHSEED": "77"}, check=True)
    assert done.stdout.strip() == expected
