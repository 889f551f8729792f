"""Where the chunks of other libraries stand in JaQuAD's development set: figures only, no text of the corpus.

    KUGIRI_CORPORA=../shared/corpora python benchmarks/audit_libraries.py [FOLDER]

Each library cuts the same 101 pseudo-long documents in its usual settings, and every chunk is placed by
`kugiri.formats.placement`. A second, drawn document is one sentence said 400 times: there a wrong place passes every
comparison of text. Writes `audit.md` and `audit.parquet` into `reports/audit`, or into FOLDER.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa

from kugiri.chunkers.external import External, ExternalFunction, external_chunker
from kugiri.chunkers.external_tools import TOOLS
from kugiri.export.parquet import write_table
from kugiri.formats.chunk_audit import Audit, audited
from kugiri.formats.importing import import_corpus
from kugiri.formats.placement import STATUSES, ForeignChunk
from kugiri.formats.squad import Squad
from kugiri.model.corpus import Corpus, CorpusInfo, Document

ENGLISH = ("\n\n", "\n", " ", "")
NEEDS_THE_NETWORK = (
    ('langchain `TokenTextSplitter("gpt2")`, `TokenTextSplitter("cl100k_base")`', "langchain-text-splitters"),
    ('chonkie `TokenChunker("gpt2")`, `TokenChunker("cl100k_base")`', "chonkie"),
)
"""Constructors that fetch a vocabulary; their windows are audited above with the vocabulary that bpe-openai brings."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """One library in one setting."""

    library: str
    setting: str
    chunker: External | ExternalFunction


def external(tool: str, size: int, overlap: int = 0, note: str = "", **more: Any) -> Entry:
    made = External(tool, size, overlap, **more)
    unit = {"char": "characters"}.get(made.tokenizer or TOOLS[tool].tokenizer, "cl100k tokens")
    setting = f"{tool} {size}/{overlap} {unit}" + (f", {note}" if note else "")
    return Entry(TOOLS[tool].distribution, setting, made)


def bunsetsu(strategy: str, size: int, overlap: int) -> Entry:
    from bunsetsu import chunk_text

    more = {} if strategy == "semantic" else {"chunk_overlap": overlap}

    def cut(text: str) -> list[ForeignChunk]:
        chunks = chunk_text(text, strategy=strategy, chunk_size=size, **more)
        return [ForeignChunk(one.text, one.start_char, one.end_char) for one in chunks]

    return Entry(
        "bunsetsu", f"bunsetsu.{strategy} {size}/{overlap} characters", external_chunker(cut, f"bunsetsu.{strategy}")
    )


def entries() -> Iterator[Entry]:
    yield external("langchain.recursive", 400, 80, "Japanese separators")
    yield external("langchain.recursive", 400, 80, "its own separators", separators=ENGLISH)
    yield external("langchain.character", 400, 80)
    yield external("langchain.token", 256)
    yield external("langchain.token", 256, 50)
    yield external("llamaindex.sentence", 512, 50)
    yield external("llamaindex.sentence", 1024, 200, "its defaults")
    yield external("llamaindex.token", 512, 50)
    yield external("chonkie.token", 256)
    yield external("chonkie.token", 256, 50)
    yield external("chonkie.token", 400, 80, tokenizer="char")
    yield external("chonkie.sentence", 400, 80)
    yield external("chonkie.sentence", 400, 80, "its own delimiters", separators=(". ", "! ", "? ", "\n"))
    yield external("chonkie.recursive", 400)
    yield external("chonkie.recursive", 256, tokenizer="cl100k")
    yield external("semantic_text_splitter.text", 400)
    yield external("semantic_text_splitter.text", 400, 80)
    yield external("semantic_text_splitter.text", 256, tokenizer="cl100k")
    yield bunsetsu("fixed", 400, 80)
    yield bunsetsu("recursive", 500, 0)
    yield bunsetsu("recursive", 500, 50)
    yield bunsetsu("semantic", 500, 0)


COLUMNS: Sequence[tuple[str, pa.DataType, str, Callable[[Audit], Any]]] = (
    ("chunks", pa.int64(), "Chunks of all documents.", lambda found: len(found.rows)),
    *((name, pa.int64(), f"Chunks that are {name}.", lambda found, name=name: found.counts[name]) for name in STATUSES),
    ("share_exact", pa.float64(), "exact ÷ chunks.", lambda found: found.share_exact),
    (
        "replacement_characters",
        pa.int64(),
        "Damaged chunks that were decoded from half a character.",
        lambda found: found.details.get("replacement character", 0),
    ),
    (
        "white_space",
        pa.int64(),
        "Damaged chunks that equal a slice but for white space.",
        lambda found: found.details.get("white space", 0),
    ),
    (
        "coverage",
        pa.float64(),
        "Share of the characters that are no white space in the place of some chunk.",
        lambda found: found.checks.coverage,
    ),
    (
        "stated_coverage",
        pa.float64(),
        "The same between the offsets that the library states.",
        lambda found: found.checks.stated_coverage,
    ),
    ("advance", pa.float64(), "Share of neighbours whose places go forward.", lambda found: found.checks.advance),
    (
        "stated_advance",
        pa.float64(),
        "The same of the offsets that the library states.",
        lambda found: found.checks.stated_advance,
    ),
    (
        "overlapping",
        pa.int64(),
        "Chunks that start inside the one before them.",
        lambda found: found.checks.overlapping,
    ),
)


def rows_over(corpus: Corpus) -> list[dict[str, Any]]:
    found = []
    for entry in entries():
        print(entry.setting, file=sys.stderr, flush=True)
        audit = audited(corpus, entry.chunker.lists(corpus))
        found.append(
            {
                "corpus": corpus.info.name,
                "library": entry.library,
                "version": version(entry.library),
                "setting": entry.setting,
                **{name: figure(audit) for name, _, _, figure in COLUMNS},
            }
        )
    return found


def repeated() -> Corpus:
    info = CorpusInfo("one sentence, 400 times", "", "ja", "CC0-1.0", "drawn", "drawn")
    return Corpus.from_documents(info, [Document("d", "以上のとおりです。" * 400)])


def table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    texts = {
        "corpus": "Name of the corpus.",
        "library": "Distribution of the library.",
        "version": "Its version.",
        "setting": "Chunker, size/overlap and what they count.",
    }
    columns = [(name, pa.string(), meaning) for name, meaning in texts.items()]
    columns += [(name, kind, meaning) for name, kind, meaning, _ in COLUMNS]
    schema = pa.schema([pa.field(name, kind, metadata={"description": meaning}) for name, kind, meaning in columns])
    return pa.Table.from_pylist(list(rows), schema=schema)


def percent(share: float | None) -> str:
    if share is None:
        return "–"
    # What is not all is never written as 100.
    return f"{min(max(100 * share, 0.1), 99.9):.1f}" if 0 < share < 1 else f"{100 * share:.0f}"


def lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    heads = ("library", "setting", "chunks", *STATUSES, "exact %")
    checked = ("coverage %", "of stated offsets", "advance %", "of stated offsets")
    yield f"| {' | '.join((*heads, *checked))} |"
    yield f"|---|---|{'---:|' * (len(heads) + len(checked) - 2)}"
    for row in rows:
        counts = [f"{row[name]:,}" for name in ("chunks", *STATUSES)]
        shares = [
            percent(row[name]) for name in ("share_exact", "coverage", "stated_coverage", "advance", "stated_advance")
        ]
        yield f"| {row['library']} | {' | '.join((row['setting'], *counts, *shares))} |"


def page(corpus: Corpus, rows: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]]) -> str:
    versions = dict(sorted((row["library"], row["version"]) for row in rows))
    told = ", ".join(f"{name} {number}" for name, number in versions.items())
    missing = "\n".join(f"| {name} | {library} | needs the network |" for name, library in NEEDS_THE_NETWORK)
    return f"""# Where the chunks of other libraries stand

