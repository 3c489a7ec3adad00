"""``python -m tools.fuzz --seconds 60``: run the targets in turn; exit 1 if one crashes, with the case in tests/cases/fuzz."""

import argparse
import hashlib
import os
import shutil
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

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
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = target.inputs(seeds)
        for file in names:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(seeds / file, folder / file)
        if refusal := run(target, folder):
            raise SystemExit(f"{target.name}: the seed itself is refused: {refusal}")
        while time.monotonic() < end:
            file = random.choice(names)
            original = (seeds / file).read_bytes()
            data = mutated(original, file, random)
            (folder / file).write_bytes(data)
            crash = crash_of(target, folder)
            runs += 1
            if crash and _place(crash) not in places:
                places.add(_place(crash))
                _shrink(target, folder, folder / file, _place(crash))
                print(f"{target.name}: {crash} ({_keep(folder, names, cases / target.name)})", flush=True)
            (folder / file).write_bytes(original)
    return runs, len(places)


def _shrink(target: Target, folder: Path, file: Path, place: str) -> None:
    """Take out of a file each line without which the target crashes in the same place."""
    lines = file.read_bytes().splitlines(keepends=True)
    for number in reversed(range(len(lines) if len(lines) <= _SHRINKABLE else 0)):
        shorter = [*lines[:number], *lines[number + 1 :]]
        file.write_bytes(b"".join(shorter))
        if _place(crash_of(target, folder)) == place:
            lines = shorter
    file.write_bytes(b"".join(lines))


def _keep(folder: Path, names: list[str], cases: Path) -> Path:
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()[:8]
    for name in names:
        (cases / digest / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, cases / digest / name)
    return (cases / digest).relative_to(_ROOT) if cases.is_relative_to(_ROOT) else cases / digest


def main() -> int:
    """Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="seconds for all targets together (default 60)")
    parser.add_argument(
        "--target", action="append", choices=TARGETS, help="one target; repeat for several (default all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the changes (default 0)")
    parser.add_argument("--cases", type=Path, default=CASES, help="folder of the cases (default tests/cases/fuzz)")
    arguments = parser.parse_args()
    os.environ["WINOFORGE_ARCHIVE_PASSWORD"] = "open"
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
