"""Mandarin: candidates in the target's place, questions as statements."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ...core.model import Item, Span
from ..grammar.base import GrammarError, Substitution, clause_at
from ..grammar.operators import Governed, clauses_of, governed, sentence_at
from ..questions import question_table
from ..segmentation import cut, first_word, tag_of
from .tables import words

DE = "的"
END = re.compile(r"[\s？?。.！!]+$")


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are: a possessor keeps or gets one 的 (``possessor-de``, ``one-de``), a zero too if its question asks whose, a
    reflexive stays (``reflexive-kept``), a zero takes the coverb of its question (``coverb-added``), a noun keeps its 这个 or
    那个 (``determiner``), and an answer that is a clause is reduced to the part that the target means (``part-of-clause``).
    Mandarinograd (LREC 2020), section 3.2 and note 6.

    Raises:
        GrammarError: the candidate is a clause, and it is unclear which part of it the target means.
    """
    head, form, tail = item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]
    name, changes = item.candidates[index], []
    if is_clause(item, index):
        name = _part_of_clause(item, index)
        changes.append("part-of-clause")
    before, after = "", ""
    if determiner := _determiner(item, index):
        name = f"{determiner}{name}"
        changes.append("determiner")
    if not form:
        before = _coverb(item, head)
        if before:
            changes.append("coverb-added")
    if form.endswith(words().reflexive):
        after = words().reflexive
        changes.append("reflexive-kept")
    elif form.endswith(DE) or (form and first_word(tail) in words().kin) or (not form and _owns(item, tail)):
        after = DE
        changes.append("possessor-de")
    if name.endswith(DE) and (after or tail).startswith(DE):
        name = name.removesuffix(DE)
        changes.append("one-de")
    start = len(head) + len(before)
    return Substitution(
        text=f"{head}{before}{name}{after}{tail}",
        span=Span(len(head), start + len(name) + len(after)),
        name=Span(start, start + len(name)),
        changes=tuple(changes),
    )


def _owns(item: Item, tail: str) -> bool:
    """Return whether a zero is a possessor: the question asks whose for the noun that follows (谁的车尾, 谁妈妈).

    A zero leaves out 的 with the pronoun, but a noun before what it has takes 的 (Li and Thompson 1989, section 4.2).
    """
    ask, noun = _ask_of(item.question), first_word(tail)
    asked = item.question[ask.end :] if ask else ""
    return noun != "" and (asked.startswith(f"{DE}{noun}") or (noun in words().kin and asked.startswith(noun)))


def _determiner(item: Item, index: int) -> str:
    """Return this or that with its classifier if a noun has it wherever the text names it: 那个 for 顾客 in 那个顾客走了."""
    name = item.candidates[index]
    other = item.text[: item.target.start] + "\n" + item.text[item.target.end :]
    mentions = [other[: match.start()] for match in re.finditer(re.escape(name), other)]
    determiners = {match[0] for text in mentions if (match := re.search(words().determiner.pattern + "$", text))}
    determiner = determiners.pop() if len(determiners) == 1 else ""
    return determiner if not re.search("[A-Za-z]", name[:1]) else ""


def _coverb(item: Item, head: str) -> str:
    """Return the coverb of place before the question word, if the text has none before the zero."""
    ask = _ask_of(item.question)
    coverb = item.question[ask.start - 1 : ask.start] if ask and ask.start else ""
    return coverb if coverb in words().place_coverbs and not head.endswith(coverb) else ""


def asks_of(question: str) -> list[Span]:
    """Return the places of the words that ask for a candidate."""
    asks = [Span(*match.span("ask")) for match in words().asks.finditer(question) if match["ask"]]
    persons = [span for span in asks if span.of(question).startswith("谁")]
    return persons or asks  # in 谁什么时候发工资 only 谁 asks for a candidate


def _ask_of(question: str) -> Span | None:
    asks = asks_of(question)
    return asks[0] if asks else None


def is_clause(item: Item, index: int) -> bool:
    """Return whether a candidate is a clause: it is not in the text and has all characters of the question in order."""
    candidate, ask = item.candidates[index], _ask_of(item.question)
    if candidate in item.text or ask is None:
        return False
    asked = "".join(re.split("谁", END.sub("", item.question)))
    rest = iter(candidate)
    return len(asked) > 1 and all(character in rest for character in asked)


def _part_of_clause(item: Item, index: int) -> str:
    """Return the part of a clause that the target means: what follows the words that precede the target in the text."""
    head, candidate = item.text[: item.target.start], item.candidates[index]
    for length in range(min(6, len(head)), 1, -1):
        words = head[-length:]
        if words in candidate and not candidate.endswith(words):
            return candidate.split(words, 1)[1]
    raise GrammarError(
        f"[candidates] unclear which part of the clause the target means; found {candidate!r}, expected the words before the target"
    )


