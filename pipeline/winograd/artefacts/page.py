"""The page on artefacts: what tells the answers, how sure that is, and which items each of them solves."""

from collections.abc import Iterator, Sequence

from ...core.errors import plural
from ...core.model import Item
from ...core.pages import page_environment, percent
from .cues import Cue
from .parts import Part

#: Cues that are listed though they tell nothing.
_LISTED = 10


def sentences(items: Sequence[Item], cues: Sequence[Cue], parts: Sequence[Part]) -> Iterator[str]:
    """Yield what came out, for the page and the command."""
    tested = [cue for cue in cues if cue.p is not None]
    telling = [cue for cue in tested if cue.tells]
    given_away = [part for part in parts if part.tells]
    if not telling and not given_away:
        looked_at = f"none of {plural(len(tested), 'cue')} and none of {plural(len(parts), 'part')}"
        yield f"nothing tells the answers of {plural(len(items), 'item')}: {looked_at}"
    for cue in telling:
        odds = f"z {cue.z:+.1f}, p {cue.p:.2g}; chance {percent(cue.chance, 0)}"
        yield f"{cue.name}: right in {len(cue.solved)} of {cue.items} ({odds})"
    for part in given_away:
        low, high = (percent(limit, 0) for limit in part.interval)
        yield f"a classifier that sees {part.name}: right in {percent(part.share)} ({low} to {high}; chance {percent(part.chance, 0)})"


def page(name: str, items: Sequence[Item], cues: Sequence[Cue], parts: Sequence[Part], records: str = "") -> str:
    """Render the page as HTML that needs no other file.

    Args:
        records: address of the page of the items' records, to which each item is then linked.
    """
    tested = [cue for cue in cues if cue.p is not None]
    listed = [cue for at, cue in enumerate(tested) if cue.tells or at < _LISTED]
    found: list[Cue | Part] = [*listed, *parts]
    template = page_environment().get_template("winograd/artefacts/page.html.j2")
    return template.render(
        name=name,
        lead=list(sentences(items, cues, parts)),
        cues=listed,
        tested=len(tested),
        rare=len(cues) - len(tested),
        parts=parts,
        solvers=[solver for solver in found if solver.tells],
        texts={item.id: item for item in items},
        records=records,
    )
