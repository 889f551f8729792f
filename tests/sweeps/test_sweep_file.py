from __future__ import annotations

from pathlib import Path

import pytest

from kugiri.errors import InputError
from kugiri.sweeps.file import SweepFile, read_sweep
from kugiri.sweeps.plan import DEFAULT_METRICS

HEAD = 'title = "八つの区切り方 👩\u200d🍳か\u3099"\ncorpus = "../corpora/handbook"\n'
PARAGRAPH = '[[chunkers]]\nuse = "paragraph"\n'
FIXED = '[[chunkers]]\nuse = "fixed"\nsize = 100\n'


@pytest.fixture
def read(tmp_path: Path):
    def reading(text: str, **options: bool) -> SweepFile:
        path = tmp_path / "sweeps" / "区切り.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return read_sweep(path, **options)

    return reading


@pytest.fixture
def refused(read, tmp_path: Path):
    def refusing(text: str, *words: str, **options: bool) -> InputError:
        with pytest.raises(InputError) as caught:
            read(text, **options)
        error = caught.value
        assert error.exit_code == 2
        assert str(tmp_path / "sweeps" / "区切り.toml") in error.where
        assert str(error).count("\n") == 2
        for word in words:
            assert word in str(error), (word, str(error))
        return error

    return refusing


def labels(sweep: SweepFile) -> list[str]:
    return [str(configuration) for configuration in sweep.plan.configurations]


# ------------------------------------------------------------------------------------------------ what is read
def test_every_key_is_read(read) -> None:
    sweep = read(
        HEAD
        + """seed = 7
metrics = ["nDCG@10", "Recall( budget = 1000 )"]
primary = "Recall(budget=1000)"
baseline = "paragraph()"
cluster = "document"
[questions]
sample = 500
split = "test"
[[chunkers]]
use = "fixed"
[chunkers.grid]
size = [100, 200]
overlap = [0, 0.2, 20]
[[chunkers]]
use = "fixed"
size = 800
[[chunkers]]
use = "paragraph"
"""
    )
    plan = sweep.plan
    assert labels(sweep) == [
        "fixed(size=100)",
        "fixed(size=100, overlap=0.2)",
        "fixed(size=100, overlap=20)",
        "fixed(size=200)",
        "fixed(size=200, overlap=0.2)",
        "fixed(size=200, overlap=20)",
        "fixed(size=800)",
        "paragraph()",
    ]
    assert plan.title.startswith("八つの区切り方")
    assert (plan.seed, plan.cluster, plan.sample, plan.split) == (7, "document", 500, "test")
    assert plan.metrics == ("nDCG@10", "Recall(budget=1000)")
    assert (plan.primary, plan.baseline) == ("Recall(budget=1000)", "paragraph()")


def test_defaults_are_those_of_the_design(read) -> None:
    plan = read(HEAD + PARAGRAPH).plan
    assert plan.metrics == DEFAULT_METRICS
    assert DEFAULT_METRICS == (
        "Recall@5",
        "Recall@20",
        "nDCG@10",
        "MRR@10",
        "Recall(budget=1000)",
        "Recall(budget=2000)",
        "Recall(budget=4000)",
    )
    assert (plan.primary, plan.seed, plan.cluster) == ("Recall@5", 1, "paragraph")
    assert (plan.baseline, plan.sample, plan.split) == (None, None, None)


def test_the_primary_metric_is_the_first_unless_named(read) -> None:
    assert read(HEAD + 'metrics = ["MRR@10", "Recall@5"]\n' + PARAGRAPH).plan.primary == "MRR@10"


def test_constants_stand_beside_the_grid_and_axes_vary_last_first(read) -> None:
    text = HEAD + '[[chunkers]]\nuse = "fixed"\nsize = 4\n[chunkers.grid]\noverlap = [0, 1, 3]\n'
    assert labels(read(text)) == ["fixed(size=4)", "fixed(size=4, overlap=1)", "fixed(size=4, overlap=3)"]
    text = HEAD + '[[chunkers]]\nuse = "fixed"\n[chunkers.grid]\noverlap = [0, 0.2]\nsize = [1, 2]\n'
    assert labels(read(text)) == [
        "fixed(size=1)",
        "fixed(size=2)",
        "fixed(size=1, overlap=0.2)",
        "fixed(size=2, overlap=0.2)",
    ]


