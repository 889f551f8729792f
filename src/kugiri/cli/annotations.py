"""GitHub's workflow commands: errors that its pages show, and output that is never read as a command."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from kugiri.cli.gate import SHOWN, Checked
from kugiri.visible import one_line


def annotation(one: Checked) -> str:
    """One error for a configuration: the limits that do not hold, and the names of lost questions."""
    lines = [str(verdict) for verdict in one.verdicts if not verdict.holds] + one.named(SHOWN)
    title, message = one_line(f"kugiri check: {one.configuration}"), "\n".join(lines)
    return f"::error title={escaped_property(title)}::{escaped_data(message)}"


def inert(lines: Sequence[str]) -> list[str]:
    """The lines between two commands that stop and resume commands: the runner obeys nothing that stands in them."""
    token = secrets.token_hex(16)
    return [f"::stop-commands::{token}", *lines, f"::{token}::"]


def escaped_data(text: str) -> str:
    """The text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """The text as the value of a property of a workflow command."""
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")
