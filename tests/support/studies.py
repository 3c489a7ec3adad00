"""A small design for tests, with its files and records in a folder."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pipeline.core.files import write_jsonl, write_text
from pipeline.core.model import Item
from pipeline.studies.model.judgements import Judgement
from pipeline.winograd.zero_forms import to_zero
from tests.support.items import marked

DESIGN = """id: kites
title: 风筝
lang: zh
source: items
records: {records}
config: kites.xml
guideline: kites.md
practice: kites.yaml
seed: 7
show: {{text: text_zero, options: candidates, right: right, wrong: wrong, why: explanation}}
controls:
  reference: {{kind: candidate}}
  naturalness: {{kind: rating, low: 1, high: 5}}
  comment: {{kind: text, required: false}}
lists: {{scheme: balanced, count: 2, run: 3}}
"""
CONFIG = """<View>
  {%- for n in range(1, screen + 1) %}
  {%- set on = "_%d" % n if screen > 1 else "" %}
  {%- set of = "-%d" % n if screen > 1 else "" %}
  <Text name="text{{ on }}" value="$text{{ on }}"/>
  <Choices name="reference{{ of }}" toName="text{{ on }}" value="$options{{ on }}" choice="single" required="true"/>
  <Choices name="naturalness{{ of }}" toName="text{{ on }}" choice="single" required="true">
    {%- for point in range(1, 6) %}<Choice value="{{ point }}"/>{% endfor %}
  </Choices>
  <TextArea name="comment{{ of }}" toName="text{{ on }}"/>
  {%- endfor %}
</View>
"""
PRACTICE = """- {id: p-1, text: '阿菊把风筝递给小舟，[她]正空着手。', candidates: [阿菊, 小舟], answer: 1, explanation: 空手才接得住。}
- {id: p-2, text: '小舟追着阿菊跑，因为Ø想要回风筝。', candidates: [小舟, 阿菊], answer: 0, explanation: 追的人想要回东西。}
"""


def kites(number: int) -> Item:
    """Return an item of a pair. In even pairs the answer of member a is 0, in odd ones 1."""
    pair, member = divmod(number, 2)
    text = f"阿菊把第{pair + 1}只风筝借给小舟，因为【她】{'用不着' if member == pair % 2 else '没有'}。"
    return marked(
        text,
        f"kite-{pair:03}-{'ab'[member]}",
        candidates=("阿菊", "小舟"),
        answer=(member + pair) % 2,
        question=f"谁{'用不着' if member == pair % 2 else '没有'}？",
    )


def write_design(folder: Path, items: Iterable[Item], design: str = DESIGN, **files: str) -> Path:
    """Write annotation/ and the records into a folder and return the path of the design; `files`: config, guideline, practice."""
    records = folder / "build" / "zero.jsonl"
    write_jsonl(records, map(to_zero, items))
    annotation = folder / "annotation"
    write_text(annotation / "configs" / "kites.xml", files.get("config", CONFIG))
    write_text(annotation / "guidelines" / "kites.md", files.get("guideline", "# 风筝\n\n选出 **Ø** 指谁。\n"))
    write_text(annotation / "practice" / "kites.yaml", files.get("practice", PRACTICE))
    path = annotation / "designs" / "kites.yaml"
    write_text(path, design.format(records=records))
    return path


def judgement(item: str, rater: str, **answers: str | int) -> Judgement:
    """A rater's answers about an item."""
    return Judgement(study="kites", list="1", task=f"kites/1/{item}", item=item, phase="main", rater=rater, answers=answers,
                     lead_time=None)  # fmt: skip


def skipped(item: str, rater: str) -> Judgement:
    """A task that a rater skipped."""
    return replace(judgement(item, rater), skipped=True)
