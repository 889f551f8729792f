"""`import kugiri`: what it offers, in whatever order things were imported."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kugiri

ROOT = Path(__file__).parents[2]
ORDERS = [
    (),
    ("kugiri.sweeps",),
    ("kugiri.sweeps.sweep", "kugiri.sweeps"),
    ("kugiri.cli.sweep", "kugiri.cli", "kugiri.sweeps.run"),
]


def python(script: str, folder: Path = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error", "-c", script],
        cwd=folder,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("modules", ORDERS, ids=" ".join)
def test_sweep_is_a_function_whatever_was_imported_before(modules: tuple[str, ...]) -> None:
    """An import of a submodule puts its name into the package, where a function of that name would be hidden."""
    checks = [
        "assert isinstance(kugiri.sweep, types.FunctionType), kugiri.sweep",
        "from kugiri import sweep",
        "assert sweep is kugiri.sweep",
        "assert sweep.__module__ == 'kugiri.sweeps.sweep'",
        "print('held')",
    ]
    before = ["import types", *(f"import {name}" for name in modules), "import kugiri"]
    assert python("\n".join([*before, *checks])) == "held\n"


def test_every_public_name_resolves() -> None:
    assert sorted(kugiri.__all__) == list(kugiri.__all__) == sorted(set(kugiri.__all__))
    for name in kugiri.__all__:
        assert getattr(kugiri, name).__name__ == name
        assert getattr(kugiri, name).__doc__
    assert set(kugiri.__all__) <= set(dir(kugiri))
    with pytest.raises(AttributeError, match="'kugiri' has no attribute 'swepe'"):
        _ = kugiri.swepe


def test_importing_the_package_loads_nothing() -> None:
    loaded = python(
        "import sys, kugiri; print([n for n in ('numpy', 'pandas', 'pyarrow', 'msgspec') if n in sys.modules])"
    )
    assert loaded == "[]\n"


def test_the_version_is_that_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert kugiri.__version__ == project["version"]


@pytest.mark.parametrize("name", ["README.md", pytest.param("README.ja.md", marks=pytest.mark.slow)])
def test_the_python_example_of_the_readme_runs_and_prints_what_it_says(name: str, tmp_path: Path) -> None:
    # Elsewhere: the example writes results, and they must not end up in the repository.
    shutil.copytree(ROOT / "corpora" / "handbook", tmp_path / "corpora" / "handbook")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    printing = [block for block in blocks if re.search(r"^print\(.*\)\s+# ", block, re.MULTILINE)]
    assert printing
    for block in printing:
        said = re.findall(r"^print\(.*\)\s+# (.*)$", block, re.MULTILINE)
        told = python(block, tmp_path).splitlines()
        assert [line for line in told if line in said] == said
