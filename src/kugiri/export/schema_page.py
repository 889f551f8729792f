"""The page that documents every table of a results folder: `python -m kugiri.export.schema_page > docs/schema.md`."""

from __future__ import annotations

import sys

from kugiri.export.schemas import TABLES, schema

_HEAD = """# Tables of a results folder

Made by `python -m kugiri.export.schema_page` from `kugiri.export.schemas`; the same sentences are in the metadata of
every Parquet field. Ids are strings. All offsets are the document's own, half-open, in Unicode code points. Missing is
null, never zero. `configurations` has one more column for each metric of the sweep, named by its label, before the rank
classes.
"""


def schema_page() -> str:
    """The page as Markdown."""
    parts = [_HEAD]
    for name in (*TABLES, "runs", "surface"):
        parts.append(f"\n## `tables/{name}.parquet`\n\n| column | type | meaning |\n|---|---|---|\n")
        for field in schema(name):
            meaning = (field.metadata or {}).get(b"description", b"").decode()
            parts.append(f"| `{field.name}` | {_type_name(str(field.type))} | {meaning} |\n")
    return "".join(parts)


def _type_name(arrow: str) -> str:
    return {"string": "text", "int64": "integer", "double": "real", "bool": "boolean"}.get(arrow, "list of texts")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(schema_page())
