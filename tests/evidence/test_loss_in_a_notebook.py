from __future__ import annotations

import numpy as np
import pandas as pd

import kugiri
from kugiri.model.corpus import Corpus, Document
from kugiri.model.evidence import EvidenceSpan
from kugiri.model.questions import Question, Questions
from worlds import HOSTILE, IDS, INFO, corpus_of, questions_of

TEXTS = ["前の文書", HOSTILE]
ASKED = [[[(1, 3, 5)]], [[(1, 0, 3)]], [], [[(0, 1, 3)], [(0, 0, 4)]]]


def test_the_three_names_of_the_readme_are_enough() -> None:
    corpus = corpus_of(TEXTS)
    loss = kugiri.evidence_loss(corpus, questions_of(corpus, ASKED), kugiri.Fixed(4))
    assert repr(loss) == "fixed(size=4): 1 of 3 questions lost (cut 1), 9 chunks"


def test_the_table_has_a_row_a_lost_question_in_the_documents_own_offsets() -> None:
    corpus = corpus_of(TEXTS)
    table = kugiri.evidence_loss(corpus, questions_of(corpus, ASKED), kugiri.Fixed(4)).to_pandas()
    assert table.to_dict("records") == [
        {
            "question_id": "q0",
            "question": "問0？",
            "document_id": IDS[1],
            "evidence_start": 3,
            "evidence_end": 5,
            "evidence_text": HOSTILE[3:5],
            "cause": "cut",
            "cut_at": 4,
            "best_coverage": 0.5,
        }
    ]


def test_no_cut_is_missing_and_not_minus_one() -> None:
    corpus = corpus_of([HOSTILE], [((0, 2),)])
    table = kugiri.evidence_loss(corpus, questions_of(corpus, [[[(0, 4, 6)]]]), kugiri.Paragraph()).to_pandas()
    assert table["cause"].tolist() == ["dropped"]
    assert table["cut_at"].isna().tolist() == [True]
    assert isinstance(table["cut_at"].dtype, pd.Int64Dtype)
    assert table["best_coverage"].tolist() == [0.0]


def test_text_of_the_corpus_is_no_markup_in_a_notebook() -> None:
    corpus = Corpus.from_documents(INFO, [Document("<b>", "<script>か\u3099🍣</script>")])
    questions = Questions.from_records(corpus, [Question("<i>", "<img>", ((EvidenceSpan("<b>", 0, 12),),))])
    html = kugiri.evidence_loss(corpus, questions, kugiri.Fixed(4))._repr_html_()
    for tag in ("<script>", "<img>", "<i>", "<b>"):
        assert tag not in html


def test_a_loss_is_frozen() -> None:
    corpus = corpus_of(TEXTS)
    questions = questions_of(corpus, ASKED)
    first = kugiri.evidence_loss(corpus, questions, kugiri.Fixed(4))
    second = kugiri.evidence_loss(corpus, questions, kugiri.Fixed(4))
    assert np.array_equal(first.lost, second.lost)
    assert first.lost_ids == second.lost_ids == ("q0",)
