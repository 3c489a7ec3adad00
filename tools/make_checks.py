"""What make asks before it begins: ``python tools/make_checks.py NAME=VALUE… NAME…``.

NAME=VALUE are variables of make, a NAME alone is one that was set on the command line. If make cannot build what was asked, prints why and
exits with status 2. Otherwise prints FORCE if build/release is not what build/MANIFEST.json says, for example after `git checkout`. Uses
the standard library only, because make runs it before there is an environment.
"""

import difflib
import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

#: The folders and files in build/ that are no collection of a user.
RESERVED = frozenset(
    {
        *("annotation", "de", "en", "evaluation", "experiment", "parser-model", "pmi", "release", "validation", "zp"),
        *("README.md", "MANIFEST.json"),
    }
)
#: The variables that `make help` and the Makefile name.
VARIABLES = frozenset(
    {
        *("COLLECTION", "SOURCE", "FORMAT", "LANGUAGE", "PATCHES", "PARSERS", "EXCLUDE_FLAGS", "WINDOW"),
        "TABLE_COLUMNS",
        *("CORPUS", "CORPUS_FORMAT", "CHECK", "SAMPLE", "VERSIONS", "ITEMS", "MODELS", "BASE_URL", "MAX_TOKENS"),
        *("TRACES", "RESPONSIBLE", "CONTACT", "SEED", "DATABASE_URL", "DATE", "WIKI", "REPORT", "V", "PYTHON", "VENV"),
        *("CORPUS_FLAGS", "FETCH_FLAGS", "BENCH_FLAGS"),
    }
)
#: What people call a variable that has another name.
OTHER_NAMES = {"NAME": "COLLECTION", "DATASET": "COLLECTION", "FILE": "SOURCE", "INPUT": "SOURCE", "TYPE": "FORMAT"}
#: How alike two names are that are one name misspelt, and the length of a beginning that stands for its name: LANG is LANGUAGE.
_ALIKE, _BEGINNING = 0.82, 4
_FOLDER_NAME = re.compile(r"[A-Za-z0-9_\u0080-\U0010ffff][A-Za-z0-9_.\u0080-\U0010ffff-]*")


def is_readable(path: str) -> bool:
    """Return whether a path is a file that can be read."""
    return Path(path).is_file() and os.access(path, os.R_OK)


def refuse_source(values: Mapping[str, str]) -> str | None:
    """Return why the source of a collection cannot be built, None if it can."""
    collection, source, patches = values["COLLECTION"], values["SOURCE"], values["PATCHES"]
    default = Path("raw") / collection / "schemas.yaml"
    other = "COLLECTION=name for a collection of your own"
    if default.exists():
        ours = Path(source).exists() and default.samefile(source)
        if not ours or values["FORMAT"] != "schema-yaml":
            found = f"found '{source}' ({values['FORMAT']})"
            return f"SOURCE: not the source of {collection}; {found}, expected {default} (schema-yaml), or {other}"
        if values["LANGUAGE"] not in ("", collection):
            found = f"found '{values['LANGUAGE']}', expected {collection}"
            return f"LANGUAGE: not the language of {collection}; {found}, or {other}"
        if patches:
            return f"PATCHES: for collections that others published; found '{patches}', expected a change of {default}"
    elif source == str(default):
        return f"SOURCE: missing; raw/ has no schemas of {collection}, so give SOURCE=file and FORMAT=format"
    elif not is_readable(source):
        return f"SOURCE: no such file, or it cannot be read; found '{source}'"
    elif patches and not is_readable(patches):
        return f"PATCHES: no such file, or it cannot be read; found '{patches}'"
    return None


