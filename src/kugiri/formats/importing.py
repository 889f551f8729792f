"""An import from end to end: read, joined, verified, written, and told in `[built]` of `corpus.toml`."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kugiri.errors import InputError
from kugiri.formats.corpus_folder import INFO, LoadedCorpus, read_corpus_info
from kugiri.formats.corpus_writer import check_writable, write_corpus
from kugiri.formats.protocol import Format, Source
from kugiri.formats.pseudo_documents import Join, joined
from kugiri.formats.reading import read_bytes
from kugiri.formats.records import document_lines, question_lines
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.questions import Question
from kugiri.visible import one_line

UNKNOWN = "unknown"
_JAPANESE_SHARE = 0.05


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """What an import wrote.

    Attributes:
        warnings: what the user should know, one line each.
    """

    folder: Path
    loaded: LoadedCorpus
    warnings: tuple[str, ...]


def import_corpus(
    source_format: Format, paths: Sequence[Path], folder: Path, join: Join | None = None, version: str = UNKNOWN
) -> Imported:
    """Reads files of others and writes a corpus folder.

    Args:
        source_format: what the files are.
        paths: the files, or folders where the format reads them, in the order in which they count.
        folder: the corpus folder; its name becomes the name of the corpus.
        join: how paragraphs become documents; by article if not given.
        version: of kugiri, to be recorded.

    Raises:
        InputError: whatever the format, the model or the writer refuses; nothing is written then.
    """
    join = join or Join()
    root = folder.resolve()
    check_place(root)
    source = source_format.read(paths)
    digests = [{"name": one_line(path.name), "sha256": _sha256(path)} for path in source.files or paths]
    documents, questions = _records(source_format, source, join)
    language, warnings = _language(source_format, source)
    name = unicodedata.normalize("NFC", one_line(root.name))
    names = ", ".join(entry["name"] for entry in digests)
    built: dict[str, Any] = {
        "format": source_format.name,
        "format_version": source_format.version,
        **{field.name: getattr(source_format, field.name) for field in dataclasses.fields(source_format)},  # type: ignore[arg-type]
        **({} if source.documents else {"join": str(join), "separator": join.separator}),
        **({} if join.shuffle is None else {"shuffle": join.shuffle}),
        "kugiri": version,
        "counts": {"documents": len(documents), "questions": len(questions)},
        # With these `corpus check` sees whether somebody has edited the corpus since.
        "documents_sha256": hashlib.sha256(document_lines(documents)).hexdigest(),
        "questions_sha256": hashlib.sha256(question_lines(questions)).hexdigest(),
        "files": digests,
    }
    if source.excluded:
        built["counts"]["excluded"] = dict(sorted(collections.Counter(left.reason for left in source.excluded).items()))
    info = CorpusInfo(
        name,
        name,
        language,
        source_format.licence or UNKNOWN,
        source_format.origin or UNKNOWN,
        f"Imported from {names} by `kugiri corpus import {source_format.name}`.",
        built,
    )
    loaded = write_corpus(root, info, documents, questions, source.excluded)
    return Imported(folder, loaded, (*source.warnings, *warnings))


def _records(source_format: Format, source: Source, join: Join) -> tuple[Sequence[Document], Sequence[Question]]:
    if not source.documents:
        return joined(source.paragraphs, join)
    if join != Join():
        raise InputError(
            f"the documents of {source_format.name!r} are whole already, and nothing is joined",
            "--join, --separator, --shuffle",
            "leave these options out",
        )
    return source.documents, source.questions


def _sha256(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()


def check_place(root: Path) -> None:
    """Refuses a place where an import would destroy what no import can make again."""
    check_writable(root)
    if (root / INFO).is_file() and not read_corpus_info(root).built:
        raise InputError(
            "the corpus there was neither imported nor synthesized, and would be lost",
            str(root),
            "choose another folder with --to, or move this one away",
        )


def _language(source_format: Format, source: Source) -> tuple[str, tuple[str, ...]]:
    if source_format.language:
        return source_format.language, ()
    texts = [paragraph.text for paragraph in source.paragraphs] + [document.text for document in source.documents]
    text = "".join(texts)
    kana = sum("\u3041" <= character <= "\u30ff" for character in text)
    language = "ja" if text and kana >= _JAPANESE_SHARE * len(text) else "und"
    share = kana / max(1, len(text))
    return language, (
        f"language set to {language!r} ({share:.0%} of the characters are kana); correct it in {INFO} if it is another",
    )
