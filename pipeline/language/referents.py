"""Whether a pronoun may stand for a candidate, by words that leave no doubt (rules/validation/people.yaml); who says a quotation."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Annotated

import msgspec

from ..core.convert import WordSet, convert_node
from ..core.model import Span
from ..core.rules import RULES
from ..core.yamlfile import load_yaml
from .names import chinese_names, person_of, western_names
from .script import to_simplified
from .segmentation import cut, tag_of
from .text_checks import CHINESE

#: What a candidate may be: of a gender, a person, one or several.
FEMALE, MALE, PERSON, ONE, MANY = "female", "male", "person", "one", "many"
#: The English pronouns that translate a Chinese one.
_ENGLISH = {
    "他": "he him his himself",
    "她": "she her hers herself",
    "它": "it its itself",
    "们": "they them their theirs themselves",
}
#: English pronouns of one gender.
_OF_GENDER = {MALE: "he him his himself", FEMALE: "she her hers herself"}
#: What may be somebody, or an animal, whom an English translation calls he or she, besides the words of people.yaml.
_SOMEBODY = re.compile(
    "[人友员者客娘郎伴婴徒伙众户偷孩狗猫马牛]|[对凶选歌高新助水舵猎扒]手|[大全一邻亲自]家|[学医女男先考新门]生|同桌|老乡|对方"
)
#: The pronouns that a German article in any case excludes; die and den may be plurals.
_GERMAN = {
    "das": "er sie", "dem": "sie", "des": "sie", "den": "es", "der": "es", "die": "er es", "ein": "sie", "einen": "sie es", "einem": "sie",
    "einer": "er es", "eines": "sie", "eine": "er es",
}  # fmt: skip
#: German nouns whose grammatical gender is not that of the person: das Mädchen ... sie.
_NATURAL = re.compile(
    r"(?:chen|lein|Kind|Baby|Model|Opfer|Mitglied|Genie|Talent|Idol|Oberhaupt|Person|Geisel|Waise|Wache|Majestät)$"
)
#: What counts the noun behind it in Chinese.
_COUNTED = "(?:[两几各众诸双][个位名只对]?|[二三四五六七八九十数]+[个位名只对]|[一这那][群些帮伙对双])"
#: One thing or animal, as a classifier shows.
_ONE = "(?:[一这那某]|[一这那某]一)[个位名只头条匹辆台艘颗棵架座家把张件本部]"
_COORDINATION = re.compile("[和与跟及、]")
#: Words behind the noun of an English candidate.
_BEHIND = re.compile(r",| (?:of|in|on|at|from|with|who|that|which|to|for) ")


class _People(msgspec.Struct, frozen=True, rename="kebab"):
    """Words of one language: kin and other people by gender, other people, groups, and what only looks like one of these."""

    female_kin: WordSet
    male_kin: WordSet
    female: WordSet
    male: WordSet
    people: WordSet
    groups: WordSet
    others: WordSet

    def traits(self, word: str) -> frozenset[str]:
        """Return what a word says of those whom it names, by the longest word of the table that ends it."""
        lists = {
            self.female_kin: {FEMALE, PERSON, ONE}, self.male_kin: {MALE, PERSON, ONE}, self.female: {FEMALE, PERSON},
            self.male: {MALE, PERSON}, self.people: {PERSON}, self.groups: {PERSON, MANY}, self.others: set[str](),
        }  # fmt: skip
        ends = [(len(end), what) for words, what in lists.items() for end in words if word.endswith(end)]
        return frozenset(max(ends, key=lambda end: end[0])[1]) if ends else frozenset()


@cache
def people() -> dict[str, _People]:
    """Return the words by language; raises `PipelineError` for a malformed table."""
    path = RULES / "validation" / "people.yaml"
    languages = Annotated[dict[str, _People], msgspec.Meta(min_length=2, description="words in en and zh")]
    table: dict[str, _People] = convert_node(load_yaml(path), languages, path)
    return table


@lru_cache(maxsize=1 << 14)
def _traits_in(lang: str, word: str) -> frozenset[str]:
    return people()[lang].traits(word)


def misfit(lang: str, pronoun: str, candidates: Sequence[str], answer: int, text: str) -> str:
    """Return why a pronoun cannot stand for its candidates (``found X, expected Y``), or an empty text.

    >>> misfit("zh", "它", ["妹妹", "姐姐"], 0, "妹妹叫姐姐坐，说它困了。")
    "found '它' for the persons '妹妹' and '姐姐', expected 他 or 她"
    >>> misfit("zh", "她们", ["妹妹", "姐姐"], 0, "妹妹叫姐姐坐，说她们困了。"), misfit("zh", "她", ["妹妹", "姐姐"], 0, "")
    ("found '她们' for one, '妹妹', expected a singular", '')
    >>> misfit("en", "he", ["the sisters", "the boys"], 0, ""), misfit("de", "er", ["das Lokal", "der Wirt"], 0, "")
    ("found 'he' for several, 'the sisters', expected a plural", "found 'er' for 'das Lokal', expected a pronoun of its gender")
    """
    if lang in CHINESE and pronoun:
        names = [to_simplified(name) for name in candidates]
        return next(_chinese(to_simplified(pronoun), names, names[answer], to_simplified(text)), "")
    if lang == "en":
        return next(_of_english(pronoun.lower(), candidates, candidates[answer]), "")
    return _of_german(pronoun.lower(), candidates[answer]) if lang == "de" else ""


def gloss_misfit(pronoun: str, gloss: str, text: str = "", names: Iterable[str] = ()) -> str:
    """Return which pronoun of an English gloss cannot be that of the Chinese text; empty if it has one that can, or none at all.

    With the text and its candidates, no pronoun of another gender may stand beside the right one, unless the text has other people.

    >>> gloss_misfit("它", "The girl told her sister that she was tired.")
    "found 'her', expected one for 它"
    >>> gloss_misfit("他", "Old Chen raised his arm, and she fell.", "老陈把老马一推，他倒了。", ["老陈", "老马"])
    "found 'she', expected one for 他"
    """
    right = _ENGLISH.get(pronoun[1:] or pronoun, "").split()
    wrong = {word for words in _ENGLISH.values() for word in words.split()} - {*right}
    words = re.findall(r"\w+", gloss.casefold())
    if beside := {*right} & {*words}:
        wrong &= {*chain(*map(str.split, _OF_GENDER.values()))} if text else set()
    found = next((word for word in words if word in wrong), "") if right else ""
    if not found or (beside and _has_others(text, names)):
        return ""
    return f"found {found!r}, expected one for {pronoun}"


def _has_others(text: str, names: Iterable[str]) -> bool:
    """Return whether a Chinese text has people besides its candidates."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "，")
    if _SOMEBODY.search(text):
        return True
    return any(tag_of(word).startswith("nr") or _traits_in("zh", word) or person_of(word) for word in cut(text))


