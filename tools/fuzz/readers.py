"""Readers of files that no command names: the rules and tables of rules/, and the state of a count that was cut off."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from pipeline.core.validation import profiles
from pipeline.corpus.counting import local
from pipeline.corpus.counting.local import CorpusCounts
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats import wikitext
from pipeline.evaluation.diagnosis import prompts as diagnosis_prompts
from pipeline.evaluation.diagnosis import table8
from pipeline.evaluation.prompts import templates as prompt_templates
from pipeline.experiment.analysis.page import read_causes
from pipeline.language import pronoun_classes, pronouns, questions, script, segmentation
from pipeline.language.grammar import de, english_nouns, operators, zh
from pipeline.language.names import chinese_names, kin_words, western_names
from pipeline.winograd import analysis, variety
from pipeline.winograd.audit import causes
from pipeline.winograd.exclusion.rule_files import read_rules
from pipeline.winograd.exclusion.ruleset import RuleSet
from pipeline.winopron import prompting as prompts
from pipeline.winopron import tables as figures
from pipeline.zero_pronouns import labels
from pipeline.zero_pronouns.translation import details

#: The folder of the copies of rules/ among the seeds.
FOLDER = Path("rules")


def _in(module: object, read: Callable[..., object], *arguments: str) -> Callable[[], object]:
    """Return what reads a table from `FOLDER`, past the cache."""

    def reader() -> object:
        with patch.object(module, "RULES", FOLDER):
            return read.__wrapped__(*arguments)  # type: ignore[attr-defined]  # what is cached

    return reader


def _state() -> None:
    """Add up what a count finds in a file of its folder --resume."""
    state = local._read_state(Path("state.json"), local.Job(TermQuery(("枯枝", "压断"), 10), "reference"))
    if state is not None:
        CorpusCounts().add(state)


def _rules(*files: str) -> tuple[str, ...]:
    return tuple(f"{FOLDER}/{file}" for file in files)


#: The readers, each with the files and folders that it reads.
READERS: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
    "exclusion": (_rules("zh", "shared/zh.yaml", "words/zh.yaml"), lambda: RuleSet(read_rules("zh", FOLDER))),
    "analysis": (_rules("analysis/zh.yaml"), _in(analysis, analysis.analysis_table, "zh")),
    "wikimedia": (_rules("corpus/wikimedia.yaml"), _in(wikitext, wikitext.conventions)),
    "analysis-de": (_rules("analysis/de.yaml"), _in(analysis, analysis.analysis_table, "de")),
    "grammar-de": (_rules("grammar/de.yaml"), _in(de, de.german_words)),
    "grammar-de-genders": (_rules("grammar/de-genders.yaml"), _in(de, de.judged_genders)),
    "grammar-en": (_rules("grammar/en.yaml"), _in(english_nouns, english_nouns.english_tables)),
    **{
        f"operators-{lang}": (_rules(f"grammar/operators-{lang}.yaml"), _in(operators, operators.operators, lang))
        for lang in ("en", "zh")
    },
    "grammar-zh": (_rules("grammar/zh.yaml", "words/zh.yaml"), _in(zh, zh.words)),
    "names-chinese": (
        _rules("names/chinese.yaml"),
        lambda: chinese_names.__wrapped__(FOLDER / "names" / "chinese.yaml"),
    ),
    "names-kin": (
        _rules("names/kin.yaml"),
        lambda: kin_words.__wrapped__(FOLDER / "names" / "kin.yaml"),
    ),
    "names-western": (
        _rules("names/western.yaml"),
        lambda: western_names.__wrapped__(FOLDER / "names" / "western.yaml"),
    ),
    "pronouns": (_rules("pronouns/en.yaml"), _in(pronouns, pronouns.pronoun_table, "en")),
    "pronoun-classes": (_rules("cloze/de.yaml"), _in(pronoun_classes, pronoun_classes.pronoun_classes, "de")),
    "pronoun-classes-en": (_rules("cloze/en.yaml"), _in(pronoun_classes, pronoun_classes.pronoun_classes, "en")),
    "pronoun-classes-zh": (_rules("cloze/zh.yaml"), _in(pronoun_classes, pronoun_classes.pronoun_classes, "zh")),
    "pronouns-zh-en": (_rules("pronouns/zh-en.yaml"), _in(labels, labels.translation_table, "zh-en")),
    "pronouns-published": (_rules("pronouns/zh-en-published.yaml"), _in(details, details.published_words)),
    "variety": (_rules("variety/zh.yaml"), _in(variety, variety.variety_table, "zh")),
    "connectives": (_rules("variety/connectives.tsv"), _in(variety, variety.connectives)),
    "prompts-winopron": (_rules("evaluation/prompts/winopron.yaml"), _in(prompts, prompts.prompt_table)),
    "prompts-wsc-za": (
        _rules("evaluation/prompts/wsc-za.yaml"),
        _in(prompt_templates, prompt_templates.prompt_templates),
    ),
    "prompts-diagnosis": (
        _rules("evaluation/prompts/diagnosis.yaml"),
        _in(diagnosis_prompts, diagnosis_prompts.templates),
    ),
    "error-types": (_rules("evaluation/error-types.tsv"), _in(table8, table8.error_types)),
    "printed-winopron": (_rules("evaluation/winopron.tsv"), _in(figures, figures.printed_values)),
    "questions": (_rules("questions/zh.yaml"), _in(questions, questions.question_table, "zh")),
    "script": (_rules("script/zh.yaml"), _in(script, script.script_table)),
    "segmentation": (_rules("segmentation/zh.yaml"), _in(segmentation, segmentation.word_standard)),
    "causes-de": (_rules("validation/causes-de.yaml"), _in(causes, causes.causes, "de")),
    "profiles": (_rules("validation/profiles.yaml"), _in(profiles, profiles.tables)),
    "state": (("state.json",), _state),
    "causes": (("answers/errors.tsv",), lambda: read_causes(Path("answers/errors.tsv"))),
}
