"""What importing costs and does: nothing heavy for help, no effects ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pandas", "pyarrow", "numpy", "msgspec", "scipy")
LOADED = "print(sorted({name.split('.')[0] for name in sys.modules} & set(sys.argv[1].split(','))), file=sys.stderr)"


def python(code: str, *arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {key: value for key, value in os.environ.items() if key in {"PATH", "SYSTEMROOT", "LANG"}}
    return subprocess.run(
        [sys.executable, "-B", "-c", code, *arguments],
        cwd=folder,
        env={**keep, "HOME": str(folder), "USERPROFILE": str(folder), "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("module", ["kugiri", "kugiri.cli", "kugiri.labels"])
def test_importing_loads_nothing_heavy(module: str, tmp_path: Path) -> None:
    done = python(f"import sys, {module}; {LOADED}", ",".join(HEAVY), folder=tmp_path)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["sweep", "--help"], ["corpus", "import", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    code = (
        "import sys\nfrom kugiri.cli import main\nheavy = sys.argv[1]\nsys.argv = ['kugiri', *sys.argv[2:]]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    status = end.code\n"
        f"sys.argv = ['x', heavy]; {LOADED}\nsys.exit(status)"
    )
    done = python(code, ",".join(HEAVY), *arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]"
    assert "kugiri" in done.stdout


def test_names_of_the_root_load_when_they_are_used(tmp_path: Path) -> None:
    code = (
        "import sys, kugiri\nbefore = 'numpy' in sys.modules\nmade = str(kugiri.Fixed(4))\n"
        "print(before, made, 'numpy' in sys.modules, [hasattr(kugiri, n) for n in kugiri.__all__].count(False))\n"
        "print(set(kugiri.__all__) <= set(dir(kugiri)))\n"
        "try:\n    kugiri.nothing\nexcept AttributeError as error:\n    print(error)"
    )
    done = python(code, folder=tmp_path)
    assert done.stdout.splitlines() == [
        "False fixed(size=4) True 0",
        "True",
        "module 'kugiri' has no attribute 'nothing'",
    ]


def test_the_names_that_design_promises_are_there() -> None:
    import kugiri

    for name in ("load_corpus", "evidence_loss", "sweep"):
        assert callable(getattr(kugiri, name))


def test_importing_every_module_prints_nothing_and_writes_nothing(tmp_path: Path) -> None:
    code = (
        "import pkgutil, importlib, kugiri\n"
        "for found in pkgutil.walk_packages(kugiri.__path__, 'kugiri.'):\n    importlib.import_module(found.name)\n"
    )
    done = python(code, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    # Somebody else's caches (fonts, tables of a parser) are not ours to forbid; files of the working folder are.
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == []


def test_importing_every_module_leaves_the_process_as_it_was(tmp_path: Path) -> None:
    code = (
        "import pkgutil, importlib, locale, os, signal, sys, threading, kugiri\n"
        "def state():\n    return (os.getcwd(), dict(os.environ), locale.setlocale(locale.LC_ALL), sys.excepthook,\n"
        "        threading.active_count(), signal.getsignal(signal.SIGINT), sys.getrecursionlimit())\n"
        "before = state()\n"
        "for found in pkgutil.walk_packages(kugiri.__path__, 'kugiri.'):\n    importlib.import_module(found.name)\n"
        "after = state()\nprint([n for n, (a, b) in enumerate(zip(before, after)) if a != b])\n"
    )
    assert python(code, folder=tmp_path).stdout.strip() == "[]"
