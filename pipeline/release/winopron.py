"""The release of sentences made from occupation templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.files import to_json
from ..core.pages import render_card
from ..core.rules import rules_digest
from ..evaluation.folder import CARD
from ..winograd.pairs import contrasts
from ..winopron.instances import VERSIONS, Instance, Version, instance_to_json, read_instances
from .cloze import provenance
from .harness import tasks
from .manifest import PROVENANCE
from .people import judged_items, studies_file
from .sources import Source, label
from .tables import size_category, stamp, with_tables


def release_files(directory: Path, source: Source, licence_text: str, exports: Path | None = None) -> dict[str, bytes]:
    """Return the files of a release by name, made from ``double.jsonl`` and ``single.jsonl`` of a build."""
    sentences = {version: read_instances(directory / f"{version}.jsonl") for version in VERSIONS}
    rows: dict[str, list[dict[str, Any]]] = {
        version: [instance_to_json(sentence) for sentence in group] for version, group in sentences.items()
    }
    places = contrasts(sentence.item for sentence in sentences["double"])
    rows["double"] = [row | {"contrast": places.get(row["schema"], "")} for row in rows["double"]]
    example = rows["double"][0] if rows["double"] else {}
    people = judged_items(exports, [sentence.item for version in VERSIONS for sentence in sentences[version]])
    files = {
        **texts(directory.name, sentences, source, example, people),
        "LICENSE": licence_text.encode(),
        **studies_file(people),
    }
    rules = rules_digest()
    records = [provenance(row, source, rules) for group in rows.values() for row in group]
    return with_tables(directory, source, files, rows, {PROVENANCE: records})


def texts(
    name: str,
    sentences: Mapping[Version, Sequence[Instance]],
    source: Source,
    example: Mapping[str, Any],
    people: Mapping[str, Any],
) -> dict[str, bytes]:
    """Return the dataset card (the YAML header that `datasets` reads, then a description) and the tasks, by file name."""
    double = sentences["double"]
    card = render_card(
        "release/winopron_card.md.j2",
        name=name,
        label=label(name, source),
        language=double[0].item.lang if double else "en",
        size=size_category(sum(map(len, sentences.values()))),
        counts={version: len(group) for version, group in sentences.items()},
        pairs=len({sentence.item.candidates for sentence in double}),
        cases=Counter(sentence.case for sentence in double),
        sets=Counter(sentence.pronouns for sentence in double),
        contrasts=Counter(contrasts(sentence.item for sentence in double).values()),
        answers=Counter(sentence.item.answer for sentence in double),
        source=source,
        people=people,
        row=example,
        example=to_json({**example, **stamp(name, source)}),
        prefix=tasks.task_prefix(name),
        tasks=tasks.tasks_of("templates"),
    )
    return {
        CARD: card.encode(),
        **tasks.files_of_templates(name, [sentence.item for sentence in double], source.canary),
    }