def _chinese(pronoun: str, names: Sequence[str], right: str, text: str) -> Iterator[str]:
    traits = [_traits_in_chinese(name) for name in names]
    own = _traits_in_chinese(right)
    if pronoun[0] == "它" and all(PERSON in each for each in traits):
        yield f"found {pronoun!r} for the persons {' and '.join(map(repr, names))}, expected 他 or 她"
    for form, other in (("他", FEMALE), ("她们", MALE), ("她", MALE)):
        if pronoun == form and other in own:
            yield f"found {pronoun!r} for {right!r}, expected a pronoun of its gender"
    if pronoun.endswith("们") and MANY not in own:
        one = ONE in own or re.search(_ONE + re.escape(right), text)
        if one and not re.search(_COUNTED + re.escape(right), text):
            yield f"found {pronoun!r} for one, {right!r}, expected a singular"
    if len(pronoun) == 1 and MANY in own and right.endswith("们"):
        yield f"found {pronoun!r} for several, {right!r}, expected a plural"


def _traits_in_chinese(name: str) -> Collection[str]:
    head = name.rpartition("的")[2]
    if _COORDINATION.search(head) or re.match(_COUNTED, head):
        return {MANY}
    if traits := _traits_in("zh", head):
        return traits
    person, known = person_of(head), chinese_names()
    if person and (person.after in known.titles or any(person.given in forms for forms in known.given.values())):
        return {PERSON, ONE}
    return ()


