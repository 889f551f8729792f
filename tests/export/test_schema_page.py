from __future__ import annotations

from pathlib import Path

from kugiri.export.schema_page import schema_page


def test_the_committed_page_is_what_the_schemas_say() -> None:
    committed = Path(__file__).parents[2] / "docs/schema.md"
    assert committed.read_text(encoding="utf-8") == schema_page(), (
        "run: python -m kugiri.export.schema_page > docs/schema.md"
    )
