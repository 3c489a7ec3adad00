"""What `make fetch-wikipedia`, `pmi`, `evaluate`, `evaluate-winopron` and `experiment` run: ``python -m tools.demos NAME``.

Their options are variables of the environment, to which make adds those of its command line: `make evaluate ITEMS=24`.
"""

import os
import shlex
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.front_page import write_front_page
from tools.small_models import GEMMA, SMOLLM, put_models

RELEASE = "build/release/zh"
EVALUATION = Path("build/evaluation")
SMALL = [EVALUATION / "models" / name for name in (GEMMA, SMOLLM)]
PROSE = "raw/prose/articles.txt"
PROSE_NAME = "Ninety short articles of our own; figures from them mean nothing about Wikipedia."
WINOFORGE = os.path.relpath(Path(sys.executable).parent / "winoforge")
GGUF = "gguf:"


def winoforge(*arguments: str) -> None:
    """Run a command of winoforge, shown where V=1; exit with its status if it fails."""
    command = [WINOFORGE, *arguments]
    if os.environ.get("V") == "1":
        print(shlex.join(command), flush=True)
    status = subprocess.run(command, check=False).returncode
    if status:
        raise SystemExit(status)


def fetch_wikipedia(variables: Mapping[str, str]) -> None:
    """Download a dump of a Wikipedia into corpora/: WIKI, DATE, FETCH_FLAGS."""
    wiki = variables.get("WIKI", "zhwiki")
    flags = shlex.split(variables.get("FETCH_FLAGS", ""))
    winoforge("corpus", "fetch", wiki, variables.get("DATE", "20261101"), "--out", f"corpora/{wiki}", *flags)


def pmi(variables: Mapping[str, str]) -> None:
    """Answer the schemas by word association in a corpus of the user: CORPUS, CORPUS_FORMAT, CORPUS_FLAGS, CORPUS_NAME, WINDOW."""
    corpus = variables.get("CORPUS", PROSE)
    # One file, with blanks in its name or not; else several.
    files = [corpus] if Path(corpus).exists() else corpus.split()
    flags = variables.get("CORPUS_FLAGS", "").split()
    counts, terms = "build/pmi/counts.jsonl", "build/zh/terms.txt"
    options = ["--format", variables.get("CORPUS_FORMAT", "text"), "--terms", terms]
    options += ["--window", variables.get("WINDOW", "10")]
    if not any("spark" in flag for flag in flags):
        flags = ["--resume", "build/pmi/state", *flags]
    winoforge("corpus", "count", *files, *options, "--backend", "fast", *flags, "--out", counts)
    winoforge("validate", "counts", counts)
    inputs = ["build/zh/items.jsonl", "--terms", "build/zh/analysis.jsonl", "--counts", counts]
    outputs = ["--out", "build/pmi/pmi.jsonl", "--report", "build/pmi/index.html"]
    name = variables.get("CORPUS_NAME", PROSE_NAME if corpus == PROSE else corpus)
    winoforge("pmi", *inputs, *outputs, "--released", "build/zh/zero.jsonl", "--corpus", name)


def evaluate(variables: Mapping[str, str]) -> None:
    """Ask language models about the release: MODELS, BASE_URL, ITEMS, MAX_TOKENS (128 is the paper's), TRACES.

    Models in files on this machine also give log-probabilities, and explain TRACES of their errors and of their right answers. Replies are
    kept: a run that was stopped continues.
    """
    models = variables.get("MODELS", " ".join(f"{GGUF}{path}" for path in SMALL)).split()
    local = [model for model in models if model.startswith(GGUF)]
    items = ["--items", variables.get("ITEMS", "12")]
    # The folder of a model's responses.
    folders = {model: EVALUATION / "zh" / model.rsplit("/", 1)[-1].removesuffix(".gguf") for model in models}
    answers = flag("--predictions", [folders[model] / "responses.jsonl" for model in models])
    scores = flag("--predictions", [folders[model] / "scores" / "responses.jsonl" for model in local])
    codes = []
    for model in models:
        tokens = ["--max-tokens", variables.get("MAX_TOKENS", "32"), "--out", str(folders[model])]
        server = [] if model in local else flag("--base-url", variables.get("BASE_URL", "").split())
        run = ["evaluate", "run", RELEASE, "--model", model, *server, *items]
        winoforge(*run, "--order", "both", "--form", "both", *tokens)
    for model in local:
        out = str(folders[model] / "scores")
        winoforge("evaluate", "score", RELEASE, "--model", model, *items, "--form", "zero", "--out", out)
    if local:
        errors = str(EVALUATION / "errors.jsonl")
        winoforge("evaluate", "errors", RELEASE, *answers, "--sample", "--rule", "any", "--out", errors)
        explanations = [explain(model, folders[model], errors, variables.get("TRACES", "2")) for model in local]
        traces = EVALUATION / "traces.jsonl"
        traces.write_bytes(b"".join(path.read_bytes() for path in explanations))
        winoforge("evaluate", "codes", str(traces), "--simulate", "0", "--out", str(EVALUATION / "table8"))
        codes = ["--codes", str(EVALUATION / "table8" / "figures.json")]
    page = EVALUATION / "index.html"
    page.unlink(missing_ok=True)
    figures = ["--sample", "--quiet", "--figures", str(EVALUATION / "figures"), *codes, "--out", str(EVALUATION)]
    try:
        winoforge("evaluate", "report", RELEASE, *answers, *scores, *figures)
    finally:
        open_page(page)  # which is there even where the drawings lack a font
    print("WinoPron’s Tables 2 and 3, in ten minutes: make evaluate-winopron")


