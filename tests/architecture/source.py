"""The source of kugiri as syntax trees: what the architecture tests read."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "kugiri"


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Dotted name below `kugiri` → tree; the root is the empty name."""
    names = (path.relative_to(SOURCE) for path in paths())
    return {
        ".".join(name.with_suffix("").parts).removesuffix("__init__").rstrip("."): tree_of(str(name)) for name in names
    }


def paths() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@functools.cache
def text_of(name: str) -> str:
    """The text of one file, by its path below `src/kugiri`."""
    return (SOURCE / name).read_text(encoding="utf-8")


@functools.cache
def tree_of(name: str) -> ast.Module:
    """Its syntax tree."""
    return ast.parse(text_of(name))


@functools.cache
def nodes_of(name: str) -> tuple[ast.AST, ...]:
    """All nodes of that tree."""
    return tuple(ast.walk(tree_of(name)))


def imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every import of kugiri, wherever it stands: the dotted name below the root, and whether it is inside a function.

    `from kugiri import x` gives `x`; `import kugiri` gives the empty name.
    """
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "kugiri":
            names = [f"kugiri.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in names:
            if name == "kugiri" or name.startswith("kugiri."):
                yield name.removeprefix("kugiri").removeprefix("."), id(node) in inside
