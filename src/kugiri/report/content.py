"""The content of a report, in the order a reader needs it and in no language: both renderings draw from it."""

from __future__ import annotations

import dataclasses
import re

from kugiri.report.alignment import Reversible, reversible
from kugiri.report.characters import Characters, characters
from kugiri.report.chunkings import chunkings
from kugiri.report.contests import LossContest, loss_contest
from kugiri.report.costs import ModelCosts, costs, truncated_columns
from kugiri.report.evidence_units import EvidenceUnits, evidence_units
from kugiri.report.grid import Grid, ReadsTables, Row, rows_if_any, rows_of
from kugiri.report.inspector import LostOf, lost_by_configuration
from kugiri.report.notes import Excluded, Fact, Failed, definitions, excluded, failed, provenance, warnings
from kugiri.report.overview import answer, causes_grid, configurations_grid, needs_grid, with_expected
from kugiri.report.pairs import Pairs, pairs
from kugiri.report.pareto import Pareto, pareto
from kugiri.report.published import Published, published
from kugiri.report.retrieval import Retrieval, retrieval
from kugiri.report.rules import Rules, rules
from kugiri.report.where import Where, where
from kugiri.report.words import Said, Text, Value, said


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
        where, rules, units, characters: a closer look at the losses; None where nothing is lost, or of results without
            the tables.
        pareto: which cuts no other dominates; None of a single one.
        costs: with each model of the sweep.
        reversible: the pairs whose order alignment alone can reverse; None where no two are fixed windows.
        loss_contest: the tests of the share lost; None where there are none, or where retrieval tells of them.
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
    where: Where | None
    rules: Rules | None
    units: EvidenceUnits | None
    characters: Characters | None
    loss_contest: LossContest | None
    pareto: Pareto | None
    costs: tuple[ModelCosts, ...]
    reversible: Reversible | None

    @property
    def lossless_said(self) -> tuple[Value, ...]:
        """The same, to be said as an enumeration, each with what it loses on the average of all alignments."""
        return tuple(with_expected(row) for row in self.configurations if not row["lost"])

    def sections(self, figures: bool) -> tuple[str, ...]:
        """The headings that lead to what was found; `figures` says whether the losses have any."""
        drawn = ("figures",) if figures else ()
        closer = [name for name in ("where", "rules", "units", "characters") if getattr(self, name) is not None]
        priced = [*(["pareto"] if self.pareto else []), *(["costs"] if self.costs else [])]
        lost = (*drawn, *priced, "causes", "pairs", *closer, *(("lost",) if self.lost else ()))
        if self.retrieval is None:
            return ("configurations", *lost)
        optional = ("budget", "contests", "duel", "slices")
        found = ["equal_budget" if name == "budget" else name for name in optional if getattr(self.retrieval, name)]
        return ("configurations", "look", "shortfall", *found, "cuts", *lost)

    @property
    def table_note(self) -> Text:
        """What the columns of the table of configurations need to be understood."""
        split = any(row["clusters_split"] for row in self.configurations)
        expected = any(row.get("expected_lost") is not None for row in self.configurations)
        more = {"expected_note": expected, "truncated_note": bool(self.costs), "clusters_split_note": split}
        return Text((said("table_note"), *(said(key) for key, holds in more.items() if holds)))

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
        if self.loss_contest is not None:
            return Text((summary, said("pairs_tested_below")))
        return Text((summary, said("pairs_no_test" if self.retrieval is None else "pairs_tested_elsewhere")))


def content_of(results: ReadsTables) -> Content:
    """The report on a results folder, from its tables alone."""
    sweep, table, comparisons = results.sweep, rows_of(results, "configurations"), rows_of(results, "comparisons")
    retrieved = retrieval(results, table, comparisons)
    cuts = chunkings(results, table, comparisons)
    rows = cuts.rows
    models, table_of_costs = sweep.get("models") or (), rows_if_any(results, "costs")
    counted = costs(models, table_of_costs, rows)
    expected = any(row.get("expected_lost") is not None for row in rows)
    terms = (*(["expected"] if expected else []), *(["truncated"] if counted else []))
    return Content(
        title=sweep["title"],
        text=sweep["text"],
        corpus_language=_tag(sweep["corpus"]["language"]),
        kugiri=sweep["kugiri"],
        configurations=rows,
        answer=answer(results, rows) if retrieved is None else answer(results, rows, len(table), retrieved.answer),
        grid=configurations_grid(
            results, rows, metrics=retrieved is None, truncated=truncated_columns(models, table_of_costs, rows)
        ),
        causes=causes_grid(rows, cuts.lost),
        needs=needs_grid(results, rows),
        pairs=pairs(cuts.comparisons, cuts.lost, rows),
        lost=lost_by_configuration(results, rows, cuts.lost),
        lossless=tuple(row["configuration"] for row in rows if not row["lost"]),
        excluded=excluded(results),
        unanswerable=sweep["questions"]["unanswerable"],
        warnings=warnings(results),
        failed=failed(results),
        definitions=definitions(results, retrieval=retrieved is not None, more=terms),
        provenance=provenance(results),
        retrieval=retrieved,
        published=published(sweep.get("published"), table),
        where=where(rows_if_any(results, "loss_slices"), cuts.lost, rows),
        rules=rules(rows_if_any(results, "rules"), rows),
        units=evidence_units(rows_if_any(results, "evidence_units"), rows),
        characters=characters(rows_if_any(results, "characters"), rows),
        loss_contest=loss_contest(cuts.comparisons, sweep) if retrieved is None else None,
        pareto=pareto(rows),
        costs=counted,
        reversible=reversible(cuts.comparisons, rows),
    )


def _tag(language: object) -> str:
    """A language tag fit for an attribute; "und" where the corpus gives none."""
    wellformed = isinstance(language, str) and re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language)
    return str(language) if wellformed else "und"
