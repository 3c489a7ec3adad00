"""Help with the exclusion rules: draw a case from a parse, and show which decisions a change of the rules changes.

python -m tools.rules case ba-object hit '警察将[他们]带走了。' '将 of written Chinese'
python -m tools.rules changes [--against REVISION]
"""

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipeline.core.errors import PipelineError, shown
from pipeline.core.files import read_text, write_text
from pipeline.core.model import Item
from pipeline.core.notation import FactorError, marked, unbracket
from pipeline.core.rules import RULES
from pipeline.language.languages import language_of
from pipeline.language.parsing.backends import BACKENDS, BackendName
from pipeline.language.parsing.lock import Lock, read_lock, tree_of, update
from pipeline.language.parsing.trees import Tree, tree_to_conllu
from pipeline.winograd.exclusion.exclude import exclude
from pipeline.winograd.exclusion.ledger import decision_changes
from pipeline.winograd.exclusion.rule_files import read_rules
from pipeline.winograd.exclusion.ruleset import RuleSet
from pipeline.winograd.readers import ingest

#: The language of the rules, if no other is asked for.
LANG = "zh"
ROOT = RULES.parent
#: The answer key whose sentences may be read; the parser that decides.
OPEN_KEY = "constructions"
PARSER: BackendName = "stanza"

application = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)


def parsed(sentence: str, lang: str) -> tuple[Tree, int]:
    """Return the tree of a sentence with its target in brackets by the first parser of its language, and the index of the target.

    Raises:
        PipelineError: the sentence has no single target, or the parser is not installed.
    """
    try:
        text, targets = unbracket(sentence)
    except FactorError as error:
        raise PipelineError(None, None, f"[sentence] {error}") from error
    if len(targets) != 1 or not targets[0].length:
        reason = f"[sentence] one word in brackets is needed; found {shown(sentence)}, expected such as 他批评了[她]。"
        raise PipelineError(None, None, reason)
    item = Item(
        id="case-a", schema="case", version="a", lang=lang, text=text, target=targets[0], candidates=("",), answer=0
    )
    parser = next(name for name in BACKENDS if name == language_of(lang).parsers[0])
    trees = update([item], {}, BACKENDS[parser](None)).trees
    return tree_of(item, Lock(Path(parser), {tree.key: tree for tree in trees}))


def case_block(tree: Tree, target: int, name: str, what: str) -> str:
    """Return the CoNLL-U block of a case; whoever adds it answers for the tree, so it is marked as made by hand."""
    lines = tree_to_conllu(replace(tree, parser="hand")).splitlines()
    comments, tokens = (
        [line for line in lines if line.startswith(("# text", "# parser"))],
        [line for line in lines if "\t" in line],
    )
    tokens[target] = tokens[target].replace("TokenRange=", "Target=Yes|TokenRange=")
    return "\n".join([f"# sent_id = {name}", *comments, f"# case = {what}", *tokens]) + "\n\n"


def rules_of(revision: str, folder: Path) -> RuleSet:
    """Return the rules of a revision of the repository, which are written to a folder.

    Raises:
        PipelineError: there is no such revision, or its rules are malformed.
    """
    done = subprocess.run(["git", "-C", str(ROOT), "archive", revision, "rules"], capture_output=True, check=False)
    if done.returncode:
        reason = " ".join(done.stderr.decode(errors="replace").split())
        raise PipelineError(None, None, f"[against] no such revision; found {shown(revision)} ({reason})")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return RuleSet(read_rules(LANG, folder / "rules", cases=False))


def changes(items: Sequence[Item], lock: Lock, before: RuleSet, after: RuleSet) -> Iterator[str]:
    """Yield a line for each item that gets another class, by id: both classes, the rules of both, its sentence."""
    old, new = (exclude(items, [lock], rules, by_sentence=True).decisions for rules in (before, after))
    sentences = {item.id: marked(item.text, item.target) for item in items}
    for change in decision_changes(old, new):
        if change.moves:
            yield f"{change.id}: {change.states}; {change.rules}; {sentences[change.id]}"


