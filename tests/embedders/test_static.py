"""A tiny model in model2vec's format, its vectors added up by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kugiri import catalog
from kugiri.embedders import static
from kugiri.embedders.static import Static
from kugiri.errors import InputError
from kugiri.labels import parse
from worlds import HOSTILE

tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("safetensors")
from safetensors.numpy import save_file  # noqa: E402

WORDS = ("[UNK]", "東京", "駅", "寿司", "を", "食べる")
VECTORS = np.array([[9, 9], [1, 0], [3, 4], [0, 2], [-1, 1], [0.5, -2]], dtype=np.float32)


def tokenizer() -> Any:
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: n for n, word in enumerate(WORDS)}, "[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    # What a file may ask for and embedding must not do.
    made.enable_truncation(2)
    made.enable_padding(length=8, pad_token="[UNK]", pad_id=0)
    return made


def model(folder: Path, made: Any = None, **tensors: Any) -> str:
    folder.mkdir(exist_ok=True)
    (made or tokenizer()).save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text('{"model_type": "model2vec", "normalize": false}', encoding="utf-8")
    save_file({"embeddings": VECTORS, **tensors}, str(folder / "model.safetensors"))
    return str(folder)


def unit(vector: Any) -> Any:
    return np.asarray(vector) / np.linalg.norm(vector)


def test_a_vector_is_the_mean_of_its_tokens(tmp_path: Path) -> None:
    path = model(tmp_path / "模型")
    found = Static(path).embed(["東京 駅 駅", "寿司 を 食べる 未知", "", "未知", HOSTILE])
    assert found.dtype == np.float32
    assert found[0] == pytest.approx(unit(VECTORS[1] + 2 * VECTORS[2]))
    # Unknown words have no part in it, and nothing was truncated or padded.
    assert found[1] == pytest.approx(unit(VECTORS[3:6].sum(axis=0)))
    assert not found[2:].any()


def test_a_quantised_vocabulary_has_rows_and_weights(tmp_path: Path) -> None:
    mapping, weights = np.array([0, 1, 1, 2, 2, 0]), np.array([1, 2, 0.5, 1, 3, 1], dtype=np.float32)
    path = model(tmp_path, embeddings=VECTORS[:3].astype(np.float16), mapping=mapping, weights=weights)
    found = Static(path).embed(["東京 駅 を 食べる"])
    assert found[0] == pytest.approx(unit(2.5 * VECTORS[1] + 3 * VECTORS[2] + VECTORS[0]), abs=1e-3)


def test_a_unigram_tokenizer_has_an_unknown_token_too(tmp_path: Path) -> None:
    made = tokenizers.Tokenizer(tokenizers.models.Unigram([(word, -1.0) for word in WORDS], unk_id=0))
    assert Static(model(tmp_path, made)).embed(["東京xyz"])[0] == pytest.approx(VECTORS[1])


def test_long_texts_are_read_to_their_end(tmp_path: Path) -> None:
    found = Static(model(tmp_path)).embed(["東京 " * 10_000 + "駅 " * 10_000])
    assert found[0] == pytest.approx(unit(VECTORS[1] + VECTORS[2]), abs=1e-3)


def test_a_model_that_changed_is_read_again(tmp_path: Path) -> None:
    embedder = Static(model(tmp_path))
    assert embedder.embed(["東京"])[0] == pytest.approx([1, 0])
    save_file({"embeddings": np.flip(VECTORS, axis=1).copy(), "more": np.zeros(3)}, str(tmp_path / "model.safetensors"))
    assert embedder.embed(["東京"])[0] == pytest.approx([0, 1])


def test_its_label_is_read_back(tmp_path: Path) -> None:
    made = Static(model(tmp_path))
    assert str(made) == f"static(path={json.dumps(str(tmp_path))})"
    assert catalog.from_label("embedders", parse(str(made))) == made


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    path = model(tmp_path / "m")
    (tmp_path / "m" / name).unlink()
    with pytest.raises(InputError, match=name.replace(".", r"\.")) as caught:
        Static(path)
    assert caught.value.where == path
    shutil.rmtree(path)
    with pytest.raises(InputError):
        Static(path)
    with pytest.raises(InputError, match="nothing is downloaded"):
        Static("minishlab/potion-base-8M")


def test_a_missing_package_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = model(tmp_path)
    monkeypatch.setattr(static.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="safetensors") as caught:
        Static(path)
    assert "kugiri[embeddings]" in caught.value.remedy


@pytest.mark.parametrize(
    "tensors",
    [
        {"embeddings": VECTORS[:3]},
        {"embeddings": VECTORS[0]},
        {"embeddings": np.where(VECTORS > 3, np.nan, VECTORS)},
        {"mapping": np.array([0, 1, 2, 3, 4, 6])},
        {"mapping": np.array([0, 1])},
        {"mapping": np.zeros(6)},
        {"weights": np.ones(2, dtype=np.float32)},
        {"weights": np.full(6, np.inf, dtype=np.float32)},
    ],
)
def test_tensors_that_do_not_fit_are_refused(tmp_path: Path, tensors: dict[str, Any]) -> None:
    embedder = Static(model(tmp_path, **tensors))
    with pytest.raises(InputError) as caught:
        embedder.embed(["東京"])
    assert caught.value.where.endswith("model.safetensors")


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe\x00\x01nothing", b'{"model": 5}'])
def test_files_that_are_something_else_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    embedder = Static(model(tmp_path))
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        embedder.embed(["東京"])
    assert caught.value.where == str(tmp_path / name)


def test_a_folder_with_other_tensors_is_no_static_model(tmp_path: Path) -> None:
    embedder = Static(model(tmp_path))
    save_file({"encoder.layer": VECTORS}, str(tmp_path / "model.safetensors"))
    with pytest.raises(InputError, match="embeddings"):
        embedder.embed(["東京"])
