"""The folder of declarative rules: rules/ of the repository, or its copy in an installed package."""

import hashlib
from functools import cache
from pathlib import Path

#: The folder of the package: pipeline/ in the repository, winoforge/ where the package is installed, which then has rules/ and raw/ within.
PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = (PACKAGE / "rules").is_dir()
RULES = (PACKAGE if INSTALLED else PACKAGE.parent) / "rules"

#: Folders that change no item: what models are asked, how their answers are measured, what suites expect.
NO_OUTPUT = ("answers", "cloze", "evaluation", "validation")


def languages_with_zeros() -> list[str]:
    """Return the languages that have exclusion rules, sorted: where there is no rule, nobody has said where a zero is licensed."""
    return list(_languages_with_zeros(RULES))


@cache
def _languages_with_zeros(rules: Path) -> tuple[str, ...]:
    return tuple(sorted({path.parent.name for path in rules.glob("*/*.hit.conllu")}))  # a rule has its cases beside it


def rules_digest() -> str:
    """Return ``sha256:…`` over the names and contents of all YAML files of the rules, in the order of their names.

    The folders of `NO_OUTPUT` are left out.
    """
    digest = hashlib.sha256()
    files = (path for path in RULES.rglob("*.yaml") if path.relative_to(RULES).parts[0] not in NO_OUTPUT)
    for path in sorted(files, key=lambda path: path.relative_to(RULES).as_posix()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(RULES).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return f"sha256:{digest.hexdigest()}"
