"""Checks of occupation templates, WinoPron's automatic ones (section 3) and what they leave out, and the suite of them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..core.errors import shown
from ..core.validation.profiles import Profile, profile_of_format, profiles
from ..core.validation.rows import text_of
from ..core.validation.suite import Row, Suite, described
from ..language.pronouns import PronounTable, pronoun_table
from .instances import Template, read_templates

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
#: Least similarity of two endings that say the same; the other entity or a detail may be left out.
_ALIKE = 0.6
_ARTICLE = re.compile(r"(?:the|an?)\s", re.IGNORECASE)
#: A third person singular verb, which has another form after they; the lookahead lists adverbs with the same ending.
_SINGULAR_VERB = re.compile(r"(?!(?:always|perhaps|sometimes|nowadays|besides|less)$)[a-z]+[^su]s", re.IGNORECASE)
#: Personal pronouns that no set of the table has.
_OTHER_PRONOUNS = frozenset(
    {"themselves", "theirselves", "hisself", "ze", "zir", "zirs", "hir", "hirs", "xyrself", "thon"}
)
#: Typing errors by what they are; a full stop may stand inside a word (p.m.) and three may follow each other.
_TYPOS = {
    "a blank too many": re.compile(r" {2,}|^\s|\s$| (?=[.,;:!?])"),
    "no blank after a mark": re.compile(r"[,;:!?](?=[A-Za-z$])|[a-z]\.(?=[A-Z$])"),
    "a mark too many": re.compile(r"(?<!\.)\.\.(?!\.)|[,;:!?][.,;:!?]|\.[,;:]$|(?<!\b[A-Za-z])\.[!?]|^[.,;:!?]"),
    "a word twice": re.compile(r"\b(\w+) \1\b", re.IGNORECASE),
    "a character that is not ASCII": re.compile("[^ -~]"),
    "a digit or a capital inside a word": re.compile(r"[a-z]\d+[a-z]|\b[a-z]{2,}[A-Z]"),
    "a placeholder inside a word": re.compile(r"\w\$|\$[A-Z_]+[a-z0-9]"),
    "no mark at the end": re.compile(r"""(?<![.!?])(?<![.!?]["'])$"""),
    "no capital at the beginning": re.compile("^[a-z]"),
}
_INDEFINITE = re.compile(r"\b(an?) ([A-Za-z]+)", re.IGNORECASE)
#: Letters whose names begin with a vowel: an MRI.
_VOWEL_NAMES = "AEFHILMNORSX"
_NAME = re.compile("(?:[a-z]+|[A-Z]{2,})(?:[ '-](?:[a-z]+|[A-Z]{2,}))*")
#: Conjunctions that a subject follows, and no preposition has their form.
_CONJUNCTION = re.compile("because|although|though|while|when|whenever|if|unless|whether|once|that")
#: Verbs that follow a subject only.
_AUXILIARY = re.compile("(?:had|could|would|might|should|must|did|was|were|has|is)(?:n't)?")
#: Words that no subject has directly after it, and no noun begins with.
_NO_VERB = re.compile("to|an?|the|in|for|of|from|with|into|at|by|on|and|or")
_BEFORE = re.compile(r"([\w']*)\W*$")
_AFTER = re.compile(r"^(\W*)([\w']*)")
_WORDS = re.compile(r"[\w']+")


class Fault(NamedTuple):
    """A fault of the template in a line; `unless` is the allowance of a profile under which it is none, `check` what found it."""

    line: int
    reason: str
    unless: str = ""
    check: str = ""


