from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from squad_files import TANGLED, article, question, squad_file

from kugiri.errors import InputError
from kugiri.formats.protocol import Source, SourceAnswer
from kugiri.formats.quotations import OFFSET_UNITS, from_code_point, quoted_at, to_code_point
from kugiri.formats.squad import JSquad, Squad

CAPITAL = "日本の首都は東京です"


def read(tmp_path: Path, *articles: dict[str, Any], reader: Squad | JSquad | None = None) -> Source:
    return (reader or Squad()).read([squad_file(tmp_path / "a.json", *articles)])


def answers(source: Source) -> dict[str, list[tuple[int, int]]]:
    return {
        asked.id: [(answer.start, answer.end) for answer in asked.answers]
        for paragraph in source.paragraphs
        for asked in paragraph.questions
    }


def reasons(source: Source) -> dict[str, str]:
    return {left_out.id: left_out.reason for left_out in source.excluded}


def test_labels() -> None:
    assert str(Squad()) == "squad()"
    assert str(JSquad(offset_unit="utf16")) == 'jsquad(offset_unit="utf16")'


def test_b17_what_offsets_count_is_said_and_checked(tmp_path: Path) -> None:
    text = "寿司👩\u200d🍳か\u3099\r\n\u3000皿"
    for unit in OFFSET_UNITS:
        start = from_code_point(text, text.index("皿"), unit)
        source = read(
            tmp_path, article("t", (text, [question("q", "?", ("皿", start))])), reader=Squad(offset_unit=unit)
        )
        assert answers(source) == {"q": [(text.index("皿"), len(text))]}
    with pytest.raises(InputError, match="--offset-unit"):
        Squad(offset_unit="utf-16")


def test_b19_offsets_in_utf_16(tmp_path: Path) -> None:
    sushi = article("t", ("🍣を3皿", [question("q", "?", ("3皿", 3))]))
    assert answers(read(tmp_path, sushi, reader=Squad(offset_unit="utf16"))) == {"q": [(2, 4)]}


def test_b19_the_unit_that_fits_is_named_and_not_taken(tmp_path: Path) -> None:
    sushi = article("t", ("🍣を3皿", [question("q", "?", ("3皿", 3))]))
    with pytest.raises(InputError) as refused:
        read(tmp_path, sushi)
    assert refused.value.remedy == "every answer fits with --offset-unit utf16"
    excluded = read(tmp_path, sushi, reader=Squad(on_mismatch="exclude"))
    assert reasons(excluded) == {"q": "offset_mismatch"}
    assert excluded.warnings[-1] == "every answer fits with --offset-unit utf16"
    # Another answer that fits in no unit: nothing is named.
    bad = article("t", ("🍣を3皿", [question("q", "?", ("3皿", 3)), question("p", "?", ("鮭", 0))]))
    with pytest.raises(InputError, match="correct the offsets"):
        read(tmp_path, bad)


def test_an_offset_inside_a_character_is_a_mismatch(tmp_path: Path) -> None:
    sushi = article("t", ("🍣を3皿", [question("q", "?", ("を", 1))]))
    with pytest.raises(InputError) as refused:
        read(tmp_path, sushi, reader=Squad(offset_unit="utf16"))
    assert "utf16 offset 1 is inside a character, nearest 2" in refused.value.listing[0]


@pytest.mark.parametrize("unit", OFFSET_UNITS)
def test_units_there_and_back(unit: str) -> None:
    for place in range(len(TANGLED) + 1):
        assert to_code_point(TANGLED, from_code_point(TANGLED, place, unit), unit) == place
    assert to_code_point(TANGLED, -1, unit) is None
    assert to_code_point(TANGLED, from_code_point(TANGLED, len(TANGLED), unit) + 1, unit) is None
    assert quoted_at(TANGLED, "", 0, unit) is None


@pytest.mark.parametrize(("start", "found"), [(7, "'京で'"), (5, "'は東'"), (11, "''"), (-3, "''")])
def test_g62_a_quotation_that_is_not_there(tmp_path: Path, start: int, found: str) -> None:
    capital = article("t", (CAPITAL, [question("q3", "首都は？", ("東京", start))]))
    with pytest.raises(InputError) as refused:
        read(tmp_path, capital)
    (line,) = refused.value.listing
    assert line.startswith(f"q3: mismatch: text[{start}:{start + 2}]={found}, nearest 6, quoted '東京'")
    assert line.endswith("data[0].paragraphs[0]")


def test_g62_all_of_them_are_listed(tmp_path: Path) -> None:
    asked = [question(f"q{n}", "?", ("東京", n), ("大阪", 0), ("", 3)) for n in range(5)]
    with pytest.raises(InputError) as refused:
        read(tmp_path, article("t", (CAPITAL, asked)))
    assert len(refused.value.listing) == 15
    assert "found nowhere" in refused.value.listing[1]
    assert "the quotation at 3 is empty" in refused.value.listing[2]
    assert refused.value.what.startswith("15 answers")


