"""What is doubtful in a collection of one's own, said before anything is made of it; without libraries, so that it costs no time."""

import re
from collections.abc import Mapping, Sequence
from typing import Any


def doubts(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each kind of what is doubtful in a collection of one's own, as `winoforge validate` would find it.

    >>> pair = [{"id": f"s-{v}", "schema": "s", "lang": "zh", "text": "他怕雨傘", "question": "他为什么怕？", "answer": 0} for v in "ab"]
    >>> for line in doubts(pair):
    ...     print(line)
    warning: 1 pair with the same answer twice: s
    warning: 2 questions asking for a reason: s-a, s-b
    warning: 2 texts in traditional script, or with rare characters: s-a, s-b
    """
    answers: dict[str, list[int]] = {}
    for record in records:
        answers.setdefault(record["schema"], []).append(record["answer"])
    chinese = [record for record in records if record["lang"] == "zh"]
    found = {
        ("pair", "with the same answer twice"): [
            schema
            for schema, pair in answers.items()
            if len(pair) == len("ab") and len({*pair}) == 1 and None not in pair
        ],
        ("question", "asking for a reason"): [
            record["id"]
            for record in chinese
            if re.search("为什么|為什麼", record["question"] or "") and not re.search("[谁誰哪]", record["question"])
        ],
        ("text", "in traditional script, or with rare characters"): [
            record["id"]
            for record in chinese
            if b"?" in re.sub(r"[^\u4e00-\u9fff]", "", record["text"]).encode("gb2312", "replace")
        ],
    }
    return [
        f"warning: {len(ids)} {noun}{'s' * (len(ids) > 1)} {what}: {', '.join(ids[:3])}{', …' * (len(ids) > 3)}"
        for (noun, what), ids in found.items()
        if ids
    ]
