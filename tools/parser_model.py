"""Train the Stanza tagger and parser of raw/parser-model on Chinese treebanks of Universal Dependencies.

Treebanks under CC BY-SA, converted to one script and closer to one annotation style, go into Stanza's own trainers.
GSDSimp's test set is used only for the scores, which go into the model card. Run `make parser-model`.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import conllu
import jieba
import stanza
import torch
from conllu import Token, TokenList
from opencc import OpenCC
from stanza.models import parser, tagger
from stanza.models.common.pretrain import Pretrain
from stanza.utils.conll import CoNLL

from tools.published import data_folder

MODELS = Path(__file__).resolve().parent.parent / "raw/parser-model"
MARKER = "<!-- What follows is printed by tools/parser_model.py. -->"
SEED = 2026
#: Number of GSDSimp sentences that are held out to choose among checkpoints.
HELD_OUT = 60

STYLE, COPIES, TEST = "zh_gsdsimp-ud-dev.conllu", 2, "zh_gsdsimp-ud-test.conllu"
TRADITIONAL = ("zh_pud-ud-test.conllu", "zh_hk-ud-test.conllu")
OTHERS = (*TRADITIONAL, "zh_cfl-ud-test.conllu")

#: Relations of the other treebanks, and the relation that GSDSimp uses instead.
RELATIONS = {
    "advmod:df": "advmod", "case:loc": "case", "compound:dir": "mark", "compound:vo": "obj", "compound:vv": "mark",
    "dep": "parataxis", "discourse:sp": "discourse", "fixed": "mark", "mark:prt": "mark", "nsubj:outer": "nsubj",
    "obj:periph": "obj", "obl:agent": "obl", "obl:tmod": "nmod:tmod",
}  # fmt: skip
DE = {"的", "之", "地", "得"}
LEXICON_WORDS, CLASSES = 50_000, (*"nvadmqrpcbfstilj", "nr", "ns", "nt", "nz", "vn")

COMMON = f"""--mode train --cpu --lang zh --shorthand zh_gsdsimp --seed {SEED} --save_dir {{work}}
    --eval_file {{work}}/dev.conllu --optim adam --beta2 0.9 --hidden_dim 200 --num_layers 2
    --word_emb_dim 75 --word_cutoff 2 --transformed_dim 64"""
TAGGER = f"""{COMMON} --save_name pos.pt --wordvec_pretrain_file {{work}}/lexicon.pt --share_hid
    --train_file {{work}}/train.conllu;{{work}}/style.conllu;{{work}}/style.conllu --dropout 0.4 --word_dropout 0.2
    --char_emb_dim 64 --char_hidden_dim 100 --deep_biaff_hidden_dim 200 --batch_size 40 --lr 0.002
    --max_steps 700 --eval_interval 100"""
PARSER = f"""{COMMON} --train_file {{work}}/train.conllu --no_pretrain --no_checkpoint --no_ufeats --no_linearization
    --no_distance --char_emb_dim 48 --char_hidden_dim 64 --deep_biaff_hidden_dim 100 --dropout 0.4 --batch_size 1000"""
MIXED = f"{PARSER} --save_name mixed.pt --lr 0.002 --max_steps 1600 --eval_interval 100"
# Three of four batches come from GSDSimp; the vocabulary stays that of all treebanks.
TUNED = f"""{PARSER} --save_name depparse.pt --continue_from {{work}}/mixed.pt --silver_weight 3
    --silver_file {{work}}/style.conllu --lr 0.001 --second_optim adam --second_optim_start_step 300
    --second_lr 0.0003 --second_warmup_steps 20 --max_steps 600 --eval_interval 50"""

THIRD_PERSON = {"他", "她", "它", "他们", "她们", "它们"}
ROLES = {
    "nsubj": "subject", "obj": "object", "iobj": "object", "obl": "oblique", "nmod": "possessor", "det": "possessor",
}  # fmt: skip


def read(path: Path) -> list[TokenList]:
    """Return the sentences of a treebank in simplified script, with lemma = form and without features, comments and MISC."""
    converter = OpenCC("t2s")
    sentences = [TokenList(list(sentence)) for sentence in conllu.parse(path.read_text(encoding="utf-8"))]
    for token in chain.from_iterable(sentences):
        form = converter.convert(token["form"]) if path.name in TRADITIONAL else token["form"]
        if len(form) != len(token["form"]):
            print(f"{path.name}: conversion changes the length of {token['form']} to {form}")
        token.update(form=form, lemma=form, feats=None, deps=None, misc=None)
    return sentences


def linking_words(sentences: Iterable[TokenList]) -> frozenset[str]:
    """Return the adverb-like words (也, 就, 但, …) that GSDSimp mostly tags SCONJ and attaches as `mark`."""
    uses: dict[str, Counter[bool]] = defaultdict(Counter)
    for token in chain.from_iterable(sentences):
        if token["xpos"] == "RB":
            uses[token["form"]][token["upos"] == "SCONJ"] += 1
    return frozenset(form for form, count in uses.items() if count[True] > count[False])


def relation(token: Token, head_upos: str | None, particles: frozenset[str]) -> str:
    """Return the relation that GSDSimp would use; `particles` are the relations of the token's own 的 or 之."""
    name = RELATIONS.get(token["deprel"], token["deprel"])
    if name == "acl" and "mark:rel" in particles:
        return "acl:relcl"
    if name == "flat":
        return "flat:foreign" if token["upos"] == "X" else "flat:name"
    if name in {"nmod", "compound"} and token["upos"] == "PRON":
        return "det" if particles and token["form"] != "其" else "nmod"
    if name == "compound" and token["upos"] in {"NOUN", "PROPN"} and head_upos in {"NOUN", "PROPN", "VERB", "ADJ"}:
        return "nmod"  # GSDSimp keeps `compound` for a stem before a split-off suffix (PART)
    return str(name)