def refuse_options(values: Mapping[str, str]) -> str | None:
    """Return why an option of the stages cannot be used, None if all can."""
    parsers = values["PARSERS"].split()
    if not parsers:
        return "PARSERS: missing; give udpipe, stanza or both, or ginza for Japanese"
    if not {"udpipe", "stanza", "ginza"}.issuperset(parsers) or len(set(parsers)) < len(parsers):
        expected = "expected udpipe, stanza or both, with a blank between them, or ginza for Japanese"
        return f"PARSERS: found '{values['PARSERS']}', {expected}"
    languages = {path.parent.name for path in Path("rules").glob("*/*.hit.conllu")}  # those with rules of exclusion
    if values["FORMAT"] == "schema-yaml" and values["LANGUAGE"] not in ("", *languages):
        other = (
            f"winoforge init mine --lang {values['LANGUAGE']}, then winoforge build mine, for a language without rules"
        )
        return f"LANGUAGE: no rules; found '{values['LANGUAGE']}', expected {' or '.join(sorted(languages))}; {other}"
    if not {"--by-sentence", "--already-zero", "reject", "keep"}.issuperset(values["EXCLUDE_FLAGS"].split()):
        return (
            f"EXCLUDE_FLAGS: found '{values['EXCLUDE_FLAGS']}', expected --by-sentence, --already-zero reject or both"
        )
    return None


def meant_variable(name: str) -> str:
    """Return the variable that a name on the command line stands for; empty if it is like none, as one for programs that make starts.

    >>> meant_variable("PARSER"), meant_variable("excludeflags"), meant_variable("LANG"), meant_variable("CFLAGS")
    ('PARSERS', 'EXCLUDE_FLAGS', 'LANGUAGE', '')
    """
    word = name.upper().replace("_", "").replace("-", "")
    words = {known.replace("_", ""): known for known in sorted(VARIABLES, reverse=True)}
    begun = [known for known in sorted(words) if len(word) >= _BEGINNING and known.startswith(word)]
    alike = difflib.get_close_matches(word, words, 1, _ALIKE)
    return OTHER_NAMES.get(word) or next((words[known] for known in (*alike, *begun)), "")


def refuse(values: Mapping[str, str], command_line: Sequence[str]) -> str | None:
    """Return why make cannot begin, None if it can.

    Args:
        values: variables of the Makefile, with the goals as MAKECMDGOALS.
        command_line: the names of the variables set on the command line; make itself ignores one that it does not know.
    """
    version = values["MAKE_VERSION"]
    if tuple(map(int, version.split(".")[:2])) < (4, 3):
        return f"make: too old; found {version}, expected GNU make 4.3 or later"
    collection = values["COLLECTION"]
    if not _FOLDER_NAME.fullmatch(collection):
        return f"COLLECTION: not the name of a folder; found '{collection}', expected letters, digits, '-', '_' and '.'"
    if collection in RESERVED:
        return f"COLLECTION: build/{collection} holds something else; found '{collection}', expected another name"
    for name in sorted(set(command_line) - VARIABLES):
        if meant := meant_variable(name):
            return f"{name}: unknown variable; expected {meant}, or an environment variable before make: {name}=… make"
    if shutil.which("sha256sum") is None:
        return "sha256sum: not installed; it belongs to GNU coreutils"
    if set(values["MAKECMDGOALS"].split() or ["build"]) <= {"help", "clean"}:
        return None
    return refuse_source(values) or refuse_options(values)


def releases_follow_manifest(build: Path) -> bool:
    """Return whether the files below a folder's releases have the SHA-256 that its manifest lists; no release without a manifest does."""
    releases = build / "release"
    found = {
        path.relative_to(releases).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in releases.glob("*/**/*")
        if path.is_file()
    }
    try:
        listed = json.loads((build / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        listed = {}
    return bool(found == listed)


def main() -> int:
    """Check the variables on the command line; return the exit status."""
    pairs = [argument.split("=", 1) for argument in sys.argv[1:]]
    reason = refuse(
        {pair[0]: pair[1] for pair in pairs if len(pair) > 1}, [pair[0] for pair in pairs if len(pair) == 1]
    )
    if reason is not None:
        sys.stdout.buffer.write(os.fsencode(reason))
        return 2
    if not releases_follow_manifest(Path("build")):
        print("FORCE")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
