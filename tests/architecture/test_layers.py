"""A file imports its own folder and strictly lower numbers (DESIGN §4)."""

from __future__ import annotations

import ast
import functools

from source import imports, modules

NUMBERS = {
    "errors": 0,
    "visible": 0,
    "labels": 0,
    "model": 1,
    "embedders": 2,
    "formats": 2,
    "segmenters": 2,
    "statistics": 2,
    "store": 2,
    "chunkers": 3,
    "evidence": 3,
    "retrievers": 3,
    "metrics": 4,
    "catalog": 5,
    "sweeps": 6,
    "export": 7,
    "report": 8,
    "publish": 9,
    "cli": 10,
    "testing": 10,
}
FILES_OF_THE_FOUNDATION = {"errors", "visible", "labels"}
RECORDS = {"Document", "EvidenceSpan", "Question", "Chunk"}
COLUMNS_ONLY = {"segmenters", "chunkers", "evidence", "statistics", "metrics"}


@functools.cache
def imported_by() -> dict[str, list[tuple[str, bool]]]:
    """Every module but the root → its imports of kugiri, and whether each is inside a function."""
    return {name: list(imports(tree)) for name, tree in modules().items() if name}


def layer(name: str) -> str:
    return name.split(".")[0]


def allowed(importer: str, imported: str) -> bool:
    one, other = layer(importer), layer(imported)
    if one == other or {one, other} <= FILES_OF_THE_FOUNDATION:
        return True
    return NUMBERS[other] < NUMBERS[one]


def test_every_file_has_its_layer() -> None:
    assert {layer(name) for name in imported_by()} == set(NUMBERS)


def test_a_file_imports_only_what_lies_below_it() -> None:
    wrong = [
        f"{name} ({NUMBERS[layer(name)]}) imports {imported}"
        for name, found in imported_by().items()
        for imported, _ in found
        if imported and layer(imported) in NUMBERS and not allowed(name, imported)
    ]
    assert wrong == []


def test_nobody_imports_the_root_but_for_its_version() -> None:
    # Imported while the root itself is being imported, it would be a cycle; inside a function it is not.
    wrong = [
        f"{name} imports {imported or 'kugiri'} of the package root"
        for name, found in imported_by().items()
        for imported, inside in found
        if layer(imported) not in NUMBERS and not (imported == "__version__" and inside)
    ]
    assert wrong == []


def test_the_rules_are_rules() -> None:
    assert not allowed("formats.squad", "segmenters.graphemes")
    assert not allowed("chunkers.fixed", "evidence.loss")
    assert not allowed("cli.sweep", "testing.drawn")
    assert not allowed("model.corpus", "export.tables")
    assert allowed("catalog", "metrics.needs")
    assert allowed("errors", "visible")
    assert list(imports(ast.parse("import kugiri\ndef f():\n    from kugiri import __version__, catalog"))) == [
        ("", False),
        ("__version__", True),
        ("catalog", True),
    ]


def test_records_stay_at_the_edge() -> None:
    wrong = [
        f"{name} imports {alias.name}"
        for name, tree in modules().items()
        if layer(name) in COLUMNS_ONLY
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kugiri.model")
        for alias in node.names
        if alias.name in RECORDS
    ]
    assert wrong == []


def test_modules_are_imported_by_name_in_three_places_only() -> None:
    """The package's lazy names, the catalogue, and a worker that imports its retrievers while it waits."""
    found = {
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func)
    }
    assert found <= {"", "catalog", "sweeps.worker_process"}
    assert not [
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "__import__"
    ]
