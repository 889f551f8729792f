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
MOST_OF_CONFIGURATION = 200
"""Lost questions drawn of one configuration: more than a reader looks through, and no count depends on them."""
MOST_DRAWN = 1000
"""The same of all configurations together: a page of a few megabytes, which a browser still opens at once."""
MOST_EVIDENCE = 600
"""Characters drawn of one evidence span: about as much as stands around it; of a longer one parts are left out."""


@dataclasses.dataclass(frozen=True, slots=True)
class View:
    """A drawn passage, whether the document goes on before and after it, and whether a part inside is left out."""

    passage: Passage
    before: bool
    after: bool
    shortened: bool = False


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
        whole: the passage as the results hold it; like the other two without parts of an evidence that is too long.
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
        questions: the first of them; none where an earlier configuration has exactly the same chunks.
        same_as: that configuration.
        left_out: how many more it loses than `questions` holds; 0 where there is `same_as`.
    """

    configuration: str
    anchor: str
    lost: int
    asked: int
    questions: tuple[LostQuestion, ...]
    same_as: str | None = None
    left_out: int = 0


def lost_by_configuration(
    results: ReadsTables, configurations: Sequence[Row], lost_rows: Sequence[Row] | None = None
) -> tuple[LostOf, ...]:
    """A group a configuration that loses anything, in the order of the sweep.

    A configuration with exactly the chunks of an earlier one loses the same questions: it is named, not repeated.
    Of many lost questions the first of each configuration are drawn. `lost_rows` are those of the table `lost`, read
    here where they are not given.
    """
    by_configuration: dict[str, list[Row]] = {}
    for row in rows_of(results, "lost") if lost_rows is None else lost_rows:
        by_configuration.setdefault(row["configuration"], []).append(row)
    listed = [row["configuration"] for row in configurations if row["identical_to"] is None]
    most = _most([len(by_configuration.get(label, ())) for label in listed])
    shown = {label: by_configuration.get(label, [])[:most] for label in listed}
    drawing = _Drawing(results, shown) if results.sweep["text"] else None
    anchors = slugs(row["configuration"] for row in configurations)
    groups = []
    for row in configurations:
        label, same = row["configuration"], row["identical_to"]
        lost = by_configuration.get(label)
        if not lost:
            continue
        questions = tuple(_question(row["chunker"], entry, drawing) for entry in shown.get(label, ()))
        left_out = len(lost) - len(questions) if same is None else 0
        groups.append(LostOf(label, f"lost-{anchors[label]}", row["lost"], row["questions"], questions, same, left_out))
    return tuple(groups)


def _most(lost: Sequence[int]) -> int:
    """How many lost questions are drawn of each configuration, so that none is crowded out by those before it."""
    most = MOST_OF_CONFIGURATION
    while most and sum(min(count, most) for count in lost) > MOST_DRAWN:
        most -= 1
    return most


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
    brief, middle, whole = (None, None, None) if drawing is None else drawing.views(chunker, row)
    cause = said(f"cause_{row['cause']}")
    return LostQuestion(row["question_id"], row["question"], cause, _facts(row), brief, middle, whole)


def _facts(row: Row) -> tuple[tuple[Said, Value], ...]:
    facts: list[tuple[str, Value | None]] = [
        ("document_id", Code(row["document_id"])),
        ("evidence_at", Code(f"{row['evidence_start']}–{row['evidence_end']}")),
        ("cut_at", None if row["cut_at"] is None else Code(str(row["cut_at"]))),
        ("coverage", Share(row["best_coverage"])),
        ("best_chunk", None if row["best_chunk_id"] is None else Code(row["best_chunk_id"])),
        ("overlap_needed", row["overlap_needed"]),
        ("size_needed", row["size_needed"]),
        ("lost_probability", None if row.get("lost_probability") is None else Share(row["lost_probability"])),
        ("kind", None if row["kind"] is None else said(f"kind_{row['kind']}")),
    ]
    return tuple((said(name), value) for name, value in facts if value is not None)


def _kept(low: int, high: int, around: Span, cut_at: int | None) -> list[Span]:
    """What is drawn of low to high where the evidence is too long: its start, its end, and where it is cut."""
    cuts = [] if cut_at is None else [cut_at]
    room = MOST_EVIDENCE // (2 + 2 * len(cuts))
    kept = [(low, around[0] + room), *((cut - room, cut + room) for cut in cuts), (around[1] - room, high)]
    joined: list[Span] = []
    for start, end in kept:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


class _Drawing:
    """Passages and chunks by where they are; only of questions that are drawn."""

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

    def views(self, chunker: str, row: Row) -> tuple[View, View, View] | tuple[None, None, None]:
        """The passage of one row of `lost`: `brief`, `middle` and `whole`."""
        around = (row["evidence_start"], row["evidence_end"])
        source = self._rows.get((row["question_id"], row["document_id"], *around))
        if source is None or source["passage"] is None:
            return None, None, None
        start, text, document = source["passage_start"], source["passage"], row["document_id"]
        end = start + len(text)
        evidence = [
            (span["start"], span["end"])
            for span in self._alternatives[row["question_id"], source["alternative"]]
            if span["document_id"] == document
        ]
        # Whether the document goes on behind the passage is not in the tables; a chunk that does says so.
        edges = self._of(chunker).get(document)
        goes_on = edges is not None and bool(edges[1].max() > end)

        def part(low: int, high: int) -> Passage:
            touching = self._touching(chunker, document, low, high)
            return drawn(text[low - start : high - start], low, evidence, touching)

        def shortened(context: int) -> View:
            low, high = max(start, around[0] - context), min(end, around[1] + context)
            first, *others = _kept(low, high, around, row["cut_at"])
            passage = list(part(*first))
            for kept in others:
                passage += [Piece("…", evidence=True), *part(*kept)]
            return View(tuple(passage), low > 0, high < end or goes_on, shortened=True)

        if around[1] - around[0] > MOST_EVIDENCE:
            return shortened(_BRIEF), shortened(CONTEXT), shortened(len(text))
        whole = View(part(start, end), start > 0, goes_on)

        def view(context: int) -> View:
            passage, before, after = clipped(whole.passage, start, around, context)
            return View(passage, before or whole.before, after or whole.after)

        return view(_BRIEF), view(CONTEXT), whole

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
