"""Real corpora, where `KUGIRI_CORPORA` says they are; imported once a session."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kugiri.formats.corpus_folder import LoadedCorpus
from kugiri.formats.importing import import_corpus
from kugiri.formats.pseudo_documents import Join
from kugiri.formats.squad import JSquad, Squad


@pytest.fixture(scope="session")
def corpora() -> Path:
    folder = os.environ.get("KUGIRI_CORPORA")
    if not folder:
        pytest.skip("KUGIRI_CORPORA is not set: it names the folder with jsquad/ and jaquad/")
    if not (Path(folder) / "jsquad" / "valid-v1.3.json").is_file():
        pytest.skip(f"KUGIRI_CORPORA={folder} has no jsquad/valid-v1.3.json")
    return Path(folder)


@pytest.fixture(scope="session")
def jsquad(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], LoadedCorpus]:
    def imported(separator: str = "") -> LoadedCorpus:
        folder = tmp_path_factory.mktemp("jsquad") / "jsquad"
        return import_corpus(
            JSquad(), [corpora / "jsquad" / "valid-v1.3.json"], folder, Join(separator=separator)
        ).loaded

    return imported


@pytest.fixture(scope="session")
def jaquad(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> LoadedCorpus:
    files = sorted((corpora / "jaquad").glob("*.json"))
    return import_corpus(Squad(), files, tmp_path_factory.mktemp("jaquad") / "jaquad").loaded
