"""Chunkers of ours against the libraries that do the same job: characters a second and peak memory, as ratios.

    python benchmarks/chunkers.py [--characters 10000000] [--rounds 15] [--limit 60] [--shapes documents …]
    KUGIRI_CORPORA=../shared/corpora python benchmarks/chunkers.py        text of JaQuAD instead of a generated one

Four shapes of the same Japanese characters: 552 documents with short paragraphs, the same without line breaks, one
single string, and 20,000 characters in 40 documents of 500 for every million. Sizes are 400 characters.

Every measurement is a process of its own that is forked with the text in memory, so that no cache helps a second one;
tools take turns, and the median of the rounds counts, because the best is a tool's luckiest moment on a shared machine.
The peak is what the process needs beyond what it started with, with all chunks held at the end: offsets from ours,
strings from theirs. A tool that takes longer than the limit is stopped. Needs Linux, and
`pip install langchain-text-splitters semantic-text-splitter chonkie`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import signal
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules, SentenceChunker
from langchain_text_splitters import RecursiveCharacterTextSplitter
from semantic_text_splitter import TextSplitter

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.headings import Headings
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.recursive import Recursive
from kugiri.chunkers.sentence import Sentence
from kugiri.model.corpus import Corpus, CorpusInfo, Document

DOCUMENTS, SIZE = 552, 400
SHAPES = ("documents", "no line breaks", "one string", "short documents")
SEPARATORS = ["\n\n", "\n", "。", "！", "？", "、", " ", "\u3000", ""]
WORDS = (
    "区切りを",
    "変えると",
    "根拠が",
    "切れる",
    "文書の中で",
    "長い",
    "段落から",
    "文へ",
    "東京",
    "2026",
    "ABC",
    "３．１４",
)
INFO = CorpusInfo("benchmark", "benchmark", "ja", "CC0-1.0", "benchmarks/chunkers.py", "one text in four shapes")
Job = Callable[[], Sequence[Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--limit", type=int, default=60, help="seconds for one tool")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES)
    asked = parser.parse_args()

    paragraphs = paragraphs_of(asked.characters)
    for shape in asked.shapes:
        texts = texts_of(shape, paragraphs)
        corpus = Corpus.from_documents(INFO, [Document(str(number), text) for number, text in enumerate(texts)])
        for overlap in (0, SIZE // 5):
            warm = Corpus.from_documents(INFO, [Document("warm", texts[0][:2000])])
            for job in jobs(warm, overlap).values():
                job()
            found = measured(jobs(corpus, overlap), asked.rounds, asked.limit)
            print(f"\n{shape}: {corpus.characters:,} characters in {len(corpus):,}, overlap {overlap}")
            report(found, corpus.characters)


def paragraphs_of(characters: int) -> list[str]:
    """Paragraphs of about as many characters in all: JaQuAD's where its place is given, else drawn."""
    folder = os.environ.get("KUGIRI_CORPORA")
    lines: list[str] = []
    for path in sorted(Path(folder, "jaquad").glob("*.json")) if folder else []:
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                lines += [line for line in paragraph["context"].replace("\r", "").split("\n") if line]
    draw, found, total = random.Random(1), [], 0
    while total < characters:
        line = lines[len(found) % len(lines)] if lines else drawn(draw)
        found.append(line)
        total += len(line) + 2
    return found


