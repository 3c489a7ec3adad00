"""Fillers of cloze experiments: sentences with one antecedent, and a gap for its pronoun."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..core.errors import PipelineError, shown
from ..core.files import require_unique
from ..core.yamlfile import kind_of, line_of, load_yaml, require_mapping, text_of
from ..language.pronoun_classes import GAP, pronoun_classes

#: The fields of a filler, in the order of its JSON object.
FIELDS = ("id", "register", "text", "answer", "antecedent")


@dataclass(frozen=True, slots=True)
class Filler:
    """A sentence with one antecedent and a gap.

    Attributes:
        id: its id.
        register: the kind of text that it could be from.
        text: the text, with `GAP` once.
        answer: the pronoun that fills the gap, in lower case.
        antecedent: the antecedent in the nominative, with its article.
    """

    id: str
    register: str
    text: str
    answer: str
    antecedent: str


def filler_to_json(filler: Filler, lang: str) -> dict[str, Any]:
    """Return the JSON object of a filler, which has its language after its id."""
    fields = asdict(filler)
    return {"id": fields.pop("id"), "lang": lang, **fields}


def read_fillers(path: Path, lang: str) -> list[Filler]:
    """Return the fillers of a YAML file, in its order: a list of entries with the fields `FIELDS`.

    Raises:
        PipelineError: the file is not such a list or empty, a field is missing, unknown or no text, an id occurs twice, a text has not
            one gap, or an answer is no nominative pronoun of the language.
    """
    entries = load_yaml(path)
    if not isinstance(entries, list) or not entries:
        reason = f"[yaml] no fillers; found {kind_of(entries)}, expected a list of entries with {', '.join(FIELDS)}"
        raise PipelineError(path, None, reason)
    pronouns = tuple(pronoun_classes(lang).pronouns.values())
    places: dict[str, int | None] = {}
    fillers = []
    for entry in entries:
        node = require_mapping(entry, path, required=frozenset(FIELDS))
        filler = Filler(**{name: text_of(node, name, path) for name in FIELDS})
        require_unique(places, filler.id, path, line_of(node, "id"))
        if filler.text.count("_") != len(GAP) or GAP not in filler.text:
            reason = f"[text] not one gap; found {shown(filler.text)}, expected {GAP} once and no other underscore"
            raise PipelineError(path, line_of(node, "text"), reason)
        if filler.answer not in pronouns:
            reason = f"[answer] no pronoun to choose; found {shown(filler.answer)}, expected {' or '.join(pronouns)}"
            raise PipelineError(path, line_of(node, "answer"), reason)
        fillers.append(filler)
    return fillers
