"""Components are frozen dataclasses with a name and a version, found through the catalogue (DESIGN §4)."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from typing import Any

import pytest

import kugiri
from kugiri import catalog
from kugiri.errors import InputError
from kugiri.labels import parse

CATALOGUED = [(kind, name) for kind, names in catalog.CATALOG.items() for name in names]
FOLDER_OF = {kind: kind for kind in ("chunkers", "retrievers", "metrics", "embedders", "formats")}


def components_in(folder: str) -> set[type[Any]]:
    """The classes of a folder that have both a name and a version: components, registered or not."""
    package = importlib.import_module(f"kugiri.{folder}")
    return {
        member
        for found in pkgutil.iter_modules(package.__path__, f"kugiri.{folder}.")
        for _, member in inspect.getmembers(importlib.import_module(found.name), inspect.isclass)
        if member.__module__ == found.name
        and isinstance(getattr(member, "name", None), str)
        and hasattr(member, "version")
    }


@pytest.mark.parametrize(("kind", "name"), CATALOGUED)
def test_a_component_is_a_frozen_dataclass_with_name_and_version(kind: str, name: str) -> None:
    component = catalog.known_class(kind, name, "test")
    assert dataclasses.is_dataclass(component)
    assert component.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert component.name == name
    assert type(component.version) is int
    assert component.version >= 1
    assert not {"name", "version"} & {field.name for field in dataclasses.fields(component)}
    assert component.__module__.startswith(f"kugiri.{FOLDER_OF[kind]}.")
    assert component.__mro__[1:] == (object,)


@pytest.mark.parametrize("kind", [kind for kind in FOLDER_OF if importlib.util.find_spec(f"kugiri.{kind}")])
def test_every_component_has_its_line_in_the_catalogue(kind: str) -> None:
    registered = {catalog.known_class(kind, name, "test") for name in catalog.CATALOG[kind]}
    assert components_in(kind) == registered


def test_segmenters_are_components_too() -> None:
    found = components_in("segmenters")
    assert {component.name for component in found} >= {"graphemes", "paragraphs"}
    for component in found:
        assert component.__dataclass_params__.frozen
        assert type(component.version) is int


@pytest.mark.parametrize(("kind", "name"), CATALOGUED)
def test_unknown_arguments_name_the_nearest_known_one(kind: str, name: str) -> None:
    fields = [field.name for field in dataclasses.fields(catalog.known_class(kind, name, "test"))]
    with pytest.raises(InputError) as caught:
        catalog.component(kind, name, {f"{fields[0]}x" if fields else "x": 1}, "here")
    assert "here." in caught.value.where
    if fields:
        assert repr(fields[0]) in caught.value.remedy


def test_an_unknown_name_names_the_nearest_and_a_missing_argument_is_named() -> None:
    with pytest.raises(InputError) as caught:
        catalog.chunker("fixd(size=4)")
    assert "'fixed'" in caught.value.remedy
    with pytest.raises(InputError, match="'size'"):
        catalog.chunker("fixed()")
    with pytest.raises(InputError, match="'@'"):
        catalog.chunker("fixed(size=4)@5")
    with pytest.raises(InputError) as caught:
        catalog.from_label("retrievers", parse("bm52()"))
    assert "'bm25'" in caught.value.remedy


@pytest.mark.parametrize("argument", ['size="4"', "size=4.0", "size=true", "size=null", "size=[4]", "size=paragraph()"])
def test_arguments_have_their_type(argument: str) -> None:
    with pytest.raises(InputError) as caught:
        catalog.chunker(f"fixed({argument})")
    assert "size" in caught.value.what
    assert caught.value.exit_code == 2


def test_the_lazy_names_of_the_root_are_where_the_root_says() -> None:
    for name in kugiri.__all__:
        assert getattr(kugiri, name).__module__ == kugiri._HOME[name]
