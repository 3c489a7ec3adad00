"""winoforge: build and check Winograd-style coreference datasets.

Each folder here is a room, one domain with all that belongs to it: readers, functions, checks, pages. Start with `core/model.py`, which
says what an item is, then `cli`, one module a command, and follow a command into its room. CONTRIBUTING.md describes the rooms in
a line each, docs/glossary.md the words.

What is below is for other people's programs: the stages as functions of files and values. A user's mistake raises `PipelineError`, whose
text is the line that a command prints. Importing this module loads nothing else.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .core.errors import PipelineError
    from .core.model import IngestResult, Item, Rejected, Span
    from .core.validation.suite import Failure
    from .language.anaphors import Place, Undecided
    from .language.parsing.lock import Lock
    from .winograd.exclusion.exclude import Partition
    from .winograd.forms.form import DerivedForm
    from .winograd.licence import PronounLicence

__version__ = "0.1.0"

#: The order of layers: a room imports from rooms of earlier layers and from itself. A room with an inner order says it in `LAYERS` of its
#: own. Tests hold the code to both.
LAYERS = (
    ("core",),
    ("language", "statistics"),
    ("winograd", "winopron", "corpus", "zero_pronouns"),
    ("evaluation",),
    ("studies",),
    ("experiment",),  # an experiment can be laid out as a study
    ("release",),
    ("cli",),
)

#: The types of the public functions, by the module that defines them.
_TYPES = {
    "PipelineError": "core.errors",
    "Item": "core.model",
    "Span": "core.model",
    "Rejected": "core.model",
    "Lock": "language.parsing.lock",
    "PronounLicence": "winograd.licence",
}
__all__ = [
    "Item",
    "Lock",
    "PipelineError",
    "PronounLicence",
    "Rejected",
    "Span",
    "exclude",
    "find_target",
    "licence",
    "parse",
    "read",
    "report",
    "score",
    "validate",
    "variants",
    "zero",
]


def __getattr__(name: str) -> Any:
    if name in _TYPES:
        return getattr(import_module(f".{_TYPES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def read(path: str | Path, format: str = "", lang: str | None = None) -> "IngestResult":  # noqa: A002 - as in `ingest --format`
    """Read a collection: its `items`, and the records that are none, `skipped` with the reasons.

    Args:
        format: one of `winoforge ingest --format`; by default found from the content.
        lang: the language, if the format has several.

    Raises:
        PipelineError: the file is malformed, or its format unknown.

    >>> collection = read("raw/zh/schemas.yaml", "schema-yaml")
    >>> len(collection.skipped)
    0
    >>> collection.items[0].target.of(collection.items[0].text)
    '她'
    """
    from .core.files import read_bytes
    from .winograd.readers import found_format, ingest

    data = read_bytes(Path(path))
    return ingest(data, Path(path), format or found_format(data, Path(path)), lang)


def find_target(text: str, question: str, candidates: Sequence[str] = (), lang: str = "zh") -> "Place | Undecided":
    """Find the pronoun or the zero that a question asks about: a `span` with its `kind`, or the `reason` why it is undecided.

    >>> find_target("奖杯放不进箱子，因为它太大了。", "什么太大了？")
    Place(span=Span(start=10, end=11), kind='pronoun')
    """
    from .language.anaphors import locate
    from .language.questions import question_table

    return locate(text, question, candidates, question_table(lang))


def parse(items: Sequence["Item"], parser: Literal["udpipe", "stanza", "ginza"] = "udpipe") -> "Lock":
    """Parse the sentences of items that have a target.

    Raises:
        PipelineError: the parser is not installed, or not for the language of the items.

    >>> lock = parse(read("raw/zh/schemas.yaml", "schema-yaml").items[:2])
    >>> len(lock.trees), lock.parsers[0].partition("/")[0]
    (2, 'udpipe')
    """
    from .language.parsing.lock import Lock
    from .language.parsing.lock import parse as parse_items

    update = parse_items(items, parser, Path("no lock"))
    return Lock(Path("no lock"), {tree.key: tree for tree in update.trees})


def exclude(items: Sequence["Item"], *locks: "Lock", by_sentence: bool = False) -> "Partition":
    """Divide items into `kept` and `rejected`, whose targets license no zero, with the `decisions` on all.

    Args:
        locks: the trees of `parse`, or `Lock`s read from files by `winoforge.language.parsing.lock.read_lock`; the first decides.
        by_sentence: keep an item whose pair-mate is rejected.

    >>> items = read("raw/zh/schemas.yaml", "schema-yaml").items[:2]
    >>> result = exclude(items, parse(items))
    >>> len(result.kept), len(result.rejected)
    (2, 0)
    """
    from .winograd.exclusion.exclude import exclude as exclude_items
    from .winograd.exclusion.ruleset import load_rules

    return exclude_items(items, locks, load_rules(items[0].lang if items else "zh"), by_sentence=by_sentence)


def licence(text: str, lang: str = "zh") -> "tuple[PronounLicence, ...]":
    """Say of each overt third-person pronoun of a text whether it may be left out, and why not.

    Raises:
        PipelineError: the language has no rules, or no parser of it is installed.

    >>> for pronoun in licence("小明看见他，他就跑。"):
    ...     print(pronoun.span.start, pronoun.form, pronoun.decision, pronoun.rule)
    4 他 overt zh/direct-object
    6 他 omissible None
    """
    from .winograd.licence import Passage, license_pronouns

    return license_pronouns([Passage("", text)], lang).pronouns


def zero(item: "Item") -> dict[str, Any]:
    """Return an item as JSON with its zero form: `text_zero` has Ø for the target, `text_dropped` nothing.

    >>> zero(read("raw/zh/schemas.yaml", "schema-yaml").items[0])["text_zero"]
    '晚上写作业，只有一盏台灯，妹妹叫姐姐往旁边坐坐，不然Ø看不清字。'
    """
    from .winograd.zero_forms import to_zero

    return to_zero(item)


def variants(items: Sequence["Item"], seed: int = 0) -> "dict[str, DerivedForm]":
    """Derive the forms of items by name (nli, winogrande, …): the `rows` of each, and the items of which it is `unmade`.

    >>> len(variants(read("raw/zh/schemas.yaml", "schema-yaml").items[:2])["nli"].rows)
    4
    """
    from .winograd.forms import FormOptions
    from .winograd.forms import variants as derive

    return derive(items, FormOptions(seed=seed))


def validate(suite: str, *paths: str | Path) -> "tuple[Failure, ...]":
    """Check files by a suite of `winoforge validate --list`, and return what fails, with its place; nothing if all is well.

    >>> validate("templates", "raw/en/templates.yaml")
    ()
    """
    from .core.errors import PipelineError, shown
    from .release.gate import SUITES

    if suite not in SUITES:
        raise PipelineError(None, None, f"[suite] unknown; found {shown(suite)}, expected one of {', '.join(SUITES)}")
    return SUITES[suite].check([Path(path) for path in paths]).failures


def score(release: str | Path, *predictions: str | Path) -> dict[str, Any]:
    """Return what answers of systems show about the items of a release, as `report.json` of `winoforge evaluate report` has it.

    >>> figures = score("build/release/zh", "answers.jsonl")  # doctest: +SKIP
    >>> figures["models"]["qwen"]["zero-shot"]["accuracy"]  # doctest: +SKIP
    0.5
    """
    from .evaluation.folder import read_folder
    from .evaluation.predictions import read_predictions
    from .evaluation.report.evaluation import Evaluation
    from .evaluation.report.figures import figures, report_object

    folder = read_folder(Path(release))
    runs = read_predictions([Path(path) for path in predictions], folder.items)
    return report_object(figures(Evaluation(folder.name, folder.items, runs)))


def report(release: str | Path, *predictions: str | Path, out: str | Path) -> dict[str, Any]:
    """Write the report on answers into a folder, its page as index.html, and return the figures of `score`.

    >>> report("build/release/zh", "answers.jsonl", out="report")["models"].keys()  # doctest: +SKIP
    dict_keys(['qwen'])
    """
    from .cli.evaluate_reports import report_command

    return report_command(Path(release), [Path(path) for path in predictions], Path(out)).figures