@application.command("case")
def add_case(
    rule: Annotated[str, typer.Argument(help="Name of the rule, such as ba-object.", show_default=False)],
    kind: Annotated[
        Literal["hit", "miss"], typer.Argument(help="Whether the rule must match the sentence.", show_default=False)
    ],
    sentence: Annotated[str, typer.Argument(help="A sentence with its target in brackets.", show_default=False)],
    what: Annotated[str, typer.Argument(help="What the case tries.", show_default=False)],
    lang: Annotated[str, typer.Option(help="Language of the rule.")] = LANG,
) -> None:
    """Add a case to a rule, with the tree that the parser gives. Check the tree and correct it by hand."""
    path = RULES / lang / f"{rule}.{kind}.conllu"
    if not (RULES / lang / f"{rule}.yaml").is_file():
        raise PipelineError(RULES / lang / f"{rule}.yaml", None, "[rule] no such rule; write its file first")
    text = read_text(path) if path.exists() else ""
    tree, target = parsed(sentence, lang)
    name = f"{rule}-{kind}-{text.count('# sent_id') + 1}"
    block = case_block(tree, target, name, " ".join(what.split()))
    if (same := next(line for line in block.splitlines() if line.startswith("# text"))) in text.splitlines():
        reason = f"[sentence] a case already; found {shown(sentence)}, expected another one"
        raise PipelineError(path, text.splitlines().index(same) + 1, reason)
    matches = [match.rule.id for match in RuleSet(read_rules(lang, cases=False)).judge(tree, target)]
    write_text(path, text + block)  # last: a rule that is malformed gets no case
    does_match = f"{lang}/{rule}" in matches
    verdict = "matches" if does_match else "does not match"
    others = [other for other in matches if other != f"{lang}/{rule}"]
    beside = f" (and {', '.join(others)})" if others else ""
    typer.echo(
        f"{path.relative_to(ROOT)}: {name}: {lang}/{rule} {verdict}{beside}; check the tree and correct it by hand"
    )
    if does_match != (kind == "hit"):
        typer.echo(f"a {kind} that {verdict}: correct the tree or the rule, or delete the case", err=True)
        raise typer.Exit(1)


@application.command("changes")
def show_changes(against: Annotated[str, typer.Option(help="The revision to compare with.")] = "HEAD") -> None:
    """Show which of our sentences the rules decide otherwise than those of a commit; pair-mates are left aside."""
    from tests.support.answer_keys import own_cases, recorded

    schemas = ROOT / "raw" / LANG / "schemas.yaml"
    items = ingest(schemas.read_bytes(), schemas, "schema-yaml").items
    key = own_cases(OPEN_KEY)
    key_items = [replace(item, id=f"{OPEN_KEY} {item.schema} (key: {gold})") for gold, item in key]
    trees = update(key_items, {}, recorded(OPEN_KEY, PARSER)).trees
    key_lock = Lock(Path(OPEN_KEY), {tree.key: tree for tree in trees})
    with tempfile.TemporaryDirectory() as folder:
        before = rules_of(against, Path(folder))
    after = RuleSet(read_rules(LANG, cases=False))
    counts = []
    lock = read_lock(ROOT / "raw" / LANG / "parses" / f"{PARSER}.conllu")
    for sentences, own_lock in ((items, lock), (key_items, key_lock)):
        differing = list(changes(sentences, own_lock, before, after))
        for line in differing:
            typer.echo(line)
        counts.append(f"{len(differing)} of {len(sentences)}")
    typer.echo(
        f"decided otherwise than by the rules of {against}: {counts[0]} items, {counts[1]} sentences of {OPEN_KEY}"
    )


def main() -> None:
    """Run a command; a mistake ends in one line and exit status 2."""
    try:
        application()
    except PipelineError as error:
        typer.echo(str(error), err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
