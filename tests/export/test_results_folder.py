"""What may be replaced, what is refused, and what is left behind."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from versioned import fill, fill_folder, names, publish, refused, tree, version_of

from kugiri.errors import InputError, InvariantError
from kugiri.export.folder import recover, replacing


def test_first_publication_makes_the_parents(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b" / "c"
    publish(out, 1)
    assert version_of(out) == 1
    assert names(tmp_path / "a" / "b") == ["c"]


def test_replaces_results_and_leaves_nothing_beside(out: Path) -> None:
    for version in range(3):
        publish(out, version)
        assert version_of(out) == version
        assert names(out.parent) == ["eight"]


def test_old_results_stand_while_the_new_are_built(out: Path) -> None:
    publish(out, 1)
    with replacing(out) as new:
        fill(new, 2)
        assert version_of(out) == 1
        assert new.parent.parent == out.parent
        assert new.parent.name.startswith("eight.partial-")
    assert version_of(out) == 2


def test_an_empty_folder_counts_as_absent(out: Path) -> None:
    out.mkdir()
    publish(out, 1)
    assert (version_of(out), names(out.parent)) == (1, ["eight"])


def test_a_symbolic_link_is_followed(out: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(out, target_is_directory=True)
    publish(link, 1)
    publish(link, 2)
    assert link.is_symlink()
    assert (version_of(out), names(out.parent)) == (2, ["eight"])


def test_a_relative_path_whatever_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path("報告 [1]*")
    publish(out, 1)
    publish(out, 2)
    assert (version_of(out), names(tmp_path)) == (2, ["報告 [1]*"])


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_an_error_in_the_block_changes_nothing(out: Path, error: type[BaseException]) -> None:
    publish(out, 1)
    before = tree(out.parent)
    with pytest.raises(error), replacing(out) as new:
        fill(new, 2)
        raise error
    assert tree(out.parent) == before


def test_an_error_in_the_block_removes_the_parents_it_made(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with pytest.raises(RuntimeError), replacing(tmp_path / "kept" / "a" / "b" / "c"):
        raise RuntimeError
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == ["kept"]


def test_results_without_a_manifest_are_not_published(out: Path) -> None:
    publish(out, 1)
    with pytest.raises(InvariantError, match="without a manifest"), replacing(out) as new:
        (new / "report.md").write_bytes(b"half")
    assert (version_of(out), names(out.parent)) == (1, ["eight"])


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ({"notes.txt": b"mine"}, "no results folder of kugiri's"),
        ({".gitkeep": b""}, "no results folder of kugiri's"),
        ({"manifest.json": b"{"}, "no results folder of kugiri's"),
        ({"manifest.json": b'{"kugiri": 1}'}, "no results folder of kugiri's"),
        ({"manifest.json": b'{"kugiri": {"format": "1"}}'}, "no results folder of kugiri's"),
        ({"manifest.json": b"[" * 100_000}, "no results folder of kugiri's"),
        ({"manifest.json": b'{"kugiri": {"format": 1}, "x": ' + b"[" * 100_000}, "no results folder of kugiri's"),
        ({"manifest.json": b'{"kugiri": {"format": 1}, "files": {}}', "a/notes.txt": b"mine"}, "a/notes.txt"),
    ],
)
def test_a_folder_that_is_somebody_elses(out: Path, content: dict[str, bytes], word: str) -> None:
    for name, data in content.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    before = tree(out.parent)
    refused(out, word, str(out), "--out")
    assert tree(out.parent) == before


def test_files_that_a_person_put_among_the_results(out: Path) -> None:
    publish(out, 1)
    (out / ".DS_Store").write_bytes(b"")
    publish(out, 2)
    (out / "tables" / "mine.csv").write_bytes(b"mine")
    (out / "link").symlink_to(out.parent)
    before = tree(out.parent)
    refused(out, "link and 1 more", "move it")
    assert tree(out.parent) == before


def test_a_file_put_there_while_the_sweep_runs(out: Path) -> None:
    with pytest.raises(InputError, match="no results folder"), replacing(out) as new:
        fill(new, 1)
        out.mkdir()
        (out / "notes.txt").write_bytes(b"mine")
    assert list(tree(out.parent)) == ["eight", "eight/notes.txt"]


def test_results_of_an_older_or_newer_format_may_be_replaced(out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_bytes(b'{"kugiri": {"format": 99}, "files": {"a.txt": "?"}, "later": 1}')
    (out / "a.txt").write_bytes(b"")
    publish(out, 1)
    assert version_of(out) == 1


def test_out_is_a_file(out: Path) -> None:
    out.write_bytes(b"mine")
    refused(out, "is a file", str(out))
    assert tree(out.parent) == {"eight": b"mine"}


@pytest.mark.parametrize("below", ["c", "b/c"])
def test_a_parent_is_a_file(out: Path, below: str) -> None:
    out.write_bytes(b"mine")
    refused(out / below, "parent", "is a file", str(out))
    assert tree(out.parent) == {"eight": b"mine"}


@pytest.mark.parametrize("name", ["eight.previous", "eight.partial-0123abcd"])
def test_names_that_the_swap_needs(out: Path, name: str) -> None:
    refused(out.with_name(name), "name", name)
    assert tree(out.parent) == {}


def test_the_root_and_paths_that_lead_nowhere(tmp_path: Path) -> None:
    refused(Path(tmp_path.anchor), "name")
    refused(tmp_path / "a\0b", "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(tmp_path / "loop")
    assert names(tmp_path) == ["loop"]


def test_a_name_too_long_for_the_file_system(out: Path) -> None:
    refused(out.with_name("長" * 300), "cannot be read or written")
    # Long enough to fit itself, and not with the ending of its staging folder.
    refused(out.with_name("x" * 250), "cannot be read or written")
    assert tree(out.parent) == {}


def test_the_folder_that_one_is_in(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(out, 1)
    for inside in (out, out / "tables"):
        monkeypatch.chdir(inside)
        refused(out, "from inside")
    assert version_of(out) == 1


@pytest.mark.parametrize("previous", ["folder", "file", "link", "results"])
def test_something_else_has_the_name_of_the_old_results(out: Path, previous: str) -> None:
    publish(out, 1)
    other = out.with_name("eight.previous")
    if previous == "folder":
        other.mkdir()
        (other / "notes.txt").write_bytes(b"mine")
    elif previous == "file":
        other.write_bytes(b"mine")
    elif previous == "link":
        other.symlink_to(out.parent)
    else:
        fill_folder(other, 7)
    before = tree(out.parent)
    refused(out, str(other), "rename it")
    recover(out)
    assert tree(out.parent) == before


def test_a_backup_made_while_the_sweep_runs_is_kept(out: Path) -> None:
    publish(out, 1)
    with pytest.raises(InputError, match="rename it"), replacing(out) as new:
        fill(new, 2)
        fill_folder(out.with_name("eight.previous"), 1)
    assert names(out.parent) == ["eight", "eight.previous"]
    assert version_of(out.with_name("eight.previous")) == 1


def test_only_stale_folders_of_this_name_are_removed(out: Path) -> None:
    stale = out.with_name("eight.partial-0123abcd")
    (stale / "new" / "tables").mkdir(parents=True)
    others = ["eight.partial-0123", "eight.partial-0123ABCD", "ten.partial-0123abcd", "xeight.partial-0123abcd"]
    for name in others:
        out.with_name(name).mkdir()
    out.with_name("eight.partial-00000000").write_bytes(b"mine")
    publish(out, 1)
    assert names(out.parent) == sorted(["eight", "eight.partial-00000000", *others])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_parent_that_cannot_be_written(out: Path) -> None:
    out.parent.chmod(0o500)
    try:
        refused(out, "cannot be read or written", "Permission denied")
        refused(out / "b", "cannot be read or written", "Permission denied")
    finally:
        out.parent.chmod(0o700)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_the_system_refuses_the_staging_folder(out: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    publish(out, 1)
    make = os.mkdir

    def refuse(path: Path, *rest: object, **options: object) -> None:
        if ".partial-" in str(path):
            raise OSError(code, os.strerror(code), str(path))
        make(path, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "mkdir", refuse)
    refused(out, "cannot be read or written", os.strerror(code))
    refused(out.parent / "a" / "b", "cannot be read or written", os.strerror(code))
    assert (version_of(out), names(out.parent)) == (1, ["eight"])


def test_a_full_disk_while_the_results_are_written(out: Path) -> None:
    publish(out, 1)
    with pytest.raises(InputError, match="No space left"), replacing(out):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(FileNotFoundError), replacing(out):
        raise FileNotFoundError(errno.ENOENT, "an error of the block's own")
    assert (version_of(out), names(out.parent)) == (1, ["eight"])
