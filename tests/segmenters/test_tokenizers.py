"""Tokens: whole characters, in order, inside the text, all of it; whoever finds them."""

from __future__ import annotations

import functools
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.errors import InputError, InvariantError
from kugiri.segmenters import hugging_face, pieces_of_text, unidic
from kugiri.segmenters.bpe import ENCODINGS, byte_pairs
from kugiri.segmenters.tokenizers import NAMES, demand_tokenizer, tokenizer
from worlds import HOSTILE, hostile_text

KINDS = ("bytes", "prefixed", "unigram", "words")
TAUGHT = (
    "東京駅の近くで寿司を食べました。",
    "とても美味しかったので、また行きたいと思います。",
    "か\u3099き 👩\u200d🍳 a b ㍿",
    "→矢印 hello world, hello tokens",
)


def spans(name: Any, text: str) -> list[tuple[int, int]]:
    start, end = tokenizer(name).spans(text)
    assert start.dtype == end.dtype == np.int64
    return list(zip(start.tolist(), end.tolist(), strict=True))


def demand_good(name: Any, text: str) -> None:
    found = spans(name, text)
    assert all(0 <= s < e <= len(text) for s, e in found)
    assert [s for s, _ in found] == sorted(s for s, _ in found)
    assert [e for _, e in found] == sorted(e for _, e in found)
    covered = {place for s, e in found for place in range(s, e)}
    assert not found or {place for place, character in enumerate(text) if not character.isspace()} <= covered
    assert tokenizer(name).count(text) == len(found)
    assert tokenizer(name).counts([text, "", text]).tolist() == [len(found), 0, len(found)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A `tokenizer.json` of every kind, taught a few sentences; two of them ask for what would move or add tokens."""
    package = pytest.importorskip("tokenizers")
    models, before, teach = package.models, package.pre_tokenizers, package.trainers
    folder = tmp_path_factory.mktemp("tokenizers")
    made: dict[str, Any] = {}
    alphabet = before.ByteLevel.alphabet()
    for kind in ("bytes", "prefixed"):
        model = made[kind] = package.Tokenizer(models.BPE())
        model.pre_tokenizer = before.ByteLevel(add_prefix_space=kind == "prefixed")
        trainer = teach.BpeTrainer(
            vocab_size=320, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"], show_progress=False
        )
        model.train_from_iterator(TAUGHT * 3, trainer)
    made["prefixed"].post_processor = package.processors.ByteLevel(trim_offsets=True)
    made["prefixed"].enable_truncation(5)
    made["prefixed"].enable_padding(length=9)
    model = made["unigram"] = package.Tokenizer(models.Unigram())
    model.normalizer = package.normalizers.Sequence([package.normalizers.NFKC(), package.normalizers.Strip()])
    model.pre_tokenizer = before.Metaspace()
    model.train_from_iterator(
        TAUGHT * 3,
        teach.UnigramTrainer(vocab_size=80, special_tokens=["<unk>", "</s>"], unk_token="<unk>", show_progress=False),
    )
    model.post_processor = package.processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    model = made["words"] = package.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    model.normalizer, model.pre_tokenizer = package.normalizers.BertNormalizer(), before.BertPreTokenizer()
    model.train_from_iterator(
        TAUGHT * 3, teach.WordPieceTrainer(vocab_size=100, special_tokens=["[UNK]", "[SEP]"], show_progress=False)
    )
    for kind, model in made.items():
        model.save(str(folder / f"{kind}.json"))
    return {kind: str(folder / f"{kind}.json") for kind in made}


# ------------------------------------------------------------------------------------------------ every kind
@settings(max_examples=150)
@given(hostile_text(), st.sampled_from(NAMES))
def test_tokens_of_every_name_are_whole_characters_in_order(text: str, name: str) -> None:
    demand_good(name, text)


@settings(max_examples=60)
@given(text=hostile_text(), kind=st.sampled_from(KINDS))
def test_tokens_of_every_file_are_whole_characters_in_order(files: dict[str, str], text: str, kind: str) -> None:
    demand_good(files[kind], text)


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20))
def test_no_character_of_unicode_moves_a_token(files: dict[str, str], text: str) -> None:
    for name in (*NAMES, *files.values()):
        demand_good(name, text)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_and_one_character(name: str) -> None:
    assert spans(name, "") == []
    assert tokenizer(name).counts([]).tolist() == []
    demand_good(name, "始")
    demand_good(name, HOSTILE)


def test_what_made_the_tokens_is_told() -> None:
    assert [tokenizer(name).name for name in NAMES] == list(NAMES)
    assert [tokenizer(name).version.split(" ")[0] for name in NAMES] == ["1", "unidic-lite", "bpe-openai", "bpe-openai"]


def test_morphemes_and_code_points_are_those_of_the_segmenters() -> None:
    found = unidic.morphemes(HOSTILE)
    assert spans("unidic", HOSTILE) == list(zip(found.start.tolist(), found.end.tolist(), strict=True))
    assert spans("char", "か\u3099🍣") == [(0, 1), (1, 2), (2, 3)]


# ------------------------------------------------------------------------------------------------ bpe-openai
@functools.cache
def encoding_of(name: str) -> Any:
    import bpe_openai

    return bpe_openai.get_encoding(ENCODINGS[name])


def widened(name: str, text: str) -> list[tuple[int, int]]:
    """By the bytes of every token, one after the other."""
    encoding = encoding_of(name)
    owner = [place for place, character in enumerate(text) for _ in character.encode()]
    found, cursor = [], 0
    for token in encoding.encode(text, disallowed_special=()):
        raw = encoding.decode_single_token_bytes(token)
        assert text.encode()[cursor : cursor + len(raw)] == raw
        found.append((owner[cursor], owner[cursor + len(raw) - 1] + 1))
        cursor += len(raw)
    assert cursor == len(text.encode())
    return found


@pytest.mark.filterwarnings("ignore:open_binary:DeprecationWarning")
@settings(max_examples=150)
@given(hostile_text(), st.sampled_from(sorted(ENCODINGS)))
def test_a_byte_level_token_is_widened_to_the_characters_it_touches(text: str, name: str) -> None:
    assert spans(name, text) == widened(name, text)


def test_a_character_of_several_tokens_belongs_to_each_of_them() -> None:  # B20
    assert spans("cl100k", "鮨→🍣") == [(0, 1), (0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (2, 3)]


@pytest.mark.parametrize("marker", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"])
def test_text_that_looks_like_a_special_token_is_text(marker: str) -> None:
    for name in ENCODINGS:
        assert tokenizer(name).count(marker) > 1
        demand_good(name, f"始{marker}終")


PARTS = (
    "東京。",
    "はA ",
    "x\n\n",
    "1東\u3000",
    "。は、",
    "'sA\r",
    "駅！🍣",
    "  京\n",
    "/ア？",
    "」は\r\n",
    "か\u3099は。",
    "ー東、",
)


@pytest.mark.parametrize("name", sorted(ENCODINGS))
def test_a_text_in_pieces_has_the_tokens_of_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(5)
    # Every eight characters have a place where a letter ends in front of white space or the end of a sentence.
    texts = ["".join(draw.choices(PARTS, k=40)) for _ in range(300)]
    whole = [spans(name, text) for text in texts]
    monkeypatch.setattr(pieces_of_text, "_PIECE", 16)
    for text in texts:
        pieces = list(pieces_of_text.pieces_of_text(text))
        assert "".join(pieces) == text
        assert all(8 < len(piece) < 16 for piece in pieces[:-1])
    assert [spans(name, text) for text in texts] == whole


@pytest.mark.parametrize("character", ["あ", "\n", " ", "\u3000", "。", "👩\u200d🍳", "\U0010fffd", "1"])
def test_a_long_run_is_fed_in_pieces(character: str) -> None:  # the package refuses 200,000 tokens and 10**6 characters
    text = character * 210_000
    for name in ENCODINGS:
        start, end = tokenizer(name).spans(text)
        assert (start[0], end[-1]) == (0, len(text))
        assert (np.diff(start) >= 0).all()
        assert (start[1:] <= end[:-1]).all()
        assert tokenizer(name).count(text) == len(start)


def test_tokens_with_other_bytes_than_the_text_are_refused() -> None:
    import dataclasses

    good = byte_pairs("cl100k")
    bad = dataclasses.replace(good, encode=lambda text: good.encode(text + "x"))
    with pytest.raises(InvariantError, match="end to end"):
        bad.spans("東京")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ENCODINGS])
@pytest.mark.parametrize("unit", ["東京駅で寿司を食べました。", "東京駅で\n", "ア", "\n", "👩\u200d🍳"])
def test_time_is_linear_in_the_length(name: str, unit: str) -> None:  # P121
    def seconds(text: str) -> float:
        began = time.process_time()
        tokenizer(name).spans(text)
        return time.process_time() - began

    text = unit * (250_000 // len(unit))
    once, four = (min(seconds(text * times) for _ in range(3)) for times in (1, 4))
    # A cost that grows with the square would be sixteen times as large.
    assert four <= 8 * once


# ------------------------------------------------------------------------------------------------ tokenizer.json
def test_offsets_of_a_byte_level_file_are_whole_characters(files: dict[str, str]) -> None:
    found = spans(files["bytes"], "鮨→🍣")
    assert {(0, 1), (1, 2), (2, 3)} == set(found)
    assert len(found) > 3


def test_a_file_cannot_ask_for_a_length_or_for_special_tokens(files: dict[str, str]) -> None:
    text = "東京駅の近くで寿司を食べました。"
    assert len(spans(files["prefixed"], text)) > 9
    assert spans(files["prefixed"], text)[-1][1] == len(text)
    assert spans(files["unigram"], "東")[-1] == (0, 1)
    assert len(spans(files["unigram"], "東</s>")) > 2
    assert len(spans(files["bytes"], "<|endoftext|>")) > 1


def test_white_space_that_a_file_trims_from_offsets_is_in_its_tokens(files: dict[str, str]) -> None:
    text = "a  b \u3000 か\u3099 \r\n"
    assert {place for s, e in spans(files["prefixed"], text) for place in range(s, e)} == set(range(len(text)))


def test_a_character_that_is_normalised_away_goes_with_the_token_in_front_of_it(files: dict[str, str]) -> None:
    assert spans(files["words"], "か\u3099か") == [(0, 2), (2, 3)]
    assert spans(files["words"], "\u200b東 \ufeff 京\x01z \u200b ") == [(0, 4), (5, 7), (7, 10)]
    assert spans(files["words"], "\u200b") == []
    assert spans(files["unigram"], "か\u3099")[-1] == (0, 2)


def test_several_tokens_of_one_character_and_one_token_of_several(files: dict[str, str]) -> None:
    demand_good(files["unigram"], "㍿の ｶﾞ ﷺ ½")
    found = spans(files["unigram"], "㍿a")
    assert found[-1] == (1, 2)
    assert {(0, 1)} == set(found[:-1])


def test_a_file_that_changes_is_read_again(files: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(Path(files["bytes"]).read_bytes())
    first = tokenizer(str(path))
    assert first == tokenizer(str(path))
    path.write_bytes(Path(files["words"]).read_bytes())
    assert first.version != tokenizer(str(path)).version
    assert first.version.startswith("sha256 ")


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"model": 1}', b"\xff\xfe", b'{"model": {"type": "BPE"}}'])
def test_a_file_that_is_no_tokenizer_is_refused(raw: bytes, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    path = tmp_path / "寿司.json"
    path.write_bytes(raw)
    with pytest.raises(InputError, match="no tokenizer") as caught:
        tokenizer(str(path))
    assert "寿司.json" in caught.value.where


def test_a_text_that_a_file_refuses_names_the_file(tmp_path: Path) -> None:
    package = pytest.importorskip("tokenizers")
    model = package.Tokenizer(package.models.WordPiece({"a": 0}, unk_token="[UNK]"))
    model.pre_tokenizer = package.pre_tokenizers.Whitespace()
    model.save(str(tmp_path / "t.json"))
    with pytest.raises(InputError) as caught:
        tokenizer(str(tmp_path / "t.json")).count("始")
    assert "t.json" in caught.value.where


def test_a_missing_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"{}")
    monkeypatch.setattr(hugging_face.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        tokenizer(str(path))
    assert caught.value.remedy == "pip install 'kugiri[tokenizers]'"


# ------------------------------------------------------------------------------------------------ anybody's
class Plugin:
    """A tokenizer of a third party that finds what it is told to."""

    def __init__(self, found: Any, name: Any = "mine", counted: Any = 1, **more: Any) -> None:
        self.found, self.name, self.counted = found, name, counted
        self.__dict__.update(more)

    def spans(self, text: str) -> Any:
        return self.found

    def count(self, text: str) -> Any:
        return self.counted


def test_an_object_is_taken_as_it_is() -> None:
    mine = tokenizer(Plugin(([0, 2], [2, 3]), version=7))
    assert [column.tolist() for column in mine.spans("a か\u3099"[:3])] == [[0, 2], [2, 3]]
    assert (mine.name, mine.version, mine.counts(["a", "b"]).tolist()) == ("mine", "7", [1, 1])
    assert spans(Plugin(([], [])), " \u3000\r\n") == []


@pytest.mark.parametrize(
    ("found", "text", "what"),
    [
        (([0, 1, 2], [1, 2, 3]), "→", "outside"),  # B20
        (([-1], [1]), "→", "outside"),
        (([0, 0], [1, 0]), "→", "empty"),
        (([1, 0], [2, 2]), "東京", "in front"),
        (([0, 1], [3, 2]), "東京駅", "in front"),
        (([0], [1]), "東京", "no token"),
        (([1], [2]), "東京", "no token"),
        (([0, 2], [1, 3]), "東京駅", "no token"),
        (([], []), "東", "no token"),
        (([0], [1, 2]), "東京", "pair"),
        ([(0, 1), (1, 2)], "東京", "pair"),
        (([0.0], [1.0]), "東", "integers"),
        (None, "東", "pair"),
    ],
)
def test_a_wrong_output_is_refused_with_the_name(found: Any, text: str, what: str) -> None:
    with pytest.raises(InvariantError, match=what) as caught:
        tokenizer(Plugin(found)).spans(text)
    assert "'mine'" in caught.value.what


@pytest.mark.parametrize("counted", [-1, 1.5, None, True])
def test_a_wrong_count_is_refused_with_the_name(counted: Any) -> None:
    with pytest.raises(InvariantError, match="'mine'"):
        tokenizer(Plugin(([0], [1]), counted=counted)).count("東")


@settings(max_examples=300)
@given(st.integers(0, 10**6))
def test_what_an_object_says_that_it_drops_goes_with_the_token_in_front(seed: int) -> None:
    draw = random.Random(seed)
    text = "".join(draw.choices("東 \u3000京\n", k=draw.randint(1, 10)))
    count = draw.randint(1, 4)
    pairs = sorted((s, draw.randint(s + 1, len(text))) for s in (draw.randrange(len(text)) for _ in range(count)))
    start, end = [s for s, _ in pairs], sorted(e for _, e in pairs)
    found = spans(Plugin((start, end), drops_characters=True), text)
    expected = [list(pair) for pair in zip(start, end, strict=True)]
    for place, character in enumerate(text):
        if not character.isspace() and not any(s <= place < e for s, e in zip(start, end, strict=True)):
            before = [number for number, e in enumerate(end) if e <= place]
            if before:
                expected[before[-1]][1] = place + 1
            else:
                expected[0][0] = min(expected[0][0], place)
    assert found == [tuple(pair) for pair in expected]


@pytest.mark.parametrize(
    "name", ["word", "cl100k_base", "", "寿司", "missing.json", 5, None, object(), Plugin(0, name=3)]
)
def test_what_is_no_tokenizer_is_refused_before_any_work(name: Any) -> None:  # E50
    for refuse in (demand_tokenizer, tokenizer):
        with pytest.raises(InputError):
            refuse(name)
