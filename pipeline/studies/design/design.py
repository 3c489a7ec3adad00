"""The design of a study, as its YAML file in annotation/designs tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ...core.errors import PipelineError
from ...core.yamlfile import line_of, load_yaml, require_mapping

ControlKind = Literal["candidate", "choice", "rating", "text"]
Scheme = Literal["all", "subsets", "balanced", "raters"]
Source = Literal["items", "rejected", "instances"]
_REQUIRED = frozenset(
    {"id", "title", "lang", "source", "records", "config", "guideline", "seed", "show", "controls", "lists"}
)
_OPTIONAL = frozenset({"practice", "screen", "select"})


@dataclass(frozen=True, slots=True)
class Control:
    """One thing that a rater tells of an item.

    Attributes:
        name: of the control in the labelling config; on a screen of several items with ``-1``, ``-2`` … after it.
        kind: ``candidate``: which candidate, told by its text as shown; ``choice``: one of `choices`, told by its alias in the
            config; ``rating``: a whole number from `low` to `high`; ``text``: a remark.
        required: whether each judgement has it.
        choices: the codes of a choice.
        low: the least rating.
        high: the greatest.
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
    """How records are laid out in lists; a list is a project, to be worked by one rater or by several.

    Attributes:
        scheme: ``all``: one list with all; ``subsets``: for each of `count` raters a random subset of `size`, in which no two
            members of a pair stand; ``balanced``: each record in just one of `count` lists, no two members of a pair in one list,
            each list balanced for member and label; ``raters``: a list for each rater of the judgements, of what `select` finds.
        count: how many lists.
        size: how many records a list has.
        run: no more than so many records in a row have the same answer; 0 for any.
        apart: between two members of a pair in one list stand at least so many other records.
    """

    scheme: Scheme
    count: int = 1
    size: int | None = None
    run: int = 0
    apart: int = 0


@dataclass(frozen=True, slots=True)
class Design:
    """A study before anybody is asked.

    Attributes:
        id: of the study, the name of its folders.
        title: what annotators see; the name of the list is added.
        lang: in which the annotators are addressed.
        source: what the records are: items of the contract (also zero forms), rejected records, or filled templates.
        records: the file of the records.
        config: the labelling config, a Jinja template of Label Studio's XML with the variable `screen`.
        guideline: what annotators read, Markdown.
        seed: of all that is drawn.
        show: of each field of a task, the piece of the record that it shows (`PIECES`).
        controls: what is asked.
        lists: how the records are laid out.
        practice: a file of practice records, which begin each list; None for none.
        screen: how many records one task shows.
        select: which records: None for all, else by the judgements of another study (`SELECTIONS`).
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
    screen: int = 1
    select: str | None = None
    lines: Mapping[str, int | None] = field(default_factory=dict, compare=False)


def read_design(path: Path) -> Design:
    """Return the design of a file; the files that it names lie as seen from the working folder, config and guideline from annotation/.

    Raises:
        PipelineError: not YAML, a missing, unknown or wrong field.
    """
    node = require_mapping(load_yaml(path), path, required=_REQUIRED, optional=_OPTIONAL)

    def wrong(name: str, expected: str) -> PipelineError:
        return PipelineError(
            path, line_of(node, name), f"[{name}] wrong kind; found {node[name]!r}, expected {expected}"
        )

    for name in ("id", "title", "lang", "source", "records", "config", "guideline", "practice", "select"):
        if name in node and (not isinstance(node[name], str) or not node[name]):
            raise wrong(name, "text")
    for name, least in (("seed", 0), ("screen", 1)):
        if name in node and (not isinstance(node[name], int) or isinstance(node[name], bool) or node[name] < least):
            raise wrong(name, f"a whole number from {least} on")
    if node["source"] not in get_args(Source):
        raise wrong("source", f"one of {', '.join(get_args(Source))}")
    if not isinstance(node["show"], dict) or not all(isinstance(value, str) for value in node["show"].values()):
        raise wrong("show", "fields with the pieces that they show")
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
        show={str(name): str(value) for name, value in node["show"].items()},
        controls=_controls(node["controls"], path),
        lists=_lists(node["lists"], path),
        practice=folder / "practice" / node["practice"] if "practice" in node else None,
        screen=int(node.get("screen", 1)),
        select=str(node["select"]) if "select" in node else None,
        lines={name: line_of(node, name) for name in node},
    )


def _controls(node: Any, path: Path) -> tuple[Control, ...]:
    if not isinstance(node, dict) or not node:
        raise PipelineError(path, line_of(node), f"[controls] wrong kind; found {node!r}, expected controls by name")
    controls = []
    for name, entry in node.items():
        told = require_mapping(
            entry, path, required=frozenset({"kind"}), optional=frozenset({"required", "choices", "low", "high"})
        )
        if told["kind"] not in get_args(ControlKind):
            reason = f"[kind] unknown; found {told['kind']!r}, expected one of {', '.join(get_args(ControlKind))}"
            raise PipelineError(path, line_of(told, "kind"), reason)
        choices = told.get("choices", [])
        if not isinstance(choices, list) or not all(isinstance(one, str) for one in choices):
            raise PipelineError(
                path, line_of(told, "choices"), f"[choices] found {choices!r}, expected a list of codes"
            )
        if (told["kind"] == "choice") != (len(choices) > 1):
            raise PipelineError(
                path, line_of(told), f"[choices] found {list(choices)!r}, expected two or more for a choice alone"
            )
        low, high = told.get("low", 1), told.get("high", 5)
        if not _whole(low) or not _whole(high) or low >= high:
            raise PipelineError(path, line_of(told), f"[rating] found {low!r} to {high!r}, expected two whole numbers")
        if not isinstance(told.get("required", True), bool):
            raise PipelineError(path, line_of(told, "required"), "[required] expected true or false")
        controls.append(
            Control(str(name), told["kind"], told.get("required", True), tuple(map(str, choices)), low, high)
        )
    return tuple(controls)


def _whole(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)  # a reader of YAML has its own kind of 0


def _lists(node: Any, path: Path) -> Lists:
    told = require_mapping(
        node, path, required=frozenset({"scheme"}), optional=frozenset({"count", "size", "run", "apart"})
    )
    if told["scheme"] not in get_args(Scheme):
        reason = f"[scheme] unknown; found {told['scheme']!r}, expected one of {', '.join(get_args(Scheme))}"
        raise PipelineError(path, line_of(told, "scheme"), reason)
    for name, least in (("count", 1), ("size", 1), ("run", 0), ("apart", 0)):
        if name in told and (not _whole(told[name]) or told[name] < least):
            reason = f"[{name}] found {told[name]!r}, expected a whole number from {least} on"
            raise PipelineError(path, line_of(told, name), reason)
    return Lists(told["scheme"], told.get("count", 1), told.get("size"), told.get("run", 0), told.get("apart", 0))
