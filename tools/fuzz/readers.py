"""Readers of files that no command names: the rules and tables of rules/, and the state of a count that was cut off."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

from pipeline.core.rules import languages_with_zeros
from pipeline.core.validation import profiles
from pipeline.corpus import published
from pipeline.corpus.counting import local
from pipeline.corpus.counting import script as corpus_script
from pipeline.corpus.counting.local import CorpusCounts
from pipeline.corpus.counting.terms import TermQuery
from pipeline.corpus.formats import wikitext
from pipeline.evaluation import prompts as prompt_templates
from pipeline.evaluation.diagnosis import table8
from pipeline.evaluation.diagnosis.traces import templates as diagnosis_templates
from pipeline.experiment.analysis.page import read_causes
from pipeline.language import pronoun_classes, pronouns, questions, referents, script, script_names, segmentation
from pipeline.language.answers import shapes
from pipeline.language.answers import words as answer_words
from pipeline.language.de import grammar as de
from pipeline.language.en import nouns as english_nouns
from pipeline.language.grammar import operators
from pipeline.language.ja import grammar as ja
from pipeline.language.names import chinese_names, kin_words, western_names
from pipeline.language.zh import tables as zh
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
Read = Callable[[Path], object]


def _in(module: object, read: Callable[..., object], *arguments: str) -> Read:
    """Return what reads a table from a folder of rules, past the cache."""

    def reader(folder: Path) -> object:
        with patch.object(module, "RULES", folder):
            return read.__wrapped__(*arguments)  # type: ignore[attr-defined]  # what is cached

    return reader


def _names(read: Callable[..., object], file: str) -> Read:
    return lambda folder: read.__wrapped__(folder / "names" / file)  # type: ignore[attr-defined]


#: What reads each table of rules/, in a folder of its own.
TABLES: dict[str, Read] = {
    **{f"analysis/{lang}.yaml": _in(analysis, analysis.analysis_table, lang) for lang in ("de", "ja", "zh")},
    "answers/phrases.yaml": _in(answer_words, answer_words.phrases),
    "answers/shapes.yaml": _in(shapes, shapes.shape_table),
    **{
        f"cloze/{lang}.yaml": _in(pronoun_classes, pronoun_classes.pronoun_classes, lang) for lang in ("de", "en", "zh")
    },
    "corpus/script.yaml": _in(corpus_script, corpus_script.script_table),
    "corpus/wikimedia.yaml": _in(wikitext, wikitext.conventions),
    "evaluation/prompts/diagnosis.yaml": _in(prompt_templates, diagnosis_templates),
    "evaluation/prompts/wsc-za.yaml": _in(prompt_templates, prompt_templates.prompt_templates),
    "evaluation/prompts/winopron.yaml": _in(prompts, prompts.prompt_table),
    "grammar/de-genders.yaml": _in(de, de.judged_genders),
    "grammar/de.yaml": _in(de, de.german_words),
    "grammar/en.yaml": _in(english_nouns, english_nouns.english_tables),
    **{f"grammar/operators-{lang}.yaml": _in(operators, operators.operators, lang) for lang in ("en", "zh")},
    "grammar/ja.yaml": _in(ja, ja.words),
    "grammar/zh.yaml": _in(zh, zh.words),
    "names/chinese.yaml": _names(chinese_names, "chinese.yaml"),
    "names/kin.yaml": _names(kin_words, "kin.yaml"),
    "names/western.yaml": _names(western_names, "western.yaml"),
    "pronouns/en.yaml": _in(pronouns, pronouns.pronoun_table, "en"),
    "pronouns/zh-en-published.yaml": _in(details, details.published_words),
    "pronouns/zh-en.yaml": _in(labels, labels.translation_table, "zh-en"),
    "published/collections.yaml": lambda folder: published.published_collections.__wrapped__(
        folder / "published" / "collections.yaml"
    ),
    "questions/zh.yaml": _in(questions, questions.question_table, "zh"),
    "segmentation/zh.yaml": _in(segmentation, segmentation.word_standard),
    "script/names.yaml": _in(script_names, script_names.name_table),
    "script/zh.yaml": _in(script, script.script_table),
    "validation/causes-de.yaml": _in(causes, causes.causes, "de"),
    "validation/people.yaml": _in(referents, referents.people),
    "validation/profiles.yaml": _in(profiles, profiles.tables),
    "variety/zh.yaml": _in(variety, variety.variety_table, "zh"),
    "variety/connectives.tsv": _in(variety, variety.connectives),
    "evaluation/error-types.tsv": _in(table8, table8.error_types),
    "evaluation/winopron.tsv": _in(figures, figures.printed_values),
}


def _state() -> None:
    """Add up what a count finds in a file of its folder --resume."""
    state = local._read_state(Path("state.json"), local.Job(TermQuery(("枯枝", "压断"), 10), "reference"))
    if state is not None:
        CorpusCounts().add(state)


def _rule_set(lang: str) -> RuleSet:
    return RuleSet(read_rules(lang, FOLDER))


def _rules(*files: str) -> tuple[str, ...]:
    return tuple(f"{FOLDER}/{file}" for file in files)


#: The readers, each with the files and folders that it reads.
READERS: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
    **{
        table.rpartition(".")[0].replace("/", "-"): (
            _rules(table, *(["words/zh.yaml"] if table == "grammar/zh.yaml" else [])),
            partial(read, FOLDER),
        )
        for table, read in TABLES.items()
    },
    **{
        f"exclusion-{lang}": (
            _rules(lang, f"shared/{lang}.yaml", f"words/{lang}.yaml"),
            partial(_rule_set, lang),
        )
        for lang in languages_with_zeros()
    },
    "state": (("state.json",), _state),
    "causes": (("answers/errors.tsv",), lambda: read_causes(Path("answers/errors.tsv"))),
}
