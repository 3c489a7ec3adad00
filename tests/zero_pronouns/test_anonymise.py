"""Anonymisation: how names are found, codes, numbers, zeros in their places, and that no name is left."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.files import read_text, write_text
from pipeline.core.tables import read_table
from pipeline.zero_pronouns.anonymisation.documents import Anonymiser, Edit, edit_sentence, numbers_of, shuffle_numbers
from pipeline.zero_pronouns.anonymisation.names import Name
from pipeline.zero_pronouns.documents import SentencePair
from pipeline.zero_pronouns.labels import Sentence, parse_sentence
from tests.support.commands import Run, winoforge
from tests.zero_pronouns.test_labels import sentences

HEADER = "genre\tkind\tzh\ten\n"
PERSON = Name("person", ("李小丽",), ("Li Xiaoli",))
MORE = Name("person", ("何平",), ("He Ping",))


def anonymous(zh: str, en: str, *names: Name, seed: int = 0) -> tuple[str, str]:
    """Return a sentence and its translation without names."""
    pair = SentencePair(1, parse_sentence(zh)[0], en)
    (result,), _ = Anonymiser(names, seed).document(1, (pair,))
    return result.source.labelled, result.target


# --- names ------------------------------------------------------------------------------------------------------------


#: How people write 李小丽.
WRITTEN = [
    "Li Xiaoli", "LI XIAOLI", "Li Xiao-li", "Li Xiao Li", "Xiaoli Li", "Xiao-Li Li", "Li, Xiaoli", "li xiaoli", "Li", "LI Xiaoli", "Xiaoli",
    "XIAOLI", "X. L. Li", "X.L. Li", "X. Li", "Li X.", "Li X.L.", "李小丽", "李 小 丽",
]  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_a_name_is_found_in_each_way_of_writing(text: str) -> None:
    zh, en = anonymous("李小丽来了。", f"Here {text} comes: {text}'s book, {text}-led.", PERSON)
    assert zh == "Person-A来了。"
    assert en == "Here Person-A comes: Person-A's book, Person-A-led."


@pytest.mark.parametrize("text", ["Lily", "Olivia Lin", "Jet-Li", "List", "the LI unit", "xiaoli"])
def test_a_part_of_another_word_is_no_name(text: str) -> None:
    assert anonymous("李小丽来了。", f"It is {text}.", PERSON)[1] == f"It is {text}."


def test_a_part_is_no_name_where_the_document_does_not_have_the_person() -> None:
    assert anonymous("他来了。", "Li comes.", PERSON) == ("他来了。", "Li comes.")


@pytest.mark.parametrize(
    ("zh", "expected"),
    [
        ("李教授说李小丽来。", "Person-A教授说Person-A来。"),
        ("小李说李小丽来。", "小Person-A说Person-A来。"),
        ("李小丽的李子。", "Person-A的李子。"),
        ("李小丽叫小丽。", "Person-A叫Person-A。"),
    ],
)
def test_parts_of_a_chinese_name(zh: str, expected: str) -> None:
    assert anonymous(zh, "Li Xiaoli.", PERSON)[0] == expected


def test_a_surname_that_is_a_word_needs_a_title() -> None:
    _, en = anonymous("何平来了。", "He Ping came. He sat; Professor He stood.", MORE)
    assert en == "Person-A came. He sat; Professor Person-A stood."


def test_longer_names_come_first() -> None:
    school = Name("school", ("李小丽语言学院",), ("Li Xiaoli School of Languages",))
    zh, en = anonymous("李小丽在李小丽语言学院。", "Li Xiaoli is at Li Xiaoli School of Languages.", PERSON, school)
    assert (zh, en) == ("Person-A在School-of-A。", "Person-A is at School-of-A.")


def test_names_beside_each_other_stay_apart() -> None:
    names = (
        Name("university", ("青山大学",), ("Qingshan University",)),
        Name("faculty", ("工学部",), ("Faculty of Engineering",)),
    )
    zh, en = anonymous("在青山大学工学部Li任教", "Qingshan University Faculty of Engineering", *names)
    assert re.fullmatch("在University-of-([AB]) Faculty-of-([AB]) Li任教", zh)
    assert sorted(re.findall("of-(.)", zh)) == ["A", "B"]  # institutions share their letters
    assert re.findall("of-(.)", zh) == re.findall("of-(.)", en)


def test_a_shared_part_is_who_was_named_last() -> None:
    other = Name("person", ("李大山",), ("Li Dashan",))
    _, en = anonymous(
        "李小丽和李大山。", "Li Xiaoli met Li Dashan. Li left. Li Xiaoli stayed, as Li must.", PERSON, other
    )
    first, second, third, fourth, fifth = re.findall("Person-(.)", en)
    assert first != second
    assert (third, fourth, fifth) == (second, first, first)


def test_a_name_in_a_label_is_replaced() -> None:
    assert anonymous("<李小丽>_S来。", "Li Xiaoli came.", PERSON)[0] == "<Person-A>_S来。"


def test_the_seed_and_the_document_give_the_order() -> None:
    names = [Name("person", (f"甲{zh}",), (f"Name {en}",)) for zh, en in zip("乙丙丁戊己", "BCDEF", strict=True)]
    zh, en = "、".join(name.zh[0] for name in names), ", ".join(name.en[0] for name in names)
    assert anonymous(zh, en, *names) == anonymous(zh, en, *names)
    assert len({anonymous(zh, en, *names, seed=seed) for seed in range(9)}) > 1


HAN = st.text("甲乙丙丁", min_size=2, max_size=4)
LATIN = st.lists(st.text("abc", min_size=2, max_size=4).map(str.capitalize), min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(st.tuples(HAN, LATIN), min_size=1, max_size=4),
    st.lists(
        st.sampled_from(["甲", "乙", "丙", "丁", "ab", "Ab", " ", "-", "12", "，", "<他>_S", 0, 1, 2, 3]), max_size=12
    ),
    st.lists(st.sampled_from(["Abc", "Ab", " ", "-", "'s", "7", ", ", "甲", "BC", 0, 1, 2, 3]), max_size=12),
    st.integers(0, 9),
)
def test_no_listed_name_is_left(
    listed: list[tuple[str, str]], zh: list[str | int], en: list[str | int], seed: int
) -> None:
    names = [
        Name("person" if number % 2 else "school", (chinese,), (english,))
        for number, (chinese, english) in enumerate(listed)
    ]

    def text(pieces: list[str | int]) -> str:
        return "".join(
            piece if isinstance(piece, str) else listed[piece % len(listed)][random.randrange(2)] for piece in pieces
        )

    random = Random(seed)
    source, target = anonymous(text(zh), text(en), *names, seed=seed)
    for side in (parse_sentence(source)[0].text, target):
        for chinese, english in listed:
            assert chinese not in side
            assert not re.search(rf"(?<![A-Za-z]){english}(?![A-Za-z])", side)


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("2010年发表1,200篇，占3.5 %", ["2010", "1200", "3.5"]),
        ("2019年4月16日，May 5, 6 June", ["2019"]),
        ("13CXW050, H1N1, the 1980s, 20th, 2004-2006, 1/2, 3:20", []),
        ("In 2004, 35.", ["2004", "35"]),
    ],
)
def test_numbers_that_may_be_shuffled(text: str, numbers: list[str]) -> None:
    assert [number for _, _, number in numbers_of(text)] == numbers


def test_each_number_takes_the_place_of_another_of_its_kind() -> None:
    mapping = shuffle_numbers(
        [(("1998", "3", "12", "4"), ("1998", "12", "3")), (("2004", "7"), ("7", "2004"))], Random(1)
    )
    assert mapping["1998"] == "2004"
    assert mapping["2004"] == "1998"
    assert {mapping[number] for number in ("3", "7", "12")} == {"3", "7", "12"}
    assert all(number != new for number, new in mapping.items())
    assert "4" not in mapping  # not in the translation


def test_numbers_are_the_same_in_both_languages() -> None:
    zh, en = anonymous("他3篇论文、12年工作、7本书、第四。", "He has 7 books, 12 years of work, 3 papers.", PERSON)
    papers, years, books = re.findall("[0-9]+", zh)
    assert [books, years, papers] == re.findall("[0-9]+", en)
    assert {papers, years, books} == {"3", "7", "12"}
    assert papers != "3"


# --- zeros ------------------------------------------------------------------------------------------------------------


@given(sentences(), st.data())
def test_zeros_keep_their_places(sentence: Sentence, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(sentence.text)))
    end = data.draw(st.integers(start, len(sentence.text)))
    result = edit_sentence(sentence, [Edit(start, end, "Person-A")])
    assert result.text == sentence.text[:start] + "Person-A" + sentence.text[end:]
    for before, after in zip(sentence.zeros, result.zeros, strict=True):
        if before.place < end and before.place <= start:
            assert after.place == before.place
        elif before.place >= end:
            assert result.text[after.place :] == sentence.text[before.place :]
        else:
            assert after.place == start


def test_zeros_beside_names() -> None:
    zh, _ = anonymous("<他>_S在李小丽<她的>_Pa家见李<我>_O小丽", "At Li Xiaoli's home.", PERSON)
    assert zh == "<他>_S在Person-A<她的>_Pa家见<我>_OPerson-A"


# --- the command ------------------------------------------------------------------------------------------------------

NAMES = f"{HEADER}profiles\tperson\t李小丽\tLi Xiaoli\nprofiles\tuniversity\t青山大学\tQingshan University\nnews\tperson\t王五\tWang Wu\n"
ZH = "[doc]\n李小丽在青山大学。\n[doc]\n<她>_S见王五。\n[doc]\n"
EN = "[doc]\nLi Xiaoli is at Qingshan University.\n[doc]\nShe met Wang Wu.\n[doc]\n"


def run(folder: Path, *options: str, zh: str = ZH, en: str = EN, names: str = NAMES) -> Run:
    for name, text in (("a.zh", zh), ("a.en", en), ("names.tsv", names)):
        write_text(folder / name, text)
    files = (folder / "a.zh", folder / "a.en", "--names", folder / "names.tsv")
    return winoforge(
        "zp", "anonymise", *files, "--seed", "1", "--out", folder / "out", "--report", folder / "r.tsv", *options
    )


def test_the_command_writes_both_files_and_a_report(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.returncode == 0, result.stderr
    assert (
        read_text(tmp_path / "out" / "a.zh") == "[doc]\nPerson-A在University-of-A。\n[doc]\n<她>_S见Person-A。\n[doc]\n"
    )
    assert (
        read_text(tmp_path / "out" / "a.en")
        == "[doc]\nPerson-A is at University-of-A.\n[doc]\nShe met Person-A.\n[doc]\n"
    )
    rows = [list(row.values()) for _, row in read_table(tmp_path / "r.tsv", ("code",))]
    assert rows == [
        ["1", "person", "李小丽 / Li Xiaoli", "Person-A", "1", "1", "Li Xiaoli 1 | 李小丽 1"],
        [
            "1",
            "university",
            "青山大学 / Qingshan University",
            "University-of-A",
            "1",
            "1",
            "Qingshan University 1 | 青山大学 1",
        ],
        ["2", "person", "王五 / Wang Wu", "Person-A", "1", "1", "Wang Wu 1 | 王五 1"],
    ]


@pytest.mark.parametrize(
    ("zh", "en", "place"),
    [
        (ZH, EN.replace("Li Xiaoli is at Qingshan University.", "[doc]"), "a.zh:2: [boundary] no boundary"),
        (ZH.replace("<她>_S见王五。", "[doc]"), EN, "a.en:4: [boundary] no boundary"),
        (ZH, EN.removesuffix("[doc]\n"), "a.en:5: [lines] line missing"),
    ],
)
def test_files_that_are_not_aligned_are_refused(tmp_path: Path, zh: str, en: str, place: str) -> None:
    result = run(tmp_path, zh=zh, en=en)
    assert result.returncode == 2
    assert result.stderr.startswith(str(tmp_path / place))
    assert not (tmp_path / "out").exists() and not (tmp_path / "r.tsv").exists()


def test_a_genre_of_the_list(tmp_path: Path) -> None:
    assert run(tmp_path, "--genre", "news").returncode == 0
    assert "李小丽" in read_text(tmp_path / "out" / "a.zh")
    assert run(tmp_path, "--genre", "fiction").returncode == 2


def test_a_name_of_one_language_is_a_finding(tmp_path: Path) -> None:
    result = run(tmp_path, en=EN.replace("Wang Wu", "him"))
    assert result.returncode == 1
    assert result.stderr.startswith(f"{tmp_path / 'a.zh'}:4: [name] in one language only")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a\tdog\t小黄\tRex", "[kind] unknown kind"),
        ("a\tperson\t\t", "[zh] no name"),
        ("a\tperson\t<他>\tLi", "[zh] angle brackets"),
        ("a\tperson\t七\t7", "[en] not a name"),
        ("a\tperson\t甲\tSchool of", "[en] looks like a code"),
        ("a\tperson\t何\tHe", "[en] an English word"),
        ("a\tschool\t李小丽\tLi School", "[kind] two kinds for a name"),
    ],
)
def test_a_malformed_list_is_refused(tmp_path: Path, row: str, reason: str) -> None:
    result = run(tmp_path, names=f"{NAMES}{row}\n")
    assert result.returncode == 2
    assert result.stderr.startswith(f"{tmp_path / 'names.tsv'}:5: {reason}")


def test_our_own_profiles(root: Path, tmp_path: Path) -> None:
    sample = root / "raw" / "zp"
    files = (sample / "profiles.zh", sample / "profiles.en", "--names", sample / "names.tsv")
    result = winoforge("zp", "anonymise", *files, "--genre", "profiles", "--seed", "1", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    text = "".join(read_text(tmp_path / f"profiles.{language}") for language in ("zh", "en"))
    for _, row in read_table(sample / "names.tsv", ("zh", "en")):
        assert row["zh"] not in text
        assert row["en"] not in text
