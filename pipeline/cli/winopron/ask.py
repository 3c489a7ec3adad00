"""Ask a language model about sentences of templates."""

from collections import Counter
from pathlib import Path
from typing import Annotated

from ...core.errors import PipelineError, plural, shown
from ...core.files import write_tsv
from ...core.servers.addresses import server_address
from ...evaluation.asking import FILES, ask, model_label
from ...language.pronouns import pronoun_table
from ...winopron.instances import read_instances
from ...winopron.prompting import (
    COLUMNS,
    ModelAnswer,
    PromptTable,
    answer_rows,
    draw,
    pair_of,
    prompt_table,
    prompts_of,
)
from ..output import counted
from ..parameters import arg, opt, output
from ..report import Quiet, Report, Writes


def command(
    items: Annotated[Path, arg("ITEMS", "Sentences (double.jsonl or single.jsonl).")],
    model: Annotated[
        str,
        opt("gguf:PATH for a GGUF file, which is served on this machine; or a name of Inspect, such as openai/gpt-4o."),
    ],
    out: Annotated[Path, output("answers for `winopron score` (TSV).")],
    cache: Annotated[
        Path, output("folder of the replies and logs of Inspect, so that a stopped run continues."), Writes(FILES)
    ],
    sample: Annotated[
        int, opt("Number of pairs of templates to ask about, with all their pronouns; 0 for all.", min=0)
    ] = 6,
    seed: Annotated[int, opt("Seed of the sample.", min=0)] = 1,
    prompts: Annotated[
        str, opt("Numbers of the prompt templates, 0 to 9, with commas between; empty for all ten.")
    ] = "",
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
    templates = _numbers(prompts, table)
    pairs = {pair_of(sentence) for sentence in sentences}
    whole = len({pair_of(sentence) for sentence in population})
    asked = [
        (sentence, prompt) for sentence in sentences for prompt in prompts_of(sentence, table, pronouns, templates)
    ]
    report = Report()
    report.add(
        f"{items}: {len(pairs)} of {plural(whole, 'pair')} of templates ({_counts(pairs)}), "
        f"{plural(len({pair[0] for pair in pairs}), 'occupation')}, seed {seed}; {plural(len(sentences), 'sentence')}, "
        f"{len(templates) * len(table.variants)} prompts each: {plural(len(asked), 'prompt')}",
        pairs=len(pairs),
        sentences=len(sentences),
        prompts=len(asked),
    )
    texts = [prompt.text for _, prompt in asked]
    with counted("asking", quiet=quiet) as show:
        replies = ask(texts, model, cache, base_url=address, max_tokens=max_tokens, threads=threads, progress=show)
    answers = [
        ModelAnswer(sentence, prompt, reply.text, reply.prompt_tokens, reply.answer_tokens)
        for (sentence, prompt), reply in zip(asked, replies, strict=True)
    ]
    settings = f"{len(pairs)} of {whole} pairs, seed {seed}; temperature 0, at most {plural(max_tokens, 'token')}"
    write_tsv(out, COLUMNS, answer_rows(answers, pronouns, model=model_label(model), settings=settings))
    report.add(f"{out}: {plural(len(asked), 'prompt')} in, {plural(len(answers), 'answer')} out", answers=len(answers))
    return report


def _numbers(prompts: str, table: PromptTable) -> list[int]:
    """Return the numbers of the templates to use."""
    known = range(len(table.templates))
    words = [word.strip() for word in prompts.split(",")] if prompts.strip() else [str(number) for number in known]
    for word in words:
        if word not in map(str, known) or words.count(word) > 1:
            reason = f"[prompts] wrong numbers; found {prompts!r}, expected numbers from 0 to {known[-1]}, each once"
            raise PipelineError(None, None, reason)
    return [int(word) for word in words]


def _counts(pairs: set[tuple[str, str, str]]) -> str:
    cases = Counter(case for _, _, case in pairs)
    return ", ".join(f"{case} {cases[case]}" for case in sorted(cases))
