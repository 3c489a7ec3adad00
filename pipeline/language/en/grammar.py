"""English: candidates in the target's place, questions and clauses as statements."""

import re

from ...core.model import Item, Span
from ..grammar.base import GrammarError, Substitution, mere_substitution
from ..grammar.operators import Governed, governed, sentence_at
from .nouns import english_tables, noun_phrase, singular_names

_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]*\s+)[\"'“‘(]*$")
#: What an expression follows without a blank: a blank, an opening bracket or quotation mark, a dash.
_OPEN_END = re.compile(r"[\s(\[“‘—-]$")


def substitute(item: Item, index: int) -> Substitution:
    """Return the text with the candidate in the target's place.

    `changes` are those of `noun_phrase` and: a possessor takes 's (``possessive``), a sentence begins with a capital
    (``capital``), a verb contracted with the pronoun is written out (``contraction``), and blanks set off an expression
    that has no pronoun to replace (``set-off``). The verb of they agrees with a name (``singular-verb``).
    Mandarinograd (LREC 2020), note 6.

    Raises:
        GrammarError: as `noun_phrase`; a contraction with two readings (he'd).
    """
    head, form, tail = item.text[: item.target.start], item.target.of(item.text), item.text[item.target.end :]
    phrase = noun_phrase(item, index)
    changes = list(phrase.changes)
    expression = phrase.text
    if not form:
        head += " " if head and not _OPEN_END.search(head) else ""
        tail = f" {tail}" if tail[:1].isalnum() else tail
        changes.append("set-off")
    if is_possessive(head, form, tail):
        expression = phrase.genitive(many=form.lower().startswith("their"))
        changes.append("possessive")
    contraction = re.match(r"['’](?:re|ve|ll|d)\b", tail)
    if contraction and contraction[0].replace("’", "'") in english_tables().ambiguous_contractions:
        raise GrammarError(
            f"[text] contraction with two readings; found {form + contraction[0]!r}, expected had or would"
        )
    if contraction:
        tail = english_tables().contractions[contraction[0].replace("’", "'")] + tail[contraction.end() :]
        changes.append("contraction")
    verb = re.match(r"\s+([\w'’]+)", tail)
    if (
        verb
        and form.lower() == "they"
        and verb[1].replace("’", "'") in english_tables().singular_verbs
        and singular_names(item)
    ):
        tail = f" {english_tables().singular_verbs[verb[1].replace('’', chr(39))]}{tail[verb.end() :]}"
        changes.append("singular-verb")
    if _SENTENCE_START.search(head) and not expression[0].isupper():
        expression = expression[0].upper() + expression[1:]
        changes.append("capital")
    text = f"{head}{expression}{tail}"
    if mere_substitution(item, index) == text:
        changes = []  # the candidate opens the sentence as before: lower-case and capital undo each other
    name = Span(len(head), len(head) + len(phrase.text))
    return Substitution(text, Span(len(head), len(head) + len(expression)), name, tuple(changes))


def is_possessive(head: str, form: str, tail: str) -> bool:
    """Return whether a pronoun is a possessor; her is one if a noun phrase may follow.

    Raises:
        GrammarError: her after a verb whose object may be she or what she owns (took her home, took her coat).
    """
    tables = english_tables()
    if form.lower() in tables.independent:
        return True
    if form.lower() != "her":
        return form.lower() in tables.possessive
    after = re.match(r"\s+[\"'“‘(]*([\w'’-]+)(?:\s+([\w'’-]+))?", tail)
    if after is None or {after[1].lower(), f"{after[1]} {after[2]}".lower()} & tables.no_noun:
        return False
    before = re.search(r"([\w'’-]+)\s*$", head)
    if before and before[1].lower() in tables.her_verbs:
        raise GrammarError(f"[target] possessor or object; found {before[1]!r}, 'her', {after[1]!r}")
    return True


def hypothesis(item: Item, index: int) -> str:
    """Return a statement that is true if the candidate is the answer (LREC 2020, section 2.2, example 2).

    `statement` turns a question into it. A quote of the text, as in WSC's collection, gives its clause, or as much as its clause
    needs to stand alone (see `statement_of`). An elliptical possessor gets its noun (Tina's -> Tina's drawing), and a possessive
    without its antecedent becomes an article (his son -> the son).

    Raises:
        GrammarError: as `statement`, `statement_of` and `substitute`.
    """
    if item.question.rstrip().endswith("?"):
        return statement(item, index)
    return _with_article(_with_noun(statement_of(substitute(item, index), item), item, index), item, index)


