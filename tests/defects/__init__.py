"""The catalogue of seeded defects. Each damages a valid artifact in one way, and one expectation must report it."""

from .analyses import ANALYSES
from .associations import ASSOCIATIONS
from .cloze import BALANCE, CLOZE, GENDERS
from .cloze_release import FILLERS, GERMAN_RELEASES
from .collections import ARTEFACTS, VARIETY
from .defect import Defect
from .derivation import DERIVATION
from .documents import DOCUMENT_RELEASES, DOCUMENTS
from .errata import ERRATA
from .experiments import EXPERIMENTS
from .faults import FAULTS
from .general import GENERAL
from .items import GERMAN, ITEMS, SKIPPED
from .pairs import LABELS, PAIRS
from .releases import RELEASES
from .responses import RESPONSES
from .studies import STUDIES
from .templates import TEMPLATES

DEFECTS: tuple[Defect, ...] = (
    *ITEMS,
    *SKIPPED,
    *ANALYSES,
    *PAIRS,
    *VARIETY,
    *ARTEFACTS,
    *LABELS,
    *GERMAN,
    *TEMPLATES,
    *ASSOCIATIONS,
    *CLOZE,
    *BALANCE,
    *GENDERS,
    *DOCUMENTS,
    *STUDIES,
    *EXPERIMENTS,
    *RESPONSES,
    *FILLERS,
    *ERRATA,
    *RELEASES,
    *GERMAN_RELEASES,
    *DOCUMENT_RELEASES,
    *GENERAL,
)

#: Defects between the files of a build.
DERIVED: tuple[Defect, ...] = tuple(DERIVATION)
#: Suite and expectation of all that is tried: by defects, and by the faults of releases that say which one names them.
TRIED: frozenset[tuple[str, str]] = frozenset(
    {
        *((defect.suite, defect.expectation) for defect in (*DEFECTS, *DERIVED)),
        *(("releases", part.removeprefix("[releases/").removesuffix("]")) for fault in FAULTS for part in fault.said),
    }
)
