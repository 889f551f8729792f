"""Writing a corpus folder whole: built beside its place, verified, and swapped in by renaming."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tomli_w

from kugiri.errors import InputError
from kugiri.formats.corpus_folder import DOCUMENTS, EXCLUDED, INFO, QUESTIONS, LoadedCorpus, corpus_of
from kugiri.formats.records import document_lines, excluded_lines, question_lines
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.questions import Excluded, Question, Questions

_OURS = {INFO, DOCUMENTS, QUESTIONS, EXCLUDED}


def write_corpus(
    folder: str | Path,
    info: CorpusInfo,
    documents: Iterable[Document],
    questions: Iterable[Question],
    excluded: Iterable[Excluded] = (),
) -> LoadedCorpus:
    """Writes the corpus and gives it back as `load_corpus` would.

    The folder is new, empty, or a corpus folder with nothing else in it, which is replaced as a whole. While it is
    swapped the old one stands as `NAME.previous`; a writer that was killed there is made good by the next one.

    Raises:
        InputError: the records are no valid corpus; the folder is somebody else's; it cannot be written. Nothing has
            changed then.
    """
    texts, asked, left_out = tuple(documents), tuple(questions), tuple(excluded)
    corpus = corpus_of(info, texts)
    columns = Questions.from_records(corpus, asked, left_out)
    files = {
        INFO: tomli_w.dumps(info_table(info)).encode("utf-8"),
        DOCUMENTS: document_lines(texts),
        QUESTIONS: question_lines(asked),
        EXCLUDED: excluded_lines(left_out),
    }
    root = Path(folder).resolve()
    check_writable(root)
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        with built_beside(root) as built:
            for name, content in files.items():
                if content or name != EXCLUDED:
                    (built / name).write_bytes(content)
            swap(built, root)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"the corpus cannot be written: {reason}", str(root), "choose another folder with --to"
        ) from None
    return LoadedCorpus(
        corpus, columns, hashlib.sha256(files[DOCUMENTS]).hexdigest(), hashlib.sha256(files[QUESTIONS]).hexdigest()
    )


def check_writable(root: Path) -> None:
    """Refuses a place that a corpus must not take.

    Raises:
        InputError: it is a file, or a folder with anything in it that is not a corpus folder's.
    """
    if root.exists() and not root.is_dir():
        raise InputError("this is a file, and a corpus is a folder", str(root), "choose another folder with --to")
    if root.is_dir() and Path.cwd().is_relative_to(root.resolve()):
        # The shell would be left in a folder that no longer exists.
        raise InputError("the corpus folder cannot be replaced from inside it", str(root), "change to another folder")
    for place in (root, _previous(root)):
        if not place.is_dir():
            continue
        found = {entry.name for entry in place.iterdir()}
        if found and INFO not in found:
            raise InputError(
                f"the folder is not empty and no corpus folder (it has no {INFO})",
                str(place),
                "choose another folder, or empty this one",
            )
        if found - _OURS:
            raise InputError(
                f"the corpus folder holds something else that would be lost: {', '.join(sorted(found - _OURS)[:5])}",
                str(place),
                "move it away, or choose another folder",
            )


def info_table(info: CorpusInfo) -> dict[str, Any]:
    """What `corpus.toml` holds."""
    return {
        **info.described(),
        "offset_unit": "codepoint",
        **({"built": dict(info.built)} if info.built else {}),
    }


def _previous(root: Path) -> Path:
    return root.with_name(f"{root.name}.previous")


@contextlib.contextmanager
def built_beside(root: Path) -> Iterator[Path]:
    """An empty folder next to `root`, gone afterwards unless it has been renamed."""
    built = root.with_name(f".{root.name}.{secrets.token_hex(4)}")
    built.mkdir()
    try:
        yield built
    finally:
        shutil.rmtree(built, ignore_errors=True)


def swap(built: Path, root: Path) -> None:
    """Puts the built folder in the place of the old one, by two renames."""
    previous = _previous(root)
    if previous.is_dir():
        # Somebody was killed between the two renames (the old corpus goes back) or after them (it is left over).
        if root.exists():
            shutil.rmtree(previous)
        else:
            previous.rename(root)
    if not root.exists():
        built.rename(root)
        return
    root.rename(previous)
    try:
        built.rename(root)
    except OSError:
        previous.rename(root)
        raise
    shutil.rmtree(previous, ignore_errors=True)
