"""The one grammar of labels: how components, metrics and configurations are written everywhere.

    chunker        fixed(size=400, overlap=0.2)      paragraph()
    metric         Recall@5      Recall(budget=2000)      rank
    configuration  CHUNKER       CHUNKER + RETRIEVER

Keyword arguments come in field order with defaults left out; floats are written by `repr`, strings as JSON strings,
nested components as labels. This module knows the grammar and names no component: `kugiri.catalog` does.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kugiri.errors import InputError
from kugiri.visible import shortened

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<mark>[()\[\],=@+])
    )""",
    re.VERBOSE,
)
_DEEPEST, _LONGEST = 50, 100
_CONSTANTS = {"true": True, "false": False, "null": None}
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(1, 10))}


@dataclasses.dataclass(frozen=True, slots=True)
class Label:
    """A parsed label.

    Attributes:
        name: the component's or metric's name.
        arguments: keyword arguments in the order written; values are numbers, strings, booleans, None, labels, or
            tuples of those.
        cutoff: the `k` of `Name@k`, None where there is none.
        called: whether parentheses were written (`rank` has none, `paragraph()` has).
    """

    name: str
    arguments: tuple[tuple[str, Any], ...] = ()
    cutoff: int | None = None
    called: bool = False

    def __str__(self) -> str:
        """The label as it is written."""
        inner = f"({', '.join(f'{key}={value_text(value)}' for key, value in self.arguments)})" if self.called else ""
        return f"{self.name}{inner}" + ("" if self.cutoff is None else f"@{self.cutoff}")


def value_text(value: Any) -> str:
    """One argument value as a label writes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return "0" if value == 0 else repr(float(value) if isinstance(value, float) else int(value))
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(value_text, value))}]"
    return str(value)


def component_label(component: Any) -> str:
    """The label of a component: a frozen dataclass with a class attribute `name` whose fields are its parameters."""
    arguments = tuple(
        (field.name, getattr(component, field.name))
        for field in dataclasses.fields(component)
        if field.init and getattr(component, field.name) != field.default
    )
    return str(Label(component.name, arguments, called=True))


def configuration_label(chunker: object, retriever: object | None = None) -> str:
    """`CHUNKER` or `CHUNKER + RETRIEVER`: the name of one row of the sweep table."""
    return label_of(chunker) if retriever is None else f"{label_of(chunker)} + {label_of(retriever)}"


def label_of(component: object) -> str:
    """The component's text; its class's name where it has none of its own but a place in memory."""
    kind = type(component)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        return f"{kind.__name__}()"
    return str(component)


def parse(text: str) -> Label:
    """The label that `text` writes.

    Raises:
        InputError: the text is not a label; the message says where it stops being one.
    """
    reader = _Reader(text)
    label = reader.label()
    reader.end()
    return label


def parse_configuration(text: str) -> tuple[Label, Label | None]:
    """The chunker's and the retriever's label of a configuration.

    Raises:
        InputError: as `parse`.
    """
    reader = _Reader(text)
    chunker = reader.label()
    retriever = reader.label() if reader.take("+") else None
    reader.end()
    return chunker, retriever


class _Reader:
    """Recursive descent over one text; every error names the text and the position."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.depth = text, 0, 0

    def peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.position)

    def take(self, mark: str) -> bool:
        match = self.peek()
        if match is None or match["mark"] != mark:
            return False
        self.position = match.end()
        return True

    def demand(self, mark: str) -> None:
        if not self.take(mark):
            raise self.error(f"expected {mark!r}")

    def end(self) -> None:
        if self.text[self.position :].strip():
            raise self.error("expected the end of the label")

    def error(self, expected: str) -> InputError:
        return InputError(
            f"not a label: {expected} at character {self.position + 1}",
            f"label {shortened(self.text, 80)!r}",
            "write it like fixed(size=400, overlap=0.2), paragraph(), Recall@5 or Recall(budget=2000)",
        )

    def name(self) -> str:
        match = self.peek()
        if match is None or match["name"] is None:
            raise self.error("expected a name")
        self.position = match.end()
        return match["name"]

    def label(self) -> Label:
        with self.nested():
            return self.label_inside()

    @contextmanager
    def nested(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"expected at most {_DEEPEST} labels and lists inside each other")
        yield
        self.depth -= 1

    def label_inside(self) -> Label:
        arguments: list[tuple[str, Any]] = []
        name, called, cutoff = self.name(), self.take("("), None
        if called and not self.take(")"):
            while True:
                key = self.name()
                if key in dict(arguments):
                    raise self.error(f"{key!r} is given twice: expected each argument once")
                self.demand("=")
                arguments.append((key, self.value()))
                if self.take(")"):
                    break
                self.demand(",")
        if self.take("@"):
            cutoff = self.value()
            if not isinstance(cutoff, int) or isinstance(cutoff, bool) or cutoff < 1:
                raise self.error("expected a whole number of 1 or more after '@'")
        return Label(name, tuple(arguments), cutoff, called)

    def value(self) -> Any:
        match = self.peek()
        if match is None:
            raise self.error("expected a value")
        if match["number"] is not None:
            self.position = match.end()
            return self.number(match["number"])
        if match["string"] is not None:
            try:
                text = json.loads(match["string"])
            except json.JSONDecodeError:
                raise self.error("expected a JSON string") from None
            self.position = match.end()
            return text
        if match["name"] in _CONSTANTS and not self.text[match.end() :].lstrip().startswith("("):
            self.position = match.end()
            return _CONSTANTS[match["name"]]
        return self.values() if self.take("[") else self.label()

    def values(self) -> tuple[Any, ...]:
        values: list[Any] = []
        with self.nested():
            while not self.take("]"):
                if values:
                    self.demand(",")
                values.append(self.value())
        return tuple(values)

    def number(self, digits: str) -> int | float:
        if len(digits) > _LONGEST:
            raise self.error(f"expected a number of at most {_LONGEST} characters")
        if re.fullmatch(r"[+-]?\d+", digits):
            return int(digits)
        number = float(digits)
        if not math.isfinite(number):
            raise self.error("expected a finite number")
        return number


def slug(label: str) -> str:
    """A file name for one label: lower case, runs of anything but `[a-z0-9.-]` as `_`, no Windows device name."""
    name = re.sub(r"[^a-z0-9.-]+", "_", label.lower()).strip("._-") or "label"
    return f"label_{name}" if name.split(".")[0] in _DEVICES else name


def slugs(labels: Iterable[str]) -> Mapping[str, str]:
    """A distinct file name for each label; where two would meet, both get 8 hex digits of their label's SHA-256."""
    names = {label: slug(label) for label in labels}
    while True:
        taken = Counter(names.values())
        # Digits may meet a label that ends in just these digits; then it gets its own in turn.
        meeting = [label for label, name in names.items() if taken[name] > 1]
        if not meeting:
            return names
        names.update({label: f"{names[label]}_{_digest(label)}" for label in meeting})


def _digest(label: str) -> str:
    return hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def percent_encoded(document_id: str) -> str:
    """A document id inside a chunk id: `%`, `@` and `:` percent-encoded, so that chunk ids never collide."""
    return document_id.replace("%", "%25").replace("@", "%40").replace(":", "%3A")


def chunk_id(document_id: str, start: int, end: int) -> str:
    """`document@start:end`, the id of a chunk: the document's own offsets in code points, half-open."""
    return f"{percent_encoded(document_id)}@{start}:{end}"
