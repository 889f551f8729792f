"""The phrases of synthetic sentences: a few lists, and their products."""

from __future__ import annotations

import dataclasses
import functools
import itertools

import numpy as np
from numpy.typing import NDArray

from kugiri.model.columns import Int64

UInt32 = NDArray[np.uint32]

_WHEN = (
    *("",) * 12,
    *("毎月初めに", "翌営業日までに", "作業の前日に", "始業後30分以内に", "四半期ごとに", "異常時には", "休日を除き"),
    *("年度末までに", "３日以内に", "午後５時以降、", "定期点検の際に", "停止から2時間後に", "初回に限り"),
)
_AREA = (
    *("保守", "点検", "出荷", "受入", "検査", "夜間", "安全", "品質", "設備", "倉庫", "経理", "購買", "総務", "施設"),
    *("配管", "電気", "空調", "搬送", "梱包", "計測", "教育", "広報", "防災", "清掃", "会計", "契約", "運用", "監視"),
)
_PERSON = (
    *("担当者は、", "責任者は", "部門では、", "係は", "委員会が", "事務局は、", "当番が", "作業員は", "主任は、"),
    "協力会社は、",
)
_HOW = (
    *("事前に", "書面で", "原則として", "ただちに", "別表２に従い", "様式第4号により", "二人で", "写真を添えて"),
    *("改めて", "口頭ではなく", "やむを得ず", "あらかじめ", "電子メールで", "現地で", "指示を待たずに", "順番どおり"),
    *("無償で", "必ず"),
)
_THING = (
    *("申請書", "点検表", "ポンプ", "制御盤", "予備品", "作業計画", "測定値", "請求書", "手順書", "警報", "鍵", "台帳"),
    *("フィルター", "バルブ", "ログ", "契約書", "見積り", "図面", "証明書", "在庫", "温度計", "ケーブル", "名簿"),
    *("議事録", "旅費", "容器", "ラベル", "工具", "保護具", "設定値", "バックアップ", "領収書", "搬入口", "センサー"),
    *("潤滑油", "訓練"),
)
_PART = ("を", "の写しを", "の状態を", "の番号を", "の変更を", "の期限を")
_VERB = (
    *("確認する", "提出する", "保管する", "交換する", "記録する", "報告する", "承認する", "点検する", "廃棄しない"),
    *("更新する", "通知する", "見直す", "受け取る", "照合する", "引き継ぐ", "固定する", "返却する", "取り外す"),
    *("再開する", "分けて置く", "公開しない"),
)
# The rare ones stand last: a line break with CRLF and an indent, emoji with a variation selector and with a joiner, a
# voiced mark that combines, white space as wide as a character.
_END = (
    *("。",) * 48,
    *("ものとする。",) * 4,
    *("ことがある。",) * 4,
    *("。\n", "。\r\n\u3000・", "。⚠\ufe0f", "。👩\u200d🔧", "（記号か\u3099を付す）。", "。\u3000ただし、"),
    *("🙂。", "。①"),
)
TAIL = "この限りではないものの、詳しい扱いは別に定める細則の該当する条項によることができるものとする。"
"""Its end closes a paragraph whose length leaves no room for the next phrase."""

ABSENT = tuple(
    f"{place}の{thing}"
    for place in ("月面基地", "海底駅", "砂漠工場", "飛行船", "氷の城", "浮島", "火口湖", "地底都市")
    for thing in ("灯台守", "羅針盤", "温室", "音楽隊", "時計塔", "図書館", "果樹園", "気球")
)
"""What no synthetic document speaks of."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """All phrases, one slot of a sentence after the other.

    Attributes:
        characters: uint32[C], the code points of the distinct phrases, one behind the other, in little-endian order.
        start, lengths: int64[P], where each phrase begins in `characters`, and how long it is.
        first, sizes: uint32[slots], where the phrases of each slot begin among all, and how many they are.
        least_sentence: the length of the shortest sentence.
    """

    characters: UInt32
    start: Int64
    lengths: Int64
    first: UInt32
    sizes: UInt32
    least_sentence: int


@functools.cache
def phrases() -> Phrases:
    """The phrases, made once: when and who, how (or a part number), what, the end.

    Few long phrases for each sentence: drawing takes its time for each.
    """
    series = ("KG", "RT", "Ｍ", "ZQ")
    codes = [f"部品{letters}-{7 * number + 1003}については" for number in range(150) for letters in series]
    slots: list[list[str]] = [
        [when + area + person for when in _WHEN for person in _PERSON for area in _AREA],
        [*[""] * 480, *[how for how in _HOW for _ in range(24)], *codes],
        [thing + part + verb for verb in _VERB for part in _PART for thing in _THING],
        list(_END),
    ]
    pieces = [phrase for slot in slots for phrase in slot]
    distinct = list(dict.fromkeys(pieces))
    begins = dict(zip(distinct, itertools.accumulate(map(len, distinct), initial=0), strict=False))
    lengths = np.array([len(phrase) for phrase in pieces], dtype=np.int64)
    sizes = np.array([len(slot) for slot in slots], dtype=np.uint32)
    return Phrases(
        np.frombuffer("".join(distinct).encode("utf-32-le"), dtype="<u4"),
        np.array([begins[phrase] for phrase in pieces], dtype=np.int64),
        lengths,
        np.cumsum(sizes, dtype=np.uint32) - sizes,
        sizes,
        sum(min(map(len, slot)) for slot in slots),
    )
