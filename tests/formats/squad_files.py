"""Small SQuAD files, drawn where they are used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Japanese, a joined emoji, a combining mark, an ideographic space and CRLF: every fixture has them.
TANGLED = "東京👩\u200d🍳か\u3099\r\n\u3000終"


def question(identity: str | int, text: str, *answers: tuple[str, int], **more: Any) -> dict[str, Any]:
    listed = [{"text": quoted, "answer_start": start} for quoted, start in answers]
    return {"id": identity, "question": text, "answers": listed, **more}


def article(title: str | None, *paragraphs: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    listed = [{"context": context, "qas": asked} for context, asked in paragraphs]
    return {"paragraphs": listed} if title is None else {"title": title, "paragraphs": listed}


def squad_file(path: Path, *articles: dict[str, Any], encoding: str = "utf-8") -> Path:
    path.write_bytes(json.dumps({"version": "1", "data": articles}, ensure_ascii=False).encode(encoding))
    return path
