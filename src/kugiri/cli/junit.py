"""The verdicts of a gate as JUnit XML, which CI systems show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from kugiri.cli.gate import Checked
from kugiri.errors import InputError
from kugiri.export.whole_file import demand_file, whole_file
from kugiri.visible import one_line

_FORBIDDEN = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_file(to: Path) -> None:
    """Refuses, before anything is computed, what no XML is written to.

    Raises:
        InputError: a name that does not end in `.xml`; a folder, a device or anything else that is no file.
    """
    if to.suffix.lower() != ".xml":
        raise InputError(f"{to.name!r} is no XML file", "--junit", "give a file that ends in .xml")
    demand_file(to, "XML is", "--junit")


def write_junit(to: Path, source: str, checked: Sequence[Checked]) -> None:
    """Writes the file beside its place and puts it there whole, over an older one if there is one.

    Raises:
        InputError: it cannot be written, and an older file is as it was.
    """
    data = junit(source, checked)
    with whole_file(to, "the JUnit file", "--junit") as built:
        built.write_bytes(data)


def junit(source: str, checked: Sequence[Checked]) -> bytes:
    """One test case a configuration and limit; the text of a failure names every lost question.

    Args:
        source: the folder that was checked.
        checked: the configurations.
    """
    verdicts = [(one, verdict) for one in checked for verdict in one.verdicts]
    failed = sum(not verdict.holds for _, verdict in verdicts)
    counts = {"tests": str(len(verdicts)), "failures": str(failed), "errors": "0"}
    root = ElementTree.Element("testsuites", {"name": "kugiri check", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _text(f"kugiri check {source}"), **counts})
    for one, verdict in verdicts:
        # A label may hold dots, which some readers take for packages: it stands in the name, not in the class.
        name = _text(f"{one.configuration}: {verdict.limit}")
        case = ElementTree.SubElement(suite, "testcase", {"classname": "kugiri.check", "name": name})
        if not verdict.holds:
            said = {"type": verdict.limit, "message": _text(str(verdict))}
            lines = [f"{one.configuration}: {verdict}", *one.named()]
            ElementTree.SubElement(case, "failure", said).text = "\n".join(map(_text, lines))
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _text(text: str) -> str:
    r"""The text on one line, what XML forbids written as `\ufffe`."""
    return _FORBIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), one_line(text))
