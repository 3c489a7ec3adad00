"""``python -m tools.fuzz --seconds 60``: run the targets in turn; exit 1 if one crashes, with the case in tests/cases/fuzz."""

import argparse
import hashlib
import os
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from random import Random

from .containers import PASSWORD, with_checksums
from .mutations import mutated
from .seeds import write_seeds
from .targets import TARGETS, Target, run

_ROOT = Path(__file__).resolve().parents[2]
#: The folder of the cases: TARGET/DIGEST/, with the files that a target reads.
CASES = _ROOT / "tests" / "cases" / "fuzz"
#: Number of lines up to which a case is made smaller, line by line.
_SHRINKABLE = 60


def crash_of(target: Target, folder: Path) -> str:
    """Return where and how a target crashes on the files of a folder; empty if it does not."""
    try:
        run(target, folder)
    except Exception as error:
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if "pipeline" in Path(frame.filename).parts
        ]
        place = f"{Path(frames[-1].filename).relative_to(_ROOT)}:{frames[-1].lineno}" if frames else "?"
        return f"{place} {type(error).__name__}: {str(error)[:160]!r}"
    return ""


def _place(crash: str) -> str:
    return " ".join(crash.split(" ")[:2])


def fuzz(target: Target, seeds: Path, seconds: float, seed: int, cases: Path) -> tuple[int, int]:
    """Run a target on changed files for some seconds, and keep a case for each place where it crashes.

    Returns:
        the number of runs, and that of the places.
    """
    random, places, runs = Random(f"{seed} {target.name}"), set[str](), 0
    end = time.process_time() + seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        originals = {file: (seeds / file).read_bytes() for file in target.inputs(seeds)}
        write_files(folder, originals)
        if refusal := run(target, folder):
            raise SystemExit(f"{target.name}: the seed itself is refused: {refusal}")
        while time.process_time() < end:
            changed = _changed(originals, random)
            write_files(folder, changed)
            crash = crash_of(target, folder)
            runs += 1
            if crash and _place(crash) not in places:
                places.add(_place(crash))
                print(f"{target.name}: {crash} ({_keep(target, folder, originals, changed, cases)})", flush=True)
            write_files(folder, originals)
    return runs, len(places)


def _changed(originals: Mapping[str, bytes], random: Random) -> dict[str, bytes]:
    """Return files with changes in one of them, sometimes in two; most often the checksums of a release fit the changed files."""
    changed = dict(originals)
    for name in random.choices(sorted(originals), k=random.choice((1, 1, 1, 2))):
        changed[name] = mutated(changed[name], name, random)
    if random.random() < 0.02:
        del changed[random.choice(sorted(changed))]
    return with_checksums(changed) if random.random() < 0.7 else changed


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Let a folder hold these files, and no others but what a target writes."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _keep(target: Target, folder: Path, originals: Mapping[str, bytes], changed: dict[str, bytes], cases: Path) -> Path:
    """Keep the files of a crash as a case, without the lines that it does not need; return the folder of the case."""
    write_files(folder, changed)
    place = _place(crash_of(target, folder))
    for name in sorted(changed):
        if changed[name] != originals[name]:
            _shrink(target, folder, changed, name, place)
    digest = hashlib.sha256(b"".join(data for _, data in sorted(changed.items()))).hexdigest()[:8]
    write_files(cases / target.name / digest, changed)
    return cases / target.name / digest


def _shrink(target: Target, folder: Path, files: dict[str, bytes], name: str, place: str) -> None:
    """Take out of a file each line without which the target crashes in the same place."""
    lines = files[name].splitlines(keepends=True)
    for number in reversed(range(len(lines) if len(lines) <= _SHRINKABLE else 0)):
        shorter = [*lines[:number], *lines[number + 1 :]]
        write_files(folder, files | {name: b"".join(shorter)})
        if _place(crash_of(target, folder)) == place:
            lines = shorter
    files[name] = b"".join(lines)


def main() -> int:
    """Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=60, help="seconds of computing time for all targets together (default 60)"
    )
    parser.add_argument(
        "--target", action="append", choices=TARGETS, help="one target; repeat for several (default all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the changes (default 0)")
    parser.add_argument("--cases", type=Path, default=CASES, help="folder of the cases (default tests/cases/fuzz)")
    arguments = parser.parse_args()
    os.environ["WINOFORGE_ARCHIVE_PASSWORD"] = PASSWORD
    chosen = [TARGETS[name] for name in arguments.target or TARGETS]
    crashes = 0
    with tempfile.TemporaryDirectory() as name:
        write_seeds(Path(name))
        for target in chosen:
            runs, places = fuzz(target, Path(name), arguments.seconds / len(chosen), arguments.seed, arguments.cases)
            print(f"{target.name}: {runs} runs, {places} crashes", flush=True)
            crashes += places
    return int(crashes > 0)


if __name__ == "__main__":
    raise SystemExit(main())
