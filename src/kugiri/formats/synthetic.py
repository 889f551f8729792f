"""A synthetic corpus for load tests, drawn by a seed and written as it is drawn."""

from __future__ import annotations

import dataclasses
import hashlib
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import tomli_w

from kugiri.errors import InputError
from kugiri.formats.corpus_folder import DOCUMENTS, INFO, QUESTIONS
from kugiri.formats.corpus_writer import built_beside, info_table, swap
from kugiri.formats.importing import check_place
from kugiri.formats.records import DocumentLine, canonical
from kugiri.formats.synthetic_documents import LEAST_DOCUMENT, LEAST_PARAGRAPH, DocumentMaker
from kugiri.formats.synthetic_lengths import LengthOption
from kugiri.formats.synthetic_questions import QuestionMaker
from kugiri.model.corpus import CorpusInfo
from kugiri.visible import one_line

VERSION = 1
"""Of what is drawn. Whoever changes a byte of it counts this up."""

PURPOSE = (
    "For load, not for judging: synthetic text shows whether a corpus of this size can be handled, and how fast, "
    "and never which way of cutting is better."
)

_LONGEST_DOCUMENT = 20_000_000
_LONGEST_PARAGRAPH = 1_000_000
_BUFFER = 1 << 20


@dataclasses.dataclass(frozen=True, slots=True)
class Synthesis:
    """What is to be drawn.

    Attributes:
        document_length, paragraph_length: mean and standard deviation of log-normal lengths; all alike without one.
        evidence_length: median and greatest length of evidence spans.
        multiple, unanswerable: shares of the questions; the others are of kind `single`.

    Raises:
        InputError: nothing of the kind can be drawn.
    """

    documents: int
    questions: int
    document_length: LengthOption
    paragraph_length: LengthOption
    evidence_length: LengthOption
    multiple: float = 0.0
    unanswerable: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        for option, value, least in (("--documents", self.documents, 1), ("--questions", self.questions, 0)):
            if value < least:
                raise InputError(f"{value:,} is too few", option, f"give {least} or more")
        for option, share in (("--multiple", self.multiple), ("--unanswerable", self.unanswerable)):
            if not 0 <= share <= 1:
                raise InputError(f"{share} is no share", option, "give a number from 0 to 1")
        if self.multiple + self.unanswerable > 1:
            raise InputError(
                f"the shares {self.multiple} and {self.unanswerable} are more than all questions",
                "--multiple and --unanswerable",
                "give shares that add up to at most 1",
            )
        self._check_lengths()

    def _check_lengths(self) -> None:
        documents = self.document_length.spread(LEAST_DOCUMENT)
        paragraphs = self.paragraph_length.spread(LEAST_PARAGRAPH)
        evidence = self.evidence_length.longest()
        for lengths, most, given in (
            (documents, _LONGEST_DOCUMENT, self.document_length),
            (paragraphs, _LONGEST_PARAGRAPH, self.paragraph_length),
        ):
            if lengths[-1] > most:
                raise InputError(
                    f"lengths of {given} reach {lengths[-1]:,} characters, and at most {most:,} are drawn",
                    given.option,
                    "give a smaller mean, or a smaller spread behind it",
                )
        if not self.questions:
            return
        for lengths, noun, given in (
            (documents, "documents", self.document_length),
            (paragraphs, "paragraphs", self.paragraph_length),
        ):
            # Half of the evidence has to fit where it is usual, and all of it somewhere.
            if self.evidence_length.first > given.first or evidence[-1] > lengths[-1]:
                raise InputError(
                    f"{noun} of {given} characters are too short for evidence of {self.evidence_length}",
                    f"{given.option} and {self.evidence_length.option}",
                    f"make the {noun} longer or the evidence shorter, or ask for no question",
                )


