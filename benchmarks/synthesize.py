"""`kugiri corpus synthesize`: characters a second, and the memory of the whole process at three sizes.

    python benchmarks/synthesize.py [DOCUMENTS]

DOCUMENTS (default 10,000) of 10,000 characters on average and ten questions each; before it a hundredth and a tenth of
that, so that growing memory would show. Beside it a plain loop that joins phrases drawn by `random` and writes them
with `json`. Needs about 3 bytes of disk a character, freed at the end. Ratios are of one run on one machine.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kugiri.formats.synthetic_words import phrases

# The command in a process of its own, which says how long it had a processor and how much memory it held at most.
COMMAND = """import resource, sys
from kugiri.cli import main
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss // (1024 if sys.platform != "darwin" else 1024 * 1024)
    print(used.ru_utime + used.ru_stime, peak, file=sys.stderr)
"""


def kugiri(folder: Path, documents: int) -> tuple[float, float, int, int]:
    """Seconds, seconds of a processor, characters, and MiB at the peak."""
    counts = ["--documents", documents, "--questions", 10 * documents, "--json"]
    began = time.perf_counter()
    command = [sys.executable, "-c", COMMAND, "corpus", "synthesize", "--to", folder, *counts]
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    processor, peak = done.stderr.splitlines()[-1].split()
    return seconds, float(processor), json.loads(done.stdout)["characters"], int(peak)


def plain_loop(path: Path, documents: int) -> float:
    """Characters a second of a processor in the obvious way, without paragraphs, questions or digests."""
    table = phrases()
    characters = table.characters.tobytes().decode("utf-32-le")
    places = zip(table.start.tolist(), table.lengths.tolist(), strict=True)
    pieces = [characters[start : start + length] for start, length in places]
    ranges = zip(table.first.tolist(), table.sizes.tolist(), strict=True)
    slots = [pieces[first : first + size] for first, size in ranges]
    drawn, written = random.Random(1), 0
    began = time.process_time()
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = ""
            while len(text) < 10_000:
                for slot in slots:
                    text += drawn.choice(slot)
            file.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
            written += len(text)
    return written / (time.process_time() - began)


def main() -> None:
    most = int(sys.argv[1]) if sys.argv[1:] else 10_000
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        for documents in (max(1, most // 100), max(1, most // 10), most):
            seconds, processor, characters, peak = kugiri(folder / "corpus", documents)
            print(
                f"{documents:,} documents, {characters:,} characters, {10 * documents:,} questions: {seconds:.1f} s "
                f"({characters / seconds / 1e6:.1f} M characters/s), {processor:.1f} s of a processor "
                f"({characters / processor / 1e6:.1f} M/s), start-up included; peak {peak} MiB"
            )
        loop = plain_loop(folder / "plain.jsonl", max(1, most // 100))
        print(f"plain loop: {loop / 1e6:.1f} M characters/s of a processor; ratio {characters / processor / loop:.1f}")


if __name__ == "__main__":
    main()