def _with_noun(text: str, item: Item, index: int) -> str:
    """Return a statement about an elliptical possessor with the noun of the other candidate."""
    name = noun_phrase(item, index).text
    others = [other.partition("'s ")[2] for number, other in enumerate(item.candidates) if number != index]
    if not re.search(r"['’]s?$", name) or not others or not others[0]:
        return text
    return re.sub(rf"{re.escape(name)}(?=\s)", f"{name} {others[0]}", text, count=1)


def _with_article(text: str, item: Item, index: int) -> str:
    """Return a statement with the for the possessive of its candidate, if nothing before it is an antecedent."""
    phrase = noun_phrase(item, index).text
    first = phrase.split()[0].lower()
    places = list(re.finditer(rf"\b{re.escape(phrase)}", text, re.IGNORECASE))
    if first not in english_tables().possessive or not places:
        return text
    match = places[-1]  # what stands for the pronoun, not the antecedent
    before = re.findall(r"[\w'’-]+", text[: match.start()])
    plain = english_tables().determiners.keys() | english_tables().prepositions | english_tables().openers
    if any(
        word.lower() in english_tables().pronouns or word[0].isupper() for word in before if word.lower() not in plain
    ):
        return text
    return f"{text[: match.start()]}{'The' if match[0][0].isupper() else 'the'}{text[match.start() + len(first) :]}"


_CLAUSE_END = re.compile(r"[.!?;,](?=\s|$)|$")
#: What a statement does without at its beginning.
_LEAD = re.compile(r"(?:and|but|so|because|or|yet|then)\b,?\s+", re.IGNORECASE)
#: A comma or semicolon with a conjunction, after which a clause with a subject of its own may begin.
_JOINT = re.compile(r"(?:,\s+(?:and then|and|but|so|because)|;)\s+")
#: Subjects that a reader of their clause alone does not understand.
_NEED_ANTECEDENT = frozenset({"it", "they", "xe"})
_MARKS = re.compile(r"[.!?]+[\"'”’)]*$")
_COORDINATED = re.compile(r"\s+(?:and|or|but)\s+(?P<verb>[a-z]+)")


def statement_of(whole: Substitution, item: Item) -> str:
    """Return the clause of the target as a sentence, or as much of the text as it needs to stand alone.

    A clause that its text does not assert keeps the words that say so (see `operators`).

    Raises:
        GrammarError: a quotation cut in two.
    """
    entry = governed(item.text, item.target, "en")
    start, end = _governed_part(whole, item, entry) if entry else _clause(whole, item) or _sentence(whole)
    clause = whole.text[start:end].strip()
    if clause.count('"') % 2:
        raise GrammarError(f"[text] quotation cut in two; found {clause!r}")
    lead = _LEAD.match(clause)
    clause = clause[lead.end() :] if lead else clause
    return f"{clause[0].upper()}{clause[1:]}."


def _governed_part(whole: Substitution, item: Item, entry: Governed) -> tuple[int, int]:
    """Return the bounds of what an operator keeps in the text with the candidate."""
    grown = len(whole.text) - len(item.text)
    start = entry.kept.start
    if re.match(r"\w+ing\b", item.text[start:]):  # …, leaving us to wonder why: no clause of its own
        start = sentence_at(item.text, item.target).start
    return start, entry.kept.end + (grown if entry.kept.end > item.target.start else 0)


def _clause(whole: Substitution, item: Item) -> tuple[int, int] | None:
    """Return the bounds of the clause that begins with the subject of the quote, or None if it cannot stand alone."""
    start = _subject(item)
    head = item.text[:start] if start is not None else ""
    if start is None or not _opens(head):
        return None
    end = _CLAUSE_END.search(whole.text, whole.span.end)
    stop = end.start() if end else len(whole.text)
    return start, _end_of_complement(whole, item, head, stop)


