from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from squad_files import TANGLED

from kugiri.errors import InputError
from kugiri.formats.corpus_folder import corpus_of
from kugiri.formats.protocol import SourceAnswer, SourceParagraph, SourceQuestion
from kugiri.formats.pseudo_documents import Join, joined, parse_join
from kugiri.model.corpus import CorpusInfo, Document
from kugiri.model.questions import Question, Questions

INFO = CorpusInfo("a", "a", "ja", "x", "x", "x")


def paragraph(text: str, number: int = 0, title: str | None = "題", *asked: tuple[str, int, int]) -> SourceParagraph:
    questions = tuple(SourceQuestion(name, "?", (SourceAnswer(start, end),)) for name, start, end in asked)
    return SourceParagraph(text, number, title, questions)


def drawn(paragraphs: list[SourceParagraph], join: Join) -> dict[str, str]:
    """Documents by id, recorded paragraphs in brackets."""
    return {document.id: bracketed(document) for document in joined(paragraphs, join)[0]}


def bracketed(document: Document) -> str:
    text = document.text
    for start, end in reversed(document.paragraphs):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


ABCDE = [
    paragraph(text, number) for text, number in (("あ", 0), ("いい", 0), ("", 0), ("う", 1), ("えええ", 1), ("お", 2))
]


def test_by_article() -> None:
    assert drawn(ABCDE, Join()) == {"題": "[あ][いい]", "題#2": "[う][えええ]", "題#3": "[お]"}
    assert drawn(ABCDE, Join(separator="\r\n\u3000")) == {
        "題": "[あ]\r\n\u3000[いい]",
        "題#2": "[う]\r\n\u3000[えええ]",
        "題#3": "[お]",
    }


def test_titles_that_are_missing_or_look_like_repeats() -> None:
    titles = ["x", None, "x#2", "x", "", "article-0002"]
    paragraphs = [paragraph(TANGLED, number, title) for number, title in enumerate(titles)]
    documents, _ = joined(paragraphs, Join())
    ids = [document.id for document in documents]
    assert ids == ["x", "article-0002", "x#2", "x#3", "article-0005", "article-0002#2"]
    assert [document.title for document in documents] == ["x", None, "x#2", "x", None, "article-0002"]


def test_by_count_and_by_length() -> None:
    assert drawn(ABCDE, Join("paragraphs", 2)) == {
        "joined-0001": "[あ][いい]",
        "joined-0002": "[う][えええ]",
        "joined-0003": "[お]",
    }
    assert list(drawn(ABCDE, Join("paragraphs", 99)).values()) == ["[あ][いい][う][えええ][お]"]
    assert list(drawn(ABCDE, Join("chars", 3)).values()) == ["[あ][いい]", "[う][えええ]", "[お]"]
    assert list(drawn(ABCDE, Join("chars", 4)).values()) == ["[あ][いい][う]", "[えええ][お]"]
    assert list(drawn(ABCDE, Join("chars", 4, "|")).values()) == ["[あ]|[いい]", "[う]|[えええ]", "[お]"]


def test_what_a_joined_document_was_made_of() -> None:
    paragraphs = [paragraph(TANGLED, number, title) for number, title in enumerate(["一", "二", None, "二"])]
    documents, _ = joined(paragraphs, Join("paragraphs", 9))
    assert documents[0].metadata == {"articles": ["一", "二"]}
    assert joined(paragraphs, Join())[0][0].metadata == {}


