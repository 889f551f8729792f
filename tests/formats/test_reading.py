from __future__ import annotations

from pathlib import Path

import pytest
from squad_files import TANGLED

from kugiri.errors import InputError
from kugiri.formats.reading import decoded, read_bytes


def test_o116_another_encoding_is_named_and_never_guessed() -> None:
    with pytest.raises(InputError) as refused:
        decoded("日本".encode("cp932"), Path("a.json"), option=True)
    assert "byte 0 " in refused.value.what
    assert refused.value.remedy == "try --encoding cp932"
    assert decoded("日本".encode("cp932"), Path("a.json"), "cp932") == "日本"


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("cp932", "cp932"), ("euc_jp", "euc_jp"), ("utf-16", "utf-16")],
)
def test_the_encoding_that_fits_is_named(encoding: str, named: str) -> None:
    raw = "最初の行\n社内規程の第二条、バリアント。".encode(encoding)
    with pytest.raises(InputError, match=f"--encoding {named}"):
        decoded(raw, Path("a.json"), option=True)


def test_utf_8_read_as_another_encoding() -> None:
    with pytest.raises(InputError, match="--encoding utf-8"):
        decoded("あ東京。".encode(), Path("a.json"), "ascii", option=True)


def test_line_and_byte_count_from_the_start_of_the_file() -> None:
    with pytest.raises(InputError) as refused:
        decoded(b"\xef\xbb\xbfab\nc\xff", Path("a.toml"))
    assert "byte 7 (0xFF)" in refused.value.what
    assert refused.value.where == "a.toml:2"
    assert "--encoding" not in refused.value.remedy


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decoded(("\ufeff" + TANGLED).encode(), Path("a")) == TANGLED
    assert decoded(("\ufeff\ufeff" + TANGLED).encode(), Path("a")) == "\ufeff" + TANGLED


@pytest.mark.parametrize("name", ["nonsense", "base64", "rot13"])
def test_no_text_encoding(name: str) -> None:
    with pytest.raises(InputError, match="no text encoding"):
        decoded(b"ab", Path("a"), name, option=True)


def test_missing_and_folder_and_unreadable(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "folder"),
        (tmp_path / ("n" * 300), "cannot be"),
    ):
        with pytest.raises(InputError, match=words):
            read_bytes(path)
