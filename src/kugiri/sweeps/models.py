"""Embedding models as far as costs need them: what a user says of theirs. None is built in."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from kugiri.errors import InputError
from kugiri.segmenters.tokenizers import FindsTokens, demand_tokenizer, tokenizer
from kugiri.sweeps.paths import relocated


class ModelTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of `[[models]]`."""

    name: str
    dimensions: int | None = None
    max_tokens: int | None = None
    tokenizer: str | None = None
    special_tokens: int = 2
    prefix: str = ""
    bytes_per_number: int = 4
    price: float | None = None
    currency: str | None = None
    tokens_per_second: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """What a configuration's vectors cost with one model; whatever is not known of it stays None, and so does its cost.

    Attributes:
        name: what tables and reports call it.
        dimensions: numbers in a vector.
        max_tokens: the longest input, special tokens, prefix and headings included; what comes behind is not seen.
        tokenizer: a name, the path of a `tokenizer.json` or an object (`kugiri.segmenters.tokenizers`); without one no
            token is counted.
        special_tokens: tokens that the model adds to every input.
        prefix: text in front of every input, such as "passage: ".
        bytes_per_number: 4 for 32-bit floats, 2 for 16-bit, 1 for 8-bit integers.
        price: of a million tokens, in `currency`.
        tokens_per_second: how many tokens are embedded in a second.

    Raises:
        InputError: a number below what it counts; no room for any text; a price without its currency, or the other way
            round; as `kugiri.segmenters.tokenizers.demand_tokenizer`.
    """

    name: str
    dimensions: int | None = None
    max_tokens: int | None = None
    tokenizer: str | FindsTokens | None = None
    special_tokens: int = 2
    prefix: str = ""
    bytes_per_number: int = 4
    price: float | None = None
    currency: str | None = None
    tokens_per_second: float | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InputError("a model needs its name", "name", 'write name = "…", any name')
        for key, least in (("dimensions", 1), ("max_tokens", 1), ("special_tokens", 0), ("bytes_per_number", 1)):
            value = getattr(self, key)
            if value is not None and value < least:
                raise InputError(f"{key} = {value} is too small", key, f"give {least} or more, or leave it out")
        for key in ("price", "tokens_per_second"):
            value = getattr(self, key)
            if value is not None and not (isfinite(value) and (value > 0 or (value == 0 and key == "price"))):
                raise InputError(f"{key} = {value} is no amount", key, "give a positive number, or leave it out")
        if self.max_tokens is not None and self.max_tokens <= self.special_tokens:
            raise InputError(
                f"max_tokens = {self.max_tokens} is no more than special_tokens = {self.special_tokens}",
                "max_tokens",
                "give the model room for text",
            )
        if (self.price is None) != (self.currency is None):
            raise InputError(
                "a price and its currency belong together", "price", 'write both, like price = 0.02, currency = "USD"'
            )
        if self.tokenizer is not None:
            demand_tokenizer(self.tokenizer)

    def facts(self) -> dict[str, Any]:
        """The model as `sweep.json` has it: the same wherever a tokenizer's file lies."""
        described: dict[str, Any] = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "tokenizer"
        }
        if self.tokenizer is None:
            return described | {"tokenizer": None, "tokenizer_version": None}
        made = tokenizer(self.tokenizer)
        return described | {"tokenizer": Path(made.name).name, "tokenizer_version": made.version}


def models_of(tables: list[ModelTable], folder: Path) -> tuple[EmbeddingModel, ...]:
    """The models of a sweep file that lies in this folder.

    Raises:
        InputError: as `EmbeddingModel`, with the key path.
    """
    made: list[EmbeddingModel] = []
    for number, table in enumerate(tables):
        given: Mapping[str, Any] = relocated(msgspec.structs.asdict(table), folder)
        try:
            model = EmbeddingModel(**given)
        except InputError as error:
            key = error.where if error.where in given else f"tokenizer: {error.where}"
            raise InputError(error.what, f"models[{number}].{key}", error.remedy) from None
        made.append(model)
    return tuple(made)
