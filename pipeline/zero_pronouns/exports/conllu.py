"""Documents with entities in CoNLL-U as CorefUD has it: zeros are empty nodes, mentions stand in MISC; trees have the pronouns restored."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ...core.errors import PipelineError, shown
from ...core.model import Item, Span
from ...language.parsing.backends import BACKENDS, BackendName
from ...language.parsing.lock import Lock, LockUpdate, present_trees, renew
from ...language.parsing.trees import Token, Tree, key_of
from ...language.zh import CHINESE, words
from ..documents import ParallelText, Reference
from ..labels import Sentence, Zero, translation_table

#: Restores a zero for the parser where the source has no pronoun for it.
_ANY_PRONOUN = "他"


@dataclass(frozen=True, slots=True)
class Link:
    """The entity of a zero or of a mention in its document; `kind` says why an entity has no mention (speaker, addressee, …)."""

    entity: Hashable
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence with the entity of each zero, none where entities are unknown, and the spans that name an entity.

    Mentions are in the order of the text, an outer one before an inner one. Where the pronouns of the zeros are not known, they only help
    the parser: `restored` is false.
    """

    id: str
    sentence: Sentence
    zeros: tuple[Link, ...] = ()
    mentions: tuple[tuple[Span, Link], ...] = ()
    translation: str = ""  # empty if there is none
    restored: bool = True


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """The sentences of a document, with its id."""

    id: str
    sentences: tuple[LinkedSentence, ...]


def linked_text(text: ParallelText, name: str, references: Sequence[Reference] | None) -> list[LinkedDocument]:
    """Return the documents of a text with the entities that follow from the antecedents of its zeros.

    A zero and its nearest mention are one entity. So are mentions with the same words in a document, unless they are pronouns, and
    thereby the zeros of each. A zero that nothing in the document names is an entity of its own: two speakers may both be 我.
    Sentences without a character are left out. Ids begin with `name`.
    """
    texts = {pair.line: pair.source.text for pair in text.pairs}
    of_zeros: dict[int, list[Link]] = {}
    of_mentions: dict[int, dict[Span, Link]] = {}
    for reference in references or ():
        link = _link(reference, texts)
        of_zeros.setdefault(reference.line, []).append(link)
        if reference.antecedent is not None:
            of_mentions.setdefault(reference.antecedent.line, {})[reference.antecedent.span] = link
    documents = []
    for number, document in enumerate(text.documents, 1):
        linked = []
        for pair in document:
            spans = of_mentions.get(pair.line, {})
            mentions = tuple((span, spans[span]) for span in sorted(spans, key=_outer_first))
            zeros = tuple(of_zeros.get(pair.line, ()))
            if pair.source.text.strip():
                linked.append(LinkedSentence(f"{name}-{pair.line}", pair.source, zeros, mentions, pair.target))
        if linked:
            documents.append(LinkedDocument(f"{name}-d{number}", tuple(linked)))
    return documents


def _outer_first(span: Span) -> tuple[int, int]:
    return span.start, -span.end


def _link(reference: Reference, texts: Mapping[int, str]) -> Link:
    """Return the entity of a zero: its mention's words or, if they are a pronoun, the mention; without a mention, the zero itself."""
    if reference.antecedent is None:
        return Link((reference.line, reference.zero), reference.kind)
    words = reference.antecedent.span.of(texts[reference.antecedent.line])
    return Link(reference.antecedent if words in translation_table().pronoun_of else words)


