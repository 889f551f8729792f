"""What DESIGN §8 avoids, found in the syntax."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from source import SOURCE, modules, paths, text_of, tree_of

NAMES = [str(path.relative_to(SOURCE)) for path in paths()]
BROAD = {
    "catalog.py",
    "cli/outcome.py",
    "cli/third_party.py",
    "embedders/static.py",
    "segmenters/hugging_face.py",
    "sweeps/run.py",
    "sweeps/runs.py",
}
"""The last frame before the user, and the places in which a third party's component may fail alone."""


def wrong_in(found_in: Callable[[str], Sequence[object]]) -> dict[str, Sequence[object]]:
    """What is wrong in each file in which anything is: one test for all files, as each test has its cost."""
    assert len(NAMES) > 100
    return {name: found for name in NAMES if (found := found_in(name))}


def test_a_file_is_at_most_three_hundred_lines() -> None:
    assert wrong_in(lambda name: text_of(name).splitlines()[300:]) == {}


def test_no_file_is_named_after_nothing() -> None:
    nothing = re.compile(r"(^|_)(utils?|helpers?|common|misc)(_|$)")
    assert wrong_in(lambda name: list(filter(nothing.search, Path(name).with_suffix("").parts))) == {}


def missing_docstrings(node: ast.Module | ast.ClassDef, prefix: str = "") -> list[str]:
    found = []
    for child in node.body:
        if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or child.name.startswith("_"):
            continue
        if not ast.get_docstring(child):
            found.append(prefix + child.name)
        if isinstance(child, ast.ClassDef):
            found += missing_docstrings(child, f"{prefix}{child.name}.")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_everything_public_says_what_it_is(name: str) -> None:
    module = tree_of(name)
    assert ast.get_docstring(module), "the module has no docstring"
    assert not missing_docstrings(module)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_validated_by_assert(name: str) -> None:
    assert not [node.lineno for node in ast.walk(tree_of(name)) if isinstance(node, ast.Assert)]


@pytest.mark.parametrize("name", NAMES)
def test_exceptions_are_named(name: str) -> None:
    lines = text_of(name).splitlines()
    broad = [
        node
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or {"Exception", "BaseException"} & set(re.findall(r"\w+", ast.unparse(node.type))))
    ]
    assert not broad or name in BROAD
    for node in broad:
        last = node.body[-1]
        if isinstance(last, ast.Raise) and isinstance(last.cause, ast.Name):
            # Nothing is swallowed: what was raised is the cause of what is raised.
            continue
        reason = re.search(r"# noqa: BLE001\s+(\S.*)", lines[node.lineno - 1])
        assert reason, f"{name}:{node.lineno} gives no reason"
        assert len(reason[1].split()) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_text_is_opened_with_its_encoding(name: str) -> None:  # O115
    wrong = []
    for node in ast.walk(tree_of(name)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        keywords = {keyword.arg for keyword in node.keywords}
        binary = any(isinstance(a, ast.Constant) and isinstance(a.value, str) and "b" in a.value for a in node.args)
        if called in {"open", "read_text", "write_text"} and "encoding" not in keywords and not binary:
            wrong.append(f"{called} in line {node.lineno}")
    return wrong


def test_no_offset_is_found_by_search() -> None:
    """Only where a long text is cut into pieces for MeCab is anything searched for in these layers."""
    layers = ("segmenters", "chunkers", "evidence", "metrics", "statistics", "sweeps", "export")
    found = [
        name
        for name, module in modules().items()
        if name.split(".")[0] in layers
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and node.attr in {"find", "rfind", "index", "rindex"}
    ]
    assert set(found) <= {"segmenters.unidic"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["ruff", "check", "--no-cache"], ["ruff", "format", "--no-cache", "--check"], ["mypy"]]
)
def test_ruff_and_mypy_have_nothing_to_say(arguments: list[str], pytestconfig: pytest.Config) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=pytestconfig.rootpath,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