JaQuAD's development set as {len(corpus):,} pseudo-long documents, {corpus.characters:,} characters.
Every chunk is placed in its document and proven by equality: *exact* (the stated offsets are right), *drifted* (they
are wrong, and the text has one place), *ambiguous* (it has several), *damaged* (cut inside a character and decoded, or
its white space changed), *missing* (no slice of the document equals it). Coverage is the share of the characters that
are no white space in the place of some chunk; advance, the share of neighbours whose starts go forward; both also of
the offsets as the library states them.

{told}; tokens by bpe-openai {version("bpe-openai")}.
Made by `python benchmarks/audit_libraries.py`; more digits in `audit.parquet`.

{chr(10).join(lines(rows))}

Not run, because the constructor fetches a vocabulary:

| constructor | library | |
|---|---|---|
{missing}

## One sentence, 400 times

A text that repeats itself: every comparison of text holds for a chunk that is given the place of another, so an offset
is only as good as its coverage and its advance.

{chr(10).join(lines(other))}
"""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("reports/audit")
    corpora = Path(os.environ.get("KUGIRI_CORPORA") or "../shared/corpora")
    sources = sorted((corpora / "jaquad").glob("*.json"))
    if not sources:
        sys.exit(f"{corpora} has no jaquad/*.json: set KUGIRI_CORPORA to the folder that holds jaquad")
    with tempfile.TemporaryDirectory() as work:
        corpus = import_corpus(Squad(), sources, Path(work) / "jaquad").loaded.corpus
    rows, other = rows_over(corpus), rows_over(repeated())
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "audit.parquet", table([*rows, *other]))
    (folder / "audit.md").write_bytes(page(corpus, rows, other).encode())


if __name__ == "__main__":
    main()
