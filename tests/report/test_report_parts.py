from __future__ import annotations

import ast
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from report_world import TEXT, Asked, given, small

import kugiri.report
from kugiri.report.content import content_of
from kugiri.report.notes import warning
from kugiri.report.overview import needs_grid
from kugiri.report.pairs import MOST_IN_MATRIX, MOST_PAIRS, pairs
from kugiri.report.words import plain


def test_the_report_reads_exported_tables_only() -> None:
    allowed = (
        "kugiri.errors",
        "kugiri.labels",
        "kugiri.visible",
        "kugiri.statistics",
        "kugiri.export",
        "kugiri.report",
    )
    for path in Path(str(resources.files(kugiri.report))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert all(not name.startswith("kugiri") or name.startswith(allowed) for name in names), path


def comparison(a: str, b: str, decision: str | None = None, metric: str = "lost") -> dict[str, Any]:
    return {"metric": metric, "a": a, "b": b, "decision": decision}


def lost(**ids: str) -> list[dict[str, Any]]:
    return [{"configuration": label, "question_id": id_} for label, all_ids in ids.items() for id_ in all_ids.split()]


def test_pairs_have_the_questions_of_each_side_in_file_order() -> None:
    rows = [{"configuration": label, "chunks": 1} for label in "ab"]
    made = pairs([comparison("a", "b"), comparison("a", "b", metric="Recall@5")], lost(a="q9 q1 q2", b="q1 q3"), rows)
    assert (made.compared, made.different, made.left_out) == (1, 1, 0)
    assert (made.listed[0].a.only, made.listed[0].b.only) == (("q9", "q2"), ("q3",))
    assert made.matrix is not None
    assert [row[2:] for row in made.matrix.rows] == [(None, 2), (1, None)]


@pytest.mark.parametrize("swapped", [False, True])
def test_the_nested_pair_names_the_one_that_must_lose_more_first(swapped: bool) -> None:
    rows = [{"configuration": "fixed(size=5)", "chunks": 6}, {"configuration": "fixed(size=10)", "chunks": 3}]
    names = [row["configuration"] for row in rows]
    a, b = reversed(names) if swapped else names
    found = [{"configuration": "fixed(size=5)", "question_id": "q1"}]
    made = pairs([comparison(a, b, "nested")], found, rows)
    assert made.listed == ()
    assert made.different == 1
    assert plain("en").say(made.nested[0].sentence) == (
        "nested: fixed(size=5) must lose at least what fixed(size=10) loses, no test; it loses 1 more."
    )
    assert plain("ja").say(made.nested[0].sentence) == (
        "入れ子：fixed(size=5)は、fixed(size=10)が失う質問を必ずすべて失う。検定しない。fixed(size=5)だけが失う質問は1問。"
    )


def test_of_too_many_pairs_those_with_most_differences_stay_in_order() -> None:
    labels = [f"c{index}" for index in range(MOST_IN_MATRIX + 1)]
    rows = [{"configuration": label, "chunks": 1} for label in labels]
    every = [comparison(a, b) for index, a in enumerate(labels) for b in labels[index + 1 :]]
    found = lost(**{label: " ".join(f"q{number}" for number in range(index)) for index, label in enumerate(labels)})
    made = pairs(every, found, rows)
    assert made.matrix is None
    assert len(made.listed) == MOST_PAIRS
    assert made.left_out == len(every) - MOST_PAIRS
    order = [(pair.a.configuration, pair.b.configuration) for pair in made.listed]
    assert order == [(row["a"], row["b"]) for row in every if (row["a"], row["b"]) in set(order)]
    assert ("c0", labels[-1]) in order and ("c0", "c1") not in order


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"code": "single_chunk", "chunker": "fixed(size=200)", "share": 1.0},
            (
                "fixed(size=200): 100 % single-chunk documents. "
                "On those it cannot be told from any other strategy that leaves them whole."
            ),
        ),
        (
            {"code": "left_out", "chunker": "external()", "share": 0.25},
            (
                "external() leaves 25.0 % of the characters in no chunk: "
                "some are missing, or stated where another stands (see kugiri audit)."
            ),
        ),
        (
            {"code": "identical", "chunker": "a()", "to": "b()"},
            "a() makes exactly the chunks of b(): read the two as one.",
        ),
        (
            {"code": "repeated_questions", "questions": 10, "distinct": 8},
            "Some questions are asked more than once: 10 questions, 8 distinct texts.",
        ),
        ({"code": "merged_spans", "spans": 1247}, "1,247 repeated evidence spans were merged."),
        (
            {"code": "retrieval_left_out"},
            "Retrieval was left out: this report is about evidence loss alone.",
        ),
        ({"code": "of_tomorrow", "n": 3}, "of_tomorrow: n 3"),
    ],
)
def test_warnings_in_words(entry: dict[str, Any], sentence: str) -> None:
    assert plain("en").say(warning(entry)) == sentence
    assert plain("ja").say(warning(entry))


def test_chunks_needed_are_told_where_one_is_not_enough_for_all() -> None:
    results = small()
    rows = results.table("configurations").to_pylist()
    assert needs_grid(results, rows) is None
    outcomes = results.table("outcomes").to_pylist()
    for row in outcomes:
        if row["defined"] and row["question_id"] == "q2":
            row["value"] = 2.0
    results.tables["outcomes"] = results.tables["outcomes"].from_pylist(outcomes, results.tables["outcomes"].schema)
    grid = needs_grid(results, rows)
    assert grid is not None
    assert [plain("en").say(column.head) for column in grid.columns] == [
        "Configuration",
        "1 chunk",
        "2 chunks",
        "Lost questions",
    ]
    assert [cell for row in grid.rows for cell in row[1:]] == [0, 0, 2, 0, 0, 2, 1, 1, 0]


def test_the_spans_that_are_needed_together_are_all_marked() -> None:
    results = given({"d": "abcdefghij"}, [Asked("q", "?", "d", 1, 4)], {"fixed(size=2)": {"d": [(0, 2), (2, 10)]}})
    questions = results.table("questions").to_pylist()
    questions.append({**questions[0], "start": 6, "end": 8})
    questions.append({**questions[0], "alternative": 1, "start": 8, "end": 9})
    results.tables["questions"] = results.tables["questions"].from_pylist(questions, results.tables["questions"].schema)
    view = content_of(results).lost[0].questions[0].whole
    assert view is not None
    assert [(part.text, part.evidence) for part in view.passage if hasattr(part, "text")] == [
        ("a", False),
        ("b", True),
        ("cd", True),
        ("ef", False),
        ("gh", True),
        ("ij", False),
    ]


def test_a_passage_inside_a_longer_document_says_so() -> None:
    text = "x" * 400 + "答え" + "y" * 400
    results = given({"d": text}, [Asked("q", "?", "d", 400, 402)], {"f()": {"d": [(0, 401), (401, len(text))]}})
    view = content_of(results).lost[0].questions[0].whole
    assert view is not None and (view.before, view.after) == (True, True)
    whole = content_of(given({"d": TEXT}, [Asked("q", "?", "d", 4, 9)], {"f()": {"d": [(0, 5), (5, 30)]}}))
    view = whole.lost[0].questions[0].whole
    assert view is not None and (view.before, view.after) == (False, False)