def test_paths_are_relative_to_the_file(read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert read(HEAD + PARAGRAPH).corpus.resolve() == (tmp_path / "corpora" / "handbook").resolve()
    absolute = tmp_path / "他所"
    assert read(f'title = "x"\ncorpus = "{absolute.as_posix()}"\n' + PARAGRAPH).corpus == absolute


@pytest.mark.parametrize(
    "written", ["fixed(overlap=0.0, size=100)", " fixed( size=100 )", "fixed(size=100, overlap=0)"]
)
def test_the_baseline_is_written_as_its_configuration_is(read, written: str) -> None:
    assert read(HEAD + f'baseline = "{written}"\n' + FIXED + PARAGRAPH).plan.baseline == "fixed(size=100)"


def test_a_file_from_windows_is_read_like_any_other(read) -> None:
    text = (HEAD + FIXED).replace("\n", "\r\n")
    assert labels(read(text)) == ["fixed(size=100)"]


def test_integers_and_floats_differ(read, refused) -> None:
    text = HEAD + '[[chunkers]]\nuse = "fixed"\nsize = 100\n[chunkers.grid]\noverlap = [1, 0.01]\n'
    assert [c.chunker.windows.overlap_units for c in read(text).plan.configurations] == [1, 1]
    refused(HEAD + FIXED + "overlap = 1.0\n", "1.0", "100")


def test_retrieval_is_asked_for_and_may_be_left_out(read, refused) -> None:
    text = HEAD + PARAGRAPH + '[[retrievers]]\nuse = "bm25"\n'
    assert [str(entry) for entry in read(text).plan.configurations] == ["paragraph() + bm25()"]
    assert not read(text).plan.retrieval_left_out
    assert [str(entry) for entry in read(text, retrieval=False).plan.configurations] == ["paragraph()"]
    assert read(text, retrieval=False).plan.retrieval_left_out
    assert not read(HEAD + PARAGRAPH, retrieval=False).plan.retrieval_left_out


# ------------------------------------------------------------------------------------------------ what is refused
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "sead = 1\n" + PARAGRAPH, ("'sead'", "seed")),
        (HEAD + 'basline = "x"\n' + PARAGRAPH, ("'basline'", "baseline")),
        (HEAD + PARAGRAPH + "[questions]\nsampel = 3\n", ("questions.sampel", "sample")),
        (HEAD + FIXED + "ovelap = 2\n", ("chunkers[0].ovelap", "'overlap'")),
        (HEAD + PARAGRAPH + "sise = 5\n", ("chunkers[0].sise", "'size'")),
        (HEAD + PARAGRAPH + '[[chunkers]]\nuse = "fixed"\nsiez = 5\n', ("chunkers[1].siez", "'size'")),
        (
            HEAD + '[[chunkers]]\nuse = "fixed"\nsize = 5\n[chunkers.grid]\novelap = [1]\n',
            ("chunkers[0].grid.ovelap", "'overlap'"),
        ),
        (HEAD + '[[chunker]]\nuse = "fixed"\n', ("'chunker'", "chunkers")),
    ],
)
def test_unknown_keys_name_their_path_and_the_nearest_known_key(refused, text: str, words: tuple[str, ...]) -> None:
    refused(text, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + '[[chunkers]]\nuse = "paragraf"\n', ("'paragraf'", "'paragraph'", "chunkers[0]")),
        (HEAD + '[[chunkers]]\nuse = "Fixed"\n', ("'Fixed'", "'fixed'")),
        (HEAD + '[[chunkers]]\nuse = "zzz"\n', ("'zzz'", "fixed, paragraph")),
        (HEAD + "[[chunkers]]\nsize = 5\n", ("chunkers[0].use",)),
        (HEAD + "[[chunkers]]\nuse = 5\n", ("chunkers[0].use",)),
        (HEAD + '[[chunkers]]\nuse = "fixed"\n', ("'size'", "chunkers[0]")),
        (HEAD, ("chunkers",)),
        (HEAD + "chunkers = []\n", ("chunkers",)),
    ],
)
def test_components_are_known_and_complete(refused, text: str, words: tuple[str, ...]) -> None:
    refused(text, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('corpus = "x"\n' + PARAGRAPH, ("title",)),
        ('title = "x"\n' + PARAGRAPH, ("corpus",)),
        ('title = 5\ncorpus = "x"\n' + PARAGRAPH, ("title",)),
        (HEAD + 'seed = "1"\n' + PARAGRAPH, ("seed",)),
        (HEAD + "seed = 1.5\n" + PARAGRAPH, ("seed",)),
        (HEAD + "seed = true\n" + PARAGRAPH, ("seed",)),
        (HEAD + 'metrics = "Recall@5"\n' + PARAGRAPH, ("metrics",)),
        (HEAD + "metrics = [5]\n" + PARAGRAPH, ("metrics",)),
        (HEAD + 'cluster = "section"\n' + PARAGRAPH, ("cluster",)),
        (HEAD + "questions = 5\n" + PARAGRAPH, ("questions",)),
        (HEAD + 'chunkers = "fixed"\n', ("chunkers",)),
        (HEAD + 'chunkers = ["fixed"]\n', ("chunkers",)),
        (HEAD + PARAGRAPH + '[questions]\nsample = "500"\n', ("questions.sample",)),
        (HEAD + PARAGRAPH + "[questions]\nsample = 0\n", ("questions.sample", "0")),
        (HEAD + PARAGRAPH + "[questions]\nsample = -3\n", ("questions.sample", "-3")),
        (HEAD + PARAGRAPH + '[questions]\nsplit = "train"\n', ("questions.split", "'train'", "development", "test")),
        (HEAD + '[[chunkers]]\nuse = "fixed"\nsize = "100"\n', ("size", "chunkers[0]")),
        (HEAD + '[[chunkers]]\nuse = "fixed"\nsize = 100.0\n', ("size",)),
        (HEAD + '[[chunkers]]\nuse = "fixed"\nsize = true\n', ("size",)),
        (HEAD + '[[chunkers]]\nuse = "fixed"\nsize = [100]\n', ("size",)),
        (HEAD + FIXED + "overlap = false\n", ("overlap",)),
        (HEAD + FIXED + 'overlap = "20%"\n', ("overlap",)),
        (HEAD + FIXED + "overlap = nan\n", ("overlap", "nan", "100")),
        (HEAD + FIXED + "overlap = inf\n", ("overlap", "inf", "100")),
        (HEAD + FIXED + "overlap = 2024-01-01\n", ("overlap",)),
    ],
)
def test_wrong_types_and_values_name_their_key(refused, text: str, words: tuple[str, ...]) -> None:
    refused(text, *words)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("size = 37\noverlap = 37\n", ("37", "overlap")),
        ("size = 37\noverlap = -1\n", ("37", "-1", "overlap")),
        ("size = 0\n", ("0", "size")),
        ("size = -4\noverlap = 2\n", ("-4", "size")),
        ("[chunkers.grid]\nsize = [8, 4]\noverlap = [0, 4]\n", ("4", "overlap")),
    ],
)
def test_windows_that_cannot_advance_never_start(refused, keys: str, words: tuple[str, ...]) -> None:  # E44
    refused(HEAD + '[[chunkers]]\nuse = "fixed"\n' + keys, "chunkers[0]", *words)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + FIXED + FIXED,
        HEAD + FIXED + "overlap = 0\n" + FIXED,
        HEAD + FIXED + "overlap = 0\n" + FIXED + "overlap = 0.0\n",
        HEAD + '[[chunkers]]\nuse = "fixed"\nsize = 100\n[chunkers.grid]\noverlap = [0, 0.0]\n',
        HEAD + '[[chunkers]]\nuse = "fixed"\n[chunkers.grid]\nsize = [100, 200, 100]\n',
        HEAD + FIXED + '[[chunkers]]\nuse = "fixed"\n[chunkers.grid]\nsize = [100]\n',
    ],
)
def test_two_equal_labels_are_an_error(refused, text: str) -> None:
    refused(text, "fixed(size=100)", "two")


