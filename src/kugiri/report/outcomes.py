"""The outcomes of every answerable question as arrays: `outcomes` may have hundreds of thousands of rows."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kugiri.report.grid import ReadsTables, Row

Values = npt.NDArray[np.float64]


class Outcomes:
    """Values by configuration and metric, over the answerable questions in the order of the table of questions."""

    def __init__(self, results: ReadsTables) -> None:
        self._asked = results.table("questions")
        answerable = pc.is_valid(self._asked["alternative"])
        self.ids: tuple[str, ...] = tuple(dict.fromkeys(self._asked.filter(answerable)["question_id"].to_pylist()))
        outcomes = results.table("outcomes").combine_chunks()
        configurations, self._configurations = _coded(outcomes["configuration"])
        metrics, self._metrics = _coded(outcomes["metric"])
        places = pc.index_in(outcomes["question_id"], value_set=pa.array(self.ids, type=pa.string()))
        place = pc.fill_null(places, -1).to_numpy()
        value = pc.if_else(outcomes["defined"], outcomes["value"], None).to_numpy()
        shape = (len(self._configurations), len(self._metrics), len(self.ids))
        self._values = np.full(shape, np.nan)
        asked = place >= 0
        self._values[configurations[asked], metrics[asked], place[asked]] = value[asked]

    def __len__(self) -> int:
        return len(self.ids)

    def values(self, configuration: str, metric: str) -> Values:
        """float64[questions], NaN where not defined; `needs` of a lost question and `rank` of one not found are not."""
        at, of = self._configurations.get(configuration), self._metrics.get(metric)
        return np.full(len(self), np.nan) if at is None or of is None else self._values[at, of]

    @cached_property
    def questions(self) -> tuple[Row, ...]:
        """Text, kind and tags of each question."""
        first: dict[str, Row] = {}
        names = ("question_id", "question", "kind", "tags")
        for row in self._asked.select(names).to_pylist():
            first.setdefault(row["question_id"], row)
        return tuple(first[question] for question in self.ids)


def _coded(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], dict[str, int]]:
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    names = encoded.dictionary.to_pylist()
    return np.asarray(encoded.indices, dtype=np.int64), {name: code for code, name in enumerate(names)}
