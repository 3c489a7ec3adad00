"""Which candidate a system's free-text answer chooses.

The prompts of WSC-ZA (Appendix B) ask for ``Answer: A or B``. Systems answer with more and less: 答案：Ａ, "A. 老生", the name alone, the
options repeated, both, neither, an apology. An answer without one clear choice has an outcome that says why.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from .final import LAST_WORD, after_frame, final_text, plain
from .listed import options_pattern, verdict, weighed, without_options
from .mentions import (
    Mention,
    begins_with,
    decisive,
    denied_together,
    has_letters_only,
    is_label_of_list,
    letter,
    letters,
    name_before,
    named,
    numbers,
)
from .shapes import in_plain
from .words import REACH, conclusions, is_cut_off, is_denied, phrases

#: What an answer is: one choice by its letter or number or by its name, or the reason why it has no choice.
Outcome = Literal["letter", "name", "both", "neither", "contradiction", "refusal", "unclear", "empty"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
#: The outcomes with a choice.
CHOSEN: tuple[Outcome, ...] = ("letter", "name")
#: Maximum length of an answer that is parsed, without its thought; of longer ones the end counts, where the answer stands.
MAX_ANSWER = 10_000

#: What may stand between a letter and a name that belongs to it, and between a name and its letter.
_TO_NAME = re.compile(r"^(?:即|就是|也就是|是|=|[-–—]|\bi\.e\.|[ .:、()\],\n])*")
_TO_LETTER = re.compile(r"(?:选项|option|choice|answer|即|就是|i\.e\.|=|[(\[]|[-–—:])\s*$", re.IGNORECASE)
_LISTED = re.compile(r"[-•+]\s|[1-6][.)、]")
_PARTICLE = re.compile(r"(?:吧|呀|啊|呢|哦|了)$")
_ECHO = re.compile(r"\bA(?:, [B-J])*,? or [B-J]\s*(?:[:→]|->)\s*", re.IGNORECASE)
_MODIFIER = re.compile(r"(?:里|中|上|下|前|后|旁边?|身边)?面?的")
#: A question that an answer repeats with the label Q, and the label A of its answer.
_QUESTION = re.compile(r"\AQ\s*:[^\n]*?[\n?]\s*A\s*:\s*")
#: Letters that stand together before what is said of all of them: AB都不对.
_LETTER_RUN = re.compile(r"(?<![A-Za-z])[A-J]{2,}(?=[都均皆全两]|可|应|被|\s+(?:are|sind)\b)")
#: What stands in for the verb of a question, after the name that answers it: George did.
_AUXILIARY = re.compile(r"\s+(?:did|does|do|was|is|has|had|would|will)$")
_CLAUSE_END = re.compile(
    r"\s*(?:$|[,.;!?。;、\n()]|而(?:非|不是)|吧|呀|的可能性(?:更|最|较)(?:大|高)|\b(?:rather than|not|und nicht|nicht)\b)"
)
#: Maximum length of an answer that may say in one sentence what it means, as a comparison or a reply to its own question.
_FEW = 300
#: Maximum length of an answer that may name a candidate by a part of it.
_SHORT = 24
_CONDITION = re.compile(r"如果|\bif\b|\bwenn\b", re.IGNORECASE)
_PUNCTUATION = " \n,.;:。"


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """The outcome of an answer, and the index of the candidate that it chooses, None without a choice."""

    outcome: Outcome
    choice: int | None = None


def parse_answer(
    answer: str, candidates: Sequence[str], *, swapped: bool = False, lettered: bool = True
) -> ParsedAnswer:
    """Return which candidate an answer chooses.

    The model's thought and the frame of its format are left out first (`final_text`); where a frame has no choice, such as a formula,
    or a last sentence announces the answer after it, what is announced counts. A first line that is an answer alone counts before all,
    unless the next takes it back; a thought aloud that is cut off chooses nothing.
    Otherwise a letter or number that stands alone counts before a name, what follows the last "answer:" before the rest, and the
    beginning before the end. Options that are repeated choose nothing; one that is denied (不是A, A不对) chooses the other if there is
    one other. A letter whose name beside it is that of another candidate is a contradiction.

    Args:
        answer: the text of the system.
        candidates: the candidates as the item has them, two or more.
        swapped: whether the options were shown in reverse, so that A was the last candidate. Names are the same in any order.
        lettered: whether the question offered the candidates as its only options. If not, letters and numbers mean nothing, and to deny one
            candidate is not to choose the other.

    >>> parse_answer("答案：Ｂ", ["老生", "新生"]), parse_answer("A", ["老生", "新生"], swapped=True)
    (ParsedAnswer(outcome='letter', choice=1), ParsedAnswer(outcome='letter', choice=1))
    >>> parse_answer("是老生。", ["老生", "新生"]), parse_answer("两者都有可能", ["老生", "新生"])
    (ParsedAnswer(outcome='name', choice=0), ParsedAnswer(outcome='both', choice=None))
    """
    shown = [plain(name) for name in (reversed(candidates) if swapped else candidates)]
    text = plain(final_text(answer)[-MAX_ANSWER:])
    rest = without_options(text, shown)
    parser = _Parser(shown, lettered=lettered)
    parsed = parser.parse(rest) if rest or not text else ParsedAnswer("both")
    after = after_frame(answer)[-MAX_ANSWER:].strip()
    if parsed.outcome in ("unclear", "both") or LAST_WORD.search(after):
        parsed = parser.explicit_or_alone(plain(after)) or parsed
    if parsed.choice is None or not swapped:
        return parsed
    return ParsedAnswer(parsed.outcome, len(candidates) - 1 - parsed.choice)


@dataclass(frozen=True, slots=True)
class _Parser:
    """Reads plain texts on candidates.

    Attributes:
        names: the candidates as shown.
        lettered: whether letters and numbers stand for them, and a denial leaves the other.
    """

    names: Sequence[str]
    lettered: bool

    def parse(self, text: str) -> ParsedAnswer:
        if not text:
            return ParsedAnswer("empty")
        text = _ECHO.sub("", _QUESTION.sub("", text)).strip() or text
        options = [*self._letters(text), *named(text, self.names)] if len(text) <= _FEW else []
        text = in_plain(text, options) or text
        _, *corrections = phrases().correction.split(text)
        if corrections and (corrected := self.parse(corrections[-1].strip())).choice is not None:
            return corrected
        text = _LETTER_RUN.sub(lambda match: "、".join(match[0]), text)
        first, *more = text.splitlines()
        alone_lines = [self._alone(line) for line in text.splitlines() if line.strip()]
        if all(alone_lines) and len({parsed.choice for parsed in alone_lines if parsed}) > 1:
            return ParsedAnswer("both")
        if self.lettered and (parsed := self._compared(text)):
            return parsed
        is_list = bool(more) and bool(_LISTED.match(first)) and bool(_LISTED.match(more[0].strip()))
        if not is_list and (alone := self._alone(first)) is not None:
            return self._corrected("\n".join(more)) or alone
        parsed = self._whole(text)
        is_open = parsed.choice is not None and is_cut_off(text) and not self._ends_in_choice(text)
        return ParsedAnswer("unclear") if is_open else parsed

    def _whole(self, text: str) -> ParsedAnswer:
        """Return what a text says, apart from the options that it repeats in a row."""
        options = options_pattern(tuple(self.names)).search(text)
        if options and not phrases().announced.search(text, max(0, options.start() - REACH), options.start()):
            rest = text[: options.start()] + text[options.end() :]
            if not rest.strip(_PUNCTUATION):
                return ParsedAnswer("both")
            if (parsed := self._announced(rest.strip())).outcome != "unclear":
                return parsed
        return self._announced(text)

    def _corrected(self, text: str) -> ParsedAnswer | None:
        """Return the choice of the lines after the first one if they take it back; a question that the model invents ends them."""
        text = phrases().next_question.split(text, maxsplit=1)[0].strip()
        withdrawal = phrases().withdrawal.match(text)
        rest = text[withdrawal.end() :].lstrip(_PUNCTUATION) if withdrawal else ""
        parsed = self._explicit(rest) or (self.parse(rest) if len(rest) <= REACH else None)
        return parsed if parsed and parsed.choice is not None else None

    def _ends_in_choice(self, text: str) -> bool:
        """Tell whether a text announces or concludes a choice, or its last line or sentence says one."""
        line = text.splitlines()[-1].strip()
        last = re.split(r"[.!?。]\s*", line)[-1]
        found = (self._marked(text), self._concluded(next(conclusions(text, turns=False), "")))
        alone = [line, last.rpartition(":")[2] if ":" in last or len(last) == 1 else ""]
        return (
            any(parsed and parsed.choice is not None for parsed in found)
            or any(index is not None for index in (self._reference(last), self._identified(last)))
            or any(self._alone(part) for part in alone)
        )

    def _compared(self, text: str) -> ParsedAnswer | None:
        """Return the choice of a text that gives each option a weight or a verdict, None of another."""
        if has_letters_only(text):
            return ParsedAnswer("both")
        best = weighed(text, self.names)
        if not best and (best := verdict(text, self.names)):
            explicit = self._explicit(text)
            if explicit and explicit.choice is not None:
                return explicit
        return (ParsedAnswer("letter", best[0]) if len(best) == 1 else ParsedAnswer("both")) if best else None

    def explicit_or_alone(self, text: str) -> ParsedAnswer | None:
        alone = {parsed for line in text.splitlines() if (parsed := self._alone(line))}
        parsed = self._explicit(text) or (alone.pop() if len(alone) == 1 else ParsedAnswer("unclear"))
        return None if parsed.choice is None else parsed

    def _alone(self, line: str) -> ParsedAnswer | None:
        """Return the choice of a line that is an answer and nothing else, None of another.

        The first line decides if it is one: a model without a stop goes on with examples of its own.
        """
        marker = phrases().marker.match(line)
        answer = line[marker.end() if marker else 0 :].lstrip(" .。()[]:-•").rstrip(" .。()[]:-•!")
        numbered = re.fullmatch(r"([1-6])[.):、] *(?P<name>.+)", answer)
        for index in range(len(self.names)):
            if answer and begins_with(answer, index, self.names) == len(answer):
                return ParsedAnswer("name", index)
            if self.lettered and numbered and begins_with(numbered["name"], index, self.names) == len(numbered["name"]):
                return ParsedAnswer("letter", index) if int(numbered[1]) == index + 1 else ParsedAnswer("contradiction")
            if self.lettered and answer[:1] == letter(index):
                rest = answer[1:].lstrip(").:、] ")
                if len(answer) == 1 or (answer[1] in ").:、]" and begins_with(rest, index, self.names) == len(rest)):
                    return ParsedAnswer("letter", index)
        return None

    def _marked(self, text: str) -> ParsedAnswer | None:
        """Return what follows the last "answer:", None without one, if it is denied, or if nothing is clear there."""
        markers = list(phrases().marker.finditer(text))
        if not markers or not (rest := text[markers[-1].end() :].strip()):
            return None
        start = markers[-1].start()
        if is_denied(f"{text[:start]}{rest}", start, start, letter=False):
            return None
        parsed = self._parse_part(rest, announced=True)
        return None if parsed.outcome == "unclear" else parsed

    def _explicit(self, text: str) -> ParsedAnswer | None:
        """Return what a text announces or concludes, whatever it says of each option before."""
        marked = self._marked(text)
        found = (self._concluded(conclusion) for conclusion in conclusions(text, turns=False))
        return marked or next((parsed for parsed in found if parsed), None)

    def _announced(self, text: str) -> ParsedAnswer:
        """Return what follows the last "answer:", or what the whole text says, or what it concludes."""
        if (marked := self._marked(text)) is not None:
            return marked
        whole = self._parse_part(text)
        if whole.outcome in ("both", "neither", "unclear") and len(_CONDITION.findall(text)) < 2:
            for conclusion in conclusions(text):
                parsed = self._concluded(conclusion)
                if parsed is not None:
                    return parsed
            last = re.split(r"[.。!\n]\s*", text.rstrip(".。!\n "))[-1]
            if (
                not phrases().neither.search(text)
                and not phrases().both.search(text)
                and (index := self._identified(last)) is not None
            ):
                return ParsedAnswer("name", index)
        return whole

    def _concluded(self, text: str) -> ParsedAnswer | None:
        """Return the choice of a conclusion: its only letter, or a name that is all that it says."""
        chosen = {mention.index for mention in self._letters(text) if not mention.denied}
        if len(chosen) == 1:
            return ParsedAnswer("letter", chosen.pop())
        if chosen:
            return None
        found = (read(text) for read in (self._clause_of, self._reference, self._identified, self._confirmed))
        return next((ParsedAnswer("name", index) for index in found if index is not None), None)

    def _parse_part(self, text: str, *, announced: bool = False) -> ParsedAnswer:
        by_letter = self._letters(text)
        affirmed = [mention for mention in by_letter if not mention.denied]
        chosen = {mention.index for mention in affirmed}
        if mention := decisive(text, affirmed):
            return self._with_name(text, mention)
        by_number = list(numbers(text, self.names)) if self.lettered else []
        if not chosen:
            index = self._said(text, announced=announced)
            if index is not None:
                return ParsedAnswer("name", index)
            counted = [mention for mention in by_number if not mention.denied]
            if len({mention.index for mention in counted}) == 1:
                return self._with_name(text, counted[0])
        left = self._left(by_letter or by_number, "letter")
        if len(self.names) > 2 and (
            left or (left := self._left(self._names(text), "name"))
        ):  # of two, neither may be meant
            return left
        if (outcome := _undecided(text)) or chosen:
            return ParsedAnswer(outcome or "both")
        if left:
            return left
        by_name = self._names(text)
        meant = {mention.index for mention in by_name} - {mention.index for mention in by_name if mention.denied}
        if meant:
            return ParsedAnswer("name", meant.pop()) if len(meant) == 1 else ParsedAnswer("both")
        if (index := self._short(text)) is not None:
            return ParsedAnswer("name", index)
        return self._left(by_name, "name") or ParsedAnswer("unclear")

    def _said(self, text: str, *, announced: bool) -> int | None:
        """Return the candidate that a text says is meant: as its first clause, right after "answer:", or as what the zero stands for."""
        found = (
            self._reference(text),
            self._clause_of(text),
            self._beginning(text) if announced else None,
            self._confirmed(text),
        )
        return next((index for index in found if index is not None), None)

    def _confirmed(self, text: str) -> int | None:
        """Return the candidate of whose name a text says that it is right: 老王比小王更合适."""
        found = {
            mention.index
            for mention in named(text, self.names)
            if not mention.denied
            and not text[: mention.start].endswith("比")
            and phrases().confirmed.match(text, mention.end)
        }
        return found.pop() if len(found) == 1 else None

    def _short(self, text: str) -> int | None:
        """Return the candidate of which a short Chinese answer is a part (罐子 of 陶瓷罐), or any all without blanks (schoolbus)."""
        said = re.sub(r"[\s.。!]|(?<=.)[子儿们](?=[。.!]?$)", "", text.casefold())
        squeezed = [re.sub(r"\s", "", name.casefold()) for name in self.names]
        if not said or len(said) > _SHORT:
            return None
        if said.isascii():
            found = [
                index for index, name in enumerate(squeezed) if said.removeprefix("the") == name.removeprefix("the")
            ]
        else:
            found = [index for index, name in enumerate(squeezed) if said in name]
        return found[0] if len(found) == 1 else None

    def _letters(self, text: str) -> Sequence[Mention]:
        """Return the letters in a text that stand for options, not those before each option of a list.

        One beside a denied name is denied too: 不是新生（B）.
        """
        if not self.lettered:
            return []
        found = []
        for mention in letters(text, len(self.names)):
            end = mention.start + (text[mention.start] in "([")
            place = max(0, end - REACH)
            before = name_before(text[place:end], self.names)
            bracketed = before is not None and before.denied and "(" in text[place + before.end : mention.end]
            found.append(replace(mention, denied=mention.denied or bracketed))
        is_label = [is_label_of_list(text, mention) and not mention.denied for mention in found]
        labels = {mention.index for mention, label in zip(found, is_label, strict=True) if label}
        if len(labels) > 1 and not all(is_label):
            found = [mention for mention, label in zip(found, is_label, strict=True) if not label]
        return denied_together(text, found, len(self.names))

    def _names(self, text: str) -> Sequence[Mention]:
        """Return the names in a text, not those that only tell which one the next name is."""
        found = [name for name in named(text, self.names) if not self._modifies(text, name)]
        return denied_together(text, found, len(self.names))

    def _modifies(self, text: str, mention: Mention) -> bool:
        """Return whether a name only tells which one the next name is: 杯子里的冰块."""
        modifier = _MODIFIER.match(text, mention.end)
        others = (index for index in range(len(self.names)) if index != mention.index)
        return modifier is not None and any(begins_with(text[modifier.end() :], index, self.names) for index in others)

    def _left(self, mentions: Sequence[Mention], outcome: Outcome) -> ParsedAnswer | None:
        """Return the only candidate that a text which denies the others leaves, None if it leaves more or none."""
        left = set(range(len(self.names))) - {mention.index for mention in mentions if mention.denied}
        return ParsedAnswer(outcome, left.pop()) if self.lettered and len(left) == 1 < len(self.names) else None

    def _with_name(self, text: str, mention: Mention) -> ParsedAnswer:
        """Return the choice of a letter, or a contradiction if the name beside it is another candidate's."""
        rest = text[mention.end :]
        beside = _TO_NAME.sub("", rest)
        is_apart = any(mark in rest[: len(rest) - len(beside)] for mark in ",\n–—")
        ends = [begins_with(beside, index, self.names) for index in range(len(self.names))]
        end, index = max((end or 0, index) for index, end in enumerate(ends))
        if end and index != mention.index and (not is_apart or _ends_clause(beside[end:])):
            return ParsedAnswer("contradiction")
        start = mention.start
        if text[start] in "([" or _TO_LETTER.search(text, max(0, start - REACH), start):
            before = name_before(text[max(0, start - REACH) : start], self.names)
            if before is not None and not before.denied and before.index != mention.index:
                return ParsedAnswer("contradiction")
        return ParsedAnswer("letter", mention.index)

    def _clause_of(self, text: str) -> int | None:
        """Return the candidate that is all that the first clause says, but for a verb that says what the zero is."""
        clause, *rest = re.split(r"([,.:;!?。;、\n(])", text, maxsplit=1)
        if (rest and rest[0] == "?") or "也可能" in text:
            return None
        if rest[:1] == ["、"] and any(begins_with(rest[1], index, self.names) for index in range(len(self.names))):
            return None
        bare = _AUXILIARY.sub("", _PARTICLE.sub("", phrases().identity_verb.sub("", clause.strip()).strip()))
        return next(
            (index for index in range(len(self.names)) if bare and begins_with(bare, index, self.names) == len(bare)),
            None,
        )

    def _beginning(self, text: str) -> int | None:
        """Return the candidate whose name begins a text that "answer:" announces, unless another is joined to it."""
        ends = {index: end for index in range(len(self.names)) if (end := begins_with(text, index, self.names))}
        if not ends:
            return None
        index = max(ends, key=lambda index: ends[index])
        joint = phrases().joint.match(text, ends[index])
        others = (other for other in range(len(self.names)) if other != index)
        if joint and any(begins_with(text[joint.end() :], other, self.names) for other in others):
            return None
        return index

    def _reference(self, text: str) -> int | None:
        """Return the candidate that a text says the pronoun or zero stands for; None if it says so of none or of several."""
        found = set()
        for match in phrases().reference.finditer(text):
            denied = re.search(r"(?:不|并非|\bnot|n't|\bnicht)\s*$", text[: match.start()][-8:], re.IGNORECASE)
            if not denied and not is_denied(text, match.end(), match.end(), letter=False):
                rest = text[match.end() :]
                index = self._beginning(rest)
                if index is not None and not re.split(r"(?<=[?])|[.。!\n]", rest, maxsplit=1)[0].endswith("?"):
                    found.add(index)
        return found.pop() if len(found) == 1 else None

    def _identified(self, text: str) -> int | None:
        """Return the candidate with which a clause ends that says who it is (我们帮助的是新生)."""
        found = set()
        for match in phrases().identity.finditer(text):
            rest = text[match.end() :]
            for index in range(len(self.names)):
                end = begins_with(rest, index, self.names)
                if end and _ends_clause(rest[end:]) and not rest[end:].lstrip().startswith("?"):
                    found.add(index)
        return found.pop() if len(found) == 1 else None


def _undecided(text: str) -> Outcome | None:
    """Return why a text that chooses no letter refuses to choose at all, None if it does not say so."""
    reasons: tuple[tuple[re.Pattern[str], Outcome], ...] = (
        (phrases().refusal, "refusal"),
        (phrases().neither, "neither"),
        (phrases().both, "both"),
    )
    return next((outcome for pattern, outcome in reasons if pattern.search(text)), None)


def _ends_clause(text: str) -> bool:
    """Return whether nothing, a mark, or a denial of another one follows."""
    return bool(_CLAUSE_END.match(text))
