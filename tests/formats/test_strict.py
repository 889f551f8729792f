from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kugiri.errors import InputError
from kugiri.formats.strict import check_keys, nearest, read_toml, typed


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    size: int = 1
    overlap: float = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    chunkers: tuple[Inner, ...] = ()
    named: dict[str, Inner] = {}
    either: Inner | None = None
    free: dict[str, Any] = {}


def read(tmp_path: Path, content: str | bytes) -> Outer:
    path = tmp_path / "a.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_toml(path, Outer)


def test_nearest() -> None:
    assert nearest("ovelap", ["size", "overlap"]) == "overlap"
    assert nearest("Overlap", ["size", "overlap"]) == "overlap"
    assert nearest("zzz", ["size", "overlap"]) is None
    assert nearest("a", []) is None


def test_check_keys() -> None:
    check_keys(["size"], ["size", "overlap"], "chunkers[0]")
    with pytest.raises(InputError) as refused:
        check_keys(["size", "ovelap"], ["size", "overlap"], "chunkers[0]")
    assert refused.value.where == "chunkers[0].ovelap"
    assert "'overlap'" in refused.value.remedy


def test_toml_that_is_right(tmp_path: Path) -> None:
    read_back = read(
        tmp_path, '\ufefftitle = "か\u3099👩\u200d🍳\u3000"\r\nfree.when = 2024-01-01\r\n[[chunkers]]\r\nsize = 2\r\n'
    )
    assert read_back.title == "か\u3099👩\u200d🍳\u3000"
    assert read_back.chunkers == (Inner(2),)


@pytest.mark.parametrize(
    ("content", "what", "where", "remedy"),
    [
        (
            'title = "a"\n[[chunkers]]\nsize = 1\n[[chunkers]]\novelap = 1\n',
            "'ovelap'",
            "chunkers[1].ovelap",
            "'overlap'",
        ),
        ('title = "a"\n[named.x]\nsiez = 1\n', "'siez'", "named.x.siez", "'size'"),
        ('title = "a"\neither.siez = 1\n', "'siez'", "either.siez", "'size'"),
        ('titel = "a"\n', "'titel'", "titel", "'title'"),
        ("", "missing", "a.toml", "add the key"),
        ('title = "a"\n[[chunkers]]\nsize = "1"\n', "expected `int`, got `str`", "chunkers[0].size", "type"),
        ('title = "a"\nchunkers = 1\n', "got `int`", "chunkers", "type"),
        ('title = "a"\ntitle = "b"\n', "overwrite", "a.toml:2", "once"),
        ('title = "a"\n[x]\n[x]\n', "twice", "a.toml:3", "once"),
        ("title = [", "not TOML", "a.toml", "correct"),
        ("[[chunkers\n", "not TOML", "a.toml:1", "correct"),
        ('title = "a\\u0000b"', "NUL character at offset 1", "title", "remove"),
        ('title = "a"\nfree = {b = ["x", "\\u0000"]}\n', "NUL character", "free.b[1]", "remove"),
        ('title = "a"\nfree = {"b\\u0000" = 1}\n', "NUL character", "free.b\\x00", "remove"),
        ('title = "a\\ud800"', "not TOML", "a.toml:1", "correct"),
        ('title = "a"\nfree.x = ' + "9" * 5000, "not TOML", "a.toml", "correct"),
        ('title = "a"\nfree.x = ' + "[" * 5000 + "]" * 5000, "nested too deeply", "a.toml", "flatten"),
        (b'title = "\x93\xfa"', "byte 9", "a.toml:1", "cp932"),
    ],
)
def test_toml_that_is_refused(tmp_path: Path, content: str | bytes, what: str, where: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, content)
    error = refused.value
    assert what in error.what
    assert error.where.startswith(str(tmp_path))
    assert where in error.where
    assert remedy in error.remedy


def test_what_the_file_says_is_escaped(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, 'title = "a"\n"\\u001b[31m\\u202e" = 1\n')
    assert "\x1b" not in str(refused.value)
    assert "\u202e" not in str(refused.value)


def test_typed_names_the_place() -> None:
    assert typed({"size": 3}, Inner, "a") == Inner(3)
    with pytest.raises(InputError, match="line 3: overlap"):
        typed({"overlap": "x"}, Inner, "line 3")
