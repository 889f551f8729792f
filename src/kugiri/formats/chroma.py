"""Chroma's chunking_evaluation: a Markdown file for each document, and a CSV of questions with their excerpts."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from kugiri.errors import InputError
from kugiri.formats.csv_fields import long_fields
from kugiri.formats.protocol import Source
from kugiri.formats.quotations import OFFSET_UNITS, from_code_point, mismatch, quoted_at, to_code_point
from kugiri.formats.reading import decoded, read_bytes
from kugiri.formats.squad import ON_MISMATCH
from kugiri.formats.strict import check_strings, nearest, too_deep, typed
from kugiri.labels import component_label
from kugiri.model.corpus import Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Excluded, Question
from kugiri.visible import shortened

_COLUMNS = ("question", "references", "corpus_id")
_TABLE, _TEXT = ".csv", ".md"


@dataclasses.dataclass(frozen=True, slots=True)
class Chroma:
    r"""The CSV of chunking_evaluation and the documents that it names, as files or as the folder that holds both.

    All excerpts of a question are needed together: they become the spans of one alternative. A document is named by the
    name of its file without the ending; `corpus_id` is that name, the file's name or its path. The id of a question is
    its document's and its running number among that document's questions. A question without excerpts is excluded
    (`no_answer`); a document that no question names is left out, with a warning. Texts are kept as they are, `\r\n`
    included, and have no recorded paragraphs.

    Attributes:
        encoding: of all files, never guessed.
        offset_unit: what `start_index` and `end_index` count, one of `OFFSET_UNITS`.
        on_mismatch: what happens where an excerpt is not the text at its place: `refuse` the files with the list of
            all such excerpts, or `exclude` the whole question by name (`offset_mismatch`).
    """

    encoding: str = "utf-8"
    offset_unit: str = "codepoint"
    on_mismatch: str = "refuse"

    name: ClassVar[str] = "chroma"
    version: ClassVar[int] = 1
    language: ClassVar[str | None] = "en"
    # The repository is under MIT; that says nothing of the texts that people evaluate with its layout.
    licence: ClassVar[str | None] = None
    origin: ClassVar[str | None] = None

    def __post_init__(self) -> None:
        for what, value, known, option in (
            ("offset unit", self.offset_unit, OFFSET_UNITS, "--offset-unit"),
            ("answer to a mismatch", self.on_mismatch, ON_MISMATCH, "--on-mismatch"),
        ):
            if value not in known:
                near = nearest(value, known)
                remedy = f"use one of: {', '.join(known)}" + (f"; {near!r} is the nearest" if near else "")
                raise InputError(f"unknown {what} {value!r}", option, remedy)

    def __str__(self) -> str:
        """The label of the format."""
        return component_label(self)

    def read(self, paths: Sequence[Path]) -> Source:
        """The documents and questions of these files; of a folder, its `.csv` and `.md` files in order of their names.

        Raises:
            InputError: a file that is not there or given twice; no CSV, no document; a row that is none, or names
                another document; an excerpt that is not the text at its place (unless these are to be excluded).
        """
        files = _files(paths)
        texts, names = _texts(files, self.encoding)
        tables = [path for path in files if path.suffix.lower() == _TABLE]
        if not tables:
            raise InputError(
                "there is no CSV file with questions", ", ".join(map(str, paths)), "give it beside the documents"
            )
        rows = [row for path in tables for row in _rows(path, self.encoding, names)]
        if not rows:
            raise InputError(
                "there is no question", ", ".join(map(str, tables)), "give at least one below the first line"
            )
        # The same file may be named in several ways, so numbers run over its id.
        numbers: Counter[str] = Counter()
        for row in rows:
            numbers[row.document] += 1
            row.id = f"{row.document}-{numbers[row.document]:04}"
        documents = tuple(Document(name, text) for name, text in texts.items() if name in numbers)
        unnamed = [f"no question names the document {name!r}; left out" for name in texts if name not in numbers]
        questions, excluded, mismatches = _questions(rows, texts, self.offset_unit)
        if mismatches:
            fits = _what_fits(rows, texts, self.offset_unit)
            if self.on_mismatch == "refuse":
                raise _refused(mismatches, fits)
            unnamed += [*mismatches, *([fits] if fits else [])]
        return Source((), excluded, tuple(unnamed), documents, questions, tuple(files))


class _Excerpt(msgspec.Struct):
    content: str
    start_index: int
    end_index: int


@dataclasses.dataclass(slots=True)
class _Row:
    where: str
    question: str
    document: str
    excerpts: tuple[_Excerpt, ...]
    id: str = ""


def _files(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = [path]
        if path.is_dir():
            try:
                inside = sorted(file for file in path.iterdir() if file.suffix.lower() in (_TABLE, _TEXT))
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise InputError(f"the folder cannot be read: {reason}", str(path), "check its permissions") from None
            if not inside:
                raise InputError(
                    f"the folder has no {_TABLE} and no {_TEXT} file",
                    str(path),
                    "name the folder that has them; those inside it are not looked into",
                )
        found += inside
    twice = next((path for path, count in Counter(path.resolve() for path in found).items() if count > 1), None)
    if twice is not None:
        raise InputError("the file is given twice", str(twice), "give every file once")
    return found


def _texts(files: Sequence[Path], encoding: str) -> tuple[dict[str, str], Mapping[str, str]]:
    """Id → text of every document, and whatever may name a document → its id."""
    texts: dict[str, str] = {}
    paths: dict[str, Path] = {}
    names: dict[str, str] = {}
    for path in files:
        if path.suffix.lower() == _TABLE:
            continue
        # A file system may take names apart into letters and marks.
        identity, name = (unicodedata.normalize("NFC", part) for part in (path.stem, path.name))
        if identity in texts:
            raise InputError(
                f"two documents are named {identity!r}", f"{path}, first {paths[identity]}", "rename one of the files"
            )
        texts[identity] = decoded(read_bytes(path), path, encoding, option=True)
        paths[identity], names[name] = path, identity
    return texts, names | {identity: identity for identity in texts}


def _rows(path: Path, encoding: str, names: Mapping[str, str]) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(decoded(read_bytes(path), path, encoding, option=True), newline=""), strict=True)
    try:
        # References may be longer than Python's CSV reader expects.
        with long_fields():
            head = next(reader, [])
            for column in _COLUMNS:
                if head.count(column) != 1:
                    what = f"two columns are named {column!r}" if column in head else f"there is no column {column!r}"
                    remedy = f"the first line names the columns: {', '.join(_COLUMNS)}, each once"
                    raise InputError(what, f"{path}:1", remedy)
            number = 0
            for cells in reader:
                if not cells:
                    continue
                number += 1
                where = f"{path}:{reader.line_num}, row {number}"
                if len(cells) != len(head):
                    raise InputError(
                        f"the row has {len(cells)} values, and there are {len(head)} columns", where, "correct the row"
                    )
                question, references, document = (cells[head.index(column)] for column in _COLUMNS)
                yield _Row(where, question, _document(document, names, where), _excerpts(references, where))
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", f"{path}:{reader.line_num}", "correct it, or write it again") from None


def _document(given: str, names: Mapping[str, str], where: str) -> str:
    name = unicodedata.normalize("NFC", given)
    for written in (name, name.replace("\\", "/").rpartition("/")[2]):
        if written in names:
            return names[written]
    near = nearest(given, names.values())
    raise InputError(
        f"there is no document {shortened(given)!r}",
        f"{where}, corpus_id",
        f"give its {_TEXT} file too" + (f"; {near!r} is the nearest of those given" if near else ""),
    )


def _excerpts(cell: str, where: str) -> tuple[_Excerpt, ...]:
    place = f"{where}, references"
    try:
        data = json.loads(cell, object_pairs_hook=_object)
        check_strings(data, place)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}", f"{place}, character {error.pos}", "write a JSON list of excerpts"
        ) from None
    except RecursionError:
        raise too_deep(place) from None
    except ValueError as error:
        # A key that stands twice; an integer of more digits than Python converts.
        raise InputError(f"not JSON that can be read: {error}", place, "correct the value") from None
    return typed(data, tuple[_Excerpt, ...], place)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        message = f"the key {shortened(twice)!r} stands twice in one object"
        raise ValueError(message)
    return found


def _questions(
    rows: Sequence[_Row], texts: Mapping[str, str], unit: str
) -> tuple[tuple[Question, ...], tuple[Excluded, ...], list[str]]:
    kept: list[Question] = []
    excluded: list[Excluded] = []
    mismatches: list[str] = []
    for row in rows:
        text = texts[row.document]
        wrong = list(_mismatches(row.excerpts, text, unit))
        mismatches += [f"{row.id}: {line}, at {row.where}" for line in wrong]
        if wrong or not row.excerpts:
            excluded.append(Excluded(row.id, row.question, "offset_mismatch" if wrong else "no_answer"))
            continue
        starts = [to_code_point(text, excerpt.start_index, unit) or 0 for excerpt in row.excerpts]
        spans = tuple(
            dict.fromkeys(
                EvidenceSpan(row.document, start, start + len(excerpt.content), excerpt.content)
                for start, excerpt in zip(starts, row.excerpts, strict=True)
            )
        )
        kept.append(Question(row.id, row.question, (spans,), "multiple" if len(spans) > 1 else "single"))
    return tuple(kept), tuple(excluded), mismatches


def _mismatches(excerpts: Sequence[_Excerpt], text: str, unit: str) -> Iterator[str]:
    for excerpt in excerpts:
        start = quoted_at(text, excerpt.content, excerpt.start_index, unit)
        if start is None:
            yield mismatch(text, excerpt.content, excerpt.start_index, unit)
        elif to_code_point(text, excerpt.end_index, unit) != start + len(excerpt.content):
            end = from_code_point(text, start + len(excerpt.content), unit)
            yield f"mismatch: the quotation at {excerpt.start_index} ends at {end}, not at {excerpt.end_index}"


def _refused(mismatches: Sequence[str], fits: str | None) -> InputError:
    several = len(mismatches) > 1
    return InputError(
        f"{len(mismatches)} excerpts are not the text at their place"
        if several
        else "1 excerpt is not the text at its place",
        mismatches[0],
        fits or "correct the offsets, or leave the questions out by name with --on-mismatch exclude",
        tuple(mismatches),
    )


def _what_fits(rows: Sequence[_Row], texts: Mapping[str, str], refused: str) -> str | None:
    """Another reading in which every excerpt is the text at its place, None where there is none."""

    def fit(read: Mapping[str, str], unit: str) -> bool:
        return not any(next(_mismatches(row.excerpts, read[row.document], unit), None) for row in rows)

    for unit in OFFSET_UNITS:
        if unit != refused and fit(texts, unit):
            return f"every excerpt fits with --offset-unit {unit}"
    # chunking_evaluation opens files as text, and so never sees \r.
    plain = {name: text.replace("\r\n", "\n").replace("\r", "\n") for name, text in texts.items()}
    if plain != texts and fit(plain, refused):
        return r"every excerpt fits if \r\n counts as one character: save the documents with \n as line end"
    return None