def _end_of_complement(whole: Substitution, item: Item, head: str, stop: int) -> int:
    """Return where a clause with that ends: before the next verb of its main clause (told Ann that he was ill and left)."""
    quote = item.question.strip().rstrip(".")
    form = item.target.of(item.text)
    if not re.search(r"\bthat\s+$", head) or not quote.lower().startswith(form.lower()):
        return stop
    quoted = whole.span.end + len(quote) - len(form)
    if whole.text[whole.span.end : quoted].lower() != quote[len(form) :].lower():
        return stop
    joined = _COORDINATED.match(whole.text, quoted)
    return quoted if joined and quoted < stop and joined["verb"].endswith("ed") else stop


def _subject(item: Item) -> int | None:
    """Return where the subject of the target's clause begins: the target, or a pronoun that opens the quote (we punished them)."""
    tables, form = english_tables(), item.target.of(item.text).lower()
    if form in tables.nominative:
        return item.target.start
    quote = item.question.strip().rstrip(".")
    if quote.split()[:1] and quote.split()[0].lower() in tables.subjects:
        start = item.text.lower().rfind(quote.lower(), 0, item.target.end + len(quote))
        return start if 0 <= start <= item.target.start else None
    possessed = form in tables.possessive and item.text[: item.target.start].strip()
    return item.target.start if possessed else None


def _opens(head: str) -> bool:
    """Return whether a clause that can stand alone begins after `head`: at a mark, or after a conjunction."""
    if head.rstrip()[-1:] in ("", ".", "!", "?", ";", ",", ":"):
        return True
    before = re.search(r"([\w'’-]+)\s*$", head)
    return before is not None and before[1].lower() in english_tables().openers


def _sentence(whole: Substitution) -> tuple[int, int]:
    """Return the bounds of the sentence, or of its last part with a subject of its own (…, so we couldn't use it)."""
    sentence = sentence_at(whole.text, whole.span)
    mark = _MARKS.search(whole.text, whole.span.end, sentence.end)
    end = mark.start() if mark else sentence.end
    starts = [match.end() for match in _JOINT.finditer(whole.text, sentence.start, whole.span.start)]
    own = [start for start in starts if _has_subject(whole.text[start : whole.span.start])]
    return (own[-1] if own else sentence.start), end


def _has_subject(words_before: str) -> bool:
    """Return whether words begin a clause of their own: a pronoun, there, a name or a noun phrase, or an adverbial of time."""
    tables = english_tables()
    first = re.match(r"[\w'’-]+", words_before)
    if first is None:
        return False
    word = first[0].lower()
    if word in _NEED_ANTECEDENT:
        return False
    return (
        word == "there"
        or word in tables.subjects
        or (word in english_tables().determiners and word not in tables.possessive)
    )


_PARTS = re.compile(r"(?P<ask>who or what|whose|whom|who|what|which|where)\b\s*(?P<rest>.*)", re.IGNORECASE)
_DO = {"did": "VBD", "does": "VBZ", "do": "VB"}
_BE = frozenset({"is", "are", "was", "were"})
_PRONOUN_SUBJECTS = frozenset({"i", "we", "you", "they", "he", "she", "it"})


def statement(item: Item, index: int) -> str:
    """Return a question as a statement with the candidate as its answer.

    Raises:
        GrammarError: no question word; a subject, verb or preposition that cannot be determined.
    """
    question = item.question.strip().rstrip("?").strip()
    match = _PARTS.fullmatch(question)
    if match is None:
        raise GrammarError(f"[question] no question word at the start; found {item.question!r}, expected who, what, …")
    phrase = noun_phrase(item, index)
    ask, rest = match["ask"].lower(), match["rest"].split()
    if not rest:
        raise GrammarError(f"[question] only a question word; found {item.question!r}")
    if ask == "whose":
        statement_words = _whose(item, phrase.genitive(many=item.target.of(item.text).lower().startswith("the")), rest)
    elif _auxiliary(rest[0]) and (ask == "where" or _is_inverted(rest)):
        statement_words = _turned(item, _placed(item, index) if ask == "where" else phrase.text, rest)
    elif ask == "where":
        raise GrammarError(f"[question] where without an auxiliary; found {item.question!r}")
    else:
        statement_words = [phrase.text, *rest]
    text = " ".join(statement_words)
    return f"{text[0].upper()}{text[1:]}."


def _auxiliary(word: str) -> str:
    """Return the auxiliary without its negation (can for can't), or nothing."""
    base = {"can't": "can", "won't": "will"}.get(word.lower(), word.lower().removesuffix("n't"))
    return base if base in english_tables().auxiliaries else ""