def test_g64_the_whole_question_is_excluded_by_name(tmp_path: Path) -> None:
    asked = [question(f"q{n}", "?", ("東京", 6), *([("東京", 7)] if n == 3 else [])) for n in range(1, 6)]
    source = read(tmp_path, article("t", (CAPITAL, asked)), reader=Squad(on_mismatch="exclude"))
    assert list(answers(source)) == ["q1", "q2", "q4", "q5"]
    assert reasons(source) == {"q3": "offset_mismatch"}
    assert len(source.warnings) == 1


def test_g67_identical_answers_are_one(tmp_path: Path) -> None:
    source = read(tmp_path, article("t", (CAPITAL, [question("q", "?", *[("東京", 6)] * 3, ("東", 6))])))
    assert answers(source) == {"q": [(6, 8), (6, 7)]}


def test_squad_2_questions_without_answers(tmp_path: Path) -> None:
    asked = [
        question(1, "?", is_impossible=True, plausible_answers=[{"text": "x", "answer_start": 0}]),
        question("none", "?"),
        {"id": "old", "question": "?", "answers": [{"text": "東京", "answer_start": 6}], "x": 1},
    ]
    source = read(tmp_path, article("t", (CAPITAL, asked)))
    assert answers(source) == {"1": [], "old": [(6, 8)]}
    assert reasons(source) == {"none": "no_answer"}
    with pytest.raises(InputError, match="impossible and has answers"):
        read(tmp_path, article("t", (CAPITAL, [question("q", "?", ("東京", 6), is_impossible=True)])))


def test_jsquad_takes_the_title_away(tmp_path: Path) -> None:
    # Only ASCII spaces belong to the mark: the ideographic space after them is the body's first character.
    context = f"東京 [SEP]   \u3000{TANGLED} [SEP] 東京"
    cut = context.index("\u3000")
    asked = [
        question("body", "?", ("東京", 0), ("東京", context.index("東京", 5)), ("\u3000", cut)),
        question("title", "?", ("東京", 0)),
        question("across", "?", ("[SEP]   \u3000東", 3)),
        question("none", "?"),
        question("impossible", "?", is_impossible=True),
    ]
    source = read(tmp_path, article("東京", (context, asked)), reader=JSquad())
    assert source.paragraphs[0].text == context[cut:]
    assert answers(source) == {"body": [(1, 3), (0, 1)], "impossible": []}
    assert reasons(source) == {"title": "answer_in_title", "across": "answer_in_title", "none": "no_answer"}


def test_jsquad_units_count_from_the_start_of_the_context(tmp_path: Path) -> None:
    context = "🍣 [SEP] 🍣を3皿"
    asked = [question("q", "?", ("3皿", 12))]
    source = read(tmp_path, article("t", (context, asked)), reader=JSquad(offset_unit="utf16"))
    assert source.paragraphs[0].questions[0].answers == (SourceAnswer(2, 4),)


def test_jsquad_without_its_mark(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \[SEP\]\n.*data\[1\]\.paragraphs\[0\]"):
        read(tmp_path, article("t", ("a [SEP] b", [])), article("u", (TANGLED, [])), reader=JSquad())


def test_ids_are_used_once_over_all_files(tmp_path: Path) -> None:
    one = squad_file(tmp_path / "1.json", article("t", (CAPITAL, [question(1, "?", ("東京", 6))])))
    two = squad_file(tmp_path / "2.json", article("t", (CAPITAL, [question("1", "?", ("東京", 6))])))
    assert [
        p.article for p in Squad().read([one, squad_file(tmp_path / "3.json", article("t", (TANGLED, [])))]).paragraphs
    ] == [0, 1]
    with pytest.raises(InputError, match=r"two questions have the id '1'\n.*2\.json: .*qas\[0\], first at .*1\.json"):
        Squad().read([one, two])
    both = [question("a", "?", ("東京", 6)), question("a", "?", ("東京", 6))]
    with pytest.raises(InputError, match="two questions"):
        read(tmp_path, article("t", (CAPITAL, both)))


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"data": [{"paragraphs": [{"context": "a", "qas": [{"id": 1, "question": "?", "answers": {}}]}]}]}, "answers"),
        ({"data": [{"paragraphs": [{"context": 1, "qas": []}]}]}, "data[0].paragraphs[0].context"),
        ({"data": [{"paragraphs": [{"qas": []}]}]}, "data[0].paragraphs[0]"),
        ({"data": [{"title": 1, "paragraphs": []}]}, "data[0].title"),
        ([], "a.json"),
    ],
)
def test_wrong_shapes(tmp_path: Path, data: Any, where: str) -> None:
    import json

    (tmp_path / "a.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        Squad().read([tmp_path / "a.json"])
    assert where in refused.value.where


def test_o116_other_encodings(tmp_path: Path) -> None:
    path = squad_file(
        tmp_path / "a.json", article("首都", (CAPITAL, [question("q", "？", ("東京", 6))])), encoding="cp932"
    )
    assert answers(Squad(encoding="cp932").read([path])) == {"q": [(6, 8)]}
    with pytest.raises(InputError, match="try --encoding cp932"):
        Squad().read([path])
