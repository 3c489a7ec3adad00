"""Commands on occupation templates after WinoPron: check and fill them; ask, score, compare and draw systems."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from ..core.convert import to_object
from ..core.drawings import figure_files
from ..core.errors import PipelineError, errors_at, first_names, plural, shown
from ..core.files import parse_jsonl, read_text, write_json, write_jsonl, write_text
from ..core.outputs import write_bytes
from ..core.pages import decimal, percent
from ..core.servers import server_address
from ..core.tables import write_tsv
from ..core.validation.profiles import STRICT
from ..evaluation.asking import FILES as ASKING_FILES
from ..evaluation.asking import ask, model_label
from ..evaluation.logs.batches import BatchName, Settings, batch_requests
from ..evaluation.logs.custom_ids import winopron_id
from ..language.pronouns import pronoun_table
from ..winopron.drawings import draw as draw_figures
from ..winopron.instances import (
    COLUMNS,
    VERSIONS,
    WINOGENDER_COLUMNS,
    Instance,
    instances,
    read_instances,
    read_templates,
    winogender_sentences,
    write_instances,
)
from ..winopron.measures import Response, bias_by_form, caution, comparison_report, score_report
from ..winopron.occupations import occupation_report, read_shares
from ..winopron.predictions import COLUMNS as PREDICTION_COLUMNS
from ..winopron.predictions import READINGS, ReadingName, read_predictions, read_systems
from ..winopron.prompting import COLUMNS as ANSWER_COLUMNS
from ..winopron.prompting import ModelAnswer, Prompt, answer_rows, draw, prompt_table, prompts_of, template_numbers
from ..winopron.systems import SYSTEMS, SystemName, answer, in_order
from ..winopron.tables import figures_to_json, markdown_tables, system_figures
from ..winopron.template_checks import CHECKS, check_templates
from .parameters import BatchModel, MaxTokens, Reasoning, RequestsFile, arg, counted, opt, output
from .report import Quiet, Report, Writes

SamplePairs = Annotated[
    int, opt("Number of pairs of templates to ask about, with all their pronouns; 0 for all.", min=0)
]
Numbers = Annotated[str, opt("Numbers of the prompt templates, 0 to 9, with commas between; empty for all ten.")]


def instantiate_command(
    templates: Annotated[Path, arg("TEMPLATES", "Templates: TSV, our YAML, or a zip archive of TSV.")],
    out: Annotated[
        Path,
        output("folder of the sentences."),
        Writes((*(f"{name}.{suffix}" for name in VERSIONS for suffix in ("jsonl", "tsv")), "all_sentences.tsv")),
    ],
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Fill occupation templates with the pronoun sets of a language.

    Writes double.tsv and single.tsv (sentences with two people and with one),
    and the same sentences as items: double.jsonl and single.jsonl.
    For Winogender's templates it writes no sentences with one person, but
    all_sentences.tsv, with three genders.
    """
    report = Report()
    table = pronoun_table(lang)
    entries = read_templates(templates, table)
    winogender = any(template.single is None for template in entries)
    if winogender:
        rows = winogender_sentences(entries, table)
        write_tsv(out / "all_sentences.tsv", WINOGENDER_COLUMNS, rows)
        report.add(
            f"{out / 'all_sentences.tsv'}: {len(entries)} templates in, {len(rows)} sentences out",
            templates=len(entries),
            sentences=len(rows),
        )
    for version in VERSIONS:
        if version == "single" and winogender:
            continue
        sentences = instances(entries, table, version, lang=lang, source=templates)
        write_instances(out / f"{version}.jsonl", sentences)
        write_tsv(out / f"{version}.tsv", COLUMNS, (sentence.row(table) for sentence in sentences))
        report.add(
            f"{out / f'{version}.tsv'}: {len(entries)} templates in, {len(sentences)} sentences out",
            templates=len(entries),
        )
        report.figures |= {version: len(sentences)}
    return report