def _is_inverted(rest: list[str]) -> bool:
    """Return whether an auxiliary stands before its subject: who did …, whom can I …, who was Ann angry with."""
    auxiliary, *others = rest
    base = _auxiliary(auxiliary)
    if base in _DO:
        return bool(_verbs(others))  # none in: who did the work
    if (
        base in english_tables().modals
        and others
        and (others[0].lower() in english_tables().determiners or others[0][0].isupper())
    ):
        return True
    return bool(others) and (
        others[0].lower() in _PRONOUN_SUBJECTS
        or (len(others) > 1 and others[-1].lower() in english_tables().prepositions)
    )


def _whose(item: Item, genitive: str, rest: list[str]) -> list[str]:
    """Return the statement for whose, with the noun after the possessor: whose bishop did Tom move, whose dog barked."""
    for at, word in enumerate(rest):
        if _auxiliary(word):
            owned = [genitive, *rest[:at]]
            return _turned(item, " ".join(owned), rest[at:]) if at and _is_inverted(rest[at:]) else [*owned, *rest[at:]]
    return [genitive, *rest]


def _turned(item: Item, answer: str, rest: list[str]) -> list[str]:
    """Return the statement for an inverted question: subject, verb, answer."""
    auxiliary, *others = rest
    base = _auxiliary(auxiliary)
    if base not in _DO:
        at = len(others) if base in _BE and len(others) == 1 else _subject_of(item, others)
        return [*others[:at], auxiliary, *_answered(others[at:], answer)]
    at = _verb_of(item, others, _DO[base])
    if auxiliary.lower() != base:
        return [*others[:at], auxiliary, *_answered(others[at:], answer)]
    return [*others[:at], _inflected(others[at], _DO[base]), *_answered(others[at:], answer)[1:]]


def _answered(predicate: list[str], answer: str) -> list[str]:
    """Return the predicate with the answer after its stranded preposition or after its verb, or the answer alone."""
    if len(predicate) > 1 and predicate[-1].lower() in english_tables().prepositions:
        return [*predicate, answer]
    return [*predicate[:1], answer, *predicate[1:]]


def _subject_of(item: Item, others: list[str]) -> int:
    """Return the number of words of the subject, which must be a pronoun or a name."""
    name = len(others) > 1 and others[0][0].isupper() and not others[1][0].isupper()
    if others[0].lower() in _PRONOUN_SUBJECTS or name:
        return 1
    raise GrammarError(f"[question] unclear subject; found {item.question!r}, expected a pronoun or a name")


def _verb_of(item: Item, others: list[str], tag: str) -> int:
    """Return the index of the verb: the one whose inflected form is in the text, else the word after a pronoun or a name."""
    text_words = set(re.findall(r"[\w'’-]+", item.text.lower()))
    places = [
        at for at in range(1, len(others)) if _is_verb(others[at]) and _inflected(others[at], tag).lower() in text_words
    ]
    if len(places) == 1:
        return places[0]
    at = _subject_of(item, others)
    if not _is_verb(others[at]):
        raise GrammarError(f"[question] no verb after the subject; found {item.question!r}")
    return at


def _verbs(others: list[str]) -> list[int]:
    """Return the indices of possible verbs: not the first word, not after a determiner."""
    return [
        at
        for at in range(1, len(others))
        if _is_verb(others[at]) and others[at - 1].lower() not in english_tables().determiners
    ]


def _is_verb(word: str) -> bool:
    import lemminflect  # takes a second to load, and only questions with do need it

    return word.lower() in lemminflect.getAllLemmas(word.lower(), upos="VERB").get("VERB", ())


def _inflected(verb: str, tag: str) -> str:
    import lemminflect

    forms = lemminflect.getInflection(verb.lower(), tag)
    return str(forms[0]) if forms else verb


def _placed(item: Item, index: int) -> str:
    """Return a place with its preposition, taken from the candidate or from the text."""
    candidate = item.candidates[index]
    if candidate.split()[0].lower() in english_tables().prepositions:
        return candidate
    before = re.search(rf"([\w'’-]+)\s+{re.escape(candidate)}\b", item.text)
    if before and before[1].lower() in english_tables().prepositions:
        return f"{before[1]} {noun_phrase(item, index).text}"
    raise GrammarError(f"[candidates] place without a preposition; found {candidate!r}, expected one like in or at")