def linked_item(item: Item, mentions: Sequence[Iterable[Span]]) -> LinkedDocument:
    """Return an item as a document: its target is a zero, each candidate with its mentions an entity, and the zero that of the answer.

    Raises:
        ValueError: nothing is left of a sentence without its target.
    """
    name = re.sub(r"[\s/]", "_", item.id)
    whole = CHINESE.sentence_of(item.text, item.target)
    parts = [span for span in CHINESE.sentences(item.text) if span.end <= whole.start or whole.end <= span.start]
    linked = []
    for number, part in enumerate(sorted([*parts, whole]), 1):
        target = Span(item.target.start - part.start, item.target.end - part.start) if part == whole else None
        text, zeros = part.of(item.text), []
        if target is not None:
            zeros = [Zero(target.start, target.of(text) or _ANY_PRONOUN, "")]
            text = text[: target.start] + text[target.end :]
        if not text.strip():
            raise ValueError(f"[text] nothing but the target in a sentence of {item.id}; expected a clause around it")
        spans = {
            _without(Span(span.start - part.start, span.end - part.start), target): Link(candidate)
            for candidate, places in enumerate(mentions)
            for span in places
            if part.start <= span.start and span.end <= part.end and _keeps_words(span, item.target)
        }
        linked.append(
            LinkedSentence(
                f"{name}-{number}",
                Sentence(text, tuple(zeros)),
                (Link(item.answer),) * len(zeros),
                tuple((span, spans[span]) for span in sorted(spans, key=_outer_first)),
                restored=not item.already_zero,
            )
        )
    return LinkedDocument(name, tuple(linked))


def _keeps_words(span: Span, target: Span) -> bool:
    """Return whether a mention is outside the target, or contains it with other words."""
    outside = span.end <= target.start or target.end <= span.start
    return outside or (span.start <= target.start and target.end <= span.end and span.length > target.length)


def _without(span: Span, target: Span | None) -> Span:
    """Return a span as it is after the target is left out."""
    if target is None or span.end <= target.start:
        return span
    inside = target.length if span.start >= target.end else 0
    return Span(span.start - inside, span.end - target.length)


def name_of(path: Path) -> str:
    """Return the letters and digits of a file's name without its ending, as ids begin with them."""
    return "".join(re.findall("[A-Za-z0-9]", path.stem)) or "text"


# --- trees with the pronouns restored ---------------------------------------------------------------------------------


def restored_spans(sentence: Sentence) -> list[Span]:
    """Return the span of each zero's pronoun in the oracle, in the order of the zeros."""
    spans, shift = [], 0
    for zero in sentence.zeros:
        spans.append(Span(zero.place + shift, zero.place + shift + len(zero.pronoun)))
        shift += len(zero.pronoun)
    return spans


def in_oracle(span: Span, sentence: Sentence) -> Span:
    """Return the span of some words of the text in the oracle; a zero before their first character stays outside."""
    before = sum(len(zero.pronoun) for zero in sentence.zeros if zero.place <= span.start)
    inside = sum(len(zero.pronoun) for zero in sentence.zeros if span.start < zero.place < span.end)
    return Span(span.start + before, span.end + before + inside)


def _parts(sentence: Sentence) -> list[Span]:
    """Return the spans in the oracle that are one word each: 他 and 的 of the zero <他的>_Pa."""
    pronoun_of = translation_table().pronoun_of
    parts = []
    for zero, span in zip(sentence.zeros, restored_spans(sentence), strict=True):
        middle = span.start + len(pronoun_of.get(zero.pronoun, zero.pronoun))
        parts += [part for part in (Span(span.start, middle), Span(middle, span.end)) if part.length]
    return parts


def _borders(sentence: LinkedSentence) -> set[int]:
    """Return the places in the oracle where a word must begin or end."""
    spans = [*_parts(sentence.sentence), *(in_oracle(span, sentence.sentence) for span, _ in sentence.mentions)]
    return {place for span in spans for place in (span.start, span.end)}


def _segmented(text: str, whole: Iterable[Span], borders: Iterable[int]) -> list[str]:
    """Return the words of a text with a boundary at each border, and none inside a span of `whole` but these."""
    kept = [*whole]
    forms: list[str] = []
    for start, end in pairwise(sorted({0, *borders, len(text)})):
        one_word = any(span.start <= start and end <= span.end for span in kept)
        forms += text[start:end].split() if one_word else words(text[start:end])
    return forms


def _has_borders(tree: Tree, borders: Iterable[int]) -> bool:
    """Return whether no token reaches over a border."""
    return not any(token.span.start < place < token.span.end for place in borders for token in tree.tokens)


