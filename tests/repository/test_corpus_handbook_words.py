"""The bundled corpus: what its words decide (UniDic for two tags, BM25 for what stands nearest)."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import fugashi
import pytest
from handbook import ANSWERABLE, FOLDER, NEAREST, PARAGRAPHS, QUESTIONS, TEXT, told

import kugiri
from kugiri.catalog import chunker, retriever
from kugiri.retrievers.protocol import RetrievalTask

CONTENT = ("名詞", "動詞", "形容詞", "形状詞", "副詞")
BESIDE = ("非自立可能", "助動詞語幹")
FAR = 10_000

Place = tuple[str, int, int]


@functools.cache
def tagger() -> fugashi.Tagger:
    return fugashi.Tagger()


def content(text: str) -> set[str]:
    """The lemmas of its content words, numerals among them."""
    return {
        word.feature.lemma or word.surface
        for word in tagger()(text)
        if word.feature.pos1 in CONTENT and word.feature.pos2 not in BESIDE
    }


def codes(text: str) -> set[str]:
    """Its codes (ASCII with a letter) and 「names」."""
    plain = unicodedata.normalize("NFKC", text)
    found = {
        code for code in re.findall(r"[A-Za-z0-9][\w./\-]*[A-Za-z0-9]", plain, re.ASCII) if re.search("[A-Za-z]", code)
    }
    return found | set(re.findall("「([^「」]+)」", plain))


def alternatives(tag: str) -> Iterator[tuple[str, str, list[str]]]:
    """Id, question and quotations of every alternative of the questions with that tag."""
    for question in QUESTIONS:
        if tag in question["tags"]:
            for spans in question["evidence"]:
                yield question["id"], question["question"], [span["text"] for span in spans]


def test_content_words_and_codes_are_what_they_seem() -> None:
    assert content("お休みは何日もらえますか。") & content("休暇は3日とする。") == set()
    assert {"休暇", "与える"} <= content("休暇を与えなければならない。")
    assert codes("ＫＺＦ-210と「とけい」の/v2/points、3日") == {"KZF-210", "とけい", "v2/points"}


def test_a_paraphrase_shares_no_content_word_with_its_evidence() -> None:
    shared = {
        identity: both
        for identity, question, quotations in alternatives("paraphrase")
        if (both := content(question) & set().union(*map(content, [*quotations, "\n".join(quotations)])))
    }
    assert shared == {}


def test_an_exact_match_shares_its_code_with_its_evidence() -> None:
    without = [
        identity
        for identity, question, quotations in alternatives("exact-match")
        if not codes(question) & set().union(*map(codes, quotations))
    ]
    assert without == []


class Ranking:
    """All recorded paragraphs, ranked for every question by BM25."""

    def __init__(self) -> None:
        corpus, questions = kugiri.load_corpus(FOLDER)
        chunking = chunker("paragraph()").chunk(corpus)
        task = RetrievalTask(chunking, questions.ids, questions.texts)
        run = retriever(f"bm25(depth={len(chunking)})").rank(task)
        document = corpus.document_of(chunking.start)
        origin = corpus.document_start[document]
        columns = (document.tolist(), (chunking.start - origin).tolist(), (chunking.end - origin).tolist())
        places = [(corpus.ids[number], start, end) for number, start, end in zip(*columns, strict=True)]
        self._ranks: dict[str, dict[Place, int]] = {
            identity: {places[chunk]: rank for rank, chunk in enumerate(row, 1) if chunk >= 0}
            for identity, row in zip(questions.ids, run.chunk.tolist(), strict=True)
        }

    def rank(self, question: str, place: Place) -> int:
        """The rank of the paragraph that holds this place, `FAR` if it has no word of the question."""
        document, start, end = place
        held = ((document, s, e) for s, e in PARAGRAPHS[document] if s <= start and end <= e)
        return min((self._ranks[question].get(paragraph, FAR) for paragraph in held), default=FAR)

    def documents(self, question: str) -> list[str]:
        """The documents, by the rank of their best paragraph."""
        return list(dict.fromkeys(document for document, _, _ in self._ranks[question]))


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return Ranking()


def elsewhere(question: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[Place]]]:
    """Its spans whose quotation stands in another document, in no alternative, with all such places."""
    marked = [(span["document"], span["start"], span["end"]) for spans in question["evidence"] for span in spans]
    for spans in question["evidence"]:
        for span in spans:
            found = [
                (other, match.start(), match.end())
                for other, text in TEXT.items()
                if other != span["document"]
                for match in re.finditer(re.escape(span["text"]), text)
            ]
            outside = [
                (other, start, end)
                for other, start, end in found
                if not any(d == other and s <= start and end <= e for d, s, e in marked)
            ]
            if outside:
                yield span, outside


def test_no_quotation_is_attributed_to_the_wrong_document(ranking: Ranking) -> None:
    """What stands elsewhere too is marked in the paragraph nearest to the question, or the page says why."""
    times, farther, long = 0, [], []
    for question in ANSWERABLE:
        for span, places in elsewhere(question):
            times += 1
            here = ranking.rank(question["id"], (span["document"], span["start"], span["end"]))
            if here >= min(ranking.rank(question["id"], place) for place in places):
                farther.append(question["id"])
            if len(span["text"]) >= 8:
                long.append(question["id"])
    assert told(f"{times} quotations, most of them two or three characters")
    assert told(f"For {times - len(farther)} of them BM25 ranks the paragraph that is marked above")
    assert (sorted(farther), sorted(long)) == (["q527", "q556"], ["q154", "q390", "q902"])
    assert all(told(identity) for identity in farther + long)


def test_the_nearest_passages_are_near(ranking: Ranking) -> None:
    """BM25 knows most of the documents that a reader found nearest; paragraphs that a reader found, it need not."""
    passage = [ranking.rank(row["question"], (row["document"], row["start"], row["end"])) for row in NEAREST]
    document = [ranking.documents(row["question"]).index(row["document"]) + 1 for row in NEAREST]
    first = sum(rank <= 5 for rank in passage)
    assert first >= 0.6 * len(NEAREST)
    assert max(document) <= 10
    assert told(f"For {first} of the {len(NEAREST)} that passage is among BM25's first five paragraphs")
    assert told(f"for {sum(rank <= 5 for rank in document)} its document is among the first five")