def restyle(sentence: TokenList, linkers: frozenset[str]) -> None:
    """Rewrite a sentence of another treebank, in place, with GSDSimp's tags and relations."""
    upos = {token["id"]: token["upos"] for token in sentence}
    particles: dict[int, set[str]] = defaultdict(set)
    for token in sentence:
        if token["form"] in DE and token["deprel"].startswith(("case", "mark")):
            particles[token["head"]].add(token["deprel"])
    for token in sentence:
        token["deprel"] = relation(token, upos.get(token["head"]), frozenset(particles[token["id"]]))
        if token["form"] in linkers and token["deprel"] in {"advmod", "cc", "mark"} and token["upos"] != "VERB":
            token.update(upos="SCONJ", xpos="RB", deprel="mark")
        elif token["form"] in DE and token["deprel"].startswith("mark"):
            token["upos"] = "SCONJ"
        elif token["upos"] == "ADJ" and token["deprel"] == "amod" and token["form"].startswith("第"):
            token.update(upos="NUM", xpos="CD", deprel="nummod")


def fill_xpos(sentences: Iterable[TokenList]) -> None:
    """Give words without an XPOS (HK, CFL) the most common one of their form and UPOS, or of their UPOS."""
    seen: dict[tuple[str | None, str], Counter[str]] = defaultdict(Counter)
    tokens = list(chain.from_iterable(sentences))
    for token in tokens:
        if token["xpos"]:
            seen[token["form"], token["upos"]][token["xpos"]] += 1
            seen[None, token["upos"]][token["xpos"]] += 1
    for token in tokens:
        counts = seen.get((token["form"], token["upos"])) or seen[None, token["upos"]] or Counter([token["upos"]])
        token["xpos"] = token["xpos"] or counts.most_common(1)[0][0]


