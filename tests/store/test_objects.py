"""The store: what comes out is what went in, or nothing."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kugiri.errors import InputError
from kugiri.store.objects import Store, object_key

KEY = object_key({"corpus": "区切り", "retriever": "bm25()"})
OTHER = object_key({"corpus": "区切り", "retriever": "tfidf()"})
ARRAYS = {
    "chunk": np.array([[3, 1, -1], [2, -1, -1]], dtype=np.int32),
    "score": np.array([[2.5, 0.1, np.nan], [1e-300, np.nan, np.nan]]),
    "tied": np.array([True, False]),
    "none": np.zeros((0, 4), dtype=np.uint16),
    "single": np.array(7, dtype=np.int64),
}


def object_of(store: Store, key: str = KEY) -> Path:
    return store.root / f"{key}.object"


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "新しい" / "store")
    assert store.get(KEY) is None
    assert not store.has(KEY)
    assert not store.root.exists()
    store.put(KEY, ARRAYS)
    found = store.get(KEY)
    assert found is not None
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
        assert not found[name].flags.writeable
    assert store.has(KEY)
    assert not store.has(OTHER)
    assert not store.refused
    assert (store.root / ".gitignore").read_bytes() == b"*\n"
    assert len(list(store.root.iterdir())) == 2


def test_equal_arrays_make_equal_bytes_whatever_their_layout(tmp_path: Path) -> None:
    one, other = Store(tmp_path / "1"), Store(tmp_path / "2")
    one.put(KEY, ARRAYS)
    strange = {name: np.array(array, array.dtype.newbyteorder(">"), order="F") for name, array in ARRAYS.items()}
    other.put(KEY, dict(reversed(strange.items())))
    assert object_of(one).read_bytes() == object_of(other).read_bytes()


def test_keys_are_what_they_stand_for() -> None:
    assert len({object_key({"a": value}) for value in (1, 1.0, "1", True, None, [1], {"a": 1}, "が", "か\u3099")}) == 9
    assert object_key({"a": 1, "b": (2,)}) == object_key({"b": [2], "a": 1})
    with pytest.raises(ValueError, match="JSON"):
        object_key({"a": float("nan")})
    with pytest.raises(TypeError):
        object_key({"a": Path()})  # type: ignore[dict-item]
    # Recorded: a key that moves by itself makes everything be computed again.
    assert object_key({"区": [1, 2.5]}) == hashlib.sha256(b'{"format":1,"parts":{"\\u533a":[1,2.5]}}').hexdigest()


@pytest.mark.parametrize("key", ["", "../" + "a" * 61, "A" * 64, "a" * 63])
def test_a_key_is_nothing_else(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no key"):
        Store(tmp_path).get(key)


def test_only_booleans_and_numbers_are_kept(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="'words'"):
        Store(tmp_path).put(KEY, {"words": np.array(["語"], dtype=object)})


def test_every_flipped_byte_is_refused_once_and_computed_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.put(KEY, ARRAYS)
    whole = object_of(store).read_bytes()
    for place in (*range(0, len(whole), 7), 15, 16, 80, 81, len(whole) - 1):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        object_of(store).write_bytes(damaged)
        assert not store.has(KEY), place
        assert store.get(KEY) is None, place
        assert not object_of(store).exists()
        assert [refused.key for refused in store.refused] == [KEY]
        assert store.get(KEY) is None
        assert len(store.refused) == 1
        store.refused.clear()
    store.put(KEY, ARRAYS)
    assert object_of(store).read_bytes() == whole


@pytest.mark.parametrize("kept", [0, 1, 15, 16, 40, 80, 81, 82, 200, -1])
def test_a_truncated_object_is_refused(kept: int, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.put(KEY, ARRAYS)
    object_of(store).write_bytes(object_of(store).read_bytes()[:kept])
    assert store.get(KEY) is None
    assert len(store.refused) == 1


def signed(header: bytes, rest: bytes = b"") -> bytes:
    body = header + b"\n" + rest
    return b"kugiri-store 1\n" + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04" + bytes(200),
        b"kugiri-store 2\n" + bytes(200),
        signed(b"[]"),
        signed(b"{}"),
        signed(b"\xff"),
        signed(b'{"arrays":[["a","<i4",[9]]],"key":"' + KEY.encode() + b'"}', bytes(8)),
        signed(b'{"arrays":[["a","|O",[1]]],"key":"' + KEY.encode() + b'"}', bytes(8)),
        signed(b'{"arrays":[["a","nonsense",[1]]],"key":"' + KEY.encode() + b'"}', bytes(8)),
        signed(b'{"arrays":[["a","<i4"]],"key":"' + KEY.encode() + b'"}', bytes(8)),
    ],
)
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    store = Store(tmp_path)
    object_of(store).write_bytes(content)
    assert not store.has(KEY)
    assert store.get(KEY) is None
    assert len(store.refused) == 1
    assert not object_of(store).exists()


def test_an_object_under_another_key_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(OTHER, ARRAYS)
    object_of(store, OTHER).rename(object_of(store))
    assert store.get(KEY) is None
    assert store.refused[0].reason == "it belongs to another key"


def test_one_that_took_the_place_of_a_damaged_object_is_not_removed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    object_of(store).write_bytes(b"damaged")
    seen = object_of(store).stat()
    store.put(KEY, ARRAYS)
    store.refuse(KEY, "what was read before", seen)
    assert store.has(KEY)


def test_a_folder_that_stands_in_the_way_is_never_used_and_said(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (object_of(store) / "inside").mkdir(parents=True)
    assert store.get(KEY) is None
    assert len(store.refused) == 1
    with pytest.raises(InputError, match="cannot be kept"):
        store.put(KEY, ARRAYS)
    assert sorted(path.name for path in tmp_path.iterdir()) == [object_of(store).name]


def test_a_root_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = Store(tmp_path / "file" / "store")
    assert store.get(KEY) is None
    assert not store.refused
    with pytest.raises(InputError) as caught:
        store.put(KEY, ARRAYS)
    assert caught.value.where == str(store.root)


def test_a_root_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        os, "access", lambda path, mode: False
    )  # root, who runs tests in containers, may write anywhere
    with pytest.raises(InputError, match="Permission denied"):
        Store(tmp_path / "store").prepare()


def test_a_full_disk_leaves_nothing_lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    store.put(OTHER, ARRAYS)

    def full(self: Path, content: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        store.put(KEY, ARRAYS)
    store.put(OTHER, ARRAYS)  # it is there already, so nothing is missing
    assert sorted(path.name for path in store.root.iterdir()) == [".gitignore", object_of(store, OTHER).name]


def test_a_folder_of_somebody_gets_no_gitignore(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"")
    Store(tmp_path).put(KEY, ARRAYS)
    assert not (tmp_path / ".gitignore").exists()


def test_what_a_killed_process_left_is_removed_when_nobody_can_be_writing_it(tmp_path: Path) -> None:
    fresh, stale = (tmp_path / f"{KEY}.object.partial-{digits}" for digits in ("0123abcd", "89abcdef"))
    foreign = tmp_path / "mine.partial"
    for path in (fresh, stale, foreign):
        path.write_bytes(b"half")
    for path in (stale, foreign):
        os.utime(path, (time.time() - 7200,) * 2)
    Store(tmp_path).put(OTHER, ARRAYS)
    assert (fresh.exists(), stale.exists(), foreign.exists()) == (True, False, True)


PUTTING = """
import sys, numpy as np
from pathlib import Path
from kugiri.store.objects import Store
store, key, number = Store(Path(sys.argv[1])), sys.argv[2], 0
while True:
    number += 1
    store.put(key, {"column": np.full(200_000, number, dtype=np.int64)})
    print("put", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 of POSIX")
def test_killed_at_any_moment_there_is_a_whole_object_or_none(tmp_path: Path) -> None:
    """Two processes write different objects under one key, and one of them is killed."""
    store = Store(tmp_path / "store")
    for attempt in range(3):
        writers = [
            subprocess.Popen([sys.executable, "-c", PUTTING, store.root, KEY], stdout=subprocess.PIPE) for _ in range(2)
        ]
        for writer in writers:
            with writer:
                assert writer.stdout is not None
                writer.stdout.readline()
                end = time.monotonic() + 0.05 + attempt * 0.037
                while time.monotonic() < end:
                    found = store.get(KEY)
                    assert found is None or len(set(found["column"].tolist())) == 1
                writer.send_signal(signal.SIGKILL)
        found = store.get(KEY)
        assert found is not None
        assert found["column"].shape == (200_000,)
    assert not store.refused
