"""`kugiri chunk`: the chunks of one strategy in a file, ready to index."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def chunk(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder.", show_default=False)],
    label: Annotated[
        str,
        typer.Argument(metavar="LABEL", help='The strategy, as in "headings(level=2, size=800)".', show_default=False),
    ],
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", help="A file: .parquet, .jsonl or .csv.", show_default=False),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Write the chunks of one strategy with text, offsets and heading path, ready to index.

    What an index makes of the file can be checked again: `kugiri audit` and `kugiri diagnose` read it as it is.
    """
    from kugiri.catalog import chunker
    from kugiri.cli.console import output, print_json
    from kugiri.cli.third_party import blaming
    from kugiri.export.chunk_files import check_file, chunk_table, write_chunks
    from kugiri.formats.corpus_folder import load_corpus
    from kugiri.formats.description import counted
    from kugiri.labels import label_of
    from kugiri.model.indexed import chunks_by, indexed_by
    from kugiri.visible import one_line

    check_file(to)
    made = chunker(label)
    loaded = load_corpus(corpus).corpus
    with blaming(made):
        indexed = indexed_by(made, chunks_by(made, loaded))
    write_chunks(to, chunk_table(indexed, made))
    chunks, characters = len(indexed.vectors), int(indexed.vectors.lengths.sum())
    if as_json:
        print_json(
            {
                "corpus": str(corpus),
                "chunker": label_of(made),
                "to": str(to),
                "documents": len(loaded),
                "chunks": chunks,
                "characters": characters,
            }
        )
        return
    told = f"{counted(chunks, 'chunk')} of {counted(len(loaded), 'document')}, {counted(characters, 'character')}"
    output().print(one_line(f"{to}: {told} by {label_of(made)}"), soft_wrap=True)