_CLAUSE = "，。；！？：,;:!?\n"
_COMMAS = re.compile("[，；,;]")
#: Words that a statement never takes over from the text: they make it another kind of clause.
_OTHER_CLAUSE = re.compile("[的地得]|谁|什么|怎|哪|多少|几")
#: What completes a predicate behind the last word of a question: an aspect particle, a measure.
_MEASURE = re.compile(r"[了过着]?(?:(?:\d+|[一二两三四五六七八九十百千半]+)\S{1,3})?了?")
#: Maximum length of a noun that is no word by itself where the segmenter joins it to what follows (狗连).
_NOUN = 4
_PERFECTIVE = re.compile("[了过着没不]")
#: What closes a clause whose event is over when that of the next one begins.
_AFTER = re.compile("(?:之后|以后|后)$")


def hypothesis(item: Item, index: int) -> str:
    """Return the question as a statement with the candidate in the question word's place (LREC 2020, section 2.2, example 2).

    A question that is only part of the target's clause (谁的空杯子？), that lost part of a word (什么起来更像灯泡？ for
    看起来) or its question word gives the whole clause. A clause that its text does not assert keeps the words that say so
    (see `operators`), a predicate its degree, aspect and measure, and a candidate that is the subject of its clause is 自己.

    Raises:
        GrammarError: several question words; the question names both candidates side by side; the target's clause begins the
            text but cannot stand alone.
    """
    question = words().particles.sub("", END.sub("", item.question))
    if asks_of(question) and is_clause(item, index):
        return f"{item.candidates[index]}。"
    if (sayer := _sayer(item)) is not None:
        made = reported(item, index, substitute(item, index))
        return f"{item.candidates[sayer]}{clause_at(made.text, made.span, _CLAUSE).of(made.text)}。"
    ask = _single_ask(item, question)
    if ask is None:
        return _from_text(item, index, None)
    clause = governed(item.text, item.target, item.lang)
    if clause is not None and _adds(item, question, ask, clause):
        return _from_text(item, index, clause)
    if _is_fragment(item, question, ask):
        return _from_text(item, index, None)
    question, ask = _restored(item, question, ask)
    if not ask.start:
        question = question[: ask.end] + _without(question[ask.end :])
    name, rest = item.candidates[index], question[ask.end :]
    if DE in name and rest.startswith(owned := name[name.rindex(DE) :]):
        ask = Span(ask.start, ask.end + len(owned))  # 谁的画: the candidate 他的画 replaces all of it
    made = substitute(replace(item, text=question, target=ask), index)
    return _bound(made.text, made.name, name, None) + "。"


def _single_ask(item: Item, question: str) -> Span | None:
    """Return the question word with its noun, or None if the question is not fit to be made a statement, but its clause is."""
    asks = asks_of(question)
    if len(asks) > 1:
        raise GrammarError(f"[question] several question words; found {item.question!r}, expected one")
    if not asks:
        if question and _tail(item).startswith(question):
            return None
        raise GrammarError(f"[question] no question word; found {item.question!r}, expected 谁, 什么, 哪里 or the like")
    ask = _with_noun(question, asks[0], item.candidates)
    there = [name for name in item.candidates if name in question]
    pairs = [(first, second) for first in there for second in there if first != second]
    beside = (f"{re.escape(first)}{words().determiner.pattern}{re.escape(second)}" for first, second in pairs)
    if any(re.search(pattern, question) for pattern in beside):
        raise GrammarError(f"[question] both candidates side by side; found {item.question!r}, expected one place")
    right = question[ask.end :]
    if re.match("[他她它]", right):
        if not _tail(item).startswith(re.sub("^[他她它]们?", "", right)):
            raise GrammarError(f"[question] pronoun after the question word; found {item.question!r}")
        return None
    return None if _lost_syllable(item, right) else ask


def _tail(item: Item) -> str:
    return item.text[item.target.end :]


def _lost_syllable(item: Item, right: str) -> bool:
    """Return whether a question goes on in the middle of the word that follows the target: 起来 for 看起来."""
    tail = _tail(item)
    first = first_word(re.split(f"[{_CLAUSE}]", tail)[0])
    places = [at for at in range(1, len(first)) if tail[:at] not in words().leaning]
    return not tail.startswith(right) and any(tail.startswith(right, at) for at in places)


