"""Documents for INCEpTION, read back: what raters see, where an anaphor and its candidates stand, and no answer."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cassis import Cas, load_cas_from_xmi, load_typesystem
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Item, Span
from pipeline.studies.design.build import StudyLayout, make_study
from pipeline.studies.inception import sentence, words
from pipeline.studies.model.design import read_design
from pipeline.studies.model.study import write_study
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT
from tests.support.commands import winoforge
from tests.support.studies import kites, write_design

SCHEMAS = ROOT / "raw" / "zh" / "schemas.yaml"
Link = tuple[str, str]


def laid_out(folder: Path, change: Callable[[Item], Item] = lambda item: item) -> StudyLayout:
    """Lay out eight pairs in two lists, and write the study into `folder`."""
    design = write_design(folder / "design", map(change, map(kites, range(16))))
    layout = make_study(read_design(design), None)
    write_study(folder / "study", layout.study, layout.tasks)
    return layout


def exported(folder: Path) -> dict[str, Cas]:
    run = winoforge("annotate", "inception", folder / "study", "--out", folder / "out")
    assert (run.returncode, run.stderr) == (0, "")
    with (folder / "out" / "TypeSystem.xml").open("rb") as stream:
        types = load_typesystem(stream)
    documents = {}
    for path in sorted((folder / "out").glob("*.xmi")):
        with path.open("rb") as stream:
            documents[path.stem] = load_cas_from_xmi(stream, typesystem=types)
    return documents


def rows(cas: Cas, name: str) -> list[Any]:
    (full,) = [kind.name for kind in cas.typesystem.get_types() if kind.name.endswith(f".type.{name}")]
    return list(cas.select(full))


def links(cas: Cas, within: Any) -> list[Link]:
    """The text and the kind of each link in a sentence, in their order."""
    inside = cas.select_covered("de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink", within)
    return [(link.get_covered_text(), link.referenceType) for link in inside]


def test_a_document_shows_what_raters_of_its_list_see(tmp_path: Path) -> None:
    layout = laid_out(tmp_path)
    documents = exported(tmp_path)
    assert list(documents) == [f"list-{number:02}" for number in range(1, len(layout.study.lists) + 1)]
    for cas, name in zip(documents.values(), layout.study.lists, strict=True):
        main = [task for task in layout.tasks if (task.list, task.phase) == (name, "main")]
        assert len(main) == 8
        (whole,) = cas.select("uima.tcas.DocumentAnnotation")
        assert (whole.begin, whole.end, whole.language) == (0, len(cas.sofa_string), "zh")
        sentences = rows(cas, "Sentence")
        assert [(row.id, row.get_covered_text()) for row in sentences] == [
            (task.items[0], task.data["text"]) for task in main
        ]
        for row, task in zip(sentences, main, strict=True):
            named = links(cas, row)
            assert named.count(("Ø", "anaphor")) == 1
            candidates = {text for text, kind in named if kind == "candidate"}
            assert candidates <= {option["value"] for option in task.data["options"]}
            assert len(candidates) == 2


def test_every_link_is_a_chain_of_its_own_made_of_whole_words(tmp_path: Path) -> None:
    laid_out(tmp_path)
    for cas in exported(tmp_path).values():
        tokens = rows(cas, "Token")
        first, last = {token.begin for token in tokens}, {token.end for token in tokens}
        all_links = rows(cas, "CoreferenceLink")
        assert all(link.begin in first and link.end in last and link.next is None for link in all_links)
        assert sorted(chain.first.begin for chain in rows(cas, "CoreferenceChain")) == [
            link.begin for link in all_links
        ]
        text = cas.sofa_string
        assert "".join(text[token.begin : token.end] for token in tokens) == "".join(text.split())


def test_a_sentence_does_not_depend_on_its_answer() -> None:
    for item in ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml").items:
        swapped = replace(item, answer=1 - item.answer)
        assert sentence(item, with_zero=True) == sentence(swapped, with_zero=True)


def test_documents_of_a_larger_layout_are_deleted(tmp_path: Path) -> None:
    laid_out(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "list-99.xmi").write_text("<xmi/>", encoding="utf-8")
    (tmp_path / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    assert "list-99" not in exported(tmp_path)
    assert (tmp_path / "out" / "notes.txt").exists()


def test_a_study_of_something_else_is_refused(tmp_path: Path) -> None:
    study = tmp_path / "study"
    made = winoforge(
        "annotate", "design", ROOT / "annotation" / "designs" / "background.yaml", "--out", study, cwd=ROOT
    )
    assert made.returncode == 0
    run = winoforge("annotate", "inception", study, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert run.stderr.startswith(
        f"{study / 'study.json'}:1: [source] not a study of items; found 'form', expected items"
    )
    assert not (tmp_path / "out").exists()


def test_a_task_about_an_item_that_the_study_lacks_is_refused(tmp_path: Path) -> None:
    laid_out(tmp_path)
    path = tmp_path / "study" / "tasks.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("kite-003-a", "kite-099-a"), encoding="utf-8")
    run = winoforge("annotate", "inception", tmp_path / "study", "--out", tmp_path / "out")
    assert (run.returncode, run.stderr) == (
        2,
        f"{path}: [items] unknown item; found 'kite-099-a', expected one of study.json: run annotate design again\n",
    )
    assert not (tmp_path / "out").exists()


def test_places_count_characters_as_uima_does(tmp_path: Path) -> None:
    """UIMA counts UTF-16 units: 𠮷 is two."""

    def with_rare_name(item: Item) -> Item:
        text = f"𠮷{item.text}"
        return replace(item, text=text, target=Span(item.target.start + 1, item.target.end + 1))

    layout = laid_out(tmp_path, with_rare_name)
    for cas, name in zip(exported(tmp_path).values(), layout.study.lists, strict=True):
        main = [task for task in layout.tasks if (task.list, task.phase) == (name, "main")]
        assert [row.get_covered_text() for row in rows(cas, "Sentence")] == [task.data["text"] for task in main]
    first_main = next(task for task in layout.tasks if (task.list, task.phase) == (layout.study.lists[0], "main"))
    length = len(first_main.data["text"]) + 1
    first = (tmp_path / "out" / "list-01.xmi").read_text(encoding="utf-8")
    assert f'begin="0" end="{length}" id="' in first
    assert f'begin="{length + 1}" ' in first


@given(st.text(alphabet="他她去了 ，。ab1𠮷", max_size=30), st.lists(st.integers(0, 30), max_size=6))
def test_words_cover_a_text_and_no_word_crosses_an_edge(text: str, numbers: list[int]) -> None:
    edges = [number for number in numbers if number <= len(text)]
    for lang in ("zh", "en"):
        spans = words(text, edges, lang)
        assert "".join(span.of(text) for span in spans) == "".join(text.split())
        assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
        assert not any(span.start < edge < span.end for span in spans for edge in edges)


def test_an_overt_sentence_keeps_its_pronoun() -> None:
    item = ingest(SCHEMAS.read_bytes(), SCHEMAS, "schema-yaml").items[0]
    shown = sentence(item, with_zero=False)
    assert (shown.text, shown.anaphor.of(shown.text)) == (item.text, "她")
    assert {span.of(shown.text) for span in shown.candidates} == set(item.candidates)
    zero = sentence(item, with_zero=True)
    assert zero.anaphor.of(zero.text) == "Ø"
    assert {span.of(zero.text) for span in zero.candidates} == set(item.candidates)
