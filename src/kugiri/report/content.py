"""The content of a report, in the order a reader needs it and in no language: both renderings draw from it."""

from __future__ import annotations

import dataclasses
import re

from kugiri.report.chunkings import chunkings
from kugiri.report.grid import Grid, ReadsTables, Row, rows_of
from kugiri.report.inspector import LostOf, lost_by_configuration
from kugiri.report.notes import Excluded, Fact, Failed, definitions, excluded, failed, provenance, warnings
from kugiri.report.overview import answer, causes_grid, configurations_grid, needs_grid
from kugiri.report.pairs import Pairs, pairs
from kugiri.report.published import Published, published
from kugiri.report.retrieval import Retrieval, retrieval
from kugiri.report.words import Code, Said, Text, said


@dataclasses.dataclass(frozen=True, slots=True)
class Content:
    """Everything that a report says.

    Attributes:
        title: the sweep's title.
        text: whether the results hold text of the corpus.
        corpus_language: the tag of the corpus's language, for the passages.
        kugiri: the version that made the results.
        configurations: the rows of the exported table; with retrieval a row a chunker, since what follows is the cut's.
        grid, causes, needs: report tables; None where there is nothing to tell.
        lossless: labels of the configurations without a lost question.
        retrieval: None of a sweep without retrieval.
        published: figures of others; None where the sweep states none.
    """

    title: str
    text: bool
    corpus_language: str
    kugiri: str
    configurations: tuple[Row, ...]
    answer: tuple[Text, ...]
    grid: Grid
    causes: Grid | None
    needs: Grid | None
    pairs: Pairs
    lost: tuple[LostOf, ...]
    lossless: tuple[str, ...]
    excluded: tuple[Excluded, ...]
    unanswerable: int
    warnings: tuple[Said, ...]
    failed: tuple[Failed, ...]
    definitions: tuple[tuple[Said, Said], ...]
    provenance: tuple[Fact, ...]
    retrieval: Retrieval | None
    published: Published | None

    @property
    def lossless_said(self) -> tuple[Code, ...]:
        """The same, to be said as an enumeration."""
        return tuple(map(Code, self.lossless))

    def sections(self, figures: bool) -> tuple[str, ...]:
        """The headings that lead to what was found; `figures` says whether the losses have any."""
        drawn = ("figures",) if figures else ()
        lost = (*drawn, "causes", "pairs", *(("lost",) if self.lost else ()))
        if self.retrieval is None:
            return ("configurations", *lost)
        optional = ("budget", "contests", "duel", "slices")
        found = ["equal_budget" if name == "budget" else name for name in optional if getattr(self.retrieval, name)]
        return ("configurations", "look", "shortfall", *found, "cuts", *lost)

    @property
    def table_note(self) -> Text:
        """What the columns of the table of configurations need to be understood."""
        split = any(row["clusters_split"] for row in self.configurations)
        return Text((said("table_note"), *((said("clusters_split_note"),) if split else ())))

    @property
    def legend(self) -> Text:
        """What the marks in the passages are; of results without text, what takes their place."""
        if not self.text:
            return Text((said("lost_no_text"),))
        questions = [question for group in self.lost for question in group.questions]
        sentences = [said("lost_legend")]
        if any(question.drops for question in questions):
            sentences.append(said("lost_legend_dropped"))
        if any(question.whole is not None and question.whole.shortened for question in questions):
            sentences.append(said("lost_legend_shortened"))
        return Text(tuple(sentences))

    @property
    def pairs_note(self) -> Text:
        """How many pairs differ, and what that does not say."""
        if not self.pairs.different:
            return Text((said("pairs_none"),))
        summary = said("pairs_summary", pairs=self.pairs.compared, n=self.pairs.different)
        return Text((summary, said("pairs_no_test" if self.retrieval is None else "pairs_tested_elsewhere")))


def content_of(results: ReadsTables) -> Content:
    """The report on a results folder, from its tables alone."""
    sweep, table, comparisons = results.sweep, rows_of(results, "configurations"), rows_of(results, "comparisons")
    retrieved = retrieval(results, table, comparisons)
    cuts = chunkings(results, table, comparisons)
    rows = cuts.rows
    return Content(
        title=sweep["title"],
        text=sweep["text"],
        corpus_language=_tag(sweep["corpus"]["language"]),
        kugiri=sweep["kugiri"],
        configurations=rows,
        answer=answer(results, rows) if retrieved is None else answer(results, rows, len(table), retrieved.answer),
        grid=configurations_grid(results, rows, metrics=retrieved is None),
        causes=causes_grid(rows, cuts.lost),
        needs=needs_grid(results, rows),
        pairs=pairs(cuts.comparisons, cuts.lost, rows),
        lost=lost_by_configuration(results, rows, cuts.lost),
        lossless=tuple(row["configuration"] for row in rows if not row["lost"]),
        excluded=excluded(results),
        unanswerable=sweep["questions"]["unanswerable"],
        warnings=warnings(results),
        failed=failed(results),
        definitions=definitions(results, retrieval=retrieved is not None),
        provenance=provenance(results),
        retrieval=retrieved,
        published=published(sweep.get("published"), table),
    )


def _tag(language: object) -> str:
    """A language tag fit for an attribute; "und" where the corpus gives none."""
    wellformed = isinstance(language, str) and re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language)
    return str(language) if wellformed else "und"
