"""docs/gate.md: every command in it runs, ends as it says and prints what it shows."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from clone import ROOT

from kugiri.cli import main

PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def workflow_commands() -> list[str]:
    """What the workflow runs: `run: COMMAND`, or a folded block of lines that are one command."""
    (workflow,) = blocks("yaml")
    found = []
    for indent, first, rest in re.findall(r"^( +)- run: (.*)\n((?:\1   +\S.*\n)*)", workflow, re.MULTILINE):
        assert indent
        found.append(" ".join(rest.split("\n")) if first == ">-" else first)
    return found


def sessions() -> list[tuple[str, str, int]]:
    """Command, what it prints and its exit status, of the blocks that show all three."""
    pattern = re.compile(r"\$ (kugiri .*)\n((?:(?!\$ ).*\n)*)\$ echo \$\?\n(\d)\n")
    return [
        (command, shown, int(code)) for block in blocks("console") for command, shown, code in pattern.findall(block)
    ]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    for name in ("corpora/tiny", "corpora/handbook", "reports/eight"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def run(folder: Path, command: str) -> tuple[int, str]:
    """One command as a shell runs it, `> FILE` included."""
    words = shlex.split(command)
    to = folder / words[words.index(">") + 1] if ">" in words else None
    assert words[0] == "kugiri"
    arguments = words[: words.index(">")] if to else words
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("FORCE_COLOR", "NO_COLOR"):
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "80")
        patch.setattr(sys, "argv", arguments)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    assert err.getvalue() == ""
    if to:
        to.write_text(out.getvalue(), encoding="utf-8")
    return int(ended.value.code or 0), out.getvalue()


def test_what_is_shown_is_what_is_printed(repository: Path) -> None:
    assert sum(block.count("$ kugiri") for block in blocks("console")) == len(sessions()) == 1
    for command, shown, code in sessions():
        assert run(repository, command) == (code, shown)


def test_every_shell_line_passes(repository: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(lines) == 3
    for line in lines:
        code, out = run(repository, line)
        assert (code, bool(out)) == (0, True), line
    told: dict[str, Any] = json.loads((repository / "gate.json").read_text(encoding="utf-8"))
    assert told["holds"] is True


def test_the_workflow_passes_and_writes_what_it_uploads(repository: Path) -> None:
    install, gate = workflow_commands()
    assert install == "python3 -m pip install ."
    code, out = run(repository, gate)
    assert code == 0
    assert "::error" not in out
    assert {"--github", "--junit"} <= set(shlex.split(gate))
    (workflow,) = blocks("yaml")
    (uploaded,) = re.findall(r"path: (\S+)", workflow)
    assert len(list(ElementTree.parse(repository / uploaded).iter("testcase"))) == 2
    assert "\t" not in workflow


def test_every_option_of_the_command_is_on_the_page_and_no_other() -> None:
    from kugiri.cli.commands import command

    options = {name for parameter in command("check").params for name in parameter.opts if name[:2] == "--"}
    assert set(re.findall(r"--[a-z]+(?:-[a-z]+)*", PAGE)) == options
