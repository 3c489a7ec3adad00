"""What must be true of the card of a release: it is what a release of the same data would say."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from ...core.errors import shown
from ...core.files import lines_of
from ...core.records import item_from_json, rejected_from_json
from ...core.validation.rows import list_of, text_of
from ...core.validation.suite import Check, Row, Value
from ...evaluation.folder import CARD
from ...winograd.provenance import FOLLOW
from ...winopron.instances import VERSIONS, Instance, Version
from .. import cloze, winograd, winopron
from ..people import STUDIES, studies_from_json
from ..sources import Source
from .folder import PROVENANCE, REJECTED, Release

#: The section of a card on what no human has checked.
_LIMITS = "## What no human has checked"
_TITLE = re.compile(
    r"(?:anaphor is a zero|pairs of occupation and participant|one of two antecedents)\. (.*)\.$", re.MULTILINE
)
_SOURCE = re.compile(r"^Source: (.*) \(`(.*)`, sha256 `(.*)`\), under (.*)\.$", re.MULTILINE)
_CANARY = re.compile(r"^> (.*)$", re.MULTILINE)
_STUDIES = re.compile(r"^People decided about some items in studies \((.*)\)\.", re.MULTILINE)
_DECISION = re.compile(r"^\| (keep|drop|relabel|modify) \| ([0-9]{1,6}) \|$", re.MULTILINE)


def card_rows(release: Release) -> Iterator[Row]:
    """Yield the row of the card, and one for each place where it is not what it should be."""
    path = release.path / CARD
    if CARD not in release.entries:
        return
    source = release.source or source_of(release)
    rows = release.rows(release.main)
    yield Row(
        release.name,
        path,
        1,
        {
            "artifact": "card",
            "card": release.card,
            "meta": release.metadata,
            "configurations": ["default", *release.data[1:]] if release.kind == "collection" else list(release.data),
            "data": release.data,
            "languages": sorted({text_of(row, "lang") for row in rows}),
            "canary": source.canary,
            "stated": source_of(release),
            "declared": release.source,
        },
    )
    expected = _expected(release, source)
    if expected is None:
        return
    here, there = lines_of(release.card), lines_of(expected)
    for kind, start, end, first, last in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        if kind != "equal":
            value = {"artifact": "line", "found": here[start:end], "expected": there[first:last]}
            yield Row(release.name, path, min(start + 1, len(here) or 1), value)


def source_of(release: Release) -> Source:
    """Return what the release itself says of its source, on its card and in its rows."""
    origin, file, sha256, licence = match.groups() if (match := _SOURCE.search(release.card)) else [""] * 4
    title = match[1] if (match := _TITLE.search(release.card)) else ""
    unchecked = release.card.partition(f"{_LIMITS}\n")[2].strip()
    canary = match[1] if (match := _CANARY.search(release.card)) else ""
    in_rows = Counter(text_of(row, "canary") for row in release.rows(release.main) if text_of(row, "canary"))
    if in_rows:
        canary = in_rows.most_common(1)[0][0]
    return Source(title, origin, licence, file, sha256, unchecked, canary)


def _expected(release: Release, source: Source) -> str | None:
    """Return the card that a release of the same data has; None if a row is malformed, which others report."""
    try:
        people = studies_from_json(release.text(STUDIES))
        if release.of_templates:
            return _card_of_templates(release, source, people)
        digests = Counter(text_of(row, "rules") for row in release.rows(PROVENANCE)).most_common(1)
        rules = digests[0][0] if digests else ""
        if release.kind == "cloze":
            return cloze.card(release.name, {name: release.rows(name) for name in release.data}, source, rules, people)
        rows = release.rows(release.main)
        for row in rows:
            item_from_json(row)
        if not all(isinstance(row.get(name), str) for row in rows for name in ("kind", "modification")):
            return None
        rejected = list(map(rejected_from_json, release.rows(REJECTED)))
        derived: dict[str, Sequence[Mapping[str, Any]]] = {name: release.rows(name) for name in release.data[1:]}
        return winograd.card(release.name, rows, rejected, _decisions(release), source, rules, derived, people)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _card_of_templates(release: Release, source: Source, people: Mapping[str, Any]) -> str:
    sentences: dict[Version, list[Instance]] = {
        version: [
            Instance(item_from_json(row), text_of(row, "case"), text_of(row, "pronouns"))
            for row in release.rows(version)
        ]
        for version in VERSIONS
    }
    example = next(iter(release.rows("double")), {})
    return winopron.card(release.name, sentences, source, example, people)


def _decisions(release: Release) -> list[tuple[str, str]]:
    """Return action and study of each decision of people: those of the card, if the release has any at all.

    A decision about a record that was rejected all the same is in no other file of a release.
    """
    adjudications = [row.get("adjudication") for row in release.rows(PROVENANCE)]
    known = [
        (text_of(row, "action"), text_of(row, "study"))
        for row in adjudications
        if isinstance(row, dict) and row.get("action") != FOLLOW
    ]
    findings = [finding for row in release.rows(REJECTED) for finding in list_of(row, "findings", dict)]
    if not known and not any(text_of(finding, "rule").startswith("annotation/") for finding in findings):
        return []
    studies = match[1].split(", ") if (match := _STUDIES.search(release.card)) else [study for _, study in known]
    stated: Counter[str] = Counter({action: int(number) for action, number in _DECISION.findall(release.card)})
    actions = (stated | Counter(action for action, _ in known)).elements()
    return [(action, studies[min(at, len(studies) - 1)]) for at, action in enumerate(actions)] if studies else known


# --- the checks -----------------------------------------------------------------------------------------------------------


def card_configures_data(value: Value) -> str:
    """The card has one configuration for each data file, with its name, and with the Parquet file as its test split."""
    expected = [(config, name) for config, name in zip(value["configurations"], value["data"], strict=True)]
    configs = value["meta"].get("configs")
    entries = configs if isinstance(configs, list) else []
    for number, (config, name) in enumerate(expected):
        wanted = {"config_name": config, "data_files": [{"split": "test", "path": f"data/{name}.parquet"}]}
        if number >= len(entries) or entries[number] != wanted:
            actual = shown(_plain(entries[number])) if number < len(entries) else "none"
            return f"configs; found {actual}, expected {config} with data/{name}.parquet as test"
    extra = entries[len(expected) :]
    return f"configs; found {shown(_plain(extra[0]))} too, expected {len(expected)} configurations" if extra else ""


def card_language(value: Value) -> str:
    """The language on the card is that of the rows."""
    language = value["meta"].get("language")
    actual = [str(name) for name in language] if isinstance(language, list) else [str(language)]
    expected = value["languages"]
    return "" if actual == expected else f"language; found {shown(actual)}, expected {shown(expected)}"


def limits_stated(value: Value) -> str:
    """The card states what no human has checked, as SOURCES.toml declares it."""
    stated: Source = value["stated"]
    if not stated.unchecked:
        return f"found no section {_LIMITS!r}, expected one with text"
    declared = value["declared"].unchecked if value["declared"] else ""
    if not declared or stated.unchecked == declared:
        return ""
    return f"found {_around(stated.unchecked, declared)}, expected {_around(declared, stated.unchecked)}"


def source_stated(value: Value) -> str:
    """The card states title, origin, licence, file and checksum of the source, as SOURCES.toml declares them."""
    stated: Source = value["stated"]
    for name in ("title", "origin", "licence", "file", "sha256"):
        actual = getattr(stated, name)
        expected = getattr(value["declared"], name) if value["declared"] else actual
        if not actual or actual != expected:
            return f"{name}; found {shown(actual)}, expected {shown(expected) if expected else 'text'}"
    return ""


def canary_in_card(value: Value) -> str:
    """The card has the canary that is declared, or that the rows have."""
    canary, lines = value["canary"], _CANARY.findall(text_of(value, "card"))
    if not canary or canary in lines:
        return ""
    return f"canary; found {shown(lines[0]) if lines else 'none'}, expected {shown(canary)}"


def card_follows_data(value: Value) -> str:
    """Each line of the card is as a release of the same data and source has it: numbers, tables, fields, example."""
    here, there = value["found"], value["expected"]
    for actual, wanted in zip(here, there, strict=False):
        if actual != wanted:
            return f"found {_around(actual, wanted)}, expected {_around(wanted, actual)}"
    first, second = (shown(lines[0]) if lines else "no line" for lines in (here, there))
    return f"found {first}, expected {second}"


def _around(text: str, other: str) -> str:
    """Quote a line from a little before the place where it differs from another one."""
    place = next((at for at, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, place - 20)
    return ("…" if start else "") + shown(text[start:])


def _plain(value: Any) -> Any:
    """Return a value of YAML as plain dictionaries and lists, for messages."""
    if isinstance(value, dict):
        return {str(name): _plain(entry) for name, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


CARDS: dict[str, Check] = {
    "card-configures-data": card_configures_data,
    "card-language": card_language,
    "limits-stated": limits_stated,
    "source-stated": source_stated,
    "canary-in-card": canary_in_card,
}
LINES: dict[str, Check] = {"card-follows-data": card_follows_data}
