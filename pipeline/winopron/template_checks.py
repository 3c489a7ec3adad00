"""What must hold of occupation templates: WinoPron's own automatic checks (section 3), and those that they leave out."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..language.pronouns import PronounTable
from .templates import Template

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_TYPO = re.compile(r" {2,}| [.,;:!?]|\b(\w+) \1\b|[^ -~]|(?<![.!?])$", re.IGNORECASE)
#: Third person singular verbs that take another form after they; adverbs that only look like one.
_SINGULAR_VERB = re.compile(r"(?!(?:always|perhaps|sometimes|nowadays|besides|less)$)[a-z]+[^su]s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check found, and the line of the template at fault."""

    check: str
    line: int
    reason: str


Pair = tuple[str, str, str]


def pairs_of(templates: Sequence[Template]) -> dict[Pair, list[Template]]:
    """Return the templates by occupation, participant and pronoun; in a sound file each has two."""
    pairs: dict[Pair, list[Template]] = defaultdict(list)
    for template in templates:
        pairs[template.occupation, template.participant, template.placeholder].append(template)
    return dict(pairs)


def prefix(template: Template) -> str:
    """Return the double-entity text up to the pronoun."""
    return template.double.split(f"${template.placeholder}")[0]


def _texts(template: Template) -> list[str]:
    return [template.double] + ([template.single] if template.single is not None else [])


def complete(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """Each occupation and participant has two templates in each case that the file has."""
    cases = sorted({template.placeholder for template in templates})
    counts: dict[tuple[str, str], list[str]] = defaultdict(list)
    first: dict[tuple[str, str], int] = {}
    for template in templates:
        entities = template.occupation, template.participant
        counts[entities].append(template.placeholder)
        first.setdefault(entities, template.line)
    for entities, found in counts.items():
        for case in cases:
            if found.count(case) != 2:
                reason = f"{'/'.join(entities)}: templates with ${case}; found {found.count(case)}, expected 2"
                yield Fault("complete", first[entities], reason)


def answers_a_pair(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """Of two templates of a pair one means the occupation and one the participant."""
    for pair in pairs_of(templates).values():
        found = sorted(template.answer for template in pair)
        if len(pair) == 2 and found != [0, 1]:
            yield Fault("answers-a-pair", pair[1].line, f"answers; found {found[0]} twice, expected 0 and 1")


def identical_prefix(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The templates of a pair are the same up to the pronoun, so that only the ending tells."""
    for pair in pairs_of(templates).values():
        for template in pair[1:]:
            if prefix(template) != prefix(pair[0]):
                reason = f"text before the pronoun; found {prefix(template)!r}, expected {prefix(pair[0])!r}"
                yield Fault("identical-prefix", template.line, reason)


def different_endings(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The templates of a pair are not the same text."""
    for pair in pairs_of(templates).values():
        for template in pair[1:]:
            if template.double == pair[0].double:
                yield Fault("different-endings", template.line, f"the same text twice; found {template.double!r}")


def entities_named(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The occupation and the participant stand before the pronoun, once each, with the."""
    for template in templates:
        for name in ("OCCUPATION", "PARTICIPANT"):
            count = len(re.findall(rf"\b[Tt]he \${name}\b", prefix(template)))
            if count != 1 or template.double.count(f"${name}") != 1:
                reason = f"'the ${name}' before the pronoun; found {count}, expected it once and nowhere else"
                yield Fault("entities-named", template.line, reason)


def single_pronoun(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """No other personal pronoun stands in a text, whatever punctuation sticks to it (her.)."""
    forms = {form for pronouns in table.sets for form in pronouns.forms.values()}
    for template in templates:
        for text in _texts(template):
            extra = sorted({word.lower() for word in _WORD.findall(text)} & forms)
            if extra:
                yield Fault("single-pronoun", template.line, f"another pronoun; found {', '.join(extra)} in {text!r}")


def parallel_single(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The single-entity version names the entity meant and not the other one."""
    for template in templates:
        if template.single is None:
            continue
        meant, other = ("PARTICIPANT", "OCCUPATION") if template.answer else ("OCCUPATION", "PARTICIPANT")
        if not re.search(rf"\b[Tt]he \${meant}\b", template.single) or f"${other}" in template.single:
            reason = f"entities of the single version; found {template.single!r}, expected 'the ${meant}' alone"
            yield Fault("parallel-single", template.line, reason)


def singular_they(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """The verb after a nominative is the same after they as after she: past tense other than was, or a modal."""
    for template in templates:
        if table.placeholders[template.placeholder] != "nominative":
            continue
        for text in _texts(template):
            after = text.split(f"${template.placeholder}", 1)[1]
            verb = next(iter(_WORD.findall(after)), "")
            if verb in table.agreement or _SINGULAR_VERB.fullmatch(verb):
                yield Fault("singular-they", template.line, f"a verb that agrees with the pronoun; found {verb!r}")
                break


def typography(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """No doubled blank or word, no blank before a mark, no odd character, a mark at the end."""
    for template in templates:
        for text in _texts(template):
            match = _TYPO.search(text)
            if match:
                place = text[max(0, match.start() - 12) : match.end() + 4]
                yield Fault("typography", template.line, f"a slip of the pen; found it at {place!r}")


Check = Callable[[Sequence[Template], PronounTable], Iterator[Fault]]
CHECKS: Mapping[str, Check] = {
    "complete": complete,
    "answers-a-pair": answers_a_pair,
    "identical-prefix": identical_prefix,
    "different-endings": different_endings,
    "entities-named": entities_named,
    "single-pronoun": single_pronoun,
    "parallel-single": parallel_single,
    "singular-they": singular_they,
    "typography": typography,
}


def check_templates(templates: Sequence[Template], table: PronounTable) -> list[Fault]:
    """Return what all `CHECKS` find, in the order of the lines."""
    faults = [fault for check in CHECKS.values() for fault in check(templates, table)]
    return sorted(faults, key=lambda fault: (fault.line, fault.check, fault.reason))
