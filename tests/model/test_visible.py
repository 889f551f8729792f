from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.errors import InputError, InvariantError, KugiriError
from kugiri.visible import one_line, shortened

ANY = st.text(st.characters(exclude_categories=()), max_size=30)


@given(ANY)
def test_what_is_shown_never_ends_a_line_nor_moves_the_cursor_nor_reorders_text(text: str) -> None:
    shown = one_line(text)
    assert len(shown.splitlines()) <= 1
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]
    assert not [c for c in shown if unicodedata.bidirectional(c) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI"}]
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("寿司🍣", "寿司🍣"),
        ("👩\u200d🍳", "👩\u200d🍳"),
        ("か\u3099\u3000き", "か\u3099\u3000き"),
        ("一\r\n二", "一\\r\\n二"),
        ("\x1b[31m赤", "\\x1b[31m赤"),
        ("上\u2028下\u0085", "上\\u2028下\\x85"),
        ("\u202e逆", "\\u202e逆"),
        ("\ud800", "\\ud800"),
        ("\0", "\\x00"),
    ],
)
def test_only_what_could_do_harm_is_escaped(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(ANY, st.integers(2, 40))
def test_a_shortened_text_says_where_something_is_missing(text: str, limit: int) -> None:
    shown = shortened(text, limit)
    if len(text) > limit:
        assert shown.endswith("…")
        assert len(shown) <= limit
    else:
        assert shown == one_line(text)


@given(ANY, ANY, ANY)
def test_an_error_is_three_lines_whatever_it_quotes(what: str, where: str, remedy: str) -> None:
    error = InputError(what, where, remedy, (what,))
    assert str(error).count("\n") == 2
    assert all(len(line.splitlines()) <= 1 for line in (error.what, error.where, error.remedy, *error.listing))


def test_an_error_told_from_further_outside_stays_of_its_kind() -> None:
    for kind, status in ((InputError, 2), (InvariantError, 1), (KugiriError, 1)):
        error = kind("what", "chunkers[0]", "remedy", ("one",)).inside("sweep.toml")
        assert type(error) is kind
        assert (error.what, error.where, error.remedy) == ("what", "sweep.toml: chunkers[0]", "remedy")
        assert error.listing == ("one",)
        assert error.exit_code == status
    assert InputError("what", "", "remedy").inside("sweep.toml").where == "sweep.toml"