def _of_english(pronoun: str, names: Sequence[str], right: str) -> Iterator[str]:
    own, traits = _traits_in_english(right), [_traits_in_english(name) for name in names]
    for gender, other in ((MALE, FEMALE), (FEMALE, MALE)):
        if pronoun in _OF_GENDER[gender].split():
            if MANY in own:
                yield f"found {pronoun!r} for several, {right!r}, expected a plural"
            if (other in own and ONE in own) or all(other in each for each in traits):
                yield f"found {pronoun!r} for {right!r}, expected a pronoun of its gender"
    if pronoun in _ENGLISH["它"].split() and all(PERSON in each for each in traits):
        yield f"found {pronoun!r} for the persons {' and '.join(map(repr, names))}, expected he, she or they"


def _traits_in_english(name: str) -> Collection[str]:
    words = _BEHIND.split(name)[0].split() or [""]
    word, table = words[-1], people()["en"]
    if " and " in name:
        return {MANY}
    kinds = (table.female_kin, table.male_kin, table.female, table.male, table.people)
    if word in table.groups or (word.endswith("s") and word[:-1] in set(chain(*kinds))):
        return table.traits(word[:-1]) - {ONE} | {PERSON, MANY}
    if word in set(chain(*kinds)):
        return {*table.traits(word), ONE}
    given = western_names().given
    if len(words) == 1 and given.get(word) in (FEMALE, MALE):
        return {given[word], PERSON}
    return ()


def _of_german(pronoun: str, right: str) -> str:
    article, _, noun = right.partition(" ")
    if not noun or _NATURAL.search(right) or " und " in right:
        return ""
    if pronoun not in _GERMAN.get(article.lower(), "").split():
        return ""
    return f"found {pronoun!r} for {right!r}, expected a pronoun of its gender"


#: Quotation marks: each opening one with its closing one.
_MARKS = {"“": "”", "「": "」", "『": "』", "„": "“", "«": "»", '"': '"'}
#: Verbs of saying before or after a quotation.
_SAYS = (
    "(?:说|道|问|喊|叫|嚷|答|骂|讲|劝|催|嘀咕|抱怨|解释|回答|告诉)[着了]?",
    "(?:said|says|told|tells|asked|asks|replied|answered|shouted|cried|whispered|thought|explained|complained"
    "|sagte|sagt|fragte|rief|antwortete|meinte|erklärte|flüsterte|schrie)",
)
#: What is between a speaker and the verb: no other speaker, and nobody who only hears.
_CHINESE_BETWEEN = "[^，。；！？听见让的被]{0,10}?"


def speaker(text: str, target: Span, names: Sequence[str]) -> str:
    """Return which of some people says the quotation in which a target stands; an empty text if none does, or nobody can tell.

    >>> text = "高山对周海说：“他来了。”"
    >>> speaker(text, Span(8, 9), ["高山", "周海"]), speaker(text, Span(0, 2), ["高山", "周海"])
    ('高山', '')
    >>> speaker('"She is late," said Ann.', Span(1, 4), ["Mary", "Ann"])
    'Ann'
    """
    for start, end in _quotations(text):
        if start < target.start and target.end <= end:
            before, after = re.split("[。！？.!?]", text[:start])[-1], text[end + 1 :]
            return next((name for name in names if name and _says(re.escape(name), before, after)), "")
    return ""


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the marks of each quotation, outer ones first."""
    at = 0
    while at < len(text):
        closing = _MARKS.get(text[at])
        end = text.find(closing, at + 1) if closing else -1
        if end > at:
            yield at, end
            at = end
        at += 1


def _says(name: str, before: str, after: str) -> bool:
    chinese, other = _SAYS
    return bool(
        re.search(f"(?:^|[，；]){name}{_CHINESE_BETWEEN}{chinese}[：:，,]? ?$", before)
        or re.search(f"(?:^|[，；]){name}[^。]*[，；]{chinese}[：:，,]? ?$", before)  # the verb's subject is left out
        or re.match(f"[，, ]*{name}{_CHINESE_BETWEEN}{chinese}", after)
        or re.search(rf"\b{name} {other}\b[^,;]{{0,30}}[,:]? ?$", before)
        or re.match(rf"[, ]*(?:{name} {other}|{other} {name})\b", after)
    )
