from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kugiri.catalog import chunker
from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.errors import InputError
from kugiri.labels import Label, parse, parse_configuration, value_text

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: value != 0)
STRINGS = st.text(st.characters(exclude_categories=()), max_size=8) | st.sampled_from(
    ("。", '"', "\\", "か\u3099", "\u3000", "\r\n", "👩\u200d🍳", "\u2028", "\ud800", "])", "= ,")
)
SCALARS = st.none() | st.booleans() | st.integers() | FLOATS | STRINGS


@st.composite
def labels(draw: st.DrawFn, values: st.SearchStrategy[Any] = SCALARS) -> Label:
    name, called = draw(NAMES), draw(st.booleans())
    # What is not called may not look like a constant: `true` is one, `true()` is a label.
    assume(called or name not in {"true", "false", "null"})
    arguments = tuple(draw(st.dictionaries(NAMES, values, max_size=3)).items()) if called else ()
    return Label(name, arguments, draw(st.none() | st.integers(1, 10**6)), called)


VALUES = st.recursive(SCALARS, lambda inner: labels(inner) | st.lists(inner, max_size=3).map(tuple), max_leaves=6)


@given(labels(VALUES))
@example(
    Label("hybrid", (("parts", (Label("bm25", called=True), Label("dense", (("k", 5),), None, True))),), None, True)
)
@example(Label("fixed", (("size", 1), ("overlap", 1e-07), ("x", 1e22)), None, True))
def test_what_a_label_writes_it_reads(label: Label) -> None:
    again = parse(str(label))
    assert again == label
    assert [type(value) for _, value in again.arguments] == [type(value) for _, value in label.arguments]


@given(labels(VALUES), labels(VALUES))
def test_a_configuration_is_a_chunker_and_a_retriever(left: Label, right: Label) -> None:
    assert parse_configuration(f"{left} + {right}") == (left, right)
    assert parse_configuration(str(left)) == (left, None)


@given(st.integers(1, 10**12), st.integers(0, 10**12) | st.floats(0, 1, exclude_max=True))
def test_a_component_is_read_back_from_its_label(size: int, overlap: int | float) -> None:
    assume(isinstance(overlap, float) or overlap < size)
    made = Fixed(size, overlap)
    again = chunker(str(made))
    assert again == made
    assert type(again.overlap) is type(made.overlap)
    assert str(again) == str(made)


@pytest.mark.parametrize(
    ("component", "label"),
    [
        (Paragraph(), "paragraph()"),
        (Fixed(400), "fixed(size=400)"),
        (Fixed(400, 0), "fixed(size=400)"),
        (Fixed(400, 0.0), "fixed(size=400)"),
        (Fixed(400, -0.0), "fixed(size=400)"),
        (Fixed(400, 0.2), "fixed(size=400, overlap=0.2)"),
        (Fixed(400, 1), "fixed(size=400, overlap=1)"),
        (Fixed(overlap=64, size=512), "fixed(size=512, overlap=64)"),
        (Fixed(100, 1e-07), "fixed(size=100, overlap=1e-07)"),
    ],
)
def test_labels_as_design_writes_them(component: object, label: str) -> None:
    assert str(component) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (" fixed ( size = 400 ,\n overlap = 0.2 ) ", "fixed(size=400, overlap=0.2)"),
        ("Recall@5", "Recall@5"),
        ("Recall @ 5", "Recall@5"),
        ("Recall(budget=2000)", "Recall(budget=2000)"),
        ("rank", "rank"),
        ('a(separator="。\\n")', 'a(separator="。\\n")'),
        ("a(x=[1, 2.5, [true], b(c=null)])", "a(x=[1, 2.5, [true], b(c=null)])"),
        ("a(x=true(), y=null)", "a(x=true(), y=null)"),
        ("a(x=0.0, y=-0.0)", "a(x=0, y=0)"),
    ],
)
def test_spaces_are_free_and_the_written_form_is_one(text: str, label: str) -> None:
    assert str(parse(text)) == label


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "5",
        "fixed(",
        "fixed)",
        "fixed()()",
        "fixed(size)",
        "fixed(size=)",
        "fixed(size=1,)",
        "fixed(,)",
        "fixed(size=1 overlap=2)",
        "fixed(size=1, size=2)",
        "fixed(400)",
        "fixed(size=1) extra",
        "fixed(size=1) +",
        "fixed(size=0x10)",
        "fixed(size=1e999)",
        "fixed(size=１００m)",
        "Recall@",
        "Recall@0",
        "Recall@-1",
        "Recall@5.0",
        "Recall@true",
        'Recall@"5"',
        "Recall@5@5",
        "a(x=[1)",
        "a(x=[1 2])",
        "a(x=[,])",
        'a(x="開いたまま)',
        'a(x="\\q")',
        "区切り()",
        "a(区=1)",
        "a-b()",
    ],
)
def test_what_is_no_label_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert "at character" in caught.value.what or "twice" in caught.value.what


@pytest.mark.parametrize(
    "text",
    ["a(b=" * 5000, "a(b=" + "[" * 100_000, f"fixed(size={'9' * 5000})", f"Recall@{'9' * 5000}"],
    ids=["nested labels", "nested lists", "digits", "digits of a cutoff"],
)
def test_no_text_however_large_gets_past_as_anything_but_bad_input(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_the_place_of_the_mistake_counts_from_one() -> None:
    with pytest.raises(InputError, match="at character 12"):
        parse("fixed(size=)")


def test_a_float_is_written_so_that_it_can_be_read_exactly() -> None:
    for number in (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e16, 123456789.123456789):
        read = parse(f"a(x={value_text(number)})").arguments[0][1]
        assert read == number
        assert math.copysign(1, read) == 1
