"""The design of a study: a YAML file in annotation/designs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.errors import PipelineError
from ...core.yamlfile import line_of, load_yaml, require_mapping
from .criteria import Criteria, read_criteria

ControlKind = Literal["candidate", "choice", "choices", "rating", "text", "labelled"]
Scheme = Literal["all", "subsets", "balanced", "raters", "sections", "rotated", "experiment"]
Source = Literal["items", "rejected", "instances", "sentences", "translations", "traces", "cloze", "drafts", "form"]
#: The kinds of controls with codes of their own.
CODED: tuple[ControlKind, ...] = ("choice", "choices")
#: The selections by judgements of an earlier study whose raters may know the right answers.
BY_JUDGEMENTS = ("disagreements", "doubtful", "explained")
#: The selections that need the judgements of an earlier study, and those that compare what it asked with the records.
AFTER_STUDY = (*BY_JUDGEMENTS, "changed")
BY_WORDING = ("explained", "changed")
_TEXTS = ("id", "title", "lang", "source", "records", "config", "guideline")
_REQUIRED = frozenset({*_TEXTS, "seed", "show", "controls", "lists"})
_OPTIONAL_TEXTS = ("practice", "attention", "select")
#: What an experiment shows besides its items.
_EXPERIMENT = ("fillers", "experiment")
_OPTIONAL = frozenset({*_OPTIONAL_TEXTS, *_EXPERIMENT, "screen", "criteria"})


@dataclass(frozen=True, slots=True)
class Control:
    """A question on the screen.

    Attributes:
        name: its name in the labelling config; with ``-1``, ``-2`` … behind it on a screen of several items.
        kind: ``candidate``: one of the candidates; ``choice``: one of `choices`; ``choices``: one or several;
            ``rating``: a whole number from `low` to `high`;
            ``text``: free text; ``labelled``: the field ``text`` with labels of its zeros, left open where it has none.
        required: whether each judgement has an answer to it.
        choices: the codes of a choice, without blanks; in the config they are the aliases. ``none`` excludes all others.
        low: the lowest rating.
        high: the highest rating.
    """

    name: str
    kind: ControlKind
    required: bool = True
    choices: tuple[str, ...] = ()
    low: int = 1
    high: int = 5

    @property
    def expects_answer(self) -> bool:
        """Whether it asks for an answer. An optional text is a remark."""
        return self.kind != "text" or self.required

    @property
    def asks_for_candidate(self) -> bool:
        """Whether it asks every rater for the right candidate.

        An optional candidate control means something else: in a consensus study it names the candidate that should be right.
        """
        return self.kind == "candidate" and self.required


@dataclass(frozen=True, slots=True)
class Lists:
    """How records are divided into lists. A list is a project, for one rater or several.

    Attributes:
        scheme: ``all``: one list of all records; ``subsets``: for each of `count` raters `size` random records, no two of a
            schema; ``balanced``: each record in one of `count` lists, pair-mates in different lists, members and answers equally
            shared; ``raters``: a list for each rater, of the records that `Design.select` chooses for them; ``sections``: a list
            for each genre of sentences, with `common` sentences of the others; ``rotated``: `count` lists of the same `size`
            records, equally many of each genre, on each screen the candidates of one in an order that rotates; ``experiment``: the
            `count` lists of the experiment with these cloze items, fillers and attention trials among them.
        count: the number of lists.
        size: the number of records in a list. None follows the records: of ``subsets`` one record of each schema, of ``balanced`` all
            records in equal shares, or as many as fill the screens.
        run: the maximum number of records in a row with the same answer; 0 for no maximum.
        apart: the minimum number of records between two members of a schema in one list.
        common: the number of sentences of other genres in a list of the scheme ``sections``.
        mirrored: whether each list has a twin with its records in reverse order and their candidates in reverse order, for other raters.
    """

    scheme: Scheme
    count: int = 1
    size: int | None = None
    run: int = 0
    apart: int = 0
    common: int = 0
    mirrored: bool = False

    @property
    def projects(self) -> int:
        """The number of lists with their mirrored twins."""
        return self.count * (1 + self.mirrored)


@dataclass(frozen=True, slots=True)
class Design:
    """A study as it is planned.

    Attributes:
        path: the file of the design.
        id: the name of the study and of its folders.
        title: the title that raters see, followed by the name of the list.
        lang: the language of the guideline, the screen, the records and the practice.
        source: what the records are: items (zero forms too), rejected records, instances of templates, sentences of running text, their
            translations, explanations of systems (traces), cloze items, drafts of a translation, or a form for consent.
        records: the file of the records; of sentences and translations the folder; of instances either, the folder of double.jsonl and
            single.jsonl.
        config: the labelling config: Label Studio's XML as a Jinja2 template with the variable `screen`.
        guideline: the instructions for raters, in Markdown.
        seed: the seed of everything that is random.
        show: for each name in the config, the field of the record that it shows (`fields.FIELDS`).
        controls: the questions on the screen.
        lists: how the records are divided into lists.
        practice: the file of practice records, with which each list begins; None for no practice.
        attention: the file of attention items, spread over the main tasks of each list; None for none.
        screen: the number of records on a screen.
        select: which records to ask about (`selection.SELECTIONS`); None for all.
        fillers: the file of the fillers of an experiment; None for other sources than cloze items.
        experiment: the file that says how long the lists of an experiment are, with its attention trials; None as well.
        criteria: the criteria that raters must satisfy, stated before anybody judges; None if the design states none.
        lines: the line of each key in the file, for messages.
    """

    path: Path
    id: str
    title: str
    lang: str
    source: Source
    records: Path
    config: Path
    guideline: Path
    seed: int
    show: Mapping[str, str]
    controls: tuple[Control, ...]
    lists: Lists
    practice: Path | None = None
    attention: Path | None = None
    screen: int = 1
    select: str | None = None
    fillers: Path | None = None
    experiment: Path | None = None
    criteria: Criteria | None = None
    lines: Mapping[str, int | None] = field(default_factory=dict, compare=False)


def shows_answers(design: Design) -> bool:
    """Return whether raters may know the right answers: after an earlier study, or where they judge explanations."""
    return design.select in BY_JUDGEMENTS or design.source == "traces"


def read_design(path: Path) -> Design:
    """Return the design of a file. `records` is relative to the working folder; config, guideline, practice and attention to annotation/.

    Raises:
        PipelineError: the file is not YAML, or a field is missing, unknown or malformed.
    """
    node = require_mapping(load_yaml(path), path, required=_REQUIRED, optional=_OPTIONAL)

    def error(name: str, expected: str) -> PipelineError:
        reason = f"[{name}] wrong kind; found {node[name]!r}, expected {expected}"
        return PipelineError(path, line_of(node, name), reason)

    for name in (*_TEXTS, *_OPTIONAL_TEXTS, *_EXPERIMENT):
        if name in node and (not isinstance(node[name], str) or not node[name]):
            raise error(name, "text")
    for name, least in (("seed", 0), ("screen", 1)):
        if name in node and (not _is_whole(node[name]) or node[name] < least):
            raise error(name, f"a whole number, {least} or more")
    if node["source"] not in get_args(Source):
        raise error("source", f"one of {', '.join(get_args(Source))}")
    for name in _EXPERIMENT:
        if (name in node) != (node["source"] == "cloze"):
            reason = f"found {'it' if name in node else 'none'} with the source {node['source']}, expected it with cloze alone"
            raise PipelineError(path, line_of(node, name), f"[{name}] {reason}")
    if not isinstance(node["show"], dict) or not all(isinstance(shown, str) for shown in node["show"].values()):
        raise error("show", "names of the config with the fields that they show")
    folder = path.parent.parent
    return Design(
        path=path,
        id=str(node["id"]),
        title=str(node["title"]),
        lang=str(node["lang"]),
        source=node["source"],
        records=Path(node["records"]),
        config=folder / "configs" / node["config"],
        guideline=folder / "guidelines" / node["guideline"],
        seed=int(node["seed"]),
        show={str(name): str(shown) for name, shown in node["show"].items()},
        controls=_controls(node["controls"], path),
        lists=_lists(node["lists"], path),
        practice=folder / "practice" / node["practice"] if "practice" in node else None,
        attention=folder / "attention" / node["attention"] if "attention" in node else None,
        screen=int(node.get("screen", 1)),
        select=str(node["select"]) if "select" in node else None,
        fillers=Path(node["fillers"]) if "fillers" in node else None,
        experiment=Path(node["experiment"]) if "experiment" in node else None,
        criteria=read_criteria(node["criteria"], path, line_of(node, "criteria")) if "criteria" in node else None,
        lines={name: line_of(node, name) for name in node},
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _controls(node: Any, path: Path) -> tuple[Control, ...]:
    if not isinstance(node, dict) or not node:
        raise PipelineError(path, line_of(node), f"[controls] wrong kind; found {node!r}, expected controls by name")
    return tuple(_control(str(name), entry, path) for name, entry in node.items())


def _control(name: str, node: Any, path: Path) -> Control:
    optional = frozenset({"required", "choices", "low", "high"})
    entry = require_mapping(node, path, required=frozenset({"kind"}), optional=optional)

    def error(field: str, reason: str) -> PipelineError:
        return PipelineError(path, line_of(entry, field) or line_of(entry), f"[{field}] {reason}")

    kind, required = entry["kind"], entry.get("required", True)
    choices, low, high = entry.get("choices", []), entry.get("low", 1), entry.get("high", 5)
    if kind not in get_args(ControlKind):
        raise error(
            "kind", f"unknown kind of control; found {kind!r}, expected one of {', '.join(get_args(ControlKind))}"
        )
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise error("choices", f"found {choices!r}, expected a list of codes")
    if (kind in CODED) != (len(choices) > 1) or any(" " in choice for choice in choices):
        raise error(
            "choices",
            f"found {list(choices)!r}, expected two or more without blanks for the kinds {' and '.join(CODED)}, none for others",
        )
    if not _is_whole(low) or not _is_whole(high) or low >= high:
        field = "low" if "low" in entry else "high"
        raise error(field, f"found ratings from {low!r} to {high!r}, expected two whole numbers, the lower first")
    if not isinstance(required, bool):
        raise error("required", f"found {required!r}, expected true or false")
    return Control(name, kind, required, tuple(map(str, choices)), int(low), int(high))


def _lists(node: Any, path: Path) -> Lists:
    optional = frozenset({"count", "size", "run", "apart", "common", "mirrored"})
    entry = require_mapping(node, path, required=frozenset({"scheme"}), optional=optional)
    if entry["scheme"] not in get_args(Scheme):
        reason = f"[scheme] unknown scheme; found {entry['scheme']!r}, expected one of {', '.join(get_args(Scheme))}"
        raise PipelineError(path, line_of(entry, "scheme"), reason)
    for name, least in (("count", 1), ("size", 1), ("run", 0), ("apart", 0), ("common", 0)):
        if name in entry and (not _is_whole(entry[name]) or entry[name] < least):
            reason = f"[{name}] found {entry[name]!r}, expected a whole number, {least} or more"
            raise PipelineError(path, line_of(entry, name), reason)
    if not isinstance(entry.get("mirrored", False), bool):
        reason = f"[mirrored] found {entry['mirrored']!r}, expected true or false"
        raise PipelineError(path, line_of(entry, "mirrored"), reason)
    return Lists(**entry)