def drawn(draw: random.Random) -> str:
    """One paragraph of one to eight sentences; some have commas, brackets or another mark."""
    sentences = []
    for _ in range(draw.randint(1, 8)):
        words = draw.choices(WORDS, k=draw.randint(4, 30))
        words[len(words) // 2] += draw.choice(("、", "、", "（注）", "「そう。」", "３．１４"))
        sentences.append("".join(words) + draw.choice("。。。。。！？"))
    return "".join(sentences)


def texts_of(shape: str, paragraphs: list[str]) -> list[str]:
    each = -(-len(paragraphs) // DOCUMENTS)
    documents = [paragraphs[low : low + each] for low in range(0, len(paragraphs), each)]
    if shape == "documents":
        return ["\n\n".join(document) for document in documents]
    whole = "".join(paragraphs)
    if shape == "one string":
        return [whole]
    if shape == "short documents":
        return [whole[low : low + 500] for low in range(0, len(whole), 500)]
    return ["".join(document) for document in documents]


def jobs(corpus: Corpus, overlap: int) -> dict[str, Job]:
    """What is measured; ours first. chonkie's recursive chunker has no overlap."""
    langchain = RecursiveCharacterTextSplitter(
        chunk_size=SIZE, chunk_overlap=overlap, separators=SEPARATORS, keep_separator="end"
    )
    rust = TextSplitter(SIZE, overlap)
    sentences = SentenceChunker(
        tokenizer="character",
        chunk_size=SIZE,
        chunk_overlap=overlap,
        min_sentences_per_chunk=1,
        delim=["。", "！", "？", "\n"],
    )
    levels = [["\n\n"], ["\n"], ["。", "！", "？"], ["、"]]
    rules = RecursiveRules(
        levels=[*(RecursiveLevel(delimiters=level, include_delim="prev") for level in levels), RecursiveLevel()]
    )
    recursive = RecursiveChunker(tokenizer="character", chunk_size=SIZE, rules=rules, min_characters_per_chunk=1)

    def each(split: Callable[[str], Sequence[Any]]) -> Job:
        return lambda: [split(text) for text in corpus.texts]

    found: dict[str, Job] = {
        str(chunker): lambda chunker=chunker: [chunker.chunk(corpus)]  # type: ignore[misc]
        for chunker in (
            Sentence(SIZE, overlap),
            Recursive(SIZE, overlap),
            Paragraph(SIZE, overlap),
            Headings(size=SIZE, overlap=overlap),
            Fixed(SIZE, overlap),
        )
    }
    found["semantic-text-splitter"] = each(rust.chunks)
    found["LangChain recursive"] = each(langchain.split_text)
    found["chonkie sentence"] = each(sentences.chunk)
    return found if overlap else {**found, "chonkie recursive": each(recursive.chunk)}


def measured(tools: dict[str, Job], rounds: int, limit: int) -> dict[str, tuple[float, float] | None]:
    """Seconds and peak MB of each tool, None where it was stopped; medians of the rounds."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in tools}
    running = dict(tools)
    for _ in range(rounds):
        for name, job in list(running.items()):
            now = in_a_process(job, limit)
            if now is None:
                del running[name]
            else:
                found[name].append(now)
    return {
        name: (statistics.median(s for s, _ in rows), statistics.median(p for _, p in rows))
        if name in running
        else None
        for name, rows in found.items()
    }


def in_a_process(job: Job, limit: int) -> tuple[float, float] | None:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(limit)
        # Give back what earlier work freed, and forget the peak so far.
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = kilobytes("VmRSS")
        began = time.perf_counter()
        held = job()
        seconds = time.perf_counter() - began
        os.write(write, json.dumps([seconds, (kilobytes("VmHWM") - before) / 1024, len(held)]).encode("utf-8"))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    if not text:
        return None
    seconds, peak, _ = json.loads(text)
    return seconds, peak


def kilobytes(name: str) -> int:
    """What Linux says of this process: its memory now (`VmRSS`), or the most of it (`VmHWM`)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def report(found: dict[str, tuple[float, float] | None], characters: int) -> None:
    ours = [name for name in found if "(" in name]
    print(f"{'':32}{'M chars/s':>10}{'peak MB':>9}" + "".join(f"{name.split('(')[0] + ' ×':>14}" for name in ours))
    for name, figures in found.items():
        if figures is None:
            print(f"{name:32}{'stopped':>10}")
            continue
        seconds, peak = figures
        ratios = [seconds / own[0] for own in (found[mine] for mine in ours) if own is not None]
        print(f"{name:32}{characters / seconds / 1e6:>10.1f}{peak:>9.0f}" + "".join(f"{r:>14.2f}" for r in ratios))


if __name__ == "__main__":
    main()