def _with_noun(question: str, ask: Span, candidates: Sequence[str]) -> Span:
    """Return the question word extended by its noun: 哪个 in 哪个城市 becomes 哪个城市, 哪只 in 哪只狗连骨头也没啃着 哪只狗."""
    if not ask.of(question).startswith("哪") or ask.of(question) in ("哪里", "哪儿"):
        return ask
    rest = question[ask.end :]
    words_there = (first_word(rest), *(rest[:length] for length in range(_NOUN, 0, -1)))
    noun = next((word for word in words_there if _is_noun(word, ask.of(question)[-1], candidates)), "")
    return Span(ask.start, ask.end + len(noun))


def _is_noun(word: str, classifier: str, candidates: Sequence[str]) -> bool:
    """Return whether a word behind 哪 and its classifier is a noun: a candidate ends in it, or the dictionary says so.

    The dictionary gives some nouns of one character no part of speech (车, 鸟) and calls others verbs too (设备); both are nouns
    behind a classifier that does not stand alone, as that of 哪个 and 哪家 does.
    """
    if not word or any(len(name) > len(word) and name.endswith(word) for name in candidates):
        return bool(word)
    tag = tag_of(word)
    return tag.startswith("n") or (classifier not in "个位名家" and (tag == "vn" or (tag == "zg" and len(word) == 1)))


def _is_fragment(item: Item, question: str, ask: Span) -> bool:
    """Return whether a question is less than a clause: a noun phrase (谁的空杯子) or a single verb (保护什么)."""
    before, after = question[: ask.start], question[ask.end :]
    head = item.text[: item.target.start]
    opener = f"(?:{question_table('zh').connectives.pattern})$"
    inside = bool(head) and head[-1] not in _CLAUSE and not re.search(opener, head)
    if not before:
        return inside and after.startswith(DE) and _tail(item).startswith(after)
    return not after and inside and head.endswith(before) and len(cut(before)) == 1 and tag_of(before).startswith("v")


def _without(predicate: str) -> str:
    """Return a predicate without an adverb at its beginning that needs the clause before: 反正."""
    first = first_word(predicate)
    return predicate.removeprefix(first) if first in words().dangling else predicate


# --- clauses that the text does not assert ----------------------------------------------------------------------------


def _adds(item: Item, question: str, ask: Span, clause: Governed) -> bool:
    """Return whether what an operator keeps has more than the question: the operator, or what follows from a condition."""
    if clause.word not in question:
        return True
    asked, kept = len(_COMMAS.findall(question[ask.end :])), item.text[item.target.end : clause.kept.end]
    return clause.operator.keeps == "after" and len(_COMMAS.findall(kept)) > asked


def _from_text(item: Item, index: int, clause: Governed | None) -> str:
    """Return the target's clause with the candidate, or the part of the text that an operator keeps."""
    whole = substitute(item, index)
    kept = clause_at(whole.text, whole.span, _CLAUSE)
    if clause is not None:
        kept = Span(clause.kept.start, _end(item, clause) + len(whole.text) - len(item.text))
    start = kept.start
    while match := question_table("zh").connectives.match(whole.text, start, whole.span.start):
        if clause is not None and start <= clause.place.start < match.end():
            break
        start = match.end()
    name = Span(whole.name.start - start, whole.name.end - start)
    if clause is not None:
        clause = replace(clause, place=Span(clause.place.start - start, clause.place.end - start))
    return _bound(Span(start, kept.end).of(whole.text), name, item.candidates[index], clause) + "。"


def _end(item: Item, clause: Governed) -> int:
    """Return where a kept part ends: with as many clauses behind the target's as the question has."""
    question = words().particles.sub("", END.sub("", item.question))
    clauses = clauses_of(item.text, sentence_at(item.text, item.target))
    last = next((at for at, span in enumerate(clauses) if clause.kept.end <= span.end), len(clauses) - 1)
    asks = asks_of(question)
    further = len(_COMMAS.findall(question[asks[0].end :])) if asks and clause.operator.keeps != "after" else 0
    return clauses[min(last + further, len(clauses) - 1)].end


# --- what a question leaves out ---------------------------------------------------------------------------------------


