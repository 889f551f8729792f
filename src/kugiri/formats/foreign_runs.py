"""Rankings of somebody else's system: a TREC run, JSON Lines or Parquet, matched with questions and chunks by id."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from kugiri.errors import InputError
from kugiri.formats.foreign_tables import examples, read_table
from kugiri.formats.reading import decoded, read_bytes
from kugiri.formats.trec_ids import spaceless, trec_id
from kugiri.model.questions import Questions
from kugiri.model.run import Run

_TREC = (".run", ".trec", ".txt")
_NO_CHUNK = frozenset({"-1", "None", ""})
"""What vector indices and their wrappers return where they found nothing; dropped where no chunk has that id."""


class Hit(NamedTuple):
    """One result as written.

    Attributes:
        chunk: its id; None where the system returned none.
        rank: its place, from whatever number; None where the file gives only scores.
    """

    question: str
    chunk: str | None
    rank: int | None
    score: float | None


@dataclasses.dataclass(frozen=True, slots=True)
class ForeignRun:
    """Results in any order; `where` is the file, or what returned them."""

    hits: Sequence[Hit]
    where: str


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class MatchedRun:
    """The run over our questions and chunks.

    Attributes:
        notes: what a reader has to know, one sentence each: what was dropped, what is missing.
    """

    run: Run
    notes: tuple[str, ...]


class _Row(msgspec.Struct, frozen=True, omit_defaults=True):
    question: str | int
    chunk: str | int | None
    rank: int | None = None
    score: float | None = None


def read_run(path: Path) -> ForeignRun:
    """The run in a file: TREC with six columns (.run, .trec, .txt), or question, chunk, rank or score as a table.

    Raises:
        InputError: whatever keeps the file from being read; a row that is none; no row at all.
    """
    if path.suffix.lower() in _TREC:
        hits = _trec(path)
    else:
        hits = [
            Hit(str(row.question), None if row.chunk is None else str(row.chunk), row.rank, row.score)
            for _, row in read_table(path, _Row, ("question", "chunk", "rank", "score"), ("rank", "score"))
        ]
    if not hits:
        raise InputError("the run has no row", str(path), "write one result a row: question, chunk, rank")
    return ForeignRun(hits, str(path))


def matched(run: ForeignRun, questions: Questions, chunks: Mapping[str, int], depth: int | None = None) -> MatchedRun:
    """The run in our numbers: each question's results by rank, else by score and our tie rule.

    Ids may be written as TREC files of ours write them. A result without a chunk is dropped, and so is one of a place
    that the question had before under another id; what follows moves up. A question that the run does not have counts
    as one for which nothing was found.

    Args:
        run: as written.
        questions: of the corpus.
        chunks: the index of each chunk by its id.
        depth: how deep the system was asked, further results being cut; None for as deep as the longest ranking.

    Raises:
        InputError: no id of a kind matches; unknown chunk ids; one chunk twice for a question; one rank twice; neither
            ranks nor scores throughout; a score that is no number.
    """
    asked = _with_aliases({name: place for place, name in enumerate(questions.ids)}, trec_id)
    known = _with_aliases(chunks, spaceless)
    hits = [hit for hit in run.hits if hit.chunk in known or hit.chunk not in (*_NO_CHUNK, None)]
    notes = []
    if len(hits) < len(run.hits):
        notes.append(f"results without a chunk (None or −1) were dropped: {len(run.hits) - len(hits):,}")
    # H83: nothing matches; that is never a score of 0.
    _demand_any("question", [hit.question for hit in run.hits], asked, "the corpus", run.where)
    _demand_any("chunk", [hit.chunk or "" for hit in hits], known, "the chunks", run.where)
    _demand_chunks(hits, known, run.where)
    unknown = dict.fromkeys(hit.question for hit in run.hits if hit.question not in asked)
    if unknown:
        notes.append(f"{_number_of(unknown)} of the run not in the corpus, left out: {examples(unknown)}")
    by_rank = _demand_order(run)
    lists: dict[int, list[Hit]] = {}
    longest: dict[str, int] = {}
    for hit in run.hits:
        longest[hit.question] = longest.get(hit.question, 0) + 1
    for hit in hits:
        if hit.question in asked:
            lists.setdefault(asked[hit.question], []).append(hit)
    ranked = _Ranked(len(questions), depth or max(longest.values()), run.where)
    for question, found in lists.items():
        ranked.fill(question, found, known, by_rank)
    present = {asked[hit.question] for hit in run.hits if hit.question in asked}
    missing = [questions.ids[one] for one in np.flatnonzero(questions.answerable).tolist() if one not in present]
    if missing:
        notes.append(f"{_number_of(missing)} not in the run, counted as nothing found: {examples(missing)}")
    return MatchedRun(ranked.run(), (*notes, *ranked.notes()))


def _trec(path: Path) -> list[Hit]:
    hits = []
    for number, line in enumerate(decoded(read_bytes(path), path).split("\n"), start=1):
        # Not `split()`: U+3000 and their like are characters of ids here, and our own files encode them.
        columns = [column for column in line.replace("\t", " ").rstrip("\r").split(" ") if column]
        if not columns:
            continue
        where = f"{path}:{number}"
        if len(columns) != 6:
            raise InputError(
                f"the line has {len(columns)} columns, and a TREC run has six",
                where,
                "write: question Q0 chunk rank score tag; encode white space in ids as %20",
            )
        try:
            hits.append(Hit(columns[0], columns[2], int(columns[3]), float(columns[4])))
        except ValueError:
            raise InputError(
                f"rank {columns[3]!r} is no whole number, or score {columns[4]!r} is no number",
                where,
                "write: question Q0 chunk rank score tag",
            ) from None
    return hits


def _number_of(questions: Collection[str]) -> str:
    return f"{len(questions):,} question{'s' * (len(questions) != 1)}"


def _with_aliases(ids: Mapping[str, int], encoded: Callable[[str], str]) -> dict[str, int]:
    """The ids, and the same ids as TREC files write them where no other one is called so."""
    return {encoded(name): place for name, place in ids.items()} | dict(ids)


def _demand_any(what: str, ids: Iterable[str], known: Mapping[str, int], whose: str, where: str) -> None:
    named = dict.fromkeys(ids)
    if named and not any(name in known for name in named):
        raise InputError(
            f"0 of {len(named):,} ids match: the {what}s of the run are {examples(named)}, "
            f"those of {whose} {examples(known)}",
            where,
            f"write the {what} ids of {whose} into the run, whole and unchanged",
        )


def _demand_chunks(hits: Sequence[Hit], known: Mapping[str, int], where: str) -> None:
    named = dict.fromkeys(hit.chunk or "" for hit in hits)
    unknown = [name for name in named if name not in known]
    if unknown:
        pairs = dict.fromkeys(f"{hit.question}->{hit.chunk}" for hit in hits if (hit.chunk or "") not in known)
        raise InputError(
            f"{len(unknown):,} of {len(named):,} chunk ids of the run are not among the chunks: {examples(pairs)}",
            where,
            "give the chunks that the run ranked; nothing was scored",
        )


def _demand_order(run: ForeignRun) -> bool:
    """Whether ranks decide; scores do where no result has a rank."""
    for hit in run.hits:
        if hit.score is not None and not math.isfinite(hit.score):
            raise InputError(
                f"the score of chunk {hit.chunk!r} for question {hit.question!r} is {hit.score}",
                run.where,
                "scores are finite numbers; leave out what has none",
            )
    if all(hit.rank is not None for hit in run.hits):
        return True
    lacking = next(hit for hit in run.hits if hit.rank is None)
    if any(hit.rank is not None for hit in run.hits) or any(hit.score is None for hit in run.hits):
        raise InputError(
            f"neither ranks nor scores order the whole run: chunk {lacking.chunk!r} of question {lacking.question!r} "
            "has no rank",
            run.where,
            "give every result a rank, or every result a score and none a rank",
        )
    return False


class _Ranked:
    """The rows of a run as they are filled."""

    def __init__(self, questions: int, depth: int, where: str) -> None:
        self.chunk = np.full((questions, depth), -1, dtype=np.int32)
        self.score = np.full((questions, depth), np.nan)
        self.hits = np.zeros(questions, dtype=np.int32)
        self.tied = np.zeros(questions, dtype=bool)
        self.depth, self.where = depth, where
        self.merged = 0
        self.disagree = 0

    def fill(self, question: int, found: Sequence[Hit], known: Mapping[str, int], by_rank: bool) -> None:
        """Ranks the results of one question."""
        self._demand_once(found)
        if by_rank:
            order = sorted(found, key=lambda hit: hit.rank or 0)
            self._demand_ranks(order)
            scores = [hit.score for hit in order if hit.score is not None]
            self.disagree += any(after > before for before, after in pairwise(scores))
        else:
            order = sorted(found, key=lambda hit: (-(hit.score or 0.0), known[hit.chunk or ""]))
            self.tied[question] = len({hit.score for hit in order}) < len(order)
        places = list(dict.fromkeys(known[hit.chunk or ""] for hit in order))
        self.merged += len(order) - len(places)
        places = places[: self.depth]
        self.hits[question] = len(places)
        self.chunk[question, : len(places)] = places
        self.score[question, : len(places)] = -np.arange(1.0, len(places) + 1)

    def run(self) -> Run:
        """The finished run; scores are −rank."""
        return Run(self.chunk, self.score, self.hits, self.tied)

    def notes(self) -> list[str]:
        """What became of the results, where it is not what the file says."""
        notes = []
        if self.merged:
            notes.append(
                f"results in the place of a chunk ranked before under another id were left out: {self.merged:,}"
            )
        if self.disagree:
            notes.append(f"questions in which a later rank has a higher score, the ranks deciding: {self.disagree:,}")
        if self.tied.any():
            tied = int(self.tied.sum())
            notes.append(f"questions with tied scores, ties being in the order of documents and offsets: {tied:,}")
        return notes

    def _demand_once(self, found: Sequence[Hit]) -> None:
        twice = [name for name, count in Counter(hit.chunk or "" for hit in found).items() if count > 1]
        if twice:
            raise InputError(
                f"{len(twice):,} chunk{'s are' if len(twice) > 1 else ' is'} ranked more than once "
                f"for question {found[0].question!r}: {examples(twice)}",
                self.where,
                "rank every chunk once a question",
            )

    def _demand_ranks(self, order: Sequence[Hit]) -> None:
        for before, after in pairwise(order):
            if before.rank == after.rank:
                raise InputError(
                    f"question {after.question!r} has two results of rank {after.rank}: "
                    f"{before.chunk!r} and {after.chunk!r}",
                    self.where,
                    "number the results of a question, or give scores and no ranks",
                )