def complete(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """Each pair of entities has two templates in each case that occurs in the file; in Winogender, two in all."""
    cases = sorted({template.placeholder for template in templates})
    counts: dict[tuple[str, str], list[str]] = defaultdict(list)
    first: dict[tuple[str, str], int] = {}
    for template in templates:
        entities = template.occupation, template.participant
        counts[entities].append(template.placeholder)
        first.setdefault(entities, template.line)
    for entities, placeholders in counts.items():
        two = "two-templates" if len(placeholders) == 2 else ""
        for case in cases:
            count = placeholders.count(case)
            if count != 2:
                reason = f"{'/'.join(entities)}: wrong number of templates with ${case}; found {count}, expected 2"
                yield Fault(first[entities], reason, two)


def answers_differ(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """In each pair, one template refers to the occupation and one to the participant."""
    for pair in _pairs(templates):
        answers = sorted(template.answer for template in pair)
        if len(pair) == 2 and answers != [0, 1]:
            reason = f"answers do not differ; found {answers[0]} twice, expected 0 and 1"
            yield Fault(pair[1].line, reason)


def identical_prefix(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The templates of a pair are identical up to the pronoun."""
    for pair in _pairs(templates):
        for template in pair[1:]:
            if _prefix(template) != _prefix(pair[0]):
                reason = f"text before the pronoun differs; found {shown(_prefix(template))}, expected {shown(_prefix(pair[0]))}"
                yield Fault(template.line, reason)


def different_endings(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The templates of a pair are different texts, not only in their marks."""
    for pair in _pairs(templates):
        for template in pair[1:]:
            if _letters(template.double) == _letters(pair[0].double):
                yield Fault(template.line, f"duplicate text; found {shown(template.double)} twice")


def entities_named(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The occupation and the participant, two words without an article, occur once each, with the, before the pronoun."""
    for template in templates:
        words = (template.occupation, template.participant)
        for word in words:
            if _ARTICLE.match(word):
                reason = f"article in the name of an entity; found {shown(word)}, expected it without: the text has one"
                yield Fault(template.line, reason)
            if match := re.search(rf"\b{re.escape(word)}\b", " ".join(_texts(template)), re.IGNORECASE):
                reason = f"name of an entity in the text; found {shown(match[0])}, expected its placeholder only"
                yield Fault(template.line, reason)
        if words[0].casefold() == words[1].casefold():
            reason = f"occupation and participant are the same; found {shown(words[0])} twice, expected two words"
            yield Fault(template.line, reason)
        for name in ("OCCUPATION", "PARTICIPANT"):
            count = len(re.findall(rf"\b[Tt]he \${name}\b", _prefix(template)))
            if count != 1 or template.double.count(f"${name}") != 1:
                reason = f"wrong number of 'the ${name}' before the pronoun; found {count}, expected one and no ${name} elsewhere"
                yield Fault(template.line, reason)


def single_pronoun(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """A text has no other personal pronoun, also not one followed by punctuation (her.)."""
    forms = {form for pronouns in table.sets for form in pronouns.forms.values()} | _OTHER_PRONOUNS
    for template in templates:
        for text in _texts(template):
            extra = sorted({word.lower() for word in _WORD.findall(text)} & forms)
            if extra:
                yield Fault(template.line, f"extra pronoun; found {', '.join(extra)} in {shown(text)}")


def parallel_single(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """The single version names only the antecedent, and ends like its double if nearly all do, never like another template of the two."""
    endings = {(_pair_of(template)[:2], _ending(template.double, template)): template for template in templates}
    habits = [habit for habit in (_ends_alike, _ends_shortened) if nearly_all([habit(entry) for entry in templates])]
    for template in templates:
        if template.single is None:
            continue
        ending = _ending(template.single, template)
        same = endings.get((_pair_of(template)[:2], ending))
        if same and ending != _ending(template.double, template):
            reason = f"single version of another template; found the ending of {shown(same.double)} in {shown(template.single)}"
            yield Fault(template.line, reason)
        if not same and not all(habit(template) for habit in habits):
            reason = f"another ending; found {shown(template.single)}, expected that of {shown(template.double)}"
            yield Fault(template.line, reason)
        antecedent, other = ("PARTICIPANT", "OCCUPATION") if template.answer else ("OCCUPATION", "PARTICIPANT")
        named = (
            re.search(rf"\b[Tt]he \${antecedent}\b", template.single) and template.single.count(f"${antecedent}") == 1
        )
        if not named or f"${other}" in template.single:
            reason = f"wrong entities in the single version; found {shown(template.single)}, expected only 'the ${antecedent}'"
            yield Fault(template.line, reason)


def singular_they(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """The verb after a nominative has one form for she and they: a modal, or past tense other than was, but in Winogender."""
    for template in templates:
        if table.placeholders[template.placeholder] != "nominative":
            continue
        for text in _texts(template):
            after = text.split(f"${template.placeholder}", 1)[1]
            verb = next(iter(_WORD.findall(after)), "")
            if verb in table.agreement or _SINGULAR_VERB.fullmatch(verb):
                yield Fault(
                    template.line,
                    f"verb agrees with the pronoun; found {verb!r}, expected one form for she and they",
                    "agreeing-verb" if verb in table.agreement else "",
                )
                break


def typography(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """A sentence in ASCII without typing errors: blanks, marks, capitals, a or an, no word twice, and an end mark."""
    for template in templates:
        for text in _texts(template):
            if error := typing_error(text, table):
                yield Fault(template.line, f"typing error; {error}")


def plain_names(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """The names of the entities are English nouns in small letters, and neither is inside the other."""
    for template in templates:
        if error := name_error(template.occupation, template.participant, table):
            yield Fault(template.line, f"wrong name; {error}")


def pronoun_in_place(templates: Sequence[Template], table: PronounTable) -> Iterator[Fault]:
    """A pronoun has the case of its place: no accusative after because, no possessive before a verb or a mark."""
    for template in templates:
        case = table.placeholders[template.placeholder]
        for text in _texts(template):
            before, after = text.split(f"${template.placeholder}", 1)
            if error := misplaced_pronoun(before, after, case):
                yield Fault(template.line, f"wrong case; {error} in {shown(text)}")


def unique_texts(templates: Sequence[Template], _: PronounTable) -> Iterator[Fault]:
    """No text is that of another template, not even with other marks; within a pair, different-endings reports it."""
    first: dict[str, Template] = {}
    for template in templates:
        for text in _texts(template):
            other = first.setdefault(_letters(re.sub(r"\$[A-Z]+_PRONOUN", "$PRONOUN", text)), template)
            if _pair_of(other) != _pair_of(template):
                reason = f"duplicate text; found {shown(text)} in line {other.line} too, expected another text"
                yield Fault(template.line, reason)


Check = Callable[[Sequence[Template], PronounTable], Iterator[Fault]]
CHECKS: Mapping[str, Check] = {
    "complete": complete,
    "answers-differ": answers_differ,
    "identical-prefix": identical_prefix,
    "different-endings": different_endings,
    "entities-named": entities_named,
    "single-pronoun": single_pronoun,
    "parallel-single": parallel_single,
    "singular-they": singular_they,
    "typography": typography,
    "plain-names": plain_names,
    "pronoun-in-place": pronoun_in_place,
    "unique-texts": unique_texts,
}


def profile_of_templates(templates: Sequence[Template]) -> Profile:
    """Return the profile of the format of a file's templates: those of Winogender have no single versions."""
    is_winogender = all(template.single is None for template in templates)
    return profile_of_format("winogender" if is_winogender else "")


def check_templates(templates: Sequence[Template], table: PronounTable, profile: Profile | None = None) -> list[Fault]:
    """Return the findings of all `CHECKS`, ordered by line, but those that the profile allows (by default that of the format)."""
    allow = (profile or profile_of_templates(templates)).allow
    findings = [
        fault._replace(check=name)
        for name, check in CHECKS.items()
        for fault in check(templates, table)
        if fault.unless not in allow
    ]
    return sorted(findings, key=lambda finding: (finding.line, finding.check, finding.reason))


def _pairs(templates: Sequence[Template]) -> Iterable[list[Template]]:
    """Return the templates that share occupation, participant and pronoun; in a sound file these are two."""
    pairs: dict[tuple[str, str, str], list[Template]] = defaultdict(list)
    for template in templates:
        pairs[_pair_of(template)].append(template)
    return pairs.values()


def _pair_of(template: Template) -> tuple[str, str, str]:
    return template.occupation, template.participant, template.placeholder


def _letters(text: str) -> str:
    """Return the letters of a text, which differ between texts that differ in more than marks, blanks and capitals."""
    return "".join(filter(str.isalnum, text)).casefold()


def _prefix(template: Template) -> str:
    return template.double.split(f"${template.placeholder}")[0]


def _ends_alike(template: Template) -> bool:
    """Return whether the single version ends in about the words of the double."""
    double, single = _endings(template)
    return SequenceMatcher(None, double.split(), single.split()).ratio() > _ALIKE


def _ends_shortened(template: Template) -> bool:
    """Return whether the single version ends in words of the double, some perhaps left out."""
    return template.single is not None and is_shortened(*_endings(template))


def _endings(template: Template) -> tuple[str, str]:
    """Return what follows the pronoun in the double and in the single version."""
    double, single = (
        text.split(f"${template.placeholder}", 1)[-1] for text in (template.double, template.single or "")
    )
    return double, single


def _ending(text: str, template: Template) -> str:
    return _letters(text.split(f"${template.placeholder}", 1)[-1])


def _texts(template: Template) -> list[str]:
    return [template.double] + ([template.single] if template.single is not None else [])


# --- wording ----------------------------------------------------------------------------------------------------------


def typing_error(text: str, table: PronounTable) -> str:
    """Return the first typing error of a sentence or template with its place, or an empty string."""
    for what, pattern in _TYPOS.items():
        if match := pattern.search(text):
            return f"found {what} in {text[max(0, match.start() - 12) : match.end() + 4]!r}"
    for match in _INDEFINITE.finditer(text):
        article, word = match.groups()
        spelt = word.isupper() and (
            word[0] in _VOWEL_NAMES or word[0] == "U"
        )  # an MRI, a UFO: either may be read as a word
        if not spelt and (article.lower() == "an") is not bool(table.an.search(word)):
            return f"found {match[0]!r}, expected {'a' if article.lower() == 'an' else 'an'} before {word!r}"
    return ""


def name_error(occupation: str, participant: str, table: PronounTable) -> str:
    """Return what is wrong with the names of the two entities, or an empty string."""
    pronouns = {form for entry in table.sets for form in entry.forms.values()}
    for name in (occupation, participant):
        if not _NAME.fullmatch(name):
            return f"found {shown(name)}, expected English words in small letters"
        if name in pronouns:
            return f"found the pronoun {shown(name)}, expected a noun"
    words = occupation.split(), participant.split()
    if occupation != participant and (set(words[0]) <= set(words[1]) or set(words[1]) <= set(words[0])):
        return f"found {shown(occupation)} and {shown(participant)}, expected no name inside the other"
    return ""


def misplaced_pronoun(before: str, after: str, case: str) -> str:
    """Return why a pronoun of a case cannot stand between two texts, or an empty string if it may.

    >>> misplaced_pronoun("He left because ", " had won.", "accusative")
    "found the accusative after 'because', expected the nominative"
    """
    previous = _BEFORE.search(before)
    following = _AFTER.search(after)
    word = previous[1].lower() if previous else ""
    mark, verb = (following[1].strip(), following[2].lower()) if following else ("", "")
    ends = bool(mark) or not verb
    if case in ("accusative", "reflexive") and _CONJUNCTION.fullmatch(word):
        return f"found the {case} after {word!r}, expected the nominative"
    if case == "nominative" and (ends or _NO_VERB.fullmatch(verb)):
        return f"found the nominative before {mark or verb!r}, expected a verb after it"
    if case == "possessive" and (ends or _NO_VERB.fullmatch(verb) or _AUXILIARY.fullmatch(verb)):
        return f"found the possessive before {mark or verb!r}, expected a noun after it"
    return ""


def is_shortened(text: str, short: str) -> bool:
    """Return whether a text has only words of a longer one, in their order.

    >>> is_shortened("paid the bill at last.", "paid at last."), is_shortened("paid the bill.", "paid the rent.")
    (True, False)
    """
    words = iter(_WORDS.findall(text.casefold()))
    return all(word in words for word in _WORDS.findall(short.casefold()))


def nearly_all(answers: Sequence[bool]) -> bool:
    """Return whether all are true but one in fifty; a single exception counts if there are ten or more."""
    return bool(answers) and answers.count(False) <= (max(1, len(answers) // 50) if len(answers) >= 10 else 0)


_LANG = "en"


def template_rows(paths: Sequence[Path], profile: str = "") -> list[Row]:
    """Return a row for each template; its value maps each failed check of `CHECKS` to the reason.

    What the profile allows is no failure; by default it is that of the format.
    """
    pronouns = pronoun_table(_LANG)
    rows = []
    for path in paths:
        templates = read_templates(path, pronouns)
        reasons: dict[int, dict[str, str]] = {}
        for finding in check_templates(templates, pronouns, profiles()[profile] if profile else None):
            reasons.setdefault(finding.line, {}).setdefault(finding.check, finding.reason)
        for number, template in enumerate(templates, 1):
            case = pronouns.placeholders[template.placeholder]
            name = f"{template.occupation}-{template.participant}-{case}-{'ab'[template.answer]} ({number})"
            # in our YAML both members of a pair have one line, whose findings go to the first
            rows.append(Row(name, path, template.line, reasons.pop(template.line, {})))
    return rows


TEMPLATES = Suite(
    "templates",
    "occupation templates (TSV, YAML or zip)",
    template_rows,
    {
        name: described(check.__doc__ or "", partial(lambda check, value: text_of(value, check), name))
        for name, check in CHECKS.items()
    },
    unique=False,
)
