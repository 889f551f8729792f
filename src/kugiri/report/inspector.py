"""The lost questions one by one, each with the passage it needs and every edge of a chunk drawn into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kugiri.labels import slugs
from kugiri.report.grid import Grid, ReadsTables, Row, column, rows_of
from kugiri.report.passage import Passage, Piece, Span, clipped, drawn
from kugiri.report.words import Code, Said, Share, Value, said

CONTEXT = 80
"""Characters on either side of the evidence where a whole passage would be too much."""
_BRIEF = 16


@dataclasses.dataclass(frozen=True, slots=True)
class View:
    """A drawn passage, and whether the document goes on before and after what is shown."""

    passage: Passage
    before: bool
    after: bool


@dataclasses.dataclass(frozen=True, slots=True)
class LostQuestion:
    """One lost question of one configuration.

    Attributes:
        question_id: its id.
        question: its text; None in results without text.
        cause: cut, too long or dropped.
        facts: what is known of the cut: name and value.
        brief: the evidence with a few characters around it; None in results without text.
        middle: with `CONTEXT` characters around it.
        whole: the passage as the results hold it.
    """

    question_id: str
    question: str | None
    cause: Said
    facts: tuple[tuple[Said, Value], ...]
    brief: View | None
    middle: View | None
    whole: View | None

    @property
    def drops(self) -> bool:
        """Whether some text of the passage is in no chunk."""
        return self.whole is not None and not all(
            part.covered for part in self.whole.passage if isinstance(part, Piece)
        )


@dataclasses.dataclass(frozen=True, slots=True)
class LostOf:
    """The lost questions of one configuration.

    Attributes:
        configuration: its label.
        anchor: its place in the page.
        lost, asked: how many questions it loses of how many.
        questions: none where an earlier configuration has exactly the same chunks.
        same_as: that configuration.
    """

    configuration: str
    anchor: str
    lost: int
    asked: int
    questions: tuple[LostQuestion, ...]
    same_as: str | None = None


def lost_by_configuration(
    results: ReadsTables, configurations: Sequence[Row], lost_rows: Sequence[Row] | None = None
) -> tuple[LostOf, ...]:
    """A group a configuration that loses anything, in the order of the sweep.

    A configuration with exactly the chunks of an earlier one loses the same questions: it is named, not repeated.
    `lost_rows` are those of the table `lost`, read here where they are not given.
    """
    by_configuration: dict[str, list[Row]] = {}
    for row in rows_of(results, "lost") if lost_rows is None else lost_rows:
        by_configuration.setdefault(row["configuration"], []).append(row)
    drawing = _Drawing(results, by_configuration) if results.sweep["text"] else None
    anchors = slugs(row["configuration"] for row in configurations)
    groups = []
    for row in configurations:
        label, same = row["configuration"], row["identical_to"]
        lost = by_configuration.get(label)
        if not lost:
            continue
        questions = () if same is not None else tuple(_question(row["chunker"], entry, drawing) for entry in lost)
        groups.append(LostOf(label, f"lost-{anchors[label]}", row["lost"], row["questions"], questions, same))
    return tuple(groups)


def facts_grid(group: LostOf) -> Grid:
    """The lost questions of a configuration as ids and numbers alone."""
    names = list(dict.fromkeys(name.key for question in group.questions for name, _ in question.facts))
    facts = [{name.key: value for name, value in question.facts} for question in group.questions]
    return Grid(
        (
            column(said("question_id"), (Code(question.question_id) for question in group.questions), number=False),
            column(said("cause"), (question.cause for question in group.questions), number=False),
            *(column(said(name), (fact.get(name) for fact in facts), number=False) for name in names),
        )
    )


def _question(chunker: str, row: Row, drawing: _Drawing | None) -> LostQuestion:
    whole, start = drawing.passage(chunker, row) if drawing is not None else (None, 0)
    around = (row["evidence_start"], row["evidence_end"])

    def view(context: int) -> View | None:
        if whole is None:
            return None
        passage, before, after = clipped(whole.passage, start, around, context)
        return View(passage, before or whole.before, after or whole.after)

    return LostQuestion(
        row["question_id"],
        row["question"],
        said(f"cause_{row['cause']}"),
        _facts(row),
        view(_BRIEF),
        view(CONTEXT),
        whole,
    )


def _facts(row: Row) -> tuple[tuple[Said, Value], ...]:
    facts: list[tuple[str, Value | None]] = [
        ("document_id", Code(row["document_id"])),
        ("evidence_at", Code(f"{row['evidence_start']}–{row['evidence_end']}")),
        ("cut_at", None if row["cut_at"] is None else Code(str(row["cut_at"]))),
        ("coverage", Share(row["best_coverage"])),
        ("best_chunk", None if row["best_chunk_id"] is None else Code(row["best_chunk_id"])),
        ("overlap_needed", row["overlap_needed"]),
        ("size_needed", row["size_needed"]),
        ("kind", None if row["kind"] is None else said(f"kind_{row['kind']}")),
    ]
    return tuple((said(name), value) for name, value in facts if value is not None)


class _Drawing:
    """Passages and chunks by where they are; only of questions that some configuration loses."""

    def __init__(self, results: ReadsTables, lost: Mapping[str, Sequence[Row]]) -> None:
        asked = results.table("questions")
        wanted = sorted({row["question_id"] for rows in lost.values() for row in rows})
        asked = asked.filter(pc.is_in(asked["question_id"], value_set=pa.array(wanted, type=pa.string())))
        self._rows: dict[tuple[str, str, int, int], Row] = {}
        self._alternatives: dict[tuple[str, int], list[Row]] = {}
        for row in asked.to_pylist():
            self._rows.setdefault((row["question_id"], row["document_id"], row["start"], row["end"]), row)
            self._alternatives.setdefault((row["question_id"], row["alternative"]), []).append(row)
        self._chunks = results.table("chunks")
        self._edges: dict[str, Mapping[str, tuple[np.ndarray, np.ndarray]]] = {}

    def passage(self, chunker: str, row: Row) -> tuple[View | None, int]:
        """The drawn passage of one row of `lost`, and where it starts."""
        key = (row["question_id"], row["document_id"], row["evidence_start"], row["evidence_end"])
        source = self._rows.get(key)
        if source is None or source["passage"] is None:
            return None, 0
        start, text, document = source["passage_start"], source["passage"], row["document_id"]
        evidence = [
            (span["start"], span["end"])
            for span in self._alternatives[row["question_id"], source["alternative"]]
            if span["document_id"] == document
        ]
        passage = drawn(text, start, evidence, self._touching(chunker, document, start, start + len(text)))
        # Whether the document goes on behind the passage is not in the tables; a chunk that does says so.
        edges = self._of(chunker).get(document)
        after = edges is not None and bool(edges[1].max() > start + len(text))
        return View(passage, start > 0, after), start

    def _touching(self, chunker: str, document: str, start: int, end: int) -> list[Span]:
        edges = self._of(chunker).get(document)
        if edges is None:
            return []
        touches = np.flatnonzero((edges[0] < end) & (edges[1] > start))
        return list(zip(edges[0][touches].tolist(), edges[1][touches].tolist(), strict=True))

    def _of(self, chunker: str) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
        if chunker not in self._edges:
            rows = self._chunks.filter(pc.equal(self._chunks["chunker"], chunker)).combine_chunks()
            documents = rows["document_id"].combine_chunks().dictionary_encode()
            codes = documents.indices.to_numpy(zero_copy_only=False)
            start, end = rows["start"].to_numpy(), rows["end"].to_numpy()
            order = np.argsort(codes, kind="stable")
            bounds = np.searchsorted(codes[order], np.arange(len(documents.dictionary) + 1))
            self._edges[chunker] = {
                name: (start[order[low:high]], end[order[low:high]])
                for name, low, high in zip(documents.dictionary.to_pylist(), bounds[:-1], bounds[1:], strict=True)
            }
        return self._edges[chunker]
