"""Where the published collections lie, for tools and tests; the repository holds none of them."""

import os
from pathlib import Path

#: The environment variable that names their folder.
VARIABLE = "WINOFORGE_DATA"
_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def data_folder() -> Path:
    """Return the folder that WINOFORGE_DATA names, else shared/data beside the repository; it may not exist."""
    return Path(os.environ.get(VARIABLE) or _BESIDE)
