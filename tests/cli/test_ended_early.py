"""A command whose reader has gone, as with `| head`: it ends without a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_sweep import Swept

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
BROKEN_PIPE = 141


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list", "chunkers"], ["list", "chunkers", "--json"], ["lost", "RESULTS"]]
)
def test_nobody_reads_what_is_printed(swept: Swept, tmp_path: Path, arguments: list[str]) -> None:
    given = [str(swept.results) if argument == "RESULTS" else argument for argument in arguments]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-c", "from kugiri.cli import main; main()", *given],
            cwd=tmp_path,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, b"")


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("--help", ">&-", 0),
        ("--help", "2>&-", 0),
        ("list chunkers", ">&- 2>&-", 0),
        ("--nonsense", ">&-", 2),
        ("sweep nowhere.toml", ">&- 2>&-", 2),
    ],
)
def test_nowhere_to_print_to_is_no_fault(tmp_path: Path, arguments: str, closed: str, code: int) -> None:
    script = f'"{sys.executable}" -X utf8 -c "from kugiri.cli import main; main()" {arguments} {closed}'
    done = subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr
