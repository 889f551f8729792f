"""A real `kugiri sweep` killed at random moments over results that are there: the old ones or the new, whole."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus_command import Kugiri
from hostile_sweep import SWEEP_TOML, everything, repeatable, write_world

from kugiri.export.results import read_results

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")]


def test_a_killed_sweep_leaves_the_old_results_or_the_new(kugiri: Kugiri, tmp_path: Path) -> None:
    write_world(tmp_path)
    out = tmp_path / "reports" / "out"
    wanted: dict[str, dict[str, bytes]] = {}
    for number, sizes in (("0", "[6, 20]"), ("1", "[7]")):
        text = SWEEP_TOML.replace("[6, 20]", sizes).replace("難題", f"題{number}")
        (tmp_path / "sweeps" / f"{number}.toml").write_bytes(text.encode())
        began = time.perf_counter()
        assert running(tmp_path, number).wait(timeout=120) == 0
        takes = time.perf_counter() - began
        wanted[number] = repeatable(out)
    drawn, standing, found = random.Random(3), "1", set()
    for kill in range(10):
        new = "0" if standing == "1" else "1"
        process = running(tmp_path, new)
        previous = out.with_name("out.previous")
        until = time.perf_counter() + (drawn.uniform(0.3, 1.2) * takes if kill % 2 else 2 * takes)
        while process.poll() is None and time.perf_counter() < until and not (kill % 2 == 0 and previous.exists()):
            # Every second one is killed as soon as the swap is seen to begin, the others at any moment.
            time.sleep(0 if kill % 2 == 0 else 0.001)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        facts = read_results(out).sweep
        title = facts["title"]
        assert title in (f"題{standing} 👩\u200d🍳", f"題{new} 👩\u200d🍳")
        found.add((kill % 2, title[1] == new))
        standing = title[1]
        assert repeatable(out) == wanted[standing]
        assert kugiri("lost", out).code == 0
    print(sorted(found))
    for number in ("0", "1"):
        assert running(tmp_path, number).wait(timeout=120) == 0
        assert repeatable(out) == wanted[number]
        assert [path.name for path in out.parent.iterdir()] == ["out"]
    assert not [name for name in everything(tmp_path) if "partial" in name or "previous" in name]


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_leaves_the_old_results_and_nothing_beside(tmp_path: Path, told: signal.Signals) -> None:
    write_world(tmp_path)
    out = tmp_path / "reports" / "out"
    began = time.perf_counter()
    assert running(tmp_path, "hostile").wait(timeout=120) == 0
    takes = time.perf_counter() - began
    before, files = repeatable(out), everything(tmp_path)
    for share in (0, 0.3, 0.6):
        process = running(tmp_path, "hostile", subprocess.PIPE)
        # Python itself answers until the command begins, and it begins with a line of progress.
        assert process.stderr is not None
        assert process.stderr.readline()
        time.sleep(share * takes)
        process.send_signal(told)
        _, said = process.communicate(timeout=60)
        assert b"Traceback" not in said
        # Had it ended before the signal came, the results would be the same ones.
        assert process.returncode in (128 + told, 0)
        assert (repeatable(out), everything(tmp_path)) == (before, files)


def running(folder: Path, number: str, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from kugiri.cli import main; main()", "sweep", f"sweeps/{number}.toml"]
    return subprocess.Popen(
        [*command, "--out", "reports/out"],
        cwd=folder,
        env=dict(os.environ),
        stdout=subprocess.DEVNULL,
        stderr=stderr,
    )
