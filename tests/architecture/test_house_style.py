"""What DESIGN §8 avoids, found in the syntax."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from source import SOURCE, modules, nodes_of, paths, text_of, tree_of

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


def test_everything_public_says_what_it_is() -> None:
    def silent(name: str) -> list[str]:
        module = tree_of(name)
        return [*([] if ast.get_docstring(module) else ["the module"]), *missing_docstrings(module)]

    assert wrong_in(silent) == {}


def test_nothing_is_validated_by_assert() -> None:
    def asserts(name: str) -> list[int]:
        return [node.lineno for node in nodes_of(name) if isinstance(node, ast.Assert)]

    assert wrong_in(asserts) == {}


def caught_broadly(name: str) -> list[str]:
    """The places where everything is caught in a file where nothing may be, or without a reason of four words."""
    wrong = []
    for node in nodes_of(name):
        if not isinstance(node, ast.ExceptHandler):
            continue
        if node.type and not {"Exception", "BaseException"} & set(re.findall(r"\w+", ast.unparse(node.type))):
            continue
        if name not in BROAD:
            wrong.append(f"line {node.lineno} catches everything")
        last = node.body[-1]
        if isinstance(last, ast.Raise) and isinstance(last.cause, ast.Name):
            # Nothing is swallowed: what was raised is the cause of what is raised.
            continue
        reason = re.search(r"# noqa: BLE001\s+(\S.*)", text_of(name).splitlines()[node.lineno - 1])
        if not reason or len(reason[1].split()) < 4:
            wrong.append(f"line {node.lineno} gives no reason")
    return wrong


def test_exceptions_are_named() -> None:
    assert wrong_in(caught_broadly) == {}


def opened_without_encoding(name: str) -> list[str]:
    wrong = []
    for node in nodes_of(name):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        keywords = {keyword.arg for keyword in node.keywords}
        binary = any(isinstance(a, ast.Constant) and isinstance(a.value, str) and "b" in a.value for a in node.args)
        if called in {"open", "read_text", "write_text"} and "encoding" not in keywords and not binary:
            wrong.append(f"{called} in line {node.lineno}")
    return wrong


def test_text_is_opened_with_its_encoding() -> None:  # O115
    assert wrong_in(opened_without_encoding) == {}


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
