"""Hashed n-grams against a dictionary of counts and Python's own big integers."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import unicodedata
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri import catalog
from kugiri.embedders.hashed import Hashed
from kugiri.errors import InputError
from kugiri.labels import parse
from worlds import HOSTILE, hostile_text

TEXTS = [
    *("東京駅の近くで寿司を食べた。", "寿司は江戸前に限る。", "変数の型を宣言する。"),
    *(HOSTILE, "", "。、\u3000\r\n👩\u200d🍳"),
]
IN_ANOTHER_PROCESS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from worlds import HOSTILE
from kugiri.embedders.hashed import Hashed
print(hashlib.sha256(Hashed(64).embed([HOSTILE, "", HOSTILE * 3]).tobytes()).hexdigest())
"""


def written_hash(gram: str) -> int:
    mixed = 0xCBF29CE484222325
    for character in gram:
        mixed = (mixed ^ ord(character)) * 0x100000001B3 % 2**64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        mixed = (mixed ^ mixed >> 33) * factor % 2**64
    return mixed ^ mixed >> 33


def written_vector(text: str, dimensions: int, ngrams: tuple[int, ...]) -> list[float]:
    text = unicodedata.normalize("NFKC", text).casefold()
    counts = [0] * dimensions
    for n in ngrams:
        for gram in (text[at : at + n] for at in range(len(text) - n + 1)):
            if all(unicodedata.category(character)[0] in "LNM" for character in gram):
                counts[written_hash(gram) % dimensions] += -1 if written_hash(gram) >> 63 else 1
    length = sqrt(sum(count * count for count in counts))
    return [count / length if length else 0.0 for count in counts]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(hostile_text() | st.text(max_size=20), max_size=5),
    st.sampled_from([1, 7, 64]),
    st.sampled_from([(1,), (2,), (1, 2), (1, 3), (10,)]),
)
def test_a_vector_is_counted_by_hand(texts: list[str], dimensions: int, ngrams: tuple[int, ...]) -> None:
    found = Hashed(dimensions, ngrams).embed(texts)
    assert found.shape == (len(texts), dimensions)
    assert found.dtype == np.float32
    expected = np.array([written_vector(text, dimensions, ngrams) for text in texts]).reshape(-1, dimensions)
    assert np.allclose(found, expected, atol=1e-6)


def test_rows_have_length_one_or_are_zeros() -> None:
    found = Hashed().embed(TEXTS)
    lengths = np.linalg.norm(found.astype(np.float64), axis=1)
    assert lengths.tolist() == pytest.approx([1, 1, 1, 1, 0, 0], abs=1e-6)


def test_texts_with_words_in_common_are_closer() -> None:
    one, near, far = Hashed().embed(TEXTS[:3])
    assert one @ near > one @ far


def test_a_vector_does_not_depend_on_the_other_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = np.concatenate([Hashed(64).embed([text]) for text in TEXTS])
    assert np.array_equal(Hashed(64).embed(TEXTS), alone)
    monkeypatch.setattr("kugiri.embedders.hashed._AT_ONCE", 128)
    assert np.array_equal(Hashed(64).embed(TEXTS), alone)


def test_widths_and_letter_cases_are_alike_and_texts_do_not_run_together() -> None:
    one, other = Hashed().embed(["ｶﾞＡbc", "ガaBC"])
    assert np.array_equal(one, other)
    assert not Hashed(64, (2,)).embed(["あ", "い"]).any()


def test_vectors_are_the_same_in_any_process(pytestconfig: pytest.Config) -> None:
    command: list[Any] = [sys.executable, "-c", IN_ANOTHER_PROCESS, pytestconfig.rootpath / "tests"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env={"PYTHONHASHSEED": "77"}, check=True)
    mine = Hashed(64).embed([HOSTILE, "", HOSTILE * 3]).tobytes()
    assert done.stdout.strip() == hashlib.sha256(mine).hexdigest()


def test_one_meaning_has_one_label() -> None:
    assert str(Hashed()) == "hashed()"
    assert str(Hashed(ngrams=(3, 2, 3))) == "hashed(ngrams=[2, 3])"
    assert catalog.from_label("embedders", parse("hashed(ngrams=[3, 2], dimensions=64)")) == Hashed(64, (2, 3))


@pytest.mark.parametrize(
    "wrong",
    [{"dimensions": 0}, {"dimensions": True}, *({"ngrams": ngrams} for ngrams in ((), (0,), (11,), (True,), "2"))],
)
def test_parameters_outside_their_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        Hashed(**wrong)
    assert caught.value.where == next(iter(wrong))