def _restored(item: Item, question: str, ask: Span) -> tuple[str, Span]:
    """Return the question with what it leaves out of the target's predicate: degree, adverbs, aspect, measure (谁心烦 -> 谁非常心烦)."""
    owned = _owned(item, question[ask.end :])
    right, tail = question[ask.end + len(owned) :], re.split(f"[{_CLAUSE}]", _tail(item))[0]
    if not right or re.search(f"[{_CLAUSE}]", right):
        return question, ask
    rebuilt, at, left_out = [], 0, []
    parts = cut(tail)
    while parts and at < len(right):
        word = parts.pop(0)
        if right.startswith(word, at):
            rebuilt.append(word)
            at += len(word)
        elif word.startswith(right[at:]) and at < len(right):
            rebuilt.append(right[at:])
            parts.insert(0, word[len(right) - at :])
            at = len(right)
        else:
            left_out.append(word)
            if word not in words().leaning:
                rebuilt.append(word)
    rest = "".join(parts)
    if at < len(right) or rest.startswith(DE) or any(_OTHER_CLAUSE.search(word) for word in left_out):
        return question, ask
    predicate = "".join(rebuilt)
    if _MEASURE.fullmatch(rest):
        predicate += rest
    elif _AFTER.fullmatch(rest) and not _PERFECTIVE.search(predicate):
        predicate = _perfective(predicate)
    if not question[: ask.start] and predicate[0].isdigit():
        predicate = f"是{predicate}"  # 他们15岁: digits would run on to a name
    return f"{question[: ask.end]}{owned}{predicate}", ask


def _owned(item: Item, right: str) -> str:
    """Return the noun of a question that stands in all candidates too (的画 in 谁的画更好看, for 小柳的画), or an empty text."""
    nouns = {name[name.rindex(DE) :] for name in item.candidates if DE in name}
    noun = nouns.pop() if len(nouns) == 1 and all(DE in name for name in item.candidates) else ""
    return noun if noun and right.startswith(noun) else ""


def _perfective(predicate: str) -> str:
    """Return a predicate with 了 behind its first verb: 收到报告 -> 收到了报告."""
    made = ""
    for word in cut(predicate):
        made += word
        if tag_of(word).startswith("v"):
            return f"{made}了{predicate[len(made) :]}"
    return predicate


# --- what a candidate says itself -------------------------------------------------------------------------------------


def _sayer(item: Item) -> int | None:
    """Return the candidate who says what the target's clause states, if that begins with 说 and leaves out who does.

    It is the subject of the clause before (姐姐叫妹妹坐下，说[她]…), or whom that one hears (姐姐听妹妹诉苦，说[她]…), or who sends
    the other one a message in it (姐姐出了门，发微信给妹妹，说[她]…). What both agree on (说好) is an operator's.
    """
    clause = clause_at(item.text, item.target, _CLAUSE)
    says = words().says.match(item.text, clause.start, item.target.start)
    if not says or governed(item.text, item.target, item.lang):
        return None
    *_, earlier, told = ["", *re.split(f"[{_CLAUSE}]", item.text[: max(clause.start - 1, 0)])]
    for index, name in enumerate(item.candidates):
        if name in told and words().hears.search(told.partition(name)[0]):
            return index
    message = words().message.fullmatch(told)
    if message and message["to"] in item.candidates and not words().sends_others.search(earlier):
        told = earlier
    return next((index for index, name in enumerate(item.candidates) if _as_subject(name).match(told)), None)


def reported(item: Item, index: int, made: Substitution) -> Substitution:
    """Return a text with 自己 for a candidate who says the target's clause (姐姐叫妹妹坐下，说自己累了); else as it was made."""
    if _sayer(item) != index or made.name != made.span:
        return made
    reflexive = words().reflexive
    text = f"{made.text[: made.span.start]}{reflexive}{made.text[made.span.end :]}"
    span = Span(made.span.start, made.span.start + len(reflexive))
    return Substitution(text, span, span, (*made.changes, "reflexive"))


# --- names bound in their own clause ----------------------------------------------------------------------------------


def _bound(text: str, name: Span, candidate: str, clause: Governed | None) -> str:
    """Return a statement with 自己 for a name whose clause has it as its subject: Tom移动了Tom的象 -> Tom移动了自己的象."""
    start = max((text.rfind(mark, 0, name.start) + 1 for mark in _CLAUSE), default=0)
    holds = clause is not None and clause.operator.holder
    if holds and clause is not None and clause.place.start <= start:
        start = 0  # the subject of 想知道 is that of the clause before
    if candidate not in text[start : name.start]:
        return text
    match = _as_subject(candidate).match(text, start, name.start)
    if match is None or not text[match.end() : name.start].strip():
        return text
    return f"{text[: name.start]}{words().reflexive}{text[name.end :]}"


def _as_subject(candidate: str) -> re.Pattern[str]:
    """Return the pattern of a clause that has a candidate as its subject, not as a possessor or with another."""
    return re.compile(f"{words().determiner.pattern}{re.escape(candidate)}(?![的和跟与家])")
