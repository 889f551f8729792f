"""What exists, by name: labels and tables of arguments become components here, and nowhere else."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import msgspec

from kugiri.errors import InputError
from kugiri.formats.strict import check_keys, nearest
from kugiri.labels import Label, parse
from kugiri.metrics.grammar import check_metric

CATALOG: Mapping[str, Mapping[str, str]] = {
    "chunkers": {
        "fixed": "kugiri.chunkers.fixed:Fixed",
        "paragraph": "kugiri.chunkers.paragraph:Paragraph",
        "sentence": "kugiri.chunkers.sentence:Sentence",
        "sentence_window": "kugiri.chunkers.sentence_window:SentenceWindow",
        "recursive": "kugiri.chunkers.recursive:Recursive",
        "line": "kugiri.chunkers.line:Line",
        "phrase": "kugiri.chunkers.phrase:Phrase",
        "headings": "kugiri.chunkers.headings:Headings",
        "whole": "kugiri.chunkers.whole:Whole",
        "cohesion": "kugiri.chunkers.cohesion:Cohesion",
        "semantic": "kugiri.chunkers.semantic:Semantic",
        "parent_child": "kugiri.chunkers.parent_child:ParentChild",
        "external": "kugiri.chunkers.external:External",
    },
    "retrievers": {
        "bm25": "kugiri.retrievers.bm25:Bm25",
        "tfidf": "kugiri.retrievers.tfidf:Tfidf",
        "rrf": "kugiri.retrievers.rrf:ReciprocalRankFusion",
        "oracle": "kugiri.retrievers.oracle:Oracle",
        "random": "kugiri.retrievers.random_order:RandomOrder",
    },
    "metrics": {
        "needs": "kugiri.metrics.needs:Needs",
        "rank": "kugiri.metrics.rank:Rank",
        "Recall": "kugiri.metrics.at_rank:Recall",
        "MRR": "kugiri.metrics.at_rank:MRR",
        "nDCG": "kugiri.metrics.at_rank:NDCG",
        "EvidenceRecall": "kugiri.metrics.evidence_recall:EvidenceRecall",
        "ChunkRecall": "kugiri.metrics.chunk_level:ChunkRecall",
        "ChunkPrecision": "kugiri.metrics.chunk_level:ChunkPrecision",
        "ChunkNDCG": "kugiri.metrics.chunk_level:ChunkNDCG",
    },
    "embedders": {
        "hashed": "kugiri.embedders.hashed:Hashed",
        "static": "kugiri.embedders.static:Static",
    },
    "formats": {
        "squad": "kugiri.formats.squad:Squad",
        "jsquad": "kugiri.formats.squad:JSquad",
        "chroma": "kugiri.formats.chroma:Chroma",
    },
}
"""Kind → name → "module:Class"; a module is imported when its component is first asked for."""

NESTED: Mapping[str, Mapping[str, str]] = {
    "chunkers": {"model": "embedders", "parent": "chunkers", "child": "chunkers"},
    "retrievers": {"of": "retrievers"},
}
"""Kind → argument → the kind of the component, or of each component of the list, that the argument is."""


def known_names(kind: str) -> Mapping[str, str]:
    """Name → "module:Class" of every component of that kind: ours, and those that installed packages register.

    A package registers one with an entry point of the group `kugiri.chunkers`, `kugiri.retrievers`,
    `kugiri.embedders` or `kugiri.formats`. Names of ours stay ours, so that a label means the same everywhere.
    """
    # Metrics have a grammar of their own, which knows no others.
    found = {} if kind == "metrics" else {entry.name: entry.value for entry in entry_points(group=f"kugiri.{kind}")}
    return {**CATALOG[kind], **{name: value for name, value in found.items() if name not in CATALOG[kind]}}


def known_class(kind: str, name: str, where: str) -> Any:
    """The class of a component.

    Raises:
        InputError: there is none of that name; the nearest known one is named. The class of another package cannot be
            imported, or is no dataclass.
    """
    names = CATALOG[kind]
    target = names.get(name) or (names := known_names(kind)).get(name)
    if target is None:
        near = nearest(name, names)
        raise InputError(
            f"unknown {kind.removesuffix('s')} {name!r}",
            where,
            f"did you mean {near!r}?" if near else f"use one of: {', '.join(names) or '(this version has none)'}",
        )
    module, _, attribute = target.partition(":")
    if name in CATALOG[kind]:
        return getattr(import_module(module), attribute)
    remedy = f"correct the entry point of the package that registers {name!r}, or uninstall it"
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:
        raise InputError(f"{target} cannot be imported: {type(error).__name__}: {error}", where, remedy) from error
    if not (isinstance(found, type) and dataclasses.is_dataclass(found)):
        raise InputError(f"{target} is no dataclass", where, remedy)
    return found


def component(kind: str, name: str, arguments: Mapping[str, Any], where: str) -> Any:
    """The component of that kind and name with these arguments.

    Raises:
        InputError: an unknown name or argument (the nearest known one is named), a missing argument, a value of the
            wrong type, or whatever the component itself refuses.
    """
    made = known_class(kind, name, where)
    check_keys(arguments, parameters(kind, name, where), where)
    fields = {field.name: field for field in dataclasses.fields(made) if field.init}
    missing = [key for key, field in fields.items() if key not in arguments and _is_required(field)]
    if missing:
        raise InputError(f"{name}() needs {missing[0]!r}", where, f"give it, as in {name}({missing[0]}=…)")
    try:
        return msgspec.convert(dict(arguments), type=made)
    except msgspec.ValidationError as error:
        raise InputError(f"{name}(): {error}", where, f"{name}() takes: {', '.join(fields)}") from None
    except InputError as error:
        raise error.inside(where) from None


def parameters(kind: str, name: str, where: str) -> list[str]:
    """The names of a component's parameters, in field order.

    Raises:
        InputError: as `known_class`.
    """
    return [field.name for field in dataclasses.fields(known_class(kind, name, where)) if field.init]


def chunker(label: str) -> Any:
    """The chunker that a label writes, as in `fixed(size=400, overlap=0.2)`.

    Raises:
        InputError: as `kugiri.labels.parse` and `component`.
    """
    return from_label("chunkers", parse(label))


def retriever(label: str) -> Any:
    """The retriever that a label writes, as in `bm25(tokenizer="bigram")`.

    Raises:
        InputError: as `kugiri.labels.parse` and `component`.
    """
    return from_label("retrievers", parse(label))


def metric(label: Label) -> Any:
    """The metric that a label of `kugiri.metrics.grammar` writes: `Recall@5` has k = 5.

    Raises:
        InputError: as `kugiri.metrics.grammar.check_metric` and `component`.
    """
    where = f"metric {str(label)!r}"
    check_metric(label, where)
    cutoff = {} if label.cutoff is None else {"k": label.cutoff}
    return component("metrics", label.name, {**dict(label.arguments), **cutoff}, where)


def from_label(kind: str, label: Label) -> Any:
    """The component that a parsed label names; `NESTED` says of which kind nested labels are, else of its own.

    Raises:
        InputError: as `component`.
    """
    where = f"label {str(label)!r}"
    if label.cutoff is not None:
        raise InputError(f"a {kind.removesuffix('s')} has no '@'", where, "only metrics are written Name@k")

    def built(value: Any, inner: str) -> Any:
        if isinstance(value, Label):
            return from_label(inner, value)
        return tuple(built(part, inner) for part in value) if isinstance(value, tuple) else value

    kinds = NESTED.get(kind, {})
    arguments = {key: built(value, kinds.get(key, kind)) for key, value in label.arguments}
    return component(kind, label.name, arguments, where)


def with_nested(kind: str, arguments: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Arguments of a table, in which nested components are written as labels, with these made into components.

    Raises:
        InputError: as `kugiri.labels.parse` and `component`.
    """
    made = dict(arguments)
    for key, inner in NESTED.get(kind, {}).items():
        value = made.get(key)
        try:
            if isinstance(value, str):
                made[key] = from_label(inner, parse(value))
            elif isinstance(value, list | tuple):
                made[key] = tuple(from_label(inner, parse(part)) if isinstance(part, str) else part for part in value)
        except InputError as error:
            raise error.inside(f"{where}.{key}") from None
    return made


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
