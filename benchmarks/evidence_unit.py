"""What registering the wrong unit of evidence does: three corpora, one page.

    kugiri corpus import jsquad valid-v1.3.json --to corpora/jsquad
    kugiri corpus import squad jaquad_dev_000*.json --to corpora/jaquad
    python benchmarks/evidence_unit.py

From the project's root: runs `sweeps/evidence-unit-*.toml` without text into `reports/evidence-unit/`, and writes the
answer beside them as `README.md`, in Japanese and English, from their tables alone. `--page` writes the page alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

OUT = Path("reports/evidence-unit")
CORPORA = {"handbook": "handbook", "jsquad": "JSQuAD", "jaquad": "JaQuAD"}
UNITS = ("span", "sentence", "paragraph")
SHOWN = ("fixed(size=100)", "fixed(size=200)", "fixed(size=400)", "fixed(size=800)", "fixed(size=400, overlap=0.2)")
WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def page(folder: Path) -> str:
    """README.md from the tables of the three results folders."""
    found = {name: _read(folder / name) for name in CORPORA}
    parts = [_in_language(found, language) for language in ("ja", "en")]
    return "\n".join(parts)


def _read(folder: Path) -> tuple[int, dict[tuple[str, str], dict[str, Any]]]:
    sweep = json.loads((folder / "tables" / "sweep.json").read_text(encoding="utf-8"))
    rows = pq.read_table(folder / "tables" / "evidence_units.parquet").to_pylist()
    return sweep["questions"]["answerable"], {(row["configuration"], row["unit"]): row for row in rows}


def _in_language(found: dict[str, Any], language: str) -> str:
    words: dict[str, Any] = WORDS[language]
    lines = [f"# {words['title']}", "", words["question"], "", f"## {words['answer']}", ""]
    changed = dict.fromkeys(UNITS, 0)
    for name, (questions, rows) in found.items():
        chosen = {unit: _chosen(rows, unit) for unit in UNITS}
        for unit in UNITS:
            changed[unit] += chosen[unit] != chosen["span"]
        label = SHOWN[0]
        facts: dict[str, Any] = {}
        for unit in UNITS:
            row = rows[label, unit]
            facts |= {unit: f"{row['lost']:,}", f"{unit}_share": _percent(row["lost_rate"])}
            facts[f"{unit}_alarms"] = _percent(row["false_alarms"] / max(1, row["lost"]))
        over = words["over"].format(corpus=CORPORA[name], questions=f"{questions:,}", label=label, **facts)
        lines.append(f"- {over}")
        said = {
            unit: words["none"]
            if taken is None
            else words["vectors"].format(label=taken, chunks=f"{rows[taken, unit]['chunks']:,}")
            for unit, taken in chosen.items()
        }
        lines.append(f"  {words['choice'].format(**said)}")
    lines += ["", words["verdict"].format(corpora=len(found), **changed), "", f"## {words['table']}", ""]
    lines += [f"| {' | '.join(words['head'])} |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    for name, (_, rows) in found.items():
        for label in (*SHOWN, "paragraph()"):
            numbers = [_cell(rows[label, unit]) for unit in UNITS]
            chunks = f"{rows[label, 'span']['chunks']:,}"
            lines.append(f"| {CORPORA[name]} | `{label}` | {chunks} | {' | '.join(numbers)} |")
    lines.append("")
    for name, (_, rows) in found.items():
        lengths = {unit: f"{rows[SHOWN[0], unit]['chars_mean']:.1f}" for unit in UNITS}
        source = words["recorded" if rows[SHOWN[0], "sentence"]["recorded"] else "computed"]
        lines.append(f"- {words['lengths'].format(corpus=CORPORA[name], source=source, **lengths)}")
    links = " · ".join(f"[{title}]({name}/report.md)" for name, title in CORPORA.items())
    lines += ["", f"{words['reports']}: {links}", "", f"{words['made']} `python benchmarks/evidence_unit.py`", ""]
    return "\n".join(lines)


def _chosen(rows: dict[tuple[str, str], dict[str, Any]], unit: str) -> str | None:
    return next((label for (label, of), row in rows.items() if of == unit and row["chosen"]), None)


def _cell(row: dict[str, Any]) -> str:
    lost, alarms, too_long = (f"{row[key]:,}" for key in ("lost", "false_alarms", "false_alarms_too_long"))
    return lost if row["unit"] == "span" else f"{lost} ({alarms}, {too_long})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def main() -> None:
    """Runs the three sweeps, unless `--page`, and writes the page."""
    if "--page" not in sys.argv[1:]:
        for name in CORPORA:
            sweep = ["sweep", f"sweeps/evidence-unit-{name}.toml", "--out", str(OUT / name), "--no-text"]
            subprocess.run([str(Path(sys.executable).with_name("kugiri")), *sweep], check=True)
    (OUT / "README.md").write_text(page(OUT), encoding="utf-8")


if __name__ == "__main__":
    main()
