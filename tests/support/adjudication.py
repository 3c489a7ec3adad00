"""A small collection that people decide on, and rows of their decisions."""

from pipeline.core.model import ExclusionClass, Finding, Item, Rejected
from pipeline.winograd.adjudication.table import Adjudication, judged_answer, judged_text
from tests.support.items import marked


def pair(name: str, first: str, second: str, *candidates: str) -> list[Item]:
    return [
        marked(first, f"{name}-a", candidates=candidates),
        marked(second, f"{name}-b", candidates=candidates, answer=1),
    ]


def excluded(item: Item, exclusion: ExclusionClass, rule: str = "zh/x", **evidence: object) -> Rejected:
    return Rejected(item, (Finding(rule, exclusion, item.target, "because", evidence),))


HURRY = pair("p-1", "老汤催小柳快走，因为【他】赶时间。", "老汤催小柳快走，因为【他】磨磨蹭蹭。", "老汤", "小柳")
SHIFT = pair(
    "p-2", "阿强替阿明值了夜班，【他】困得睁不开眼。", "阿强替阿明值了夜班，【他】在家睡得很香。", "阿强", "阿明"
)
#: Both members are rejected on their own account.
BLAME = pair("p-3", "小孙绊倒了小郑，大家都去责备【他】。", "小孙绊倒了小郑，大家都去安慰【他】。", "小孙", "小郑")
#: The first member is rejected, the second only goes with it.
CARRY = pair("p-4", "老胡背老秦下山，可把【他】累坏了。", "老胡背老秦下山，可【他】还嫌不稳。", "老胡", "老秦")
KEPT = [*HURRY, *SHIFT]
MATE = Finding(
    "exclude/pair-mate",
    "pair-mate",
    None,
    "p-4-a of the same schema was rejected as ba-object",
    {"mate": "p-4-a", "class": "ba-object", "rule": "zh/x"},
)
REJECTED = [
    excluded(BLAME[0], "direct-object"),
    excluded(BLAME[1], "direct-object"),
    excluded(CARRY[0], "ba-object"),
    Rejected(CARRY[1], (MATE,)),
]
STATES = {item.id: "kept" for item in KEPT} | {entry.record.id: entry.exclusion for entry in REJECTED}
RECORDS: dict[str, Item] = {item.id: item for item in (*KEPT, *BLAME, *CARRY)}


def row(name: str, action: str, value: str = "", **fields: object) -> Adjudication:
    """Return a decision by two of three that fits the record as it is here."""
    fitting = {
        "state": STATES.get(name, "kept"),
        "text": judged_text(RECORDS[name]) if name in RECORDS else "【他】来了。",
        "answer": judged_answer(RECORDS[name]) if name in RECORDS else "",
        "study": "consensus",
        "votes": 2,
        "raters": 3,
        "line": 2,
    }
    return Adjudication(item=name, action=action, value=value, **{**fitting, **fields})  # type: ignore[arg-type]
