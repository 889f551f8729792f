from __future__ import annotations

import getpass
import json
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kugiri.errors import InputError
from kugiri.export.manifest import files_below, read_manifest, rewrite_manifest, sha256, write_manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "figures").mkdir()
    (tmp_path / "tables" / "empty").mkdir(parents=True)
    for name in ("report.md", "figures/b.svg", "figures/a.svg", "tables/sweep.json", ".DS_Store", "Thumbs.db"):
        (tmp_path / name).write_bytes(name.encode())
    write_manifest(tmp_path, "sweep", 1.23456, ["Noto Sans CJK JP"], ["日本語のフォントがない。"])
    return tmp_path


def test_says_what_was_made_where_with_what(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert list(manifest) == ["kugiri", "kind", "made", "redrawn", "files"]
    assert manifest["kugiri"]["format"] == 1
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", manifest["kugiri"]["version"])
    assert (manifest["kind"], manifest["redrawn"]) == ("sweep", None)
    made = manifest["made"]
    assert (made["duration_seconds"], made["fonts"], made["warnings"]) == (
        1.235,
        ["Noto Sans CJK JP"],
        ["日本語のフォントがない。"],
    )
    created = datetime.strptime(made["created"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert abs((datetime.now(UTC) - created).total_seconds()) < 60
    assert set(made["host"]) == {"os", "architecture", "cpu_count"}
    wanted = ["numpy", "pandas", "pyarrow", "altair", "vl-convert-python", "regex", "msgspec", "kugiri", "python"]
    assert set(made["versions"]) == set(wanted)
    assert all(made["versions"].values())


def test_lists_every_other_file_sorted(folder: Path) -> None:
    manifest = read_manifest(folder)
    assert list(manifest.files) == ["figures/a.svg", "figures/b.svg", "report.md", "tables/sweep.json"]
    assert manifest.files == {name: sha256(folder / name) for name in manifest.files}
    assert [*manifest.files, "manifest.json"].sort() == files_below(folder).sort()


def test_names_no_person_machine_or_place(folder: Path) -> None:
    text = (folder / "manifest.json").read_text(encoding="utf-8").replace(platform.machine(), "")
    for private in (platform.node(), getpass.getuser(), str(Path.home()), str(folder), str(Path.cwd())):
        assert f'"{private}' not in text
        assert len(private) < 5 or private not in text


def test_the_machine_of_the_tables_is_kept_when_the_report_is_drawn_again(folder: Path) -> None:
    before = read_manifest(folder)
    (folder / "report.md").write_bytes(b"again")
    rewrite_manifest(folder, before, 0.5, [], [])
    after = read_manifest(folder)
    assert (after.kind, after.made) == (before.kind, before.made)
    assert after.redrawn is not None
    assert after.redrawn.duration_seconds == 0.5
    assert after.files["report.md"] == sha256(folder / "report.md")


def test_symbolic_links_are_files_and_never_followed(folder: Path) -> None:
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert "loop" in files_below(folder)
    assert not any(name.startswith("loop/") for name in files_below(folder))


GOOD = json.dumps({"kugiri": {"format": 1}, "files": {}})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (b"", "damaged"),
        (b"{", "damaged"),
        (b"null", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b'{"kugiri": {"format": 1}, "x": ' + b"[" * 100_000, "damaged"),
        (b'{"kugiri": {"format": 1}}', "damaged"),
        (b'{"kugiri": {}}', "format"),
        (b'{"files": {}}', "kugiri"),
        (b'{"kugiri": {"format": 2}, "files": []}', "damaged"),
        (b'{"kugiri": {"format": 2}, "new": []}', "format 2"),
    ],
)
def test_a_manifest_that_cannot_be_read(folder: Path, text: bytes, word: str) -> None:
    (folder / "manifest.json").write_bytes(text)
    with pytest.raises(InputError, match=word) as caught:
        read_manifest(folder)
    assert str(folder / "manifest.json") in caught.value.where
    assert "run the sweep again" in caught.value.remedy


@pytest.mark.parametrize(
    "name", ["../a", "/etc/passwd", "a/../../b", "", ".", "a//b", "./a", "a/", "C:/a", "a\\..\\b", "a\0b"]
)
def test_a_manifest_that_leads_out_of_the_folder(folder: Path, name: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"] = {name: "0" * 64}
    (folder / "manifest.json").write_bytes(json.dumps(manifest).encode())
    with pytest.raises(InputError, match="no file below the folder"):
        read_manifest(folder)


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "A" * 64])
def test_a_manifest_with_what_is_no_digest(folder: Path, digest: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"] = {"report.md": digest}
    (folder / "manifest.json").write_bytes(json.dumps(manifest).encode())
    with pytest.raises(InputError, match="SHA-256"):
        read_manifest(folder)


def test_folders_without_results(folder: Path, tmp_path: Path) -> None:
    (folder / "manifest.json").unlink()
    for path, word in (
        (folder, "no manifest.json"),
        (tmp_path / "x", "does not exist"),
        (folder / "report.md", "file"),
    ):
        with pytest.raises(InputError, match=word) as caught:
            read_manifest(path)
        assert str(path) in caught.value.where