@dataclasses.dataclass(frozen=True, slots=True)
class Synthesized:
    """What was written, in numbers.

    Attributes:
        spans: of evidence; `shortened` of them are shorter than was drawn, their document having no paragraph as long.
    """

    documents: int
    characters: int
    paragraphs: int
    questions: int
    unanswerable: int
    multiple: int
    spans: int
    shortened: int
    documents_sha256: str
    questions_sha256: str


def synthesize(
    plan: Synthesis, folder: Path, version: str, progress: Callable[[int, int], None] | None = None
) -> Synthesized:
    """Draws the corpus and writes the folder, one document in memory at a time.

    The folder is new, empty, or a corpus folder that was imported or synthesized, which is replaced as a whole.

    Args:
        plan: what is to be drawn.
        folder: the corpus folder; its name becomes the name of the corpus.
        version: of kugiri, to be recorded.
        progress: told how many documents of how many are written.

    Raises:
        InputError: the folder is somebody else's, or cannot be written; nothing has changed then.
    """
    root = folder.resolve()
    check_place(root)
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        with built_beside(root) as built:
            with (built / DOCUMENTS).open("wb", _BUFFER) as documents, (built / QUESTIONS).open("wb", _BUFFER) as asked:
                made = _drawn(plan, _Hashed(documents), _Hashed(asked), progress)
            (built / INFO).write_bytes(tomli_w.dumps(info_table(_info(plan, root, version, made))).encode("utf-8"))
            swap(built, root)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"the corpus cannot be written: {reason}", str(root), "choose another folder with --to"
        ) from None
    return made


class _Hashed:
    """A file, and the SHA-256 of what has been written to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._sha256 = file, hashlib.sha256()

    def write(self, content: bytes) -> None:
        self._sha256.update(content)
        self._file.write(content)

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def _drawn(
    plan: Synthesis, documents: _Hashed, asked: _Hashed, progress: Callable[[int, int], None] | None
) -> Synthesized:
    drawing = DocumentMaker(
        plan.seed, plan.document_length.spread(LEAST_DOCUMENT), plan.paragraph_length.spread(LEAST_PARAGRAPH)
    )
    maker = QuestionMaker(plan.seed, plan.evidence_length.longest(), plan.multiple, plan.unanswerable)
    characters = paragraphs = unanswerable = multiple = spans = 0
    for index in range(plan.documents):
        document = drawing.document(index)
        line = DocumentLine(document.id, document.text, document.title, document.paragraphs)
        documents.write(canonical([line]))
        characters += len(document.text)
        paragraphs += len(document.paragraphs)
        # Spread as evenly as whole numbers allow, in the order of the documents.
        count = (index + 1) * plan.questions // plan.documents - index * plan.questions // plan.documents
        for questions in maker.of_document(document, count):
            asked.write(canonical(questions))
            found = [sum(map(len, question.evidence)) for question in questions]
            spans += sum(found)
            unanswerable += found.count(0)
            multiple += found.count(2)
        if progress is not None:
            progress(index + 1, plan.documents)
    return Synthesized(
        plan.documents,
        characters,
        paragraphs,
        plan.questions,
        unanswerable,
        multiple,
        spans,
        maker.shortened,
        documents.hexdigest(),
        asked.hexdigest(),
    )


def _info(plan: Synthesis, root: Path, version: str, made: Synthesized) -> CorpusInfo:
    name = unicodedata.normalize("NFC", one_line(root.name))
    lengths = ("document_length", "paragraph_length", "evidence_length")
    built: dict[str, Any] = {
        "by": "kugiri corpus synthesize",
        "purpose": "load tests",
        "synthesize_version": VERSION,
        "kugiri": version,
        **{field.name: getattr(plan, field.name) for field in dataclasses.fields(plan) if field.name not in lengths},
        **{field: str(getattr(plan, field)) for field in lengths},
        "documents_sha256": made.documents_sha256,
        "questions_sha256": made.questions_sha256,
    }
    return CorpusInfo(
        name,
        f"合成コーパス（負荷試験用）{name}",
        "ja",
        "CC0-1.0",
        "drawn by `kugiri corpus synthesize`",
        PURPOSE,
        built,
    )
