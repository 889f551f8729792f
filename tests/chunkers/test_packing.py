"""Packing against loops that try every place, written from the docstring of `pack`."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_by_hand import Units, packed, refined

from kugiri import catalog
from kugiri.chunkers.cluster_cuts import cluster_cuts
from kugiri.chunkers.measures import CodePoints, measure
from kugiri.chunkers.packing import pack
from kugiri.chunkers.pieces import MUST, Pieces
from kugiri.errors import InvariantError
from kugiri.model.boundaries import Boundaries
from kugiri.model.columns import Int64
from kugiri.model.corpus import Corpus
from kugiri.model.windows import Windows
from kugiri.segmenters.tokenizers import tokenizer
from worlds import HOSTILE, corpus_of, fixed_windows, hostile_text, local_chunks


@st.composite
def packing_worlds(draw: st.DrawFn) -> tuple[list[list[Units]], list[int], int, int]:
    """Sections of documents, lengths of the documents, size and overlap; a seed fills them."""
    seed = draw(st.integers(0, 10**6))
    documents, most, size = draw(st.integers(1, 3)), draw(st.integers(1, 12)), draw(st.integers(1, 12))
    return random_packing(random.Random(seed), documents, most, size)


def random_packing(
    draw: random.Random, documents: int, most: int, size: int
) -> tuple[list[list[Units]], list[int], int, int]:
    made, lengths = [], []
    levels = draw.choice((1, 2, 3))
    longest = draw.choice((1, 2, 4, 2 * size + 3))
    for _ in range(documents):
        place, sections, section = draw.choice((0, 0, 2)), [], Units([], [])
        for _ in range(draw.randint(0, most)):
            if section.spans and draw.random() < 0.15:
                sections.append(section)
                section = Units([], [])
            end = place + draw.randint(1, longest)
            section.spans.append((place, end))
            section.strength.append(draw.randint(1, levels))
            place = end + draw.choice((0, 0, 0, 1, 3))
        made.append([*sections, section])
        lengths.append(place + draw.choice((0, 1)))
    return made, lengths, size, draw.randrange(size)


def pieces_of(corpus: Corpus, made: list[list[Units]]) -> Pieces:
    start, end, strength = [], [], []
    for origin, sections in zip(corpus.document_start.tolist(), made, strict=False):
        for section in sections:
            start += [origin + low for low, _ in section.spans]
            end += [origin + high for _, high in section.spans]
            strength += [MUST, *section.strength[1:]] if section.spans else []
    units = Boundaries(corpus, np.array(start, dtype=np.int64), np.array(end, dtype=np.int64))
    return Pieces(units, np.array(strength, dtype=np.int32))


@settings(max_examples=150)
@given(packing_worlds())
def test_every_chunk_is_the_one_that_trying_all_places_finds(
    world: tuple[list[list[Units]], list[int], int, int],
) -> None:
    made, lengths, size, overlap = world
    corpus = corpus_of(["字" * length for length in lengths])
    chunking = pack(pieces_of(corpus, made), Windows(size, overlap))
    expected = [
        (number, *chunk)
        for number, sections in enumerate(made)
        for section in sections
        for chunk in packed(refined(section, size, overlap), size, overlap)
    ]
    assert local_chunks(chunking) == expected


def test_many_random_worlds_too() -> None:
    draw = random.Random(3)
    for _ in range(800):
        made, lengths, size, overlap = random_packing(draw, 1, 30, draw.choice((3, 8, 20)))
        corpus = corpus_of(["字" * length for length in lengths])
        expected = [
            (0, *chunk) for section in made[0] for chunk in packed(refined(section, size, overlap), size, overlap)
        ]
        assert local_chunks(pack(pieces_of(corpus, made), Windows(size, overlap))) == expected, (made, size, overlap)


def drawn(drawing: str, size: int, overlap: int = 0) -> str:
    """Chunks of units drawn as `ab-cd=ef`, as text: `-` is a place of strength 1, `=` of strength 2."""
    text = drawing.replace("-", "").replace("=", "")
    corpus = corpus_of([text])
    cuts: dict[str, list[int]] = {"=": [], "-": []}
    for mark in cuts:
        without = drawing.replace("=" if mark == "-" else "-", "")
        cuts[mark] = [place - number for number, place in enumerate(p for p, c in enumerate(without) if c == mark)]
    columns = [np.array(cuts[mark], dtype=np.int64) for mark in "=-"]
    made = pack(Pieces.between(corpus, columns), Windows(size, overlap))
    return " ".join(made.chunk(index).text for index in range(len(made)))


def test_a_world_can_be_read() -> None:
    assert drawn("ab-cd-ef", 4) == "abcd ef"
    assert drawn("ab=cd-ef-gh", 5) == "ab cdef gh"
    assert drawn("ab=cd-ef-gh", 8) == "abcdefgh"
    assert drawn("ab=cd-ef=gh", 7) == "abcdef gh"
    assert drawn("ab-cd-ef-gh", 4, 2) == "abcd cdef efgh"
    assert drawn("ab-cd-ef-gh", 4, 1) == "abcd efgh"
    assert drawn("abcdefg-hi", 3) == "abc def ghi"
    assert drawn("a-b=c-d-e-f", 4, 3) == "ab bcde cdef"


@pytest.mark.parametrize("overlap", [0, 3])
def test_one_unit_smaller_than_the_size_ends(overlap: int) -> None:  # E46
    assert drawn("一二三四五六七八九", 10, overlap) == "一二三四五六七八九"


def test_the_last_chunk_is_never_only_overlap() -> None:  # E47
    assert drawn("一-二-三-四-五-六-七-八", 4, 2) == "一二三四 三四五六 五六七八"


# ------------------------------------------------------------------------------------------------ pieces
def test_pieces_refuse_what_is_no_strength() -> None:
    corpus = corpus_of(["一二"])
    units = Boundaries(corpus, np.array([0, 1]), np.array([1, 2]))
    for strength in ([1], [0, 1], [1, 256]):
        with pytest.raises(InvariantError):
            Pieces(units, np.array(strength, dtype=np.int32))


def test_edges_of_documents_are_cut_whatever_is_said_of_them() -> None:
    corpus = corpus_of(["一二", "", "三四五", ""])
    pieces = Pieces.between(corpus, [np.array([4, 0, 5]), np.array([2, 3, 4, 3])])
    assert pieces.units.start.tolist() == [0, 2, 3, 4]
    assert pieces.strength.tolist() == [MUST, MUST, 1, 2]
    assert local_chunks(pack(pieces, Windows(9, 3))) == [(0, 0, 2), (2, 0, 3)]
    assert len(pack(Pieces.between(corpus_of([]), [np.array([], dtype=np.int64)]), Windows(3))) == 0
    assert (
        len(pack(Pieces.of(Boundaries(corpus, corpus.document_start[:0], corpus.document_start[:0])), Windows(3))) == 0
    )


# ------------------------------------------------------------------------------------------------ clusters
def boundaries(text: str) -> list[int]:
    return [0, *[found.end() for found in regex.finditer(r"\X", text)]]


def walked(text: str, size: int, overlap: int) -> set[int]:
    """Windows over one unit, cluster by cluster."""
    edges = boundaries(text)
    cuts: set[int] = set()
    low = 0
    while low + size < len(text):
        high = max((edge for edge in edges if low < edge <= low + size), default=min(e for e in edges if e > low))
        low = max(
            min(edge for edge in edges if edge >= high - overlap),
            min(edge for edge in edges if edge > low),
        )
        cuts |= {high, low}
    return cuts - {len(text)}


@settings(max_examples=150)
@given(hostile_text(), st.integers(1, 9), st.integers(0, 8))
def test_windows_over_a_unit_move_out_of_clusters(text: str, size: int, overlap: int) -> None:  # D41, D43
    overlap = min(overlap, size - 1)
    text = "字" + text + "字"
    corpus = corpus_of([text, text])
    both = np.array([0, len(text)])
    found = cluster_cuts(corpus, both, both + len(text), Windows(size, overlap)).tolist()
    grid = {edge for window in fixed_windows(len(text), size, overlap) for edge in window} - {0, len(text)}
    expected = sorted(grid if grid <= set(boundaries(text)) else walked(text, size, overlap))
    assert found == expected + [place + len(text) for place in expected]


@settings(max_examples=150)
@given(hostile_text(), st.integers(1, 9), st.integers(0, 8))
def test_packing_splits_no_cluster_of_a_unit_and_exceeds_the_size_by_single_ones_only(
    text: str, size: int, overlap: int
) -> None:
    corpus = corpus_of([text, HOSTILE])
    made = pack(Pieces.between(corpus, []), Windows(size, min(overlap, size - 1)))
    for d, s, e in local_chunks(made):
        whole = (text, HOSTILE)[d]
        assert {s, e} <= set(boundaries(whole))
        assert e - s <= size or len(regex.findall(r"\X", whole[s:e])) == 1


# ------------------------------------------------------------------------------------------------ tokens
@dataclasses.dataclass(frozen=True)
class Threes:
    """Every three characters from the start of what it is given: a slice has other tokens than its document."""

    name: str = "threes"

    def spans(self, text: str) -> tuple[Int64, Int64]:
        start = np.arange(0, len(text), 3)
        return start, np.minimum(start + 3, len(text))

    def count(self, text: str) -> int:
        return -(-len(text) // 3)


@dataclasses.dataclass(frozen=True)
class Doubles:
    """Characters, but a row of one character is halved: short slices have more tokens than long ones suggest."""

    name: str = "doubles"

    def spans(self, text: str) -> tuple[Int64, Int64]:
        found = [match.span() for match in regex.finditer(r"(?s)(.)\1?", text)]
        columns = np.array(found, dtype=np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def count(self, text: str) -> int:
        return len(self.spans(text)[0]) + text.count("。")


@pytest.mark.parametrize("by", ["cl100k", "unidic", "char", Threes(), Doubles()], ids=str)
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(("あ", "漢字", "。", "か\u3099", "👩\u200d🍳", "\u3000", "\r\n", "ああ")), max_size=25),
    st.integers(1, 9),
    st.integers(0, 8),
    st.integers(0, 99),
)
def test_no_chunk_has_more_tokens_by_itself_than_the_size(  # E52
    by: object, parts: list[str], size: int, overlap: int, seed: int
) -> None:
    text = "".join(parts)
    corpus = corpus_of([text, "終"])
    draw = random.Random(seed)
    cuts = [np.array([draw.randint(0, len(text)) for _ in range(draw.randint(0, 6))], dtype=np.int64) for _ in range(2)]
    pieces, sizes = Pieces.between(corpus, cuts), measure(corpus, by)  # type: ignore[arg-type]
    made = pack(pieces, Windows(size, min(overlap, size - 1)), sizes)
    assert {place for d, s, e in local_chunks(made) if d == 0 for place in range(s, e)} == set(range(len(text)))
    for start, end in zip(made.start.tolist(), made.end.tolist(), strict=True):
        if sizes.alone(start, end) > size:
            # It cannot be cut: no unit ends in it, and no token that is not shared begins in it.
            assert not [place for place in pieces.units.start.tolist() if start < place < end]
            assert not len(sizes.atoms(np.array([start]), np.array([end]), Windows(size)))
    assert (made.start[1:] > made.start[:-1]).all()
    assert (made.end[1:] > made.end[:-1]).all()


def test_where_sizes_add_up_the_tokens_of_slices_change_nothing() -> None:
    @dataclasses.dataclass(frozen=True)
    class Counted(CodePoints):
        adds_up = False  # type: ignore[misc]

    draw = random.Random(8)
    for _ in range(300):
        made, lengths, size, overlap = random_packing(draw, 2, 12, draw.choice((3, 8, 20)))
        corpus = corpus_of(["字" * length for length in lengths])
        pieces = pieces_of(corpus, made)
        one, two = (pack(pieces, Windows(size, overlap), kind(corpus)) for kind in (CodePoints, Counted))
        assert one.same_as(two)


@pytest.mark.parametrize("overlap", [0, 30, 199])
def test_a_slice_is_not_tokenised_again_and_again(overlap: int) -> None:  # P121, by counting
    calls: list[int] = []

    @dataclasses.dataclass(frozen=True)
    class Counting(Threes):
        def count(self, text: str) -> int:
            calls.append(len(text))
            return super().count(text) + text.count("。")

    counted = []
    for length in (3000, 6000):
        calls.clear()
        corpus = corpus_of(["文字列の一文。" * (length // 7)])
        ends = np.arange(7, length, 7)
        made = pack(Pieces.between(corpus, [ends]), Windows(200, overlap), measure(corpus, Counting()))
        assert len(calls) <= 4 * len(made) + len(ends) + 4
        counted.append(len(calls))
    assert counted[1] <= 2.5 * counted[0]


@dataclasses.dataclass(frozen=True)
class Marked:
    """Characters; by itself a slice has a token more for every 。 in it."""

    name: str = "marked"

    def spans(self, text: str) -> tuple[Int64, Int64]:
        places = np.arange(len(text) + 1)
        return places[:-1], places[1:]

    def count(self, text: str) -> int:
        return len(text) + text.count("。")


@pytest.mark.parametrize(
    ("text", "overlap", "expected"),
    [
        ("あいうえ。おか", 0, ["あいうえ", "。おか"]),
        ("あいうえ。おか", 2, ["あいうえ", "うえ。お", "。おか"]),
        ("あい。。。おか", 0, ["あい", "。。", "。おか"]),
        ("あい。。。おか", 4, ["あい", "い。", "。。", "。。お", "。おか"]),
    ],
)
def test_a_chunk_that_has_more_tokens_by_itself_reaches_as_many_fewer(
    text: str, overlap: int, expected: list[str]
) -> None:  # E52
    corpus = corpus_of([text])
    pieces = Pieces.between(corpus, [np.arange(len(text))])
    made = pack(pieces, Windows(5, overlap), measure(corpus, Marked()))
    assert [made.chunk(index).text for index in range(len(made))] == expected


@pytest.mark.parametrize("by", ["cl100k", "o200k"])
@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(("あ", "漢字。", " world", "か\u3099", "👩\u200d🍳", "\u3000", "\r\n", "\n", "```", "  x")),
        max_size=25,
    ),
    st.integers(1, 9),
    st.integers(0, 8),
)
def test_no_trimmed_chunk_has_more_tokens_by_itself_than_the_size(  # E52
    by: str, parts: list[str], size: int, overlap: int
) -> None:
    text = "".join(parts)
    corpus = corpus_of([text, "終"])
    overlap, sizes = min(overlap, size - 1), measure(corpus, by, True)
    shared = f'tokenizer="{by}", trim=true'
    for label in (
        *(f"{name}(size={size}, overlap={overlap}, {shared})" for name in ("line", "sentence", "recursive", "phrase")),
        f"paragraph(size={size}, overlap={overlap}, {shared})",
        f"headings(size={size}, overlap={overlap}, {shared})",
        f"cohesion(size={size}, {shared})",
        f"semantic(size={size}, {shared})",
    ):
        made = catalog.chunker(label).chunk(corpus)
        for start, end in zip(made.start.tolist(), made.end.tolist(), strict=True):
            if sizes.alone(start, end) > size:
                # It cannot be cut: no token that is not shared begins in it.
                inner = sizes.atoms(np.array([start]), np.array([end]), Windows(size)).tolist()
                assert not [place for place in inner if corpus.slice(start, place).strip()], (label, start, end)


def test_a_chunk_is_measured_as_it_is_emitted() -> None:  # E52
    text = "```\n world\n```\n"
    corpus = corpus_of([text])
    for by in ("cl100k", "o200k"):
        made = catalog.chunker(f'line(size=2, overlap=1, tokenizer="{by}", trim=true)').chunk(corpus)
        assert max(tokenizer(by).count(made.chunk(index).text) for index in range(len(made))) <= 2


@settings(max_examples=100, deadline=None)
@given(hostile_text(), st.integers(1, 9), st.integers(0, 8))
def test_no_packed_chunk_splits_a_cluster(text: str, size: int, overlap: int) -> None:
    text = text + "か\u3099き\u3099く。\u3099次！\ufe0f"
    for name in ("sentence", "recursive", "phrase", "line"):
        made = catalog.chunker(f"{name}(size={size}, overlap={min(overlap, size - 1)})").chunk(corpus_of([text]))
        for _, s, e in local_chunks(made):
            assert {s, e} <= set(boundaries(text)), name


def test_an_overlap_is_no_shorter_than_it_has_to_be() -> None:
    corpus = corpus_of(["いあい。"])
    made = pack(Pieces.between(corpus, [np.arange(4)]), Windows(3, 2), measure(corpus, Marked()))
    assert [made.chunk(index).text for index in range(len(made))] == ["いあい", "い。"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_is_left_of_a_token_is_cut_like_any_other_text(size: int) -> None:  # E52
    # UniDic makes one token of a row of signs; a separator inside leaves parts that have several by themselves.
    corpus = corpus_of(["'？|''？｜|…｜？）｜）'｜｜👩\u200d👩\u200d👦|'？………）|etc.👩", "か\u3099|……？…（…"])
    made = catalog.chunker(f'recursive(size={size}, tokenizer="unidic")').chunk(corpus)
    counts = [tokenizer("unidic").count(made.chunk(index).text) for index in range(len(made))]
    assert max(counts) <= size
    assert int(made.lengths.sum()) == corpus.characters


def test_a_trimmed_chunk_may_have_more_tokens_than_the_whole() -> None:  # E52
    counted = tokenizer("cl100k")
    assert (counted.count(" Tokyo。"), counted.count("Tokyo。")) == (2, 3)
    made = catalog.chunker('line(size=2, tokenizer="cl100k", trim=true)').chunk(corpus_of([" Tokyo。"]))
    assert [made.chunk(index).text for index in range(len(made))] == ["Tokyo", "。"]
