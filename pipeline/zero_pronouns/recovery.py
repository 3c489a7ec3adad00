"""Precision, recall and F1 of recovered zeros (AZPR; EMNLP 2022, section 4.2): summed over sentences, then divided."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import PipelineError, shown
from ..core.files import lines_of, read_text
from ..statistics.agreement import Overlap
from .documents import BOUNDARY, require_aligned
from .frequencies import UNTYPED
from .labels import FORMS, Sentence, parse_sentence


@dataclass(frozen=True, slots=True)
class Recoveries:
    """How a system recovers zeros: with the same place, pronoun and form, by form, and with the same place and pronoun only."""

    overall: Overlap
    without_form: Overlap
    forms: dict[str, Overlap]
    findings: tuple[str, ...]


def read_recovered(gold: Path, system: Path) -> Recoveries:
    """Compare a labelled text with what a system recovered in it.

    If the system changed the text itself, that is a finding, and none of the zeros of that sentence counts as recovered.

    Raises:
        PipelineError: the files have different numbers of lines.
    """
    golds, systems = lines_of(read_text(gold)), lines_of(read_text(system))
    require_aligned(system, len(systems), gold, len(golds))
    pairs, findings = [], []
    for number, lines in enumerate(zip(golds, systems, strict=True), 1):
        if all(line.strip() == BOUNDARY for line in lines):
            continue
        sentences = []
        for path, line in zip((gold, system), lines, strict=True):
            sentence, faults = parse_sentence(line.strip())
            findings += [f"{path}:{number}: {fault}" for fault in faults]
            sentences.append(sentence)
        if sentences[0].text != sentences[1].text:
            gold_text, system_text = (shown(sentence.text) for sentence in sentences)
            reason = f"[sentence] not the text of {gold} without its labels; found {system_text}, expected {gold_text}"
            findings.append(f"{system}:{number}: {reason}")
        pairs.append((sentences[0], sentences[1]))
    if not pairs:
        raise PipelineError(gold, None, f"[sentence] no sentence; expected sentences and lines with {BOUNDARY}")
    return recovery_scores(pairs, findings)


def recovery_scores(pairs: Sequence[tuple[Sentence, Sentence]], findings: Iterable[str] = ()) -> Recoveries:
    """Return the counts of sentences, each as the gold standard and as the system has it."""
    full, without = (_counts(pairs, with_form=with_form) for with_form in (True, False))
    names = [name for name in (*FORMS, UNTYPED) if any(zeros[name] for zeros in full)]
    forms = {name: Overlap(*(zeros[name] for zeros in full)) for name in names}
    return Recoveries(
        Overlap(*(zeros.total() for zeros in full)),
        Overlap(*(zeros.total() for zeros in without)),
        forms,
        tuple(findings),
    )


def _counts(pairs: Sequence[tuple[Sentence, Sentence]], *, with_form: bool) -> tuple[Counter[str], ...]:
    """Return the zeros of the system, of the gold standard and of both by form; a zero that stands twice counts twice."""
    sums: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    for sentences in pairs:
        gold, system = (
            Counter((zero.place, zero.pronoun, (zero.form or UNTYPED) if with_form else "") for zero in sentence.zeros)
            for sentence in sentences
        )
        both = gold & system if sentences[0].text == sentences[1].text else Counter()
        for counts, zeros in zip(sums, (system, gold, both), strict=True):
            for (_, _, form), count in zeros.items():
                counts[form] += count
    return sums
