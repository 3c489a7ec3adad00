"""The release of sentences made from occupation templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.checksums import CHECKSUMS, checksums_of
from ..core.files import to_json
from ..core.pages import render_card
from ..winopron.instances import Instance, instance_to_json, read_instances
from .sources import Source
from .tables import json_lines, parquet

FORMS = ("double", "single")


def card(name: str, sentences: Mapping[str, Sequence[Instance]], source: Source, example: Mapping[str, Any]) -> str:
    """Return the dataset card: the YAML that `datasets` reads, then what a reader needs to know."""
    double = sentences["double"]
    return render_card(
        "release/winopron_card.md.j2",
        name=name,
        language=double[0].item.lang if double else "en",
        counts={form: len(found) for form, found in sentences.items()},
        pairs=len({one.item.candidates for one in double}),
        cases=Counter(one.case for one in double),
        sets=Counter(one.pronouns for one in double),
        answers=Counter(one.item.answer for one in double),
        source=source,
        example=to_json(example),
    )


def release_files(directory: Path, source: Source, licence_text: str) -> dict[str, bytes]:
    """Return the files of a release by name, made from the ``double.jsonl`` and ``single.jsonl`` of a build.

    Each row, the card and so each data file carry the source's canary.
    """
    sentences = {form: read_instances(directory / f"{form}.jsonl") for form in FORMS}
    rows = {
        form: [instance_to_json(one) | {"canary": source.canary} for one in found] for form, found in sentences.items()
    }
    example = rows["double"][0] if rows["double"] else {}
    files = {
        "README.md": card(directory.name, sentences, source, example).encode(),
        "LICENSE": licence_text.encode(),
    }
    for form in FORMS:
        files[f"data/{form}.jsonl"] = json_lines(rows[form])
        files[f"data/{form}.parquet"] = parquet(rows[form])
    return files | {CHECKSUMS: checksums_of(files).encode()}
