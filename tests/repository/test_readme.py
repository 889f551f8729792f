"""The two READMEs: whatever they tell to run runs, and whatever they show is what it prints."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from clone import ROOT, Clone, run_in

READMES = ("README.md", "README.ja.md")
SWEEP = ("sweep", "sweeps/eight.toml")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, *languages: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```", text_of(name), re.DOTALL | re.MULTILINE)
    return [body for language, body in found if language in languages]


def shell_lines(name: str) -> list[str]:
    return [
        line.removeprefix("$ ")
        for block in blocks(name, "sh", "console", "bash")
        for line in block.splitlines()
        if line.strip() and not line.startswith("#")
    ]


def kugiri_commands(name: str) -> list[tuple[str, ...]]:
    """The arguments of every kugiri command in a shell block, in order, whatever stands before it on its line."""
    found = []
    for line in shell_lines(name):
        for part in line.split("&&"):
            words = shlex.split(part, comments=True)
            if Path(words[0]).name == "kugiri":
                found.append(tuple(words[1:]))
    return found


@pytest.fixture(scope="module")
def printed(clone: Clone, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], str]:
    """What each command of the READMEs prints, in their order, in a copy of what they need of the repository."""
    folder = tmp_path_factory.mktemp("readme") / "clone"
    shutil.copytree(clone.folder, folder)
    found = {SWEEP: clone.printed}
    for arguments in (command for name in READMES for command in kugiri_commands(name)):
        if arguments not in found:
            found[arguments] = run_in(folder, *arguments)
    question = ("lost", "reports/eight", "--configuration", "fixed(size=100) + bm25()", "--question", "q013")
    found[question] = run_in(folder, *question)
    return found


def test_every_command_of_the_readmes_runs(printed: dict[tuple[str, ...], str]) -> None:
    assert kugiri_commands("README.md")[0] == SWEEP
    assert {"sweep", "lost", "explain", "report", "corpus"} <= {arguments[0] for arguments in printed}
    assert all(out.strip() for out in printed.values())


def test_both_readmes_show_the_same_commands() -> None:
    assert shell_lines("README.md") == shell_lines("README.ja.md")
    assert blocks("README.md", "bat") == blocks("README.ja.md", "bat") != []


@pytest.mark.parametrize("name", READMES)
def test_the_table_is_what_the_command_prints(name: str, printed: dict[tuple[str, ...], str]) -> None:
    out = [line.split() for line in printed[SWEEP].splitlines()]
    tables = [block for block in blocks(name, "text") if "Recall@5" in block]
    assert len(tables) == 1
    shown = [line.split() for line in tables[0].splitlines()]
    assert len(shown) >= 10
    assert shown == out[: len(shown)]


@pytest.mark.parametrize("name", READMES)
def test_the_drawn_question_is_what_lost_prints(name: str, printed: dict[tuple[str, ...], str]) -> None:
    drawings = [block for block in blocks(name, "text") if "【" in block]
    assert len(drawings) == 1
    out = "".join("".join(text.split()) for arguments, text in printed.items() if arguments[0] == "lost")
    # Folded elsewhere at another width: white space aside, every line of the README stands in what is printed.
    for line in drawings[0].splitlines():
        assert "".join(line.split()).strip("…") in out, line


def test_one_test_line_everywhere() -> None:
    lines = [line for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines() if "-m pytest" in line]
    readme = [line for line in shell_lines("README.md") if line.endswith("-m pytest")]
    japanese = [line for line in shell_lines("README.ja.md") if line.endswith("-m pytest")]
    assert len(readme) == 1
    assert readme == japanese
    assert readme[0] in lines


@pytest.mark.parametrize("name", READMES)
def test_the_first_command_is_that_of_a_fresh_machine(name: str) -> None:
    first = shell_lines(name)[0]
    assert first == (
        "python3 -m venv --without-pip .venv && python3 -m pip --python .venv install -q -e . "
        "&& .venv/bin/kugiri sweep sweeps/eight.toml"
    )


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md", "corpora/README.md"])
def test_every_relative_link_and_image_exists(name: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", text_of(name))
    assert links or name not in READMES
    for link in links:
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (ROOT / name).parent / path
        assert target.exists(), link
        assert not anchor or not path


@pytest.mark.parametrize("name", READMES)
def test_the_sweep_file_of_the_readme_runs(name: str, tmp_path: Path) -> None:
    (example,) = (block for block in blocks(name, "toml") if "[[chunkers]]" in block)
    assert tomllib.loads(example)["corpus"] == tomllib.loads(text_of("sweeps/eight.toml"))["corpus"]
    (tmp_path / "sweeps").mkdir()
    (tmp_path / "sweeps" / "mine.toml").write_bytes(example.encode())
    shutil.copytree(ROOT / "corpora", tmp_path / "corpora")
    assert "9 configurations" in run_in(tmp_path, "sweep", "sweeps/mine.toml", "--dry-run")


@pytest.mark.parametrize("name", READMES)
def test_the_table_of_strategies_is_that_of_the_committed_report(name: str) -> None:
    shown = re.findall(r"^\| `(.+?)` \| ([\d,]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", text_of(name), re.MULTILINE)
    rows = pq.read_table(ROOT / "reports/strategies/tables/configurations.parquet").to_pylist()
    assert shown == [
        (row["chunker"], f"{row['chunks']:,}", str(row["lost"]), f"{row['Recall@5']:.3f}", f"{row['nDCG@10']:.3f}")
        for row in rows
    ]
    assert {row["questions"] for row in rows} == {901}