def prepare(folder: Path, work: Path, limit: int | None) -> dict[str, int]:
    """Write train, style, dev and test files for Stanza; return the number of training sentences of each treebank."""
    style = read(folder / STYLE)[:limit]
    random.Random(SEED).shuffle(style)
    cut = min(HELD_OUT, len(style) // 5)
    dev, style = style[:cut], style[cut:]
    others = {file: read(folder / file)[:limit] for file in OTHERS}
    linkers = linking_words(style)
    for sentence in chain.from_iterable(others.values()):
        restyle(sentence, linkers)
    train = [*style * COPIES, *chain.from_iterable(others.values())]
    fill_xpos(train)
    for name, part in (("train", train), ("style", style), ("dev", dev), ("test", read(folder / TEST)[:limit])):
        (work / f"{name}.conllu").write_text("".join(sentence.serialize() for sentence in part), encoding="utf-8")
    return {STYLE: len(style), **{file: len(sentences) for file, sentences in others.items()}}


def save_lexicon(work: Path) -> None:
    """Save the most frequent words of jieba's dictionary as word vectors for the tagger: a 1 for the word's class."""
    dictionary = Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8")
    entries = sorted((line.split() for line in dictionary.splitlines()), key=lambda entry: -int(entry[1]))
    lines = ["word, then one column per class"]
    for word, _, tag in entries[:LEXICON_WORDS]:
        known = tag[:2] if tag[:2] in CLASSES else tag[:1]
        lines.append(",".join([word, *("01"[name == known] for name in CLASSES)]))
    (work / "lexicon.csv").write_text("\n".join(lines), encoding="utf-8")
    Pretrain(f"{work}/lexicon.pt", csv_filename=f"{work}/lexicon.csv").load()


def ship(source: Path, target: Path) -> None:
    """Write the parts of a trained model that a Pipeline needs: weights in half precision, and no paths."""
    model = torch.load(source, weights_only=True)
    model["config"] = {k: None if "/" in str(v) else v for k, v in model["config"].items()}
    model["model"] = {k: v.half() if v.is_floating_point() else v for k, v in model["model"].items()}
    torch.save(model, target)


def pipeline(folder: Path, *, gold_tags: bool) -> stanza.Pipeline:
    """Return a pipeline as the project loads it: offline, on segmented text, with lemma = form."""
    models = {f"{step}_model_path": str(folder / f"{step}.pt") for step in ("pos", "depparse")[gold_tags:]}
    return stanza.Pipeline(
        lang="zh-hans", dir=str(folder), allow_unknown_language=True, download_method=None,
        processors=dict.fromkeys(("tokenize", "pos", "lemma", "depparse")[3 * gold_tags :], "default"),
        tokenize_pretokenized=True, lemma_use_identity=True, depparse_pretagged=gold_tags,
        pos_pretrain_path=str(folder / "lexicon.pt"), use_gpu=False, logging_level="ERROR", **models,
    )  # fmt: skip


def evaluate(folder: Path, test: Path, *, gold_tags: bool) -> tuple[list[str], str]:
    """Return UPOS, UAS, LAS and LAS with subtypes in percent, and a table of the pronouns' gold and predicted roles."""
    gold = conllu.parse(test.read_text(encoding="utf-8"))
    given = CoNLL.conll2doc(str(test)) if gold_tags else [[token["form"] for token in sentence] for sentence in gold]
    words = pipeline(folder, gold_tags=gold_tags)(given).iter_words()
    pairs = list(zip(chain.from_iterable(gold), words, strict=True))
    attached = [(token["deprel"], word.deprel) for token, word in pairs if token["head"] == word.head]
    labelled = sum(wanted.split(":")[0] == got.split(":")[0] for wanted, got in attached)
    tagged = sum(token["upos"] == word.upos for token, word in pairs)
    counts = (tagged, len(attached), labelled, sum(wanted == got for wanted, got in attached))
    pronouns = [(token["deprel"], word.deprel) for token, word in pairs if token["form"] in THIRD_PERSON]
    return [f"{100 * n / len(pairs):.2f}" for n in counts], roles(pronouns)


def roles(pronouns: Iterable[tuple[str, str]]) -> str:
    """Return how many gold and predicted relations agree in role, and a confusion table."""
    counts = Counter(tuple(ROLES.get(name.split(":")[0], "other") for name in pair) for pair in pronouns)
    names = [*dict.fromkeys(ROLES.values()), "other"]
    right = sum(counts[name, name] for name in names)
    rows = ([wanted, *(counts[wanted, got] for got in names)] for wanted in names)
    return f"{right} of {counts.total()} right.\n\n" + table(["gold / predicted", *names], *rows)


def table(*rows: Iterable[object]) -> str:
    """Return a Markdown table; the first row is its header."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([lines[0], "| --- " * (lines[0].count("|") - 1) + "|", *lines[1:], ""])


def report(folder: Path, test: Path, sizes: Mapping[str, int]) -> str:
    """Score the models in a folder; return the model card's part on data, settings and scores."""
    scores = {tags: evaluate(folder, test, gold_tags=tags == "gold") for tags in ("gold", "predicted")}
    packages = (f"{name} {version(name)}" for name in ("stanza", "torch", "opencc-python-reimplemented", "jieba"))
    files = ((file.name, f"{file.stat().st_size / 1e6:.1f}") for file in sorted(folder.glob("*.pt")))
    return "\n".join([
        f"Trained with seed {SEED}; {', '.join(packages)}.\n",
        table(["treebank", "sentences"], *sizes.items()),
        table(["file", "MB"], *files),
        table(["tags", "UPOS", "UAS", "LAS", "LAS and subtype"], *([tags, *row] for tags, (row, _) in scores.items())),
        *(f"Roles of third-person pronouns, {tags} tags: {confusion}" for tags, (_, confusion) in scores.items()),
    ])  # fmt: skip


def main() -> None:
    """Train, ship and score the models."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebanks", nargs="?", type=Path, default=data_folder() / "ud")
    arguments.add_argument(
        "--work", type=Path, default=Path("build/parser-model"), help="folder for prepared files and checkpoints"
    )
    arguments.add_argument("--smoke", action="store_true", help="a few steps on 40 sentences; models in WORK/model")
    given = arguments.parse_args()
    folder = given.work / "model" if given.smoke else MODELS
    given.work.mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")  # bfloat16 products if the processor supports them
    save_lexicon(given.work)
    sizes = prepare(given.treebanks, given.work, 10 if given.smoke else None)
    hurry = " --max_steps 4 --eval_interval 2" if given.smoke else ""
    for program, options in ((tagger.main, TAGGER), (parser.main, MIXED), (parser.main, TUNED)):
        program([option.format(work=given.work) for option in (options + hurry).split()])
    torch.set_float32_matmul_precision("highest")  # scores as a Pipeline gives them
    (given.work / "lexicon.pt").replace(folder / "lexicon.pt")
    for name in ("pos.pt", "depparse.pt"):
        ship(given.work / name, folder / name)
    (folder / "resources.json").write_text("{}\n", encoding="utf-8")  # without it a Pipeline will not start
    printed = report(folder, given.work / "test.conllu", sizes)
    written, marker, _ = (MODELS / "README.md").read_text(encoding="utf-8").partition(MARKER)
    (folder / "README.md").write_text(f"{written}{marker}\n\n{printed}", encoding="utf-8")
    print(printed)


if __name__ == "__main__":
    main()