def renew_trees(
    documents: Iterable[LinkedDocument],
    backend: BackendName,
    lock: Path,
    *,
    track: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> LockUpdate:
    """Return the updated lock for the sentences of some documents; see `language.parsing.lock.parse`."""
    whole: dict[str, set[Span]] = {}
    borders: dict[str, set[int]] = {}
    for sentence in (sentence for document in documents for sentence in document.sentences):
        oracle = sentence.sentence.oracle
        whole.setdefault(oracle, set()).update(_parts(sentence.sentence))
        borders.setdefault(oracle, set()).update(_borders(sentence))
    return renew(
        borders,
        present_trees(lock, backend),
        BACKENDS[backend](None),
        segment=lambda text: _segmented(text, whole[text], borders[text]),
        tag=CHINESE.tag,
        fits=lambda tree: _has_borders(tree, borders[tree.text]),
        track=track,
    )


def tree_of(sentence: LinkedSentence, lock: Lock) -> Tree:
    """Return the tree of a sentence with its pronouns restored, in which no token reaches over the border of a zero or a mention."""
    oracle = sentence.sentence.oracle
    tree = lock.trees.get(key_of(oracle))
    if tree is None:
        raise PipelineError(lock.path, None, f"[{sentence.id}] no tree for {shown(oracle)}; run winoforge zp parse")
    if not _has_borders(tree, _borders(sentence)):
        reason = f"a token reaches over the border of a zero or mention in {shown(oracle)}; run winoforge zp parse"
        raise PipelineError(lock.path, None, f"[{sentence.id}] {reason}")
    return tree


# --- nodes ------------------------------------------------------------------------------------------------------------

#: The relations of a zero by its form; the first one if the tree has none of them. A form without an entry keeps the tree's.
_RELATIONS = {
    "S": ("nsubj", "nsubj:pass", "nsubj:outer"),
    "O": ("obj", "iobj", "obl:patient", "obj:periph"),
    "Pa": ("nmod:poss",),
}
#: Universal relations that a pronoun can have; any other one of the tree becomes dep.
_OF_PRONOUNS = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "appos", "conj", "dislocated", "vocative"})
#: Relations that a word keeps if it depends on another word than in the tree.
_ANYWHERE = ("punct", "discourse")
#: The relation of a possessor in trees whose scheme has no nmod:poss.
_POSSESSOR = "det"


@dataclass(frozen=True, slots=True)
class Node:
    """A word or an empty node, with the span in the text without zeros; ids are CoNLL-U's: 8.1 for the first empty node after word 8."""

    id: str
    head: str  # the id of its head; 0 for the root
    relation: str
    token: Token | None  # None for an empty node
    zero: Zero | None  # None for a word
    span: Span  # empty for an empty node


def nodes_of(sentence: Sentence, tree: Tree) -> list[Node]:
    """Return the nodes of a sentence in the order of the text, from the tree of its oracle.

    A zero has the head and the relation of its pronoun in the tree; its form decides where the relation contradicts it. What
    depends on the pronoun depends on the pronoun's head then; if the pronoun is the root, the first word below becomes the root.
    The sentence has a character at least besides its zeros, and no token of the tree reaches over the border of a restored pronoun.
    """
    spans = restored_spans(sentence)
    owner = [_zero_at(token, spans) for token in tree.tokens]
    kept = [index for index, zero in enumerate(owner) if zero is None]
    heads = [_climbed(tree, owner, index) for index in range(len(tree.tokens))]
    root = _root(tree, kept, heads)
    ids = {index: str(number) for number, index in enumerate(kept, 1)}
    nodes: list[Node] = []
    for number, zero in enumerate(sentence.zeros):
        top = next((index for index, own in enumerate(owner) if own == number and _is_top(tree, owner, index)), None)
        above = None if top is None else heads[top]
        after = sum(tree.tokens[index].span.start < spans[number].start for index in kept)
        earlier = sum(node.id.startswith(f"{after}.") for node in nodes)
        relation = _relation(zero.form, "" if top is None else tree.tokens[top].relation)
        head = ids[root if above is None else above]
        nodes.append(Node(f"{after}.{earlier + 1}", head, relation, None, zero, Span(zero.place, zero.place)))
    for index in kept:
        token, above = tree.tokens[index], heads[index]
        head = "0" if index == root else ids[root if above is None else above]
        moved = above != token.head and token.relation not in _ANYWHERE
        relation = "root" if index == root else "dep" if moved else token.relation
        before = sum(span.length for span in spans if span.end <= token.span.start)
        span = Span(token.span.start - before, token.span.end - before)
        nodes.append(Node(ids[index], head, relation, token, None, span))
    return sorted(nodes, key=lambda node: tuple(map(int, node.id.split("."))))


