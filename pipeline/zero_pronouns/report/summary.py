"""What a report on a sample says, in the sentences with which its page begins."""

from ...core.errors import plural
from ...core.pages import decimal, percent
from ...statistics.intervals import exact_interval
from ..documents import ALL
from ..translation.metrics import PAPER
from .figures import Figures, TranslatedZeros


def sentences(figures: Figures) -> list[str]:
    """Return how many zeros there are, how far readers agree, which system translates them, and how sure that is."""
    found = [_counts(figures), _agreement(figures), _systems(figures), _bleu(figures)]
    return [text for text in found if text]


def _counts(figures: Figures) -> str:
    whole = figures.all
    text = f"{plural(whole.zeros, 'zero')} in {plural(whole.sentences, 'sentence')}: {percent(whole.with_zero)} of them have one"
    if len(figures.genres) < 2:
        return f"{text}."
    ordered = sorted(figures.genres, key=lambda row: row.with_zero)
    if ordered[0].with_zero == ordered[-1].with_zero:
        return f"{text}, in each genre."
    ends = (f"{percent(row.with_zero)} in {row.name}" for row in (ordered[0], ordered[-1]))
    return f"{text}, from {' to '.join(ends)}."


def _agreement(figures: Figures) -> str:
    """Return the agreement by word, of all genres where there are several."""
    rows = [row for row in figures.agreement if row.unit == "words"]
    if not rows:
        return ""
    row = rows[-1]
    interval = f", 95 % interval {decimal(row.interval[0])} to {decimal(row.interval[1])}" if row.interval else ""
    return f"The readers label {percent(row.equal)} of the places between words alike (Cohen’s κ {decimal(row.kappa)}{interval})."


def overall(figures: Figures) -> list[TranslatedZeros]:
    """Return AZPT of each system over all genres, the greatest first."""
    rows = [row for row in figures.translations if row.genre == ALL]
    return sorted(rows, key=lambda row: (-row.corrected, row.system))


def _systems(figures: Figures) -> str:
    rows = overall(figures)
    if not rows:
        return ""
    best, worst = (f"{row.system} ({percent(row.corrected)}, {_limits(row)})" for row in (rows[0], rows[-1]))
    if len(rows) == 1:
        return f"{best} has the pronoun of a zero in its translation, of {plural(rows[0].zeros, 'zero')}."
    if rows[0].corrected == rows[-1].corrected:
        of_zeros = f"{percent(rows[0].corrected)} of the {plural(rows[0].zeros, 'zero')} ({_limits(rows[0])})"
        return f"All {len(rows)} systems have the pronoun in their translations for {of_zeros}."
    return (
        f"Of {len(rows)} systems, {best} has the pronoun in its translation for the most of the {plural(rows[0].zeros, 'zero')}, {worst} "
        "for the fewest."
    )


def _limits(row: TranslatedZeros) -> str:
    """Return the exact interval of a share of zeros, which takes them as independent."""
    right = row.corrected * row.zeros
    low, high = exact_interval(right, row.zeros - right)
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _bleu(figures: Figures) -> str:
    """Return why BLEU prefers another system than AZPT, if it does."""
    scores = {row.system: row.scores[PAPER] for row in figures.metrics if row.scope == ALL and PAPER in row.scores}
    shares = {row.system: row.corrected for row in overall(figures) if row.system in scores}
    if not shares:
        return ""
    best, other = max(shares, key=scores.__getitem__), next(iter(shares))
    if shares[best] == shares[other] or scores[best] == scores[other]:
        return ""
    return (
        f"BLEU prefers {best} ({scores[best]:.1f}) to {other} ({scores[other]:.1f}): it counts the words shared with the reference, so "
        "that a free translation with every pronoun has a low BLEU, the reference without some pronouns a high one."
    )
