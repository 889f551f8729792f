"""The README's first command on a copy of the repository: only Python, pip and an index of packages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHERS = sorted(path for path in Path.home().glob(".pyenv/versions/3.1[23]*/bin/python") if path.is_file())
NO_INDEX = re.compile(
    r"Temporary failure in name resolution|Name or service not known|Network is unreachable|Connection refused"
    r"|ConnectTimeoutError|Failed to establish a new connection|getaddrinfo failed|nodename nor servname"
    r"|Cannot connect to proxy|Tunnel connection failed"
)

pytestmark = pytest.mark.slow


def clone(to: Path) -> Path:
    """The files of the repository, those about to be added too, without its results."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file() and not name.startswith("reports/"):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)
    return to


def first_command() -> str:
    (found, *_) = re.findall(r"^```sh\n(.*?)\n```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return str(found)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, check=False, encoding="utf-8", timeout=900
    )
    if done.returncode and NO_INDEX.search(done.stderr):
        pytest.skip("pip reaches no index of packages here")
    return done


def check_results(folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr[-2000:]
    assert "901 answerable questions" in " ".join(done.stdout.split())
    results = folder / "reports" / "eight"
    assert {"manifest.json", "report.html", "report.md", "tables", "figures"} == {p.name for p in results.iterdir()}
    facts = json.loads((results / "tables/sweep.json").read_text(encoding="utf-8"))
    assert facts["failed"] == []
    if (ROOT / "reports/eight/report.md").exists():
        assert (results / "report.md").read_text("utf-8") == (ROOT / "reports/eight/report.md").read_text("utf-8")


def test_the_first_command_of_the_readme_leaves_a_report(tmp_path: Path) -> None:
    if shutil.which("python3") is None:
        pytest.skip("no python3 on the path")
    folder = clone(tmp_path)
    assert not (folder / "reports" / "eight").exists()
    check_results(folder, run(first_command(), folder))


@pytest.mark.parametrize("python", OTHERS or [None], ids=lambda path: path.parts[-3] if path else "none")
def test_another_python_installs_and_sweeps(tmp_path: Path, python: Path | None) -> None:
    if python is None:
        pytest.skip("no other Python of pyenv's here")
    folder = clone(tmp_path)
    command = first_command().replace("python3", str(python))
    assert command.count(str(python)) == 2
    check_results(folder, run(command, folder))
