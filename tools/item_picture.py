"""Draw docs/item.svg, the way of our first item from its sentence to its question: `python -m tools.item_picture`."""

import re
import textwrap
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from pipeline.core.files import write_text
from pipeline.core.model import Item, Span
from pipeline.core.notation import expand
from pipeline.core.yamlfile import load_yaml
from pipeline.language.parsing.lock import read_lock, tree_of
from pipeline.winograd.exclusion.ruleset import load_rules
from pipeline.winograd.readers import ingest
from pipeline.winograd.zero_forms import to_zero

ROOT = Path(__file__).resolve().parent.parent
PICTURE, SOURCE = ROOT / "docs" / "item.svg", ROOT / "raw" / "zh" / "schemas.yaml"
#: Chinese characters and Latin letters that fit into a line of the picture.
_CHINESE, _LATIN = 19, 46
_CONTRAST = re.compile(r"\{.*?\|(.*?)\}")


def picture() -> str:
    """Return the SVG of the first schema's item *a*; its other member stands in the last box."""
    entry = load_yaml(SOURCE)[0]
    item, mate = ingest(SOURCE.read_bytes(), SOURCE, "schema-yaml").items[:2]
    other, translation = (_CONTRAST.findall(entry[field])[0] for field in ("text", "gloss"))
    rules = load_rules("zh")
    tree, target = tree_of(item, read_lock(SOURCE.with_name("parses") / "stanza.conllu"))
    word = tree.tokens[target]
    # The picture tells of an item that is kept.
    assert not rules.judge(tree, target)
    assert word.relation == "nsubj"
    assert word.head is not None
    place = f"{word.form} is the subject of {tree.tokens[word.head].form}: none of {len(rules.rules)} rules rejects it"
    zero = to_zero(item)
    steps = {
        "A sentence, its pronoun, two candidates": [
            *_chinese(item.text, item.target, item.candidates),
            *_latin(expand(entry["gloss"])[0]),
        ],
        "The rules": _latin(f"{place}, so Chinese can leave it out."),
        "Its zero form": _chinese(zero["text_zero"], Span(**zero["zero"]), item.candidates),
        "A question that only the meaning answers": [
            *_answered(item),
            *_latin(f"The other member of the pair has {other} ({translation}):"),
            *_answered(mate),
        ],
    }
    templates = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, keep_trailing_newline=True)
    return templates.get_template("item_picture.svg.j2").render(steps=steps, item_id=item.id)


def _chinese(text: str, target: Span | None = None, candidates: tuple[str, ...] = ()) -> list[tuple[str, Markup]]:
    """Return the lines of a text with its target and its candidates marked."""
    marks = dict.fromkeys(range(target.start, target.end), "target") if target else {}
    for candidate in candidates:
        start = text.index(candidate)
        marks |= dict.fromkeys(range(start, start + len(candidate)), "candidate")
    letters = [
        Markup('<tspan class="{}">{}</tspan>').format(marks.get(place, ""), letter) for place, letter in enumerate(text)
    ]
    return [("text", Markup("").join(letters[start : start + _CHINESE])) for start in range(0, len(text), _CHINESE)]


def _answered(item: Item) -> list[tuple[str, Markup]]:
    answer = item.candidates[item.answer]
    return _chinese(f"{item.question} {answer}", None, (answer,))


def _latin(text: str) -> list[tuple[str, Markup]]:
    return [("note", escape(line)) for line in textwrap.wrap(text, _LATIN)]


if __name__ == "__main__":
    write_text(PICTURE, picture())