def explain(model: str, folder: Path, errors: str, traces: str) -> Path:
    """Let a model explain some of its errors and right answers; return the file of its explanations."""
    out = folder / "traces" / "traces.jsonl"
    asked = ["--errors", errors, "--system", folder.name, "--model", model, "--limit", traces, "--max-tokens", "128"]
    winoforge("evaluate", "diagnose", RELEASE, *asked, "--cache", str(out.parent), "--out", str(out))
    return out


def evaluate_winopron(variables: Mapping[str, str]) -> None:
    """Ask the small models about WinoPron's sentences and fill the paper's tables: VERSIONS (double, single), SAMPLE (pairs of templates).

    A pair has 240 prompts for sentences with two people, and as many for those with one. Replies are kept: a run that was stopped goes on,
    and a larger sample contains a smaller one.
    """
    folder = EVALUATION / "winopron"
    versions = variables.get("VERSIONS", "double").split()
    answers = {version: [folder / version / f"{model.stem}.tsv" for model in SMALL] for version in ("double", "single")}
    sample = ["--sample", variables.get("SAMPLE", "3"), "--cache", str(folder / "replies")]
    for version in versions:
        for model, out in zip(SMALL, answers[version], strict=True):
            asked = [f"build/en/{version}.jsonl", "--model", f"{GGUF}{model}"]
            winoforge("winopron", "ask", *asked, *sample, "--out", str(out))
    single = flag("--single", answers["single"]) if "single" in versions else []
    winoforge("winopron", "tables", *map(str, answers["double"]), *single, "--out", str(folder / "tables"))


def experiment(variables: Mapping[str, str]) -> None:
    """Build the German experiment with people: SEED, RESPONSIBLE, CONTACT; without the last two, the page is a demonstration."""
    out = "build/experiment"
    people = ["--responsible", variables.get("RESPONSIBLE", ""), "--contact", variables.get("CONTACT", "")]
    inputs = ["build/de/cloze.jsonl", "--fillers", "raw/de/fillers.yaml", "--design", "raw/de/experiment.yaml"]
    winoforge("experiment", "build", *inputs, "--out", out, "--seed", variables.get("SEED", "0"), *people)
    winoforge("validate", "experiment", out)
    print(
        f"Next: {WINOFORGE} experiment serve {out} --data FOLDER, and open the address that it prints; docs/experiment.md goes on."
    )


def flag(name: str, values: Sequence[str | Path]) -> list[str]:
    """Return an option with each of its values."""
    return [word for value in values for word in (name, str(value))]


def open_page(page: Path) -> None:
    """Print where a page is, and open it where there is a display, but not in CI; nothing if there is none."""
    if not page.exists():
        return
    print(f"The report: {page.resolve()}")
    display = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if display and not os.environ.get("CI"):
        webbrowser.open_new_tab(page.resolve().as_uri())


DEMOS: dict[str, Callable[[Mapping[str, str]], None]] = {
    "fetch-wikipedia": fetch_wikipedia,
    "pmi": pmi,
    "evaluate": evaluate,
    "evaluate-winopron": evaluate_winopron,
    "experiment": experiment,
}


def main() -> None:
    """Run the target named on the command line, with the small models where it asks them."""
    name = sys.argv[1]
    if name.startswith("evaluate") and not all(path.exists() for path in SMALL):
        put_models(EVALUATION / "models")
    DEMOS[name](os.environ)
    if Path("build").is_dir():
        write_front_page(Path("build"))


if __name__ == "__main__":
    main()