def _root(tree: Tree, kept: Sequence[int], heads: Sequence[int | None]) -> int:
    """Return the root of the words: the tree's, or the first word below it that is no mark."""
    orphans = [index for index in kept if heads[index] is None]
    order = sorted(orphans, key=lambda index: (tree.tokens[index].head is not None, tree.tokens[index].upos == "PUNCT"))
    return order[0]


def _zero_at(token: Token, spans: Sequence[Span]) -> int | None:
    """Return the number of the zero whose pronoun a token is in."""
    return next(
        (number for number, span in enumerate(spans) if span.start <= token.span.start and token.span.end <= span.end),
        None,
    )


def _climbed(tree: Tree, owner: Sequence[int | None], index: int) -> int | None:
    """Return the nearest token above another one that is in no pronoun; None if there is none."""
    head = tree.tokens[index].head
    while head is not None and owner[head] is not None:
        head = tree.tokens[head].head
    return head


def _is_top(tree: Tree, owner: Sequence[int | None], index: int) -> bool:
    """Return whether the head of a token is outside the token's pronoun."""
    head = tree.tokens[index].head
    return head is None or owner[head] != owner[index]


def _relation(form: str, relation: str) -> str:
    if form in _RELATIONS:
        return relation if relation in _RELATIONS[form] else _RELATIONS[form][0]
    if relation == _POSSESSOR:
        return "nmod:poss"
    return relation if relation.partition(":")[0] in _OF_PRONOUNS else "dep"


#: The attributes of a mention, in their order (CorefUD 1.x).
GLOBAL_ENTITY = "eid-etype-head-other"
#: The person of a pronoun by its first character; all others are third persons.
_PERSONS = {"我": "1", "你": "2"}


@dataclass(frozen=True, slots=True)
class _Mention:
    """The nodes of a mention, by their numbers from 0, and its entity; `head` counts from 1 inside the mention."""

    first: int
    last: int
    link: Link
    head: int


def conllu(documents: Iterable[LinkedDocument], lock: Lock, name: str) -> str:
    """Return documents as CoNLL-U, with the trees of their sentences with all pronouns restored; ids of entities begin with the name."""
    blocks = []
    for number, document in enumerate(documents, 1):
        entities: dict[Hashable, str] = {}
        for place, sentence in enumerate(document.sentences):
            comments = [f"# newdoc id = {document.id}", f"# global.Entity = {GLOBAL_ENTITY}"] if not place else []
            nodes = nodes_of(sentence.sentence, tree_of(sentence, lock))
            mentions = [*_mentions(sentence, nodes)]
            for mention in mentions:
                entities.setdefault(mention.link.entity, f"{name}d{number}e{len(entities) + 1}")
            comments += [f"# sent_id = {sentence.id}", f"# text = {_on_one_line(sentence.sentence.text)}"]
            if sentence.translation.strip():
                comments.append(f"# text_en = {_on_one_line(sentence.translation)}")
            rows = _rows(sentence, nodes, _entity_values(mentions, entities))
            blocks.append("\n".join([*comments, *rows]) + "\n\n")
    return "".join(blocks)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _mentions(sentence: LinkedSentence, nodes: Sequence[Node]) -> Iterator[_Mention]:
    """Yield the mentions of a sentence in the order of their first nodes, an outer one before an inner one."""
    zeros = [number for number, node in enumerate(nodes) if node.zero is not None]
    mentions = [_Mention(number, number, link, 1) for number, link in zip(zeros, sentence.zeros, strict=False)]
    for span, link in sentence.mentions:
        words = [
            number
            for number, node in enumerate(nodes)
            if node.token is not None and span.start <= node.span.start and node.span.end <= span.end
        ]
        ids = {nodes[number].id for number in words}
        top = next(number for number in words if nodes[number].head not in ids)
        mentions.append(_Mention(words[0], words[-1], link, top - words[0] + 1))
    yield from sorted(mentions, key=lambda mention: (mention.first, -mention.last))


