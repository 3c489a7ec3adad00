"""The design of a study: a YAML file in annotation/designs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ...core.convert import Count, Text, convert_node
from ...core.errors import PipelineError, shown
from ...core.yamlfile import line_of, load_yaml

ControlKind = Literal["candidate", "choice", "choices", "rating", "text", "labelled"]
Scheme = Literal["all", "subsets", "balanced", "raters", "sections", "rotated", "experiment"]
Source = Literal["items", "rejected", "instances", "sentences", "translations", "traces", "cloze", "drafts", "form"]
#: Maximum of what is counted in a design, so that a damaged one is not laid out for hours.
_MOST = 10**6
Number = Annotated[int, Meta(ge=0, le=_MOST, description=f"a whole number, 0 to {_MOST}")]
Positive = Annotated[int, Meta(ge=1, le=_MOST, description=f"a whole number, 1 to {_MOST}")]
Score = Annotated[int, Meta(ge=-_MOST, le=_MOST, description="a whole number")]
#: Number of records on a screen.
Screen = Annotated[int, Meta(ge=1, le=100, description="a whole number, 1 to 100")]
Share = Annotated[float, Meta(ge=0, le=1, description="a share from 0 to 1")]
Seconds = Annotated[float, Meta(ge=0, le=600, description="seconds from 0 to 600")]
#: The kinds of controls with codes of their own.
CODED: tuple[ControlKind, ...] = ("choice", "choices")
#: The kinds of controls that raters write text into.
WRITTEN: tuple[ControlKind, ...] = ("text", "labelled")
#: The selections by judgements of an earlier study whose raters may know the right answers.
BY_JUDGEMENTS = ("disagreements", "doubtful", "explained")
#: The selections that need the judgements of an earlier study, and those that compare what it asked with the records.
AFTER_STUDY = (*BY_JUDGEMENTS, "changed")
BY_WORDING = ("explained", "changed")
#: The selection by a table of difficulty.
BY_DIFFICULTY = "by-difficulty"


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a rater must satisfy; the defaults are ours, the papers print none.

    A rater for whom a share is undefined, such as that of practice in a study without practice, satisfies the criterion.

    Attributes:
        practice: least share of practice answers right, from 0 to 1.
        attention: least share of attention items and fillers right.
        chance: level of the test against guessing: a rater is at chance if guessing gives as many right main answers with a higher
            probability.
        place: greatest share of main answers at the same place on the screen.
        fast_s: an item judged in less time, in seconds, is too fast to have been read.
        fast_share: greatest share of main items that are too fast.
    """

    practice: Share = 0.8
    attention: Share = 0.75
    chance: Share = 0.05
    place: Share = 0.9
    fast_s: Seconds = 2.0
    fast_share: Share = 0.5


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Which schemas of a table of difficulty to ask about: the hardest, those of one level, or the hardest of one level.

    Attributes:
        table: the file difficulty.tsv that `evaluate difficulty` wrote, relative to the working folder.
        by: whose answers say how hard a schema is.
        hardest: the number of schemas; None for all.
        band: the level that an item of a schema must have; None for any.
    """

    table: Text
    by: Literal["systems", "people"] = "systems"
    hardest: Positive | None = None
    band: Literal["easy", "moderate", "hard"] | None = None

    def __post_init__(self) -> None:
        if self.hardest is None and self.band is None:
            raise ValueError("[hardest] found neither hardest nor band, expected one of them")


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
    low: Score = 1
    high: Score = 5

    def __post_init__(self) -> None:
        if (self.kind in CODED) != (len(self.choices) > 1) or any(" " in choice for choice in self.choices):
            kinds = f"two or more without blanks for the kinds {' and '.join(CODED)}, none for others"
            raise ValueError(f"[choices] found {shown(list(self.choices))} for {self.name}, expected {kinds}")
        if self.low >= self.high:
            reason = f"found ratings from {self.low} to {self.high}, expected the lower first"
            raise ValueError(f"[low] {reason}")

    @property
    def tag(self) -> str:
        """Its tag in a labelling config."""
        return "TextArea" if self.kind in WRITTEN else "Choices"

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
    count: Positive = 1
    size: Positive | None = None
    run: Number = 0
    apart: Number = 0
    common: Number = 0
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
        difficulty: what the selection ``by-difficulty`` takes; None for others.
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
    difficulty: Difficulty | None = None
    fillers: Path | None = None
    experiment: Path | None = None
    criteria: Criteria | None = None
    lines: Mapping[str, int | None] = field(default_factory=dict, compare=False)


def shows_answers(design: Design) -> bool:
    """Return whether raters may know the right answers: after an earlier study, or where they judge explanations."""
    return design.select in BY_JUDGEMENTS or design.source == "traces"


class _DesignFile(Struct):
    """The keys of the file of a design; see `Design`."""

    id: Text
    title: Text
    lang: Text
    source: Source
    records: Text
    config: Text
    guideline: Text
    seed: Count
    show: Mapping[str, str]
    controls: Mapping[str, Mapping[str, Any]]
    lists: Lists
    practice: Text | None = None
    attention: Text | None = None
    screen: Screen = 1
    select: Text | None = None
    difficulty: Difficulty | None = None
    fillers: Text | None = None
    experiment: Text | None = None
    criteria: Criteria | None = None


def read_design(path: Path) -> Design:
    """Return the design of a file. `records` is relative to the working folder; config, guideline, practice and attention to annotation/.

    Raises:
        PipelineError: the file is not YAML, or a field is missing, unknown or malformed.
    """
    node = load_yaml(path)
    written = convert_node(node, _DesignFile, path)
    for name in ("fillers", "experiment"):  # what an experiment shows besides its items
        if (name in node) != (written.source == "cloze"):
            reason = f"found {'it' if name in node else 'none'} with the source {written.source}, expected it with cloze alone"
            raise PipelineError(path, line_of(node, name), f"[{name}] {reason}")
    if (written.difficulty is None) == (written.select == BY_DIFFICULTY):
        found = "none" if written.difficulty is None else f"it with select {written.select}"
        raise PipelineError(
            path, line_of(node, "select"), f"[difficulty] found {found}, expected it with {BY_DIFFICULTY} alone"
        )
    if not written.controls:
        raise PipelineError(path, line_of(node, "controls"), "[controls] found none, expected controls by name")
    folder = path.parent.parent
    folders = {
        **dict.fromkeys(("records", "fillers", "experiment"), Path()),
        **{"config": folder / "configs", "guideline": folder / "guidelines"},
        **{name: folder / name for name in ("practice", "attention")},
    }
    lines = {name: line_of(node, name) for name in node}
    for name, entry in node["controls"].items():
        entry["name"] = str(name)
    fields = asdict(written) | {
        name: place / getattr(written, name) for name, place in folders.items() if getattr(written, name)
    }
    fields["controls"] = tuple(convert_node(entry, Control, path) for entry in node["controls"].values())
    return Design(path=path, lines=lines, **fields)
