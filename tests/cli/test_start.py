"""The command as a whole: what it has, what every part of it says of itself, and what starting it costs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from corpus_command import Kugiri

import kugiri as package
from kugiri.cli import app
from kugiri.cli.commands import COMMANDS as ALL

COMMANDS = {
    "kugiri": {"--debug", "--version"},
    "kugiri sweep": {"--out", "--no-retrieval", "--no-text", "--runs", "--workers", "--dry-run", "--json"},
    "kugiri lost": {"--configuration", "--question", "--json"},
    "kugiri explain": {"--json"},
    "kugiri report": {"--lang", "--against", "--json"},
    "kugiri compare": {"--metric", "--json"},
    "kugiri diagnose": {"--chunks", "--run", "--depth", "--json"},
    "kugiri export": {"--format", "--to", "--json"},
    "kugiri list": {"--json"},
    "kugiri chunk": {"--to", "--json"},
    "kugiri audit": {"--to", "--offset-unit", "--ambiguous", "--json"},
    "kugiri surface": {
        "--size",
        "--overlap",
        "--unit",
        "--tokenizer",
        "--no-expected",
        "--target",
        "--no-text",
        "--lang",
        "--out",
        "--json",
    },
    "kugiri check": {
        "--chunker",
        "--configuration",
        "--max-lost",
        "--max-lost-rate",
        "--max-expected",
        "--junit",
        "--github",
        "--json",
    },
    "kugiri corpus": set(),
    "kugiri corpus import": {
        "--to",
        "--encoding",
        "--offset-unit",
        "--on-mismatch",
        "--join",
        "--separator",
        "--shuffle",
        "--json",
    },
    "kugiri corpus check": {"--json"},
    "kugiri corpus show": {"--json"},
    "kugiri corpus synthesize": {
        "--to",
        "--documents",
        "--questions",
        "--document-length",
        "--paragraph-length",
        "--evidence-length",
        "--multiple",
        "--unanswerable",
        "--seed",
        "--json",
    },
}
"""What DESIGN §6 has and this version builds."""
HEAVY = ("rich", "pandas", "pyarrow", "numpy", "msgspec", "scipy", "altair", "vl_convert", "fugashi", "jinja2")


def walked(command: Any, path: str = "kugiri") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from walked(command.get_command(None, name), f"{path} {name}")


TREE = dict(walked(typer.main.get_command(app)))


@pytest.mark.parametrize("name", ALL)
def test_a_command_is_listed_with_the_first_paragraph_of_its_help(name: str) -> None:
    assert " ".join(TREE[f"kugiri {name}"].help.split("\n\n")[0].split()) == ALL[name][1]


def test_the_commands_of_the_design_exist() -> None:
    assert set(TREE) == set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_every_parameter_says_what_it_is(path: str) -> None:
    command = TREE[path]
    assert len(command.help or "") > 20
    assert command.help.rstrip().endswith((".", ":"))
    options = {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
    assert options - {"--help"} == COMMANDS[path]
    for parameter in command.params:
        assert len(parameter.help or "") > 5, parameter.name


@pytest.mark.parametrize("path", COMMANDS)
def test_help_is_printed_and_no_wider_than_the_terminal(kugiri: Kugiri, path: str) -> None:
    from rich.cells import cell_len

    done = kugiri(*path.split()[1:], "--help")
    assert (done.code, done.err) == (0, "")
    assert "Usage:" in done.out
    assert all(name in done.out for name in COMMANDS[path])
    assert max(map(cell_len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("path", COMMANDS)
def test_help_is_printed_as_it_is_written(kugiri: Kugiri, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `[…]` is taken for markup nor `:100:` for an emoji."""
    monkeypatch.setenv("COLUMNS", "1000")
    said = kugiri(*path.split()[1:], "--help").out
    told = " ".join(said.split())
    for parameter in TREE[path].params:
        if not parameter.hidden:
            assert " ".join(parameter.help.split()) in told, parameter.name
            assert (parameter.metavar or "") in told
    assert " ".join(TREE[path].help.split()) in told


def test_the_version_is_printed(kugiri: Kugiri) -> None:
    assert kugiri("--version").out == f"kugiri {package.__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["sweep", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from kugiri.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as ended:\n    print('\\nexit', ended.code or 0)\n"
        f"print('loaded', [name for name in {HEAVY!r} if name in sys.modules])\n"
        "print('ours', sorted(name for name in sys.modules if name.startswith('kugiri.cli.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script, *arguments], capture_output=True, check=True, encoding="utf-8"
    )
    own = [f"kugiri.cli.{name}" for name in ("commands", "outcome", *arguments) if not name.startswith("-")]
    assert done.stdout.splitlines()[-3:] == ["exit 0", "loaded []", f"ours {own}"]
    assert done.stderr == ""


def test_nothing_at_all_shows_the_help(kugiri: Kugiri) -> None:
    done = kugiri()
    assert "sweep" in done.out + done.err
    assert done.code == 2
