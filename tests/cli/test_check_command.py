"""`kugiri check`: a gate that holds up to its limit, and outputs that hostile ids and texts cannot break."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from corpus_command import TOML, Kugiri, refused
from hypothesis import given, settings
from hypothesis import strategies as st

from kugiri.chunkers.fixed import Fixed
from kugiri.chunkers.paragraph import Paragraph
from kugiri.chunkers.parent_child import ParentChild
from kugiri.cli.annotations import annotation, escaped_data, escaped_property
from kugiri.cli.expected import COLUMN, expected_in_corpus, expected_in_results
from kugiri.cli.gate import Checked, Limits, LostQuestion
from kugiri.cli.junit import junit
from kugiri.export.manifest import write_manifest
from kugiri.export.parquet import write_json, write_table
from kugiri.export.results import read_results
from kugiri.model.windows import windows_of
from kugiri.segmenters.units import units_of
from retrieved_results import ranked_results, write_folder
from sweep_worlds import Broken
from worlds import Asked, World, corpus_of, fixed_windows, is_lost, questions_of, random_world, worlds

TEXT = "東京👩\u200d🍳か\u3099\r\n\u3000終わり始まり中ほど端"
LONG = len(TEXT)
HOSTILE_IDS = (
    "::error title=x::y",
    "::stop-commands::t",
    "##[add-mask]か\u3099",
    "a,b:c%0A%",
    "<&>\"']]>",
    "改\n行\r\u2028",
    "\x1b[31m\u202e逆",
    "\ufffe\uffff\x07",
)
HOSTILE_DOCUMENT = "甲<:&@%>\r\n::set-output::\ufffe"


def write_corpus(root: Path, spans: Sequence[tuple[int, int]], names: Sequence[str] = (), document: str = "d") -> Path:
    """One document, and a question a span."""
    root.mkdir()
    (root / "corpus.toml").write_bytes(TOML.encode())
    (root / "documents.jsonl").write_bytes(json.dumps({"id": document, "text": TEXT}).encode())
    lines = [
        {
            "id": name,
            "question": f"{name}は？",
            "evidence": [[{"document": document, "start": start, "end": end, "text": TEXT[start:end]}]],
        }
        for name, (start, end) in zip(names or [f"q{number}" for number in range(len(spans))], spans, strict=True)
    ]
    (root / "questions.jsonl").write_bytes("\n".join(map(json.dumps, lines)).encode())
    return root


@pytest.fixture
def tenth(tmp_path: Path) -> Path:
    """Thirty questions, of which windows of 4 lose three; one span of 2 characters is lost at one phase of four."""
    return write_corpus(tmp_path / "c", [(3, 5)] * 3 + [(0, 1)] * 27)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "h", [(3, 5)] * len(HOSTILE_IDS), HOSTILE_IDS, HOSTILE_DOCUMENT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(ranked_results(), tmp_path_factory.mktemp("checked") / "r")


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / "tables" / f"{name}.parquet").to_pylist()
    return found


def without_column(results: Path, to: Path) -> Path:
    """The same results as a version without the column would have written them."""
    shutil.copytree(results, to)
    path = to / "tables" / "configurations.parquet"
    table = pq.read_table(path)
    write_table(path, table.drop_columns([name for name in table.column_names if name.startswith(COLUMN)]))
    write_manifest(to, "sweep", 0.0, (), ())
    return to


# ------------------------------------------------------------------------------------------------ limits
# 3 of 30, and 3/4 of a question of 30: neither 0.1 nor 0.025 is a binary number.
@pytest.mark.parametrize(
    ("limit", "value", "holds"),
    [
        ("--max-lost", "3", True),
        ("--max-lost", "2", False),
        ("--max-lost", "4", True),
        ("--max-lost-rate", "0.1", True),
        ("--max-lost-rate", "0.0999999999999999", False),
        ("--max-lost-rate", "0.1000000000000000000000000000001", True),
        ("--max-lost-rate", "0.0999999999999999999999999999999", False),
        ("--max-lost-rate", "1e-400", False),
        ("--max-lost-rate", "1", True),
        ("--max-lost-rate", "0", False),
        ("--max-expected", "0.025", True),
        ("--max-expected", "0.02499999999999999", False),
        ("--max-expected", "1", True),
        ("--max-expected", "0", False),
    ],
)
def test_a_limit_holds_up_to_itself(kugiri: Kugiri, tenth: Path, limit: str, value: str, holds: bool) -> None:
    done = kugiri("check", tenth, "--chunker", "fixed(size=4)", limit, value)
    assert (done.code, done.err) == (0 if holds else 4, "")
    first = done.out.splitlines()[0]
    assert first.startswith("fixed(size=4): ")
    assert f"at most {value}" in first
    assert first.endswith(": holds" if holds else ": does not hold")


def test_every_limit_is_judged_by_itself_and_the_lost_are_named(kugiri: Kugiri, tenth: Path) -> None:
    limits = ("--max-lost", 3, "--max-lost-rate", 0.05, "--max-expected", 0.02)
    done = kugiri("check", tenth, "--chunker", "fixed(size=4)", *limits)
    assert done.code == 4
    assert done.out.splitlines() == [
        "fixed(size=4): lost 3 of 30 questions, at most 3: holds",
        "fixed(size=4): share lost 0.1 (3 of 30 questions), at most 0.05: does not hold",
        "fixed(size=4): expected share lost 0.025 (0.75 of 30 questions), at most 0.02: does not hold",
        "lost by fixed(size=4):",
        "- q0  d@3:5  cut",
        "- q1  d@3:5  cut",
        "- q2  d@3:5  cut",
    ]


def test_what_holds_names_nothing(kugiri: Kugiri, tenth: Path) -> None:
    done = kugiri("check", tenth, "--chunker", "fixed(size=4)", "--max-lost", 3)
    assert (done.code, done.out) == (0, "fixed(size=4): lost 3 of 30 questions, at most 3: holds\n")


def test_several_ways_of_cutting_and_each_once(kugiri: Kugiri, tenth: Path) -> None:
    labels = ("fixed(size=4)", "fixed(size=4,overlap=0.0)", "whole()")
    done = kugiri("check", tenth, *(word for label in labels for word in ("--chunker", label)), "--max-lost", 0)
    assert done.code == 4
    assert done.out.splitlines()[:2] == [
        "fixed(size=4): lost 3 of 30 questions, at most 0: does not hold",
        "whole(): lost 0 of 30 questions, at most 0: holds",
    ]
    assert "lost by whole()" not in done.out


def test_a_person_reads_twenty_and_json_has_all(kugiri: Kugiri, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c", [(3, 5)] * 22)
    done = kugiri("check", corpus, "--chunker", "fixed(size=4)", "--max-lost", 0)
    assert done.out.splitlines()[-2:] == ["- q19  d@3:5  cut", "- and 2 more (all of them with --json)"]
    told = json.loads(kugiri("check", corpus, "--chunker", "fixed(size=4)", "--max-lost", 0, "--json").out)
    (one,) = told["configurations"]
    assert [question["question_id"] for question in one["lost_questions"]] == [f"q{n}" for n in range(22)]
    assert one["lost_questions"][0] == {"question_id": "q0", "document_id": "d", "start": 3, "end": 5, "cause": "cut"}
    assert told["holds"] is one["holds"] is False
    assert one["limits"] == [{"limit": "max-lost", "figure": 22, "at_most": 0, "holds": False}]
    assert (one["lost"], one["lost_rate"], one["expected_lost"]) == (22, 1.0, None)


@given(figure=st.fractions(0, 1, max_denominator=10**9), off=st.sampled_from((-1, 0, 1)), digits=st.integers(1, 15))
def test_a_figure_is_never_written_on_the_other_side_of_its_limit(figure: Fraction, off: int, digits: int) -> None:
    limit = Fraction(repr(float(round(figure, digits) + Fraction(off, 10**digits))))
    one = Checked.of("x()", 1, (), figure, Limits(expected=max(limit, Fraction(0))))
    (verdict,) = one.verdicts
    shown = re.match(r"expected share lost (\S+) \(", verdict.said)
    assert verdict.holds == (figure <= verdict.at_most)
    if shown:
        assert (Fraction(shown[1]) <= verdict.at_most) == verdict.holds
    else:
        assert ("just above" in verdict.said) != verdict.holds


# ------------------------------------------------------------------------------------------------ expected loss
def shifted(length: int, size: int, stride: int, phase: int) -> list[tuple[int, int]]:
    """The windows over one document, `phase` characters before it, clipped to it; a document that fits stays whole."""
    if length <= size:
        return [(0, length)] if length else []
    cut = fixed_windows(length + phase, size, size - stride)
    return [(max(a - phase, 0), b - phase) for a, b in cut if b > phase]


def brute_force(world: World, size: int, overlap: int) -> Fraction:
    """The mean of the lost questions over all phases."""
    stride, lost = size - overlap, 0
    for phase in range(stride):
        cut = [(d, *pair) for d, text in enumerate(world.texts) for pair in shifted(len(text), size, stride, phase)]
        lost += sum(is_lost(cut, asked) for asked in world.asked)
    return Fraction(lost, stride)


@settings(max_examples=60, deadline=None)
@given(world=worlds(answerable=True), size=st.integers(1, 9), data=st.data())
def test_expected_loss_is_exact(world: World, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    found = expected_in_corpus(Fixed(size, overlap), world.corpus(), world.questions())
    assert found == brute_force(world, size, overlap)
    assert expected_in_corpus(Fixed(2**48), world.corpus(), world.questions()) == 0


@pytest.mark.parametrize("seed", range(12))
def test_results_say_the_same_with_the_column_and_without(seed: int, tmp_path: Path) -> None:
    world = random_world(seed, 3, 12, 6, answerable=True)
    chunkers = (Fixed(3), Fixed(7, 0.4), Fixed(5, 4), Fixed(60), ParentChild(Fixed(8), Fixed(2)))
    made = ranked_results(world.corpus(), world.questions(), chunkers, ())
    written = write_folder(made, tmp_path / "new", text=False, runs=False)
    for results in (written, without_column(written, tmp_path / "old")):
        found = read_results(results)
        for row, chunker in zip(found.table("configurations").to_pylist(), chunkers, strict=True):
            windows = windows_of(chunker)
            assert windows is not None
            assert expected_in_results(found, row) == brute_force(world, windows.size, windows.overlap_units)


@pytest.mark.parametrize("unit", ["grapheme", "morpheme", "token"])
def test_any_unit_in_a_corpus(kugiri: Kugiri, tenth: Path, unit: str) -> None:
    corpus = corpus_of([TEXT])
    units = units_of(corpus, unit, "cl100k")
    spans = list(zip(units.start.tolist(), units.end.tolist(), strict=True))
    asked = [(3, 5)] * 3 + [(0, 1)] * 27
    lost = 0
    for phase in range(2):
        starts = range(-phase, len(spans), 2)
        cut = [(spans[max(a, 0)][0], spans[min(a + 2, len(spans)) - 1][1]) for a in starts if a + 2 > 0]
        lost += sum(not any(a <= start and end <= b for a, b in cut) for start, end in asked)
    label = f'fixed(size=2, unit="{unit}")'
    for limit, code in ((Fraction(lost, 60), 0), (Fraction(lost, 60) - Fraction(1, 10**6), 4)):
        if limit >= 0:
            assert kugiri("check", tenth, "--chunker", label, "--max-expected", float(limit)).code == code


def test_the_column_is_read_and_a_share_of_it_compared_exactly(kugiri: Kugiri, tmp_path: Path) -> None:
    corpus = corpus_of([TEXT])
    # One question of ten is lost at one phase of five: 0.02.
    asked: list[Asked] = [[[(0, 3, 5)]]] + [[[(0, 0, 1)]]] * 9
    made = ranked_results(corpus, questions_of(corpus, asked), (Fixed(5),), ())
    results = write_folder(made, tmp_path / "r", text=False, runs=False)
    path = results / "tables" / "configurations.parquet"
    table = pq.read_table(path)
    if COLUMN not in table.column_names:
        pytest.skip("this version writes no expected loss")
    assert kugiri("check", results, "--max-expected", 0.02).code == 0
    assert kugiri("check", results, "--max-expected", 0.0199999999).code == 4


@pytest.mark.parametrize("label", ["paragraph()", "fixed(size=4, trim=true)", "sentence(size=10)"])
def test_other_strategies_have_no_expected_loss(kugiri: Kugiri, tenth: Path, label: str) -> None:
    refused(kugiri("check", tenth, "--chunker", label, "--max-expected", 0.5), "no expected loss", "fixed windows")


def test_results_of_other_strategies_and_of_units(kugiri: Kugiri, folder: Path, tmp_path: Path) -> None:
    refused(kugiri("check", folder, "--max-expected", 0.5), "paragraph() has no expected loss", "--configuration")
    named = ("--configuration", "fixed(size=4) + random()")
    assert kugiri("check", folder, *named, "--max-expected", 1).code == 0
    corpus = corpus_of([TEXT])
    made = ranked_results(corpus, questions_of(corpus, [[[(0, 3, 5)]]]), (Fixed(2, unit="grapheme"),), ())
    written = write_folder(made, tmp_path / "new", runs=False)
    old = without_column(written, tmp_path / "old")
    refused(kugiri("check", old, "--max-expected", 1), "cannot be counted", "run the sweep again")


# ------------------------------------------------------------------------------------------------ results
@pytest.mark.parametrize("text", [True, False])
def test_results_are_checked_from_their_tables(kugiri: Kugiri, tmp_path: Path, text: bool) -> None:
    folder = write_folder(ranked_results(), tmp_path / "r", text=text, runs=False)
    done = kugiri("check", folder, "--max-lost", 0, "--max-lost-rate", 0.5, "--json")
    told = json.loads(done.out)
    assert done.code == 4
    assert [one["configuration"] for one in told["configurations"]] == [
        row["configuration"] for row in rows(folder, "configurations")
    ]
    for one, row in zip(told["configurations"], rows(folder, "configurations"), strict=True):
        listed = [r for r in rows(folder, "lost") if r["configuration"] == row["configuration"]]
        assert (one["lost"], one["questions"], one["lost_rate"]) == (row["lost"], row["questions"], row["lost_rate"])
        assert one["lost_questions"] == [
            {
                "question_id": r["question_id"],
                "document_id": r["document_id"],
                "start": r["evidence_start"],
                "end": r["evidence_end"],
                "cause": r["cause"],
            }
            for r in listed
        ]
        assert [limit["holds"] for limit in one["limits"]] == [row["lost"] == 0, row["lost_rate"] <= 0.5]
        assert one["expected_lost"] == row[COLUMN]


def test_results_and_corpus_agree(kugiri: Kugiri, tenth: Path, tmp_path: Path) -> None:
    from kugiri.formats.corpus_folder import load_corpus

    corpus, questions = load_corpus(tenth)
    made = ranked_results(corpus, questions, (Fixed(4),), ())  # type: ignore[arg-type]
    results = write_folder(made, tmp_path / "r", runs=False)
    limits = ("--max-lost", 0, "--max-lost-rate", 0.1, "--max-expected", 0.025)
    one, other = kugiri("check", results, *limits), kugiri("check", tenth, "--chunker", "fixed(size=4)", *limits)
    assert one == other
    assert one.code == 4


def test_configurations_are_named_as_they_are_elsewhere(kugiri: Kugiri, folder: Path) -> None:
    done = kugiri("check", folder, "--configuration", "paragraph()+random(seed=1)", "--max-lost-rate", 1)
    assert (done.code, done.out.count("\n")) == (0, 1)
    assert done.out.startswith("paragraph() + random(): share lost ")
    refused(kugiri("check", folder, "--configuration", "paragrap()", "--max-lost", 1), "paragrap", "did you mean")


def test_a_failed_configuration_never_passes(kugiri: Kugiri, tmp_path: Path) -> None:
    made = ranked_results(chunkers=(Paragraph(), Broken()), retrievers=())
    results = write_folder(made, tmp_path / "r", runs=False)
    refused(kugiri("check", results, "--max-lost-rate", 1), "broken() failed", "--configuration")
    refused(kugiri("check", results, "--configuration", "broken()", "--max-lost-rate", 1), "broken() failed")
    assert kugiri("check", results, "--configuration", "paragraph()", "--max-lost-rate", 1).code == 0


# ------------------------------------------------------------------------------------------------ JUnit
ELEMENTS: dict[str, tuple[set[str], set[str], set[str]]] = {
    # Jenkins's junit-10.xsd, which GitLab, Azure and the actions for GitHub read too: children, attributes it must have
    # and may have.
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
    ),
    "testcase": ({"skipped", "error", "failure"}, {"name"}, {"time", "classname", "group"}),
    "failure": (set(), set(), {"type", "message"}),
}


def strictly_read(data: bytes) -> ElementTree.Element:
    """The root of a JUnit file that follows the schema, its counts right and its test cases told apart."""
    root = ElementTree.fromstring(data)
    assert root.tag == "testsuites"
    for element in root.iter():
        children, required, optional = ELEMENTS[element.tag]
        assert {child.tag for child in element} <= children
        assert required <= set(element.attrib) <= required | optional
        if element.tag != "failure":
            assert not (element.text or "").strip()
        assert not (element.tail or "").strip()
        if element.tag in ("testsuites", "testsuite"):
            counts = {name: int(element.attrib[name]) for name in ("tests", "failures", "errors")}
            cases = list(element.iter("testcase"))
            assert counts == {
                "tests": len(cases),
                "failures": sum(case.find("failure") is not None for case in cases),
                "errors": 0,
            }
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    return root


def test_junit_has_a_case_a_configuration_and_limit(kugiri: Kugiri, tenth: Path) -> None:
    chunkers = ("--chunker", "fixed(size=4)", "--chunker", "fixed(size=9, overlap=0.5)")
    done = kugiri("check", tenth, *chunkers, "--max-lost", 3, "--max-expected", 0.02, "--junit", "new/out.xml")
    assert done.code == 4
    root = strictly_read(Path("new/out.xml").read_bytes())
    assert [(case.get("name"), case.find("failure") is not None) for case in root.iter("testcase")] == [
        ("fixed(size=4): max-lost", False),
        ("fixed(size=4): max-expected", True),
        ("fixed(size=9, overlap=0.5): max-lost", False),
        ("fixed(size=9, overlap=0.5): max-expected", False),
    ]
    (failure,) = root.iter("failure")
    assert failure.get("type") == "max-expected"
    said = "expected share lost 0.025 (0.75 of 30 questions), at most 0.02: does not hold"
    assert failure.get("message") == said
    lines = [f"fixed(size=4): {said}", "q0  d@3:5  cut", "q1  d@3:5  cut", "q2  d@3:5  cut"]
    assert (failure.text or "").splitlines() == lines
    assert [path.name for path in Path("new").iterdir()] == ["out.xml"]


def test_junit_names_every_lost_question_and_holds_no_forbidden_character(kugiri: Kugiri, hostile: Path) -> None:
    done = kugiri("check", hostile, "--chunker", "fixed(size=4)", "--max-lost", 0, "--junit", "a.xml")
    assert done.code == 4
    data = Path("a.xml").read_bytes()
    allowed = re.compile(r"[\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
    assert allowed.fullmatch(data.decode())
    (failure,) = strictly_read(data).iter("failure")
    lines = (failure.text or "").split("\n")
    assert len(lines) == 1 + len(HOSTILE_IDS)
    place = r"甲<%3A&%40%25>\r\n%3A%3Aset-output%3A%3A\ufffe@3:5  cut"
    assert lines[5] == f"<&>\"']]>  {place}"
    assert lines[7] == rf"\x1b[31m\u202e逆  {place}"
    assert lines[8] == rf"\ufffe\uffff\x07  {place}"


@settings(max_examples=100)
@given(text=st.text(st.characters(exclude_categories=()), max_size=20), label=st.text(max_size=8))
def test_any_text_is_data_in_xml_and_in_annotations(text: str, label: str) -> None:
    lost = [LostQuestion(text, text[::-1], 1, 2, "cut"), LostQuestion(text, text, 1, 2, "dropped")]
    one = Checked.of(label, 3, lost, None, Limits(lost=1))
    (case,) = strictly_read(junit(text, [one])).iter("testcase")
    failure = case.find("failure")
    assert failure is not None
    assert len((failure.text or "").split("\n")) == 3
    line = annotation(one)
    assert len(line.splitlines()) == 1
    command = re.fullmatch(r"::error title=([^:,\r\n]*)::([^\r\n]*)", line)
    assert command
    assert unescaped(command[2]).split("\n")[0] == "lost 2 of 3 questions, at most 1: does not hold"
    assert len(unescaped(command[2]).split("\n")) == 3


def test_junit_is_written_whole_or_not_at_all(kugiri: Kugiri, tenth: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.xml").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    arguments = ("check", tenth, "--chunker", "fixed(size=4)", "--max-lost", 9, "--junit")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        refused(kugiri(*arguments, "a.xml"), "No space left")
    assert Path("a.xml").read_bytes() == b"old"
    assert sorted(path.name for path in Path().iterdir()) == ["a.xml", "c"]
    assert kugiri(*arguments, "a.xml").code == 0
    first = Path("a.xml").read_bytes()
    strictly_read(first)
    kugiri(*arguments, "a.xml")
    assert Path("a.xml").read_bytes() == first
    Path("f.xml").mkdir()
    refused(kugiri(*arguments, "f.xml"), "a folder")
    refused(kugiri(*arguments, "c/questions.jsonl"), "no XML file")
    refused(kugiri(*arguments, "a.xml/b.xml"), "cannot be written")


# ------------------------------------------------------------------------------------------------ GitHub
def unescaped(text: str) -> str:
    """As the runner reads a message or a property."""
    for written, meant in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(written, meant)
    return text


def test_escapes_are_those_of_github() -> None:
    assert escaped_data("100%\r\n::a, b") == "100%25%0D%0A::a, b"
    assert escaped_property("100%\r\n::a, b") == "100%25%0D%0A%3A%3Aa%2C b"
    assert unescaped(escaped_property("%0A%3A:,")) == "%0A%3A:,"


def test_annotations_say_what_failed_and_nothing_else_is_a_command(kugiri: Kugiri, hostile: Path) -> None:
    chunkers = ("--chunker", "fixed(size=2, overlap=0.0)", "--chunker", "whole()")
    done = kugiri("check", hostile, *chunkers, "--max-lost", 0, "--max-lost-rate", 0.5, "--github")
    assert done.code == 4
    lines = done.out.split("\n")[:-1]
    stop = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0])
    assert stop
    behind = lines.index(f"::{stop[1]}::") + 1
    assert behind == len(lines) - 1
    assert not [line for line in lines[1 : behind - 1] if line.lstrip().startswith("::")]
    command = re.fullmatch(r"::error title=([^:,]*)::(.*)", lines[-1])
    assert command
    assert unescaped(command[1]) == "kugiri check: fixed(size=2)"
    message = unescaped(command[2]).split("\n")
    assert len(message) == 2 + len(HOSTILE_IDS)
    assert message[0] == f"lost {len(HOSTILE_IDS)} of {len(HOSTILE_IDS)} questions, at most 0: does not hold"
    assert message[1].startswith("share lost 1 ")
    assert message[2].startswith("::error title=x::y  甲<%3A")


def test_without_github_no_line_is_a_command_either(kugiri: Kugiri, hostile: Path) -> None:
    done = kugiri("check", hostile, "--chunker", "fixed(size=4)", "--max-lost", 0)
    assert len(done.out.splitlines()) == 2 + len(HOSTILE_IDS)
    assert not [line for line in done.out.splitlines() if line.lstrip().startswith("::")]
    assert "\x1b" not in done.out


def test_json_stays_json_beside_annotations(kugiri: Kugiri, hostile: Path) -> None:
    done = kugiri("check", hostile, "--chunker", "fixed(size=4)", "--max-lost", 0, "--github", "--json")
    told = json.loads(done.out)
    assert [question["question_id"] for question in told["configurations"][0]["lost_questions"]] == [*HOSTILE_IDS]
    assert [line.split("::")[1] for line in done.err.splitlines()] == ["error title=kugiri check%3A fixed(size=4)"]
    holds = kugiri("check", hostile, "--chunker", "whole()", "--max-lost", 0, "--github")
    assert "::error" not in holds.out


# ------------------------------------------------------------------------------------------------ refusals
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--max-lost", "-1"),
        ("--max-lost", "0.5"),
    ],
)
def test_wrong_usage_keeps_the_words_of_typer(kugiri: Kugiri, tenth: Path, options: tuple[str, ...]) -> None:
    done = kugiri("check", tenth, "--chunker", "fixed(size=4)", *options)
    assert (done.code, done.out) == (2, "")
    assert "kugiri check [OPTIONS]" in done.err
    assert (options[0] if options else "--max-lost") in done.err


@pytest.mark.parametrize("option", ["--max-lost-rate", "--max-expected"])
@pytest.mark.parametrize("written", ["5", "1.0000000000000000001", "-0.1", "nan", "inf", "1%", "", "１", "1_0"])
def test_a_share_is_a_decimal_number(kugiri: Kugiri, tenth: Path, option: str, written: str) -> None:
    done = kugiri("check", tenth, "--chunker", "fixed(size=4)", option, written)
    refused(done, f"{written!r} is no share of questions", option, "as in 0.01 for 1 %")


def test_folders_and_options_that_do_not_fit(kugiri: Kugiri, tenth: Path, folder: Path, tmp_path: Path) -> None:
    limit = ("--max-lost", 0)
    refused(kugiri("check", tenth, *limit), "under a way of cutting", "--chunker")
    refused(kugiri("check", tenth, "--configuration", "whole()", *limit), "no configurations", "--chunker")
    refused(kugiri("check", folder, "--chunker", "whole()", *limit), "cut already", "--configuration")
    refused(kugiri("check", tenth, "--chunker", "hole()", *limit), "did you mean 'whole'")
    refused(kugiri("check", "nowhere", *limit), "is absent", "manifest.json", "corpus.toml")
    (tmp_path / "empty").mkdir()
    refused(kugiri("check", "empty", *limit), "neither results nor a corpus")
    refused(kugiri("check", tenth / "corpus.toml", *limit), "is a file")


def test_nothing_to_lose_is_no_pass(kugiri: Kugiri, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "c", [(0, 1)])
    (corpus / "questions.jsonl").write_bytes(b'{"id":"q","question":"?","evidence":[]}')
    refused(kugiri("check", corpus, "--chunker", "whole()", "--max-lost", 0), "no question has evidence")


def test_changed_tables_are_refused(kugiri: Kugiri, folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    facts = json.loads((copy / "tables" / "sweep.json").read_bytes())
    write_json(copy / "tables" / "sweep.json", facts | {"title": "other"})
    refused(kugiri("check", copy, "--max-lost", 99), "damaged")


def test_the_checks_of_the_two_kinds_do_not_meet(kugiri: Kugiri, tenth: Path) -> None:
    assert json.loads(kugiri("corpus", "check", tenth, "--json").out)["questions"] == 30