def _entity_values(mentions: Sequence[_Mention], entities: Mapping[Hashable, str]) -> dict[int, str]:
    """Return the value of Entity for each node that begins or ends a mention.

    Brackets that close come first, the innermost one first; then those that open, the outermost one first; a mention of one node
    stands after those that open, or without one before those that close (udapi's rules, which UD's validator checks).
    """
    values = {}
    for place in sorted({place for mention in mentions for place in (mention.first, mention.last)}):
        closing = [mention for mention in mentions if mention.first < mention.last == place]
        opening = [mention for mention in mentions if place == mention.first < mention.last]
        single = [mention for mention in mentions if mention.first == mention.last == place]
        ends = "".join(
            f"{entities[mention.link.entity]})" for mention in sorted(closing, key=lambda mention: -mention.first)
        )
        begins = "".join(f"({_attributes(mention, entities)}" for mention in opening)
        alone = "".join(f"({_attributes(mention, entities)})" for mention in single)
        values[place] = f"{ends}{begins}{alone}" if opening else f"{alone}{ends}"
    return values


def _attributes(mention: _Mention, entities: Mapping[Hashable, str]) -> str:
    """Return what an opening bracket has: the entity, no type, the head, and the kind of a zero without a mention."""
    kind = f"-kind:{mention.link.kind}" if mention.link.kind else ""
    return f"{entities[mention.link.entity]}--{mention.head}{kind}"


def _rows(sentence: LinkedSentence, nodes: Sequence[Node], entities: Mapping[int, str]) -> Iterator[str]:
    words = [node for node in nodes if node.token is not None]
    following = {word.id: later.span.start for word, later in pairwise(words)}
    for number, node in enumerate(nodes):
        misc = [f"Entity={entities[number]}"] if number in entities else []
        if node.zero is not None:
            yield "\t".join(_empty(node, node.zero, misc, known=sentence.restored))
        elif node.token is not None:
            if following.get(node.id, node.span.end) == node.span.end:
                misc.append("SpaceAfter=No")
            token = node.token
            basic = (node.head, node.relation, f"{node.head}:{node.relation}")
            columns = (node.id, token.form, token.form, token.upos or "X", token.xpos or "_", "_", *basic)
            yield "\t".join((*columns, "|".join(misc) or "_"))


def _empty(node: Node, zero: Zero, misc: Sequence[str], *, known: bool) -> tuple[str, ...]:
    """Return the columns of an empty node; its lemma is the pronoun that restores the zero, if that is known."""
    pronoun = translation_table().pronoun_of.get(zero.pronoun, "") if known else ""
    word = re.sub(r"[\s|]", "", zero.pronoun) if known else ""
    restored = [f"Restored={word}"] if word else []
    features = "|".join(_features(pronoun, zero.form)) if pronoun else "PronType=Prs"
    values = "|".join([*misc, *restored, *([f"ZeroForm={zero.form}"] if zero.form else [])]) or "_"
    return node.id, "_", pronoun or "_", "PRON", "_", features, "_", "_", f"{node.head}:{node.relation}", values


def _features(pronoun: str, form: str) -> Iterator[str]:
    """Yield the features of a pronoun in the order of their names."""
    yield f"Number={'Plur' if pronoun.endswith('们') else 'Sing'}"
    yield f"Person={_PERSONS.get(pronoun[:1], '3')}"
    if form in ("Pa", "P"):
        yield "Poss=Yes"
    yield "PronType=Prs"
    if form == "R":
        yield "Reflex=Yes"
