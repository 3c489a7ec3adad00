"""The suite `experiment`: what a built experiment must meet before people see it."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...core.errors import PipelineError
from ...core.files import from_json, parse_tsv, read_text
from ...core.validation.suite import Row, Suite, Value, rows_with
from ..browser.files import KEY, KEY_COLUMNS, PAGE, PSYCHOPY
from ..browser.order import ITEMS_IN_ROW, LEAD, PRONOUNS_IN_ROW
from ..browser.trials import TRIALS, Trial, parse_experiment
from .pages import read_page

#: What each list gets its share of: columns of the key.
_SHARED = ("pronoun", "place", "register")
#: Fields of a trial that the page may have.
_SHOWN = {"list", "position", "id", "part", "text", "options", "expected"}
#: What the page knows.
_STUDY = {"id", "minutes", "responsible", "leave", "background", "feedback", "texts", "lists"}

#: The key of a trial, by its column.
Key = Mapping[str, str]


def experiments(paths: Sequence[Path]) -> list[Row]:
    """Return the rows of folders that `experiment build` wrote.

    - The row of a list has its trials with their keys as ``list``, the counts of all items by level as ``all``, the number of lists as
      ``count`` and the rows of its conditions for PsychoPy as ``conditions``.
    - The row of the experiment has the trials with keys of its ``lists``, and the ``page``.

    Raises:
        PipelineError: a file is missing or malformed, or a trial has no key.
    """
    return [row for path in paths for row in _rows(path)]


def _rows(folder: Path) -> Iterator[Row]:
    path = folder / TRIALS
    experiment = parse_experiment(read_text(path), path)
    keys = _keys(folder / KEY)
    lists: dict[int, list[tuple[Trial, Key]]] = {}
    for number, trials in experiment.lists.items():
        for trial in trials.values():
            if (number, trial.position) not in keys:
                reason = f"[key] missing; found no line for list {number}, position {trial.position}"
                raise PipelineError(folder / KEY, None, reason)
            lists.setdefault(number, []).append((trial, keys[number, trial.position]))
    levels = {column: Counter(key[column] for _, key in _items(lists)) for column in _SHARED}
    line = 1
    yield Row("experiment", path, line, {"lists": lists, "keys": len(keys), "page": read_text(folder / PAGE)})
    for number, own in lists.items():
        conditions = _conditions(folder / PSYCHOPY / f"list-{number:02}.csv")
        value = {"list": own, "all": levels, "count": len(lists), "conditions": conditions}
        yield Row(f"list-{number:02}", path, line, value)
        line += len(own)


def _keys(path: Path) -> dict[tuple[int, int], Key]:
    """Return the lines of the key by list and position."""
    keys: dict[tuple[int, int], Key] = {}
    for line, row in parse_tsv(read_text(path), path, KEY_COLUMNS):
        try:
            place = int(row["list"]), int(row["position"])
        except ValueError as error:
            raise PipelineError(path, line, f"[position] not a number ({error})") from error
        keys[place] = row
    return keys


def _conditions(path: Path) -> list[dict[str, str]]:
    try:
        return list(csv.DictReader(io.StringIO(read_text(path)), strict=True, restval=""))
    except csv.Error as error:
        raise PipelineError(path, None, f"[csv] {error}") from error


def _items(lists: Mapping[int, Sequence[tuple[Trial, Key]]]) -> Iterator[tuple[Trial, Key]]:
    return ((trial, key) for own in lists.values() for trial, key in own if trial.part == "item")


# --- one list ---------------------------------------------------------------------------------------------------------


def key_fits(value: Value) -> str:
    """The key has the id and the part of each trial, and a right pronoun among its options, except for practice."""
    for trial, key in value["list"]:
        if (key["id"], key["part"]) != (trial.id, trial.part):
            return f"found {key['id']} ({key['part']}) at position {trial.position}, expected {trial.id} ({trial.part})"
        if trial.part != "practice" and key["pronoun"] not in trial.options:
            return f"found {key['pronoun']!r} for {trial.id}, expected one of {', '.join(trial.options)}"
        if trial.expected and trial.expected != key["pronoun"]:
            return f"found {key['pronoun']!r} for {trial.id}, expected {trial.expected!r}"
    return ""


def pairs_apart(value: Value) -> str:
    """A list has no two members of a pair."""
    schemas = Counter(key["schema"] for trial, key in value["list"] if trial.part == "item")
    schema, number = schemas.most_common(1)[0] if schemas else ("", 0)
    return f"found {number} members of {schema}" if number > 1 else ""


def own_share(value: Value) -> str:
    """A list has its share of the right pronouns, the places of the right antecedent and the registers."""
    for column, counts in value["all"].items():
        own = Counter(key[column] for trial, key in value["list"] if trial.part == "item")
        for level, number in counts.items():
            low, high = number // value["count"], -(-number // value["count"])
            if not low <= own[level] <= high:
                return f"found {own[level]} items with {column} {level}, expected {low} to {high}"
    return ""


def fillers_balanced(value: Value) -> str:
    """The fillers of a list differ by one at most in how often each pronoun is right."""
    counts = Counter(key["pronoun"] for trial, key in value["list"] if trial.part == "filler")
    numbers = counts.values()
    return f"found {dict(sorted(counts.items()))}" if numbers and max(numbers) - min(numbers) > 1 else ""


def practice_first(value: Value) -> str:
    """A list begins with practice, then fillers."""
    parts = [trial.part for trial, _ in value["list"]]
    practice = parts.count("practice")
    begin = parts[: practice + LEAD]
    return "" if begin == ["practice"] * practice + ["filler"] * LEAD else f"found {', '.join(begin)} first"


def items_spaced(value: Value) -> str:
    """No more than two test items follow each other."""
    return _run(value, lambda trial, _: trial.part == "item", ITEMS_IN_ROW)


def pronouns_vary(value: Value) -> str:
    """No pronoun is right more than three times in a row."""
    pronouns = {key["pronoun"] for trial, key in value["list"] if trial.part != "practice"}
    runs = (
        _run(
            value, lambda trial, key, own: trial.part != "practice" and key["pronoun"] == own, PRONOUNS_IN_ROW, pronoun
        )
        for pronoun in sorted(pronouns)
    )
    return next(filter(None, runs), "")


def _run(value: Value, alike: Callable[..., bool], most: int, *more: str) -> str:
    """Return where more trials than allowed follow each other that are alike; empty if nowhere."""
    length = 0
    for trial, key in value["list"]:
        length = length + 1 if alike(trial, key, *more) else 0
        if length > most:
            return f"found {length} in a row up to {trial.id}, expected {most} at most"
    return ""


def conditions_fit(value: Value) -> str:
    """The conditions for PsychoPy are those of the list, and have a right answer for attention trials alone."""
    if len(value["conditions"]) != len(value["list"]):
        return f"found {len(value['conditions'])} rows, expected {len(value['list'])}"
    for row, (trial, _) in zip(value["conditions"], value["list"], strict=True):
        options = {f"option_{place}": option for place, option in enumerate(trial.options, 1)}
        expected = {
            "list_number": str(trial.list),
            "trial_position": str(trial.position),
            "trial_id": trial.id,
            "part": trial.part,
            "sentence": trial.text,
            **options,
            "expected": trial.expected,
        }
        wrong = [name for name, content in expected.items() if row.get(name) != content]
        if wrong:
            return f"found {row.get(wrong[0])!r} as {wrong[0]} of {trial.id}, expected {expected[wrong[0]]!r}"
        if more := sorted(map(str, row.keys() - expected.keys() - {"feedback"})):
            return f"found the column {more[0]}"
    return ""


# --- all lists --------------------------------------------------------------------------------------------------------


def items_once(value: Value) -> str:
    """Each test item is in one list, and no list has more than one item more than another."""
    counts = Counter(trial.id for trial, _ in _items(value["lists"]))
    repeated = [name for name, number in counts.items() if number > 1]
    if repeated:
        return f"found {repeated[0]} in {counts[repeated[0]]} lists"
    sizes = [sum(trial.part == "item" for trial, _ in own) for own in value["lists"].values()]
    return f"found lists of {min(sizes)} to {max(sizes)} items" if max(sizes) - min(sizes) > 1 else ""


def fillers_even(value: Value) -> str:
    """Fillers with the same right pronoun are in equally many lists, one more or less."""
    counts: dict[str, Counter[str]] = {}
    for own in value["lists"].values():
        for trial, key in own:
            if trial.part == "filler":
                counts.setdefault(key["pronoun"], Counter())[trial.id] += 1
    for pronoun, numbers in sorted(counts.items()):
        if max(numbers.values()) - min(numbers.values()) > 1:
            most, least = max(numbers, key=numbers.__getitem__), min(numbers, key=numbers.__getitem__)
            return f"found {most} {numbers[most]} times and {least} {numbers[least]} times, both with {pronoun}"
    return ""


def same_text(value: Value) -> str:
    """A sentence has the same text, part and options in all lists."""
    first: dict[str, Trial] = {}
    for trial in (trial for own in value["lists"].values() for trial, _ in own):
        other = first.setdefault(trial.id, trial)
        if (other.text, other.part, other.options) != (trial.text, trial.part, trial.options):
            return f"found another {trial.id} in list {trial.list} than in list {other.list}"
    return ""


def page_fits(value: Value) -> str:
    """The page shows the trials of all lists, and has no right answers but those of attention trials."""
    try:
        study = from_json(read_page(value["page"]).study)
        lists = {int(number): rows for number, rows in study["lists"].items()}
        shown = [row for number in sorted(lists) for row in lists[number]]
        more = sorted((set(study) - _STUDY).union(*(set(row) - _SHOWN for row in shown)))
        trials = [] if more else [Trial(**{**row, "options": tuple(row["options"])}) for row in shown]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return f"found no trials in the page ({type(error).__name__})"
    if more:
        return f"found the field {more[0]} in the page"
    expected = [trial for number in sorted(value["lists"]) for trial, _ in value["lists"][number]]
    return "" if trials == expected else "found other trials in the page than in trials.jsonl"


def loads_nothing(value: Value) -> str:
    """The page is one file: none of its elements loads another, and its content security policy allows no other host."""
    page = read_page(value["page"])
    if page.loading:
        return f"found {page.loading[0]}"
    policy = " ".join(page.policy.split())
    if not policy.startswith("default-src 'none';") or "http" in policy or "*" in policy:
        return f"found the policy {policy[:60]!r}"
    return ""


_LIST, _ALL = partial(rows_with, "list"), partial(rows_with, "lists")
_CHECKS: Mapping[str, Any] = {
    "key-fits": _LIST(key_fits),
    "pairs-apart": _LIST(pairs_apart),
    "own-share": _LIST(own_share),
    "fillers-balanced": _LIST(fillers_balanced),
    "practice-first": _LIST(practice_first),
    "items-spaced": _LIST(items_spaced),
    "pronouns-vary": _LIST(pronouns_vary),
    "conditions-fit": _LIST(conditions_fit),
    "items-once": _ALL(items_once),
    "fillers-even": _ALL(fillers_even),
    "same-text": _ALL(same_text),
    "page-fits": _ALL(page_fits),
    "loads-nothing": _ALL(loads_nothing),
}
EXPERIMENT = Suite(
    "experiment", "experiments with people (build/experiment)", experiments, _CHECKS, unique=False, may_be_empty=True
)
