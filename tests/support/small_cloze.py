"""A small cloze study: two pairs in two lists, with fillers and attention trials."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from pipeline.core.files import write_jsonl
from pipeline.core.model import Item
from pipeline.winograd.cloze import cloze_items
from pipeline.winograd.readers import read_drafts
from pipeline.winograd.readers.draft import assemble

#: Pairs whose pronouns and places can be shared between two lists.
TWO_PAIRS = ("de-021", "de-029")


def small_cloze(folder: Path, root: Path) -> Path:
    """Write the design `cloze` with its files, cut down to lists of two items, three fillers, one attention and one practice trial."""
    annotation = folder / "annotation"
    (annotation / "designs").mkdir(parents=True)
    for name in ("configs/cloze.xml", "configs/style.css", "guidelines/cloze.md"):
        (annotation / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / "annotation" / name, annotation / name)
    practice = (root / "annotation" / "practice" / "de.yaml").read_text(encoding="utf-8")
    (annotation / "practice").mkdir()
    (annotation / "practice" / "de.yaml").write_text("\n- ".join(practice.split("\n- ")[:2]) + "\n", encoding="utf-8")
    design = (root / "annotation" / "designs" / "cloze.yaml").read_text(encoding="utf-8")
    (annotation / "designs" / "cloze.yaml").write_text(re.sub("count: [0-9]+", "count: 2", design), encoding="utf-8")
    write_cloze_materials(folder, root, TWO_PAIRS, items=2, fillers=3)
    return folder


def write_cloze_materials(folder: Path, root: Path, pairs: Sequence[str], *, items: int, fillers: int) -> list[Item]:
    """Write cloze items of some pairs of ours, the fillers, and an experiment with lists of this length; return the items."""
    schemas = root / "raw" / "de" / "schemas.yaml"
    (folder / "raw" / "de").mkdir(parents=True)
    shutil.copy(root / "raw" / "de" / "fillers.yaml", folder / "raw" / "de" / "fillers.yaml")
    lists = (root / "raw" / "de" / "experiment.yaml").read_text(encoding="utf-8")
    for name, number in {"items": items, "fillers": fillers, "attention": 1}.items():
        lists = re.sub(rf"^  {name}: [0-9]+$", f"  {name}: {number}", lists, flags=re.M)
    (folder / "raw" / "de" / "experiment.yaml").write_text(lists, encoding="utf-8")
    drafts = read_drafts(schemas.read_bytes(), schemas, "schema-yaml", "de")
    analyses = {draft.id: draft.analysis for draft in drafts if draft.analysis}
    chosen = [item for item in assemble(drafts).items if item.schema in pairs]
    write_jsonl(folder / "build" / "de" / "cloze.jsonl", cloze_items(chosen, analyses))
    return chosen
