"""docs/chunkers.md: its examples run and print what it says, and its table is the catalogue's."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import shlex
import shutil
from pathlib import Path

from clone import ROOT, run_in

from kugiri import catalog, testing

PAGE = (ROOT / "docs/chunkers.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_python_examples_print_what_they_say() -> None:
    # One program: later examples use what earlier ones define.
    program = "\n".join(blocks("python"))
    said = re.findall(r"^ *print\(.*\)  # (.*)$", program, re.MULTILINE)
    assert len(said) == program.count("print(") >= 8
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(program, "docs/chunkers.md", "exec", dont_inherit=True), {"__name__": "__main__"})
    assert told.getvalue().splitlines() == said


def test_the_command_prints_what_it_says(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "corpora" / "handbook", tmp_path / "corpora" / "handbook")
    for block in blocks("console"):
        command, *lines = block.splitlines()
        words = shlex.split(command.removeprefix("$ "))
        assert run_in(tmp_path, *words[1:]).splitlines() == lines
    assert (tmp_path / "chunks.jsonl").exists()


def test_every_chunker_is_in_the_table_with_its_parameters(tmp_path: Path) -> None:
    written = re.findall(r"^\| `(\w+\([^`]*\))` \|", PAGE, re.MULTILINE)
    known = json.loads(run_in(tmp_path, "list", "chunkers", "--json"))["chunkers"]
    labels = [re.sub(r"separators=\[.*\](?=, tokenizer)", "separators=…", row["label"]) for row in known]
    of_ours = [label for label in labels if label.partition("(")[0] in catalog.CATALOG["chunkers"]]
    assert sorted(written) == sorted(of_ours)


def test_labels_in_the_text_are_labels() -> None:
    names = "|".join(catalog.CATALOG["chunkers"])
    written = re.findall(rf"`((?:{names})\([^`]*\))`", PAGE)
    # Signatures name parameters without a value, and prose leaves values out.
    labels = [
        label
        for label in written
        if not re.search(r"null|…|\((?:size|parent)[,)]|\(trim=false|\(before=1, after=1, n", label)
    ]
    assert len(labels) >= 4
    for label in labels:
        assert str(catalog.chunker(label)) == label


def test_the_arguments_of_check_chunker_are_told() -> None:
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE, re.MULTILINE))))
    assert set(inspect.signature(testing.check_chunker).parameters) - {"chunker"} <= told
