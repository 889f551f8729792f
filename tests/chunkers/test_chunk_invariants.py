"""What `cases.md` calls INV over small drawn worlds, for every chunker of the catalogue.

Written apart from `kugiri.testing`, so that the two cannot be wrong together.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from conforming_labels import LABELS, PARAMETERS, promises
from hypothesis import given, settings

from kugiri import catalog
from worlds import HOSTILE, World, corpus_of, local_chunks, worlds

ONE_OF_EACH = list({label.partition("(")[0]: label for label in LABELS}.values())
IN_ANOTHER_PROCESS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from worlds import HOSTILE, corpus_of
from kugiri import catalog
for label in sys.argv[2:]:
    made = catalog.chunker(label).chunk(corpus_of([HOSTILE, "", HOSTILE * 3]))
    print(hashlib.sha256(repr([made.chunk(i).id for i in range(len(made))]).encode()).hexdigest())
"""


@pytest.mark.parametrize("label", PARAMETERS)
@settings(max_examples=15)
@given(world=worlds())
def test_the_invariants_hold(label: str, world: World) -> None:
    chunking = catalog.chunker(label).chunk(world.corpus())
    chunks = local_chunks(chunking)
    assert len(set(chunks)) == len(chunks)
    for before, after in pairwise(chunks):
        assert before[0] <= after[0]
        assert before[0] < after[0] or (before[1] <= after[1] and before[2] <= after[2])
    for index, (d, s, e) in enumerate(chunks):
        assert 0 <= s < e <= len(world.texts[d])
        assert chunking.chunk(index).text == world.texts[d][s:e]
    gaps = promises(label)["gaps"]
    for d, text in enumerate(world.texts):
        # Recorded paragraphs declare their gaps.
        recorded = world.paragraphs[d] if gaps == "paragraphs" else ()
        allowed = [range(*pair) for pair in recorded or ((0, len(text)),)]
        covered = {place for number, s, e in chunks if number == d for place in range(s, e)}
        demanded = {place for places in allowed for place in places if gaps == "none" or not text[place].isspace()}
        assert demanded <= covered


def test_ids_are_the_same_in_any_process(pytestconfig: pytest.Config) -> None:
    expected = []
    for label in ONE_OF_EACH:
        made = catalog.chunker(label).chunk(corpus_of([HOSTILE, "", HOSTILE * 3]))
        ids = [made.chunk(index).id for index in range(len(made))]
        expected.append(hashlib.sha256(repr(ids).encode()).hexdigest())
    command: list[Any] = [sys.executable, "-c", IN_ANOTHER_PROCESS, pytestconfig.rootpath / "tests", *ONE_OF_EACH]
    run: Callable[..., Any] = subprocess.run
    done = run(command, capture_output=True, encoding="utf-8", env={"PYTHONHASHSEED": "77"}, check=True)
    assert done.stdout.split() == expected
