"""Defects of collections whose schemas are too much alike."""

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