def test_a_shuffle_is_drawn_by_its_seed() -> None:
    paragraphs = [paragraph(f"{number:02}", number // 10) for number in range(20)]
    everywhere = "".join(d.text for d in joined(paragraphs, Join("paragraphs", 4, shuffle=1))[0])
    assert everywhere == "".join(d.text for d in joined(paragraphs, Join("chars", 5, shuffle=1))[0])
    assert everywhere != "".join(d.text for d in joined(paragraphs, Join("paragraphs", 4, shuffle=2))[0])
    inside = [d.text for d in joined(paragraphs, Join(shuffle=1))[0]]
    assert [sorted(text[i : i + 2] for i in range(0, 20, 2)) for text in inside] == [
        [f"{number:02}" for number in range(10)],
        [f"{number:02}" for number in range(10, 20)],
    ]
    assert inside != [d.text for d in joined(paragraphs, Join())[0]]


def test_the_order_of_questions_is_the_source_s() -> None:
    paragraphs = [paragraph(TANGLED, 0, "t", (f"q{number}", 0, 2)) for number in range(9)]
    for join in (Join(), Join("chars", 9, shuffle=4)):
        assert [asked.id for asked in joined(paragraphs, join)[1]] == [f"q{number}" for number in range(9)]


def test_unanswerable_questions_stay_where_their_paragraph_goes() -> None:
    empty = SourceParagraph("", 0, "t", (SourceQuestion("q", "?", ()),))
    documents, questions = joined([empty, paragraph(TANGLED, 1)], Join())
    assert [document.id for document in documents] == ["題"]
    assert questions == [Question("q", "?", (), "unanswerable")]


TEXTS = st.text(st.sampled_from("東京か\u3099👩\u200d🍳\r\n\u3000.a"), max_size=8)


@st.composite
def sources(draw: st.DrawFn) -> list[SourceParagraph]:
    paragraphs = []
    for number, text in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=12))):
        asked = []
        for index in range(draw(st.integers(0, 3)) if text else 0):
            bounds = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text)))
            found = draw(st.lists(bounds.filter(lambda pair: pair[0] < pair[1]), max_size=3, unique=True))
            asked.append(SourceQuestion(f"{number}.{index}", "?", tuple(SourceAnswer(*pair) for pair in found)))
        article = draw(st.integers(0, 2))
        title = draw(st.sampled_from([None, "題", "題#2"]))
        paragraphs.append(SourceParagraph(text, article, title, tuple(asked)))
    return paragraphs


JOINS = st.builds(
    lambda kind, separator, shuffle: Join(*kind, separator, shuffle),
    st.one_of(
        st.just(("article", None)),
        st.tuples(st.just("paragraphs"), st.integers(1, 5)),
        st.tuples(st.just("chars"), st.integers(1, 30)),
    ),
    TEXTS,
    st.none() | st.integers(-3, 3),
)


@given(sources(), JOINS)
def test_every_quotation_moves_with_its_paragraph(paragraphs: list[SourceParagraph], join: Join) -> None:
    documents, questions = joined(paragraphs, join)
    if not documents or not questions:
        return
    corpus = corpus_of(INFO, documents)
    Questions.from_records(corpus, questions)
    recorded = [document.text[start:end] for document in documents for start, end in document.paragraphs]
    assert sorted(recorded) == sorted(paragraph.text for paragraph in paragraphs if paragraph.text)
    for document in documents:
        between = document.text
        for start, end in reversed(document.paragraphs):
            between = between[:start] + between[end:]
        assert between == join.separator * (len(document.paragraphs) - 1)
    texts = {document.id: document.text for document in documents}
    found = {
        asked.id: [texts[span.document][span.start : span.end] for spans in asked.evidence for span in spans]
        for asked in questions
    }
    assert found == {
        asked.id: [source.text[answer.start : answer.end] for answer in asked.answers]
        for source in paragraphs
        for asked in source.questions
    }
    inside = {document.id: document.paragraphs for document in documents}
    for asked in questions:
        for (span,) in asked.evidence:
            assert any(start <= span.start and span.end <= end for start, end in inside[span.document])


def test_joins_as_they_are_typed() -> None:
    assert parse_join("article") == Join()
    assert parse_join("paragraphs=3", "|", 7) == Join("paragraphs", 3, "|", 7)
    assert str(parse_join("chars=2000")) == "chars=2000"
    assert parse_join("article", r"\n\t\r\\n\u3000\ud83c\udf63。").separator == "\n\t\r\\n\u3000🍣。"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "articles",
        "article=2",
        "paragraphs",
        "paragraphs=",
        "paragraphs=0",
        "chars=-1",
        "chars=1.5",
        "chars=２",
        "x=1",
    ],
)
def test_joins_that_are_none(text: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_join(text)
    assert refused.value.where == "--join"
    assert repr(text) in refused.value.what


@pytest.mark.parametrize("text", ["\\", r"\x41", r"\u12", r"\u0000", r"\ud83c", "\udc80", "\0"])
def test_separators_that_are_none(text: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_join("article", text)
    assert refused.value.where == "--separator"
