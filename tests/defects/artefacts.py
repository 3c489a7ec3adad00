"""Defects of collections in which something tells the answers."""

from copy import deepcopy

from .defect import Defect, Rows

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
