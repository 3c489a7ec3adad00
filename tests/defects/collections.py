"""Defects of whole collections: schemas that are too much alike, something that tells the answers."""

from copy import deepcopy

from pipeline.winograd.analysis import analysis_table
from pipeline.winograd.variety import LEAST_SCHEMAS

from .defect import Damage, Defect, Rows

_REGISTERS = sorted(analysis_table("zh").registers)


def many(*candidates: str, between: str = "看着", joined: str = "", registers: list[str] = _REGISTERS) -> Damage:
    """Return the damage that puts enough schemas in place of the rows, all with these candidates and words, and registers in turn."""

    def damage(rows: Rows) -> Rows:
        before = f"{candidates[0]}{between}{candidates[1]}，{joined}"
        made = []
        for number in range(LEAST_SCHEMAS // len(registers) * len(registers) + len(registers)):
            row = deepcopy(rows[0])
            row |= {"id": f"zh-{number}-a", "schema": f"zh-{number}", "candidates": list(candidates)}
            row |= {"text": f"{before}他笑了。", "target": {"start": len(before), "end": len(before) + 1}}
            row |= {"mentions": [], "register": registers[number % len(registers)]}
            made.append(row)
        return made

    return damage


VARIETY = [
    Defect(f"variety-{name}", "variety", expectation, damage, reported_id=dimension)
    for name, dimension, expectation, damage in (
        ("of-one-register", "register", "registers-even", many("木匠", "瓦匠", registers=_REGISTERS[:1])),
        ("without-a-register", "register", "registers-even", many("木匠", "瓦匠", registers=_REGISTERS[1:])),
        ("of-one-connective", "connective", "none-too-frequent", many("木匠", "瓦匠", joined="因为")),
        ("of-one-frame", "frame", "none-too-frequent", many("木匠", "瓦匠", between="劝")),
        ("of-one-report", "report", "none-too-frequent", many("木匠", "瓦匠", joined="邻居都说")),
        ("among-kin", "kin", "none-too-frequent", many("哥哥", "弟弟")),
        ("of-twins", "twins", "none-too-frequent", many("左先锋", "右先锋")),
        ("of-one-surname", "surname", "none-too-frequent", many("王师傅", "木匠")),
    )
]


# --- what tells the answers ----------------------------------------------------------------------------------------------

_NAMES = "赵钱孙李周吴郑冯陈卫蒋沈韩杨"


def _marked_answers(rows: Rows) -> Rows:
    """Return enough schemas in which the right candidate is the one that begins with 小."""
    made = []
    for number in range(40):
        row, answer = deepcopy(rows[0]), number // 2 % 2
        names = [f"{'小' if at == answer else '老'}{_NAMES[(number + at) % len(_NAMES)]}" for at in (0, 1)]
        before = f"{names[0]}看着{names[1]}，"
        row |= {"id": f"zh-{number}-a", "schema": f"zh-{number}", "candidates": names, "answer": answer}
        row |= {"text": f"{before}他笑了。", "target": {"start": len(before), "end": len(before) + 1}}
        made.append(row | {"mentions": [], "register": ""})
    return made


ARTEFACTS = [
    Defect("marked-answers", "artefacts", "no-cue-tells", _marked_answers, reported_id="candidate has 小"),
    Defect("answers-learnt-from-candidates", "artefacts", "no-part-tells", _marked_answers, reported_id="candidates"),
]