def check_command(
    templates: Annotated[Path, arg("TEMPLATES", "Templates: TSV, our YAML, or a zip archive of TSV.")],
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Check occupation templates: completeness, identical prefixes, one pronoun, singular they and more.

    Prints one line per finding; exit 1 if there are any.
    """
    report = Report()
    table = pronoun_table(lang)
    entries = read_templates(templates, table)
    findings = check_templates(entries, table, STRICT)
    report.findings += [f"{templates}:{finding.line}: [{finding.check}] {finding.reason}" for finding in findings]
    cases = Counter(table.placeholders[template.placeholder] for template in entries)
    counts = ", ".join(f"{case} {count}" for case, count in cases.items())
    by_check = Counter(finding.check for finding in findings)
    kinds = ", ".join(f"{name} {by_check[name]}" for name in CHECKS if by_check[name]) or "none"
    report.add(
        f"{templates}: {plural(len(entries), 'template')} ({counts}); {plural(len(findings), 'finding')}: {kinds}",
        templates=len(entries),
        cases=dict(cases),
        checks=dict(by_check),
    )
    return report


def ask_command(
    items: Annotated[Path, arg("ITEMS", "Sentences (double.jsonl or single.jsonl).")],
    model: Annotated[
        str,
        opt(
            "gguf:PATH for a GGUF file or seq2seq:FOLDER for an encoder-decoder model such as FLAN-T5 on this machine; or a name of "
            "Inspect, such as openai/gpt-4o."
        ),
    ],
    out: Annotated[Path, output("answers for `winopron score` (TSV).")],
    cache: Annotated[
        Path,
        output("folder of the replies and logs of Inspect, so that a stopped run continues."),
        Writes(ASKING_FILES),
    ],
    sample: SamplePairs = 6,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 1,
    prompts: Numbers = "",
    max_tokens: Annotated[
        int, opt("Maximum number of tokens of an answer. The authors of WinoPron used 5, enough for FLAN-T5.", min=1)
    ] = 16,
    base_url: Annotated[str, opt("Address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1.")] = "",
    threads: Annotated[int, opt("Number of threads, for a GGUF file.", min=1)] = 1,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
    quiet: Quiet = False,
) -> Report:
    """Ask a language model to whom the pronouns of sentences refer, with WinoPron's prompts.

    The prompts are the ten templates of the paper's appendix D, each without
    options, with the occupation first and with the participant first. The
    sample is balanced over cases and occupations; the same number and seed
    give the same pairs of templates for sentences with two people and with one.
    """
    address = server_address(base_url, "base-url") if base_url else ""
    report = Report()
    asked, drawn = _questions(items, sample, seed, prompts, lang, report)
    texts = [prompt.text for _, prompt in asked]
    with counted("asking", quiet=quiet) as show:
        replies = ask(texts, model, cache, base_url=address, max_tokens=max_tokens, threads=threads, progress=show)
    answers = [
        ModelAnswer(sentence, prompt, reply.text, reply.prompt_tokens, reply.answer_tokens)
        for (sentence, prompt), reply in zip(asked, replies, strict=True)
    ]
    settings = f"{drawn} pairs, seed {seed}; temperature 0, at most {plural(max_tokens, 'token')}"
    write_tsv(
        out, ANSWER_COLUMNS, answer_rows(answers, pronoun_table(lang), model=model_label(model), settings=settings)
    )
    report.add(f"{out}: {plural(len(asked), 'prompt')} in, {plural(len(answers), 'answer')} out", answers=len(answers))
    return report


def prompts_command(
    items: Annotated[Path, arg("ITEMS", "Sentences (double.jsonl or single.jsonl).")],
    file_format: Annotated[BatchName, opt("A batch of a server.", "--as")],
    out: RequestsFile,
    model: BatchModel = "",
    sample: SamplePairs = 6,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 1,
    prompts: Numbers = "",
    max_tokens: MaxTokens = 16,
    reasoning: Reasoning = False,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Write the prompts of `winopron ask` to a file, for a server elsewhere.

    `evaluate import` reads the results, in any order, and `winopron score
    --items` what it writes: the id of each request says its sentence, and the
    numbers of the prompt and of its options.
    """
    report = Report()
    asked, _ = _questions(items, sample, seed, prompts, lang, report)
    requests = [
        (winopron_id(sentence.item.id, prompt.template, prompt.variant), prompt.text) for sentence, prompt in asked
    ]
    write_jsonl(out, batch_requests(file_format, requests, Settings(model, max_tokens, reasoning)))
    return report.add(f"{out}: {plural(len(requests), 'prompt')} out", requests=len(requests))


def _questions(
    items: Path, sample: int, seed: int, prompts: str, lang: str, report: Report
) -> tuple[list[tuple[Instance, Prompt]], str]:
    """Return the prompts about a sample of sentences, and how many pairs of templates of how many were drawn; report them."""
    pronouns, table = pronoun_table(lang), prompt_table()
    population = read_instances(items)
    known = [entry.name for entry in pronouns.sets]
    for sentence in population:
        if sentence.pronouns not in known or sentence.case not in pronouns.placeholders.values():
            unknown = f"{sentence.case} {shown(sentence.pronouns)} in {sentence.item.id}"
            raise PipelineError(
                items, None, f"[pronouns] unknown set; found {unknown}, expected one of {', '.join(known)}"
            )
    sentences = draw(population, sample, seed)
    templates = template_numbers(prompts, table)
    pairs = {sentence.pair for sentence in sentences}
    whole = len({sentence.pair for sentence in population})
    asked = [
        (sentence, prompt) for sentence in sentences for prompt in prompts_of(sentence, table, pronouns, templates)
    ]
    report.add(
        f"{items}: {len(pairs)} of {plural(whole, 'pair')} of templates ({_counts(pairs)}), "
        f"{plural(len({pair[0] for pair in pairs}), 'occupation')}, seed {seed}; {plural(len(sentences), 'sentence')}, "
        f"{len(templates) * len(table.variants)} prompts each: {plural(len(asked), 'prompt')}",
        pairs=len(pairs),
        sentences=len(sentences),
        prompts=len(asked),
    )
    return asked, f"{len(pairs)} of {whole}"


def _counts(pairs: set[tuple[str, str, str]]) -> str:
    cases = Counter(case for _, _, case in pairs)
    return ", ".join(f"{case} {cases[case]}" for case in sorted(cases))


def score_command(
    predictions: Annotated[
        Path,
        arg(
            "PREDICTIONS",
            f"Table with the columns {', '.join(PREDICTION_COLUMNS)}; or answers by id: a table or JSON Lines (.jsonl, "
            ".jsonlines) with id and answer.",
        ),
    ],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    reading: Annotated[
        ReadingName, opt("How to find names in an answer: our way, or that of the authors' program.")
    ] = "words",
    occupations: Annotated[
        Path | None,
        opt("Winogender's table of the women in occupations (occupations-stats.tsv of `fetch winogender`)."),
    ] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Score a system's answers: performance, consistency, pronominal bias; exit 1 if answers are missing.

    Where a system attempts no sentence, precision is null; in the authors'
    program it is 1. With --occupations, the bias by occupation stands beside
    the percentage of women in it, by text and by employment statistics, with
    the correlations of both.
    """
    system = read_predictions(predictions, pronoun_table(lang), items, READINGS[reading])
    scored = score_report(system.responses, system.unanswered)
    report = Report(figures=to_object(scored))
    if doubt := caution(system.responses, system.unanswered):
        report.add(f"{predictions}: {doubt}", caution=doubt)
    if scored.prompts > 1:
        report.add(f"{plural(scored.prompts, 'prompt')} for a sentence: all answers are pooled")
    for name, score in {"overall": scored.overall, **scored.by_case, **scored.by_pronouns}.items():
        shares = f"precision {percent(score.precision)}, recall {percent(score.recall)}, f1 {percent(score.f1)}"
        low, high = map(percent, score.accuracy_interval or (None, None))
        report.add(f"{name}: {shares} of {score.sentences}; accuracy between {low} and {high}")
    for name, consistency in (
        ("pronoun consistency", scored.pronoun_consistency),
        ("disambiguation consistency", scored.disambiguation_consistency),
    ):
        share, chance = percent(consistency.share), percent(consistency.chance, digits=2)
        report.add(f"{name}: {share} of {consistency.groups} groups (chance {chance})")
    for case, by_set in scored.bias.items():
        for name, bias in by_set.items():
            positive, negative = percent(bias.positive_share), percent(bias.negative_share)
            report.add(
                f"bias, {case} {name}: positive {positive}, negative {negative} of {plural(bias.resolvable, 'pair')}"
            )
    if occupations:
        women = occupation_report(system.responses, pronoun_table(lang), read_shares(occupations))
        report.figures["occupations"] = to_object(women)
        report.lines += women.sentences()
    if system.gaps:
        report.findings.append(
            f"{predictions}: [answer] {plural(len(system.gaps), 'sentence')} without an answer: {first_names(system.gaps, 3)}"
        )
    if system.unanswered:
        report.add(
            f"{predictions}: {plural(system.unanswered, 'sentence')} without an answer, counted as not attempted"
        )
    return report


def tables_command(
    predictions: Annotated[
        list[Path],
        arg("PREDICTIONS", "One table of answers per system, to sentences with two people; named after the system."),
    ],
    out: Annotated[Path, output("folder of tables.md and figures.json."), Writes(("tables.md", "figures.json"))],
    single: Annotated[
        list[Path] | None, opt("Answers to sentences with one person; same name as the system's.")
    ] = None,
    winogender: Annotated[
        list[Path] | None, opt("Answers to Winogender's sentences; same name as the system's.")
    ] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Fill the tables of WinoPron's paper for systems: performance, consistency, and how answers follow the order of the options.

    The values that the paper prints stand beside them; they are of other
    systems on other sentences.
    """
    table = pronoun_table(lang)
    notes: list[str] = []
    double, published, first = (
        read_systems(predictions, table, reading=reading, notes=notes if reading is READINGS["words"] else None)
        for reading in READINGS.values()
    )
    singles, winogenders = read_systems(single or [], table), read_systems(winogender or [], table)
    _require_known(singles, double, "single")
    _require_known(winogenders, double, "winogender")
    systems = {
        name: system_figures(rows, published[name], first[name], singles.get(name, ()), winogenders.get(name, ()))
        for name, rows in double.items()
    }
    figures, text = figures_to_json(systems), markdown_tables(systems)
    write_json(out / "figures.json", figures)
    write_text(out / "tables.md", text)
    report = Report(figures=figures, notes=notes)
    report.lines += text.partition("## Table 8")[0].splitlines()
    report.add(str(out / "tables.md"))
    return report


def _require_known(answers: Mapping[str, tuple[Response, ...]], systems: Mapping[str, object], option: str) -> None:
    for name in answers:
        if name not in systems:
            reason = f"[{option}] no such system; found {name}, expected one of {', '.join(systems)}"
            raise PipelineError(None, None, reason)


def compare_command(
    predictions: Annotated[
        list[Path], arg("PREDICTIONS", "One file per system, in a format of `winopron score`; named after the system.")
    ],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Compare the pronominal bias of systems: Jaccard indices of their biased occupations.

    Two systems share an occupation that they are biased for, or against, alike;
    one for and one against share nothing. Systems that answer at random have
    0.08 on average, and up to 0.19, on WinoPron's sentences.
    """
    if len(predictions) < 2:
        raise PipelineError(
            None, None, f"[predictions] too few systems; found {len(predictions)}, expected two or more"
        )
    report = Report()
    systems = read_systems(predictions, pronoun_table(lang), items, notes=report.notes)
    compared = comparison_report({name: bias_by_form(responses) for name, responses in systems.items()})
    report.figures = compared
    for pair, overlap in compared.items():
        for case, by_set in overlap.items():
            report.add(f"{pair}, {case}: {', '.join(f'{name} {decimal(value, 2)}' for name, value in by_set.items())}")
    return report


def figures_command(
    predictions: Annotated[
        list[Path], arg("PREDICTIONS", "One file per system, in a format of `winopron score`; named after the system.")
    ],
    out: Annotated[Path, output("folder of the figures."), Writes(("*.svg", "*.png"))],
    items: Annotated[Path | None, opt("Sentences (double.jsonl); required for answers by id.")] = None,
    lang: Annotated[str, opt("Language of the pronoun table.")] = "en",
) -> Report:
    """Draw accuracy and pronominal bias by case and pronoun set, as SVG and PNG.

    Error bars are 95 % confidence intervals; the sentences of one pair of
    templates form a cluster.
    """
    report = Report()
    table = pronoun_table(lang)
    systems = read_systems(predictions, table, items, notes=report.notes)
    for name, data in figure_files(draw_figures(systems, table)).items():
        write_bytes(out / name, data)
        report.add(str(out / name))
    return report


def export_command(
    items: Annotated[Path, arg("ITEMS", "Sentences (double.jsonl or single.jsonl).")],
    system: Annotated[SystemName, opt("Coreference system.", "--format")],
    out: Annotated[Path, output("input for the system (JSON Lines).")],
    vocabulary: Annotated[Path | None, opt("Word pieces of a cased BERT (vocab.txt); required for spanbert.")] = None,
) -> Report:
    """Write sentences in the input format of a coreference system."""
    sentences = read_instances(items)
    document = SYSTEMS[system].writer(vocabulary)
    write_jsonl(out, [document(sentence.item.id, sentence.item.text) for sentence in sentences])
    return Report().add(
        f"{out}: {len(sentences)} sentences in, {len(sentences)} documents out", documents=len(sentences)
    )


def import_command(
    output: Annotated[Path, arg("OUTPUT", "Output of the system (JSON Lines).")],
    system: Annotated[SystemName, opt("Coreference system.", "--format")],
    items: Annotated[Path, opt("Sentences that were exported (JSON Lines).")],
    out: Annotated[Path, output("answers by id (JSON Lines).")],
) -> Report:
    """Convert the clusters of a coreference system to answers for `winopron score`.

    An answer has all other mentions of the pronoun's cluster; one that holds
    both people is not attempted. The authors' program takes the first mention.
    """
    sentences = read_instances(items)
    documents = list(parse_jsonl(read_text(output), output, foreign=True))
    if len(documents) != len(sentences):
        reason = (
            f"[documents] wrong number; found {len(documents)}, expected one for each of the {len(sentences)} items"
        )
        raise PipelineError(output, None, reason)
    rows = []
    for (line, document), sentence in zip(in_order(documents, sentences), sentences, strict=True):
        with errors_at(output, line):
            clusters = SYSTEMS[system].clusters(document, sentence.item.id, sentence.item.text)
        rows.append({"id": sentence.item.id, "answer": answer(sentence, clusters)})
    write_jsonl(out, rows)
    linked = sum(bool(row["answer"]) for row in rows)
    return Report().add(
        f"{out}: {len(documents)} documents in, {len(rows)} answers out; {linked} pronouns linked",
        documents=len(documents),
        answers=len(rows),
        linked=linked,
    )
