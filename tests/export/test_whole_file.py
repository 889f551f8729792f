from __future__ import annotations

from pathlib import Path

import pytest

from kugiri.errors import InputError
from kugiri.export.whole_file import demand_file, whole_file


def test_an_older_file_is_replaced_whole_or_stays(tmp_path: Path) -> None:
    to = tmp_path / "下" / "チャンク👩\u200d🍳か\u3099.jsonl"
    with whole_file(to, "the chunks", "--to") as built:
        built.write_bytes(b"old")
        assert not to.exists()
    with pytest.raises(RuntimeError), whole_file(to, "the chunks", "--to") as built:
        built.write_bytes(b"half")
        raise RuntimeError
    assert [path.name for path in to.parent.iterdir()] == [to.name]
    assert to.read_bytes() == b"old"
    with whole_file(to, "the chunks", "--to") as built:
        built.write_bytes(b"new")
    assert to.read_bytes() == b"new"


def test_what_cannot_be_written_names_file_and_option(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError) as caught, whole_file(tmp_path / "file" / "x", "the audit", "--to") as built:
        built.write_bytes(b"")
    assert caught.value.what.startswith("the audit cannot be written: ")
    assert caught.value.remedy == "give another --to"


def test_a_folder_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder, and the audit is written to a file"):
        demand_file(tmp_path, "the audit is", "--to")
    demand_file(tmp_path / "new", "the audit is", "--to")