def test_metrics_are_checked_and_named_once(refused) -> None:
    refused(HEAD + 'metrics = ["Recall@5", "Recall @ 5"]\n' + PARAGRAPH, "'Recall@5'", "two")
    refused(HEAD + 'metrics = ["Recall@5", "Recal@5"]\n' + PARAGRAPH, "metrics[1]", "Recall@k")
    refused(HEAD + 'metrics = ["Recall"]\n' + PARAGRAPH, "metrics[0]", "Recall@k", "Recall(budget=B)")
    refused(HEAD + 'metrics = ["Recall@0"]\n' + PARAGRAPH, "metrics[0]")
    refused(HEAD + "metrics = []\n" + PARAGRAPH, "metrics")
    refused(HEAD + 'metrics = ["Recall@5"]\nprimary = "MRR@10"\n' + PARAGRAPH, "primary", "'MRR@10'", "Recall@5")
    refused(HEAD + 'primary = "MRR"\n' + PARAGRAPH, "primary")


@pytest.mark.parametrize(
    ("baseline", "words"),
    [
        ("fixed(size=99)", ("baseline", "fixed(size=99)", "paragraph()")),
        ("fixed(", ("baseline",)),
        ("fixed(siez=100)", ("baseline", "'siez'", "'size'")),
        ("paragraf()", ("baseline", "paragraf", "paragraph")),
        ("paragraph() + bm25()", ("baseline", "bm25")),
        ("Recall@5", ("baseline",)),
        ("", ("baseline",)),
    ],
)
def test_the_baseline_is_one_of_the_configurations(refused, baseline: str, words: tuple[str, ...]) -> None:
    refused(HEAD + f'baseline = "{baseline}"\n' + FIXED + PARAGRAPH, *words)


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("[chunkers.grid]\nsize = [100, 200]\n", ("chunkers[0].grid.size", "'size'")),
        ("[chunkers.grid]\noverlap = []\n", ("chunkers[0].grid.overlap",)),
        ("[chunkers.grid]\noverlap = 5\n", ("chunkers[0].grid.overlap",)),
        ("grid = [1]\n", ("chunkers[0].grid",)),
        ('[chunkers.grid]\noverlap = [1, "2"]\n', ("overlap",)),
        ('[chunkers.grid]\nuse = ["fixed"]\n', ("chunkers[0]", "use")),
    ],
)
def test_an_axis_is_no_constant_and_has_values(refused, grid: str, words: tuple[str, ...]) -> None:
    refused(HEAD + FIXED + grid, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "[[chunkers\n", ("TOML",)),
        (HEAD + HEAD + PARAGRAPH, ("TOML",)),
        (HEAD + "seed = 1\nseed = 1\n" + PARAGRAPH, ("TOML", ":4")),
        (HEAD + FIXED + "size = 100\n", ("TOML",)),
        (HEAD + PARAGRAPH + "[questions]\n[questions]\n", ("TOML",)),
        (HEAD + 'baseline = "\\u0000"\n' + PARAGRAPH, ("NUL", "baseline")),
        ("", ("title",)),
    ],
)
def test_what_is_not_toml_is_refused_with_its_place(refused, text: str, words: tuple[str, ...]) -> None:
    refused(text, *words)


def test_a_file_that_is_not_there_or_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_sweep(tmp_path / "無い.toml")
    assert "無い.toml" in caught.value.where
    path = tmp_path / "古い.toml"
    path.write_bytes('title = "日本"\n'.encode("cp932"))
    with pytest.raises(InputError) as caught:
        read_sweep(path)
    assert "byte 9" in caught.value.what
    with pytest.raises(InputError):
        read_sweep(tmp_path)
