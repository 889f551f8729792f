from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.labels import chunk_id, percent_encoded, slug, slugs

ANY = st.text(max_size=12)
DEVICES = ("con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt9")


def digest(label: str) -> str:
    return hashlib.sha256(label.encode()).hexdigest()[:8]


def test_a_slug_is_the_label_in_file_name_characters() -> None:
    assert slug("fixed(size=512, overlap=64)") == "fixed_size_512_overlap_64"
    assert slug("Recall@5") == "recall_5"
    assert slug("paragraph()") == "paragraph"
    assert slug("fixed(size=400, overlap=0.2)") == "fixed_size_400_overlap_0.2"


@given(ANY)
def test_a_slug_is_a_file_name_on_every_system(label: str) -> None:
    name = slug(label)
    assert re.fullmatch(r"[a-z0-9._-]+", name)
    assert not name.endswith(".")
    assert not name.startswith(".")
    assert name.split(".")[0] not in DEVICES


@pytest.mark.parametrize("label", ["CON", "con", "nul()", "aux.txt", "COM1", "lpt9(…)", "Prn."])
def test_device_names_of_windows_are_no_file_names(label: str) -> None:
    assert slug(label).split(".")[0] not in DEVICES


@given(st.lists(ANY | st.sampled_from(("a", "A", "a()", "a_", "区", "切", "_")), unique=True, max_size=8))
def test_every_label_has_its_own_file_name(labels: list[str]) -> None:
    names = slugs(labels)
    assert list(names) == labels
    assert len(set(names.values())) == len(labels)


def test_where_two_labels_meet_both_get_digits_of_their_digest() -> None:
    names = slugs(["fixed(size=1, overlap=2)", "fixed(size=1 overlap=2)", "paragraph()"])
    assert names == {
        "fixed(size=1, overlap=2)": "fixed_size_1_overlap_2_" + digest("fixed(size=1, overlap=2)"),
        "fixed(size=1 overlap=2)": "fixed_size_1_overlap_2_" + digest("fixed(size=1 overlap=2)"),
        "paragraph()": "paragraph",
    }


def test_a_label_that_looks_like_a_slug_with_digits_still_has_its_own() -> None:
    labels = ["a", "A", f"a_{digest('a')}"]
    assert len(set(slugs(labels).values())) == 3


def test_labels_only_in_japanese_have_distinct_slugs() -> None:
    names = slugs(["区切り", "段落", "見出し"])
    assert len(set(names.values())) == 3


@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from("ab_@:%0253A4か\u3099🍣\u3000"), min_size=1, max_size=6),
            st.integers(0, 30),
            st.integers(0, 30),
        ),
        unique=True,
        min_size=2,
        max_size=12,
    )
)
def test_chunk_ids_never_collide(places: list[tuple[str, int, int]]) -> None:
    assert len({chunk_id(*place) for place in places}) == len(places)


def test_chunk_ids_of_ids_that_run_into_one_another() -> None:  # M104
    assert chunk_id("a/b_c", 0, 5) != chunk_id("a_b/c", 0, 5)
    assert chunk_id("a", 1, 23) != chunk_id("a@1:2", 1, 3)
    assert chunk_id("甲:1", 0, 4) == "甲%3A1@0:4"
    assert percent_encoded("%40@:") == "%2540%40%3A"
