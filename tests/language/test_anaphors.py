"""The search for the anaphor that a question asks about."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.model import Span
from pipeline.core.tables import read_table
from pipeline.language.anaphors import Place, Undecided, aligned, locate, units
from pipeline.language.questions import languages, question_table
from pipeline.winograd.readers import ingest
from tests.conftest import ROOT, Refused


def outcome(text: str, question: str, candidates: tuple[str, ...] = (), lang: str = "zh") -> str:
    """Return the text with 【】 around the place found, or the reason why there is none."""
    place = locate(text, question, candidates, question_table(lang))
    if isinstance(place, Undecided):
        return place.reason
    return f"{text[: place.span.start]}【{place.span.of(text)}】{text[place.span.end :]}"


# --- alignment --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\u3000", []),
        ("它太沉了。", ["它", "太", "沉", "了", "。"]),
        ("The Cup's 2nd", ["the", "cup", "'", "s", "2nd"]),
        ("Joe走了", ["joe", "走", "了"]),
        ("Größe", ["grösse"]),
        ("ёлка和2024", ["ёлка", "和", "2024"]),
    ],
)
def test_units_are_words_or_characters(text: str, expected: list[str]) -> None:
    assert units(text) == expected


@pytest.mark.parametrize(
    ("pattern", "text", "gain"),
    [
        ("", "心烦", 0.0),
        ("心烦", "", 0.0),
        ("心烦", "心烦", 2.0),
        ("心烦", "很心很烦", 2 - 2 * 0.08),  # two units of the text are left out
        ("心烦", "烦心", 1.0 - 0.08 + 0.08),  # only one of them in order: the first is free of cost
        ("太沉", "太，沉", 2 - 0.8),  # a clause boundary in between
        ("沉", "走，沉", 0.0),  # none in the first clause
        ("太太", "太", 1.0),  # each unit of the text is used once
        ("甲乙", "甲丙丙丙丙丙丙丙丙丙丙丙丙丙乙", 1.0),  # 1 + 1 - 13 * 0.08 = 0.96 is less than the first alone
    ],
)
def test_alignment_counts_units_in_order_less_gaps(pattern: str, text: str, gain: float) -> None:
    assert aligned(pattern, text) == pytest.approx(gain)


# --- our own sentences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("积雪压断了枯枝，因为它太沉了。", "什么太沉了？", "积雪压断了枯枝，因为【它】太沉了。"),
        ("积雪压断了枯枝，因为它非常沉。", "什么沉？", "积雪压断了枯枝，因为【它】非常沉。"),
        ("积雪压断了枯枝，因为太沉了。", "什么太沉了？", "积雪压断了枯枝，因为【】太沉了。"),
        ("赵敏请教孙老师，因为没有经验。", "谁没有经验？", "赵敏请教孙老师，因为【】没有经验。"),
        ("他说她走了。", "谁走了？", "他说【她】走了。"),
        ("他说她走了。", "谁说她走了？", "【他】说她走了。"),
        ("林师傅拔下钉子，然后把它扔了。", "林师傅把什么扔了？", "林师傅拔下钉子，然后把【它】扔了。"),
        ("郑芳把雨伞借给了杜鹃，她的心地真好。", "谁的心地真好？", "郑芳把雨伞借给了杜鹃，【她】的心地真好。"),
        ("小猫钻进了纸箱，那儿很暖和。", "哪儿很暖和？", "小猫钻进了纸箱，【那儿】很暖和。"),
        ("哥哥骗了弟弟，可是这个傻瓜还笑。", "谁是那个傻瓜？", "哥哥骗了弟弟，可是【这个傻瓜】还笑。"),
        ("他把吉他递给弟弟，因为他要出门。", "谁要出门？", "他把吉他递给弟弟，因为【他】要出门。"),
        ("它被其他人拿走了。", "什么被其他人拿走了？", "【它】被其他人拿走了。"),
        ("白鹅追着灰狗跑，它还不肯停。", "哪只动物还不肯停？", "白鹅追着灰狗跑，【它】还不肯停。"),
        ("她们等着他们，因为他们迟到了。", "谁迟到了？", "她们等着他们，因为【他们】迟到了。"),
    ],
)
def test_the_place_in_mandarin(text: str, question: str, expected: str) -> None:
    assert outcome(text, question) == expected


@pytest.mark.parametrize(
    ("lang", "text", "question", "expected"),
    [
        ("en", "The kettle broke the cup because it was heavy.", "What was heavy?", "because 【it】 was"),
        ("en", "Ann thanked Eve because she had helped her.", "Who had helped?", "because 【she】 had"),
        ("en", "Ann thanked Eve because she had helped her.", "she had helped", "because 【she】 had"),
        ("ru", "Чайник разбил чашку, потому что он тяжёлый.", "Что тяжёлый?", "что 【он】 тяжёлый"),
        ("hu", "A kutya megugatta a macskát, mert félt.", "Ki félt?", "mert 【】félt"),
        ("hu", "Anna felhívta Évát, mert eltévedt.", "Ki tévedt el?", "mert 【】eltévedt"),
        ("ja", "雪が枝を折った。それは重かった。", "何が重かったか？", "。【それ】は"),
        ("fr", "Marie a remercié Julie car elle avait aidé.", "Qui avait aidé ?", "car 【elle】 avait"),
        ("pt", "O bule quebrou a xícara porque ele era pesado.", "O que era pesado?", "porque 【ele】 era"),
    ],
)
def test_the_place_in_other_languages(lang: str, text: str, question: str, expected: str) -> None:
    assert expected in outcome(text, question, lang=lang)


@pytest.mark.parametrize(
    ("text", "question", "reason"),
    [
        ("他认识他。", "谁认识谁？", "two equally good targets; the question '谁认识谁？' asks for 2 places at once"),
        ("他笑了，他也笑了。", "谁笑了？", "two equally good targets; the question '谁笑了？' fits both"),
        (
            "积雪压断了枯枝。",
            "谁唱歌？",
            "no clause of the text fits the question '谁唱歌？'; found no pronoun that could answer it",
        ),
        (
            "他看见她。",
            "谁唱歌？",
            "no clause of the text fits the question '谁唱歌？'; found 2 pronouns that could answer it",
        ),
    ],
)
def test_nothing_is_guessed(text: str, question: str, reason: str) -> None:
    assert outcome(text, question) == reason


def test_the_only_pronoun_answers() -> None:
    assert outcome("积雪压断了枯枝，它可怜。", "谁唱歌？") == "积雪压断了枯枝，【它】可怜。"
    assert "no pronoun" in outcome("积雪压断了枯枝，他可怜。", "什么唱歌？")  # 什么 asks for no person


def test_a_repeated_candidate_may_stand_for_the_anaphor() -> None:
    text = "小猫追小狗，小狗很生气。"
    assert outcome(text, "谁很生气？", ("小猫", "小狗")) == "小猫追小狗，【小狗】很生气。"
    place = locate(text, "谁很生气？", ("小猫", "小狗"), question_table("zh"))
    assert isinstance(place, Place)
    assert place.kind == "expression"


def test_a_target_is_where_a_careful_reader_puts_it(shared_data: Path) -> None:
    raw = ROOT / "raw" / "mandarinograd"
    path = shared_data / "pws" / "pws.tsv"
    items = ingest(path.read_bytes(), path, "pws-tsv", targets=raw / "targets.tsv").items
    key = {row["id"]: row for _, row in read_table(raw / "gold.tsv", ["id", "start", "end"])}
    placed = [item for item in items if key[item.id]["start"]]
    assert len(placed) > 240
    wrong = {item.id for item in placed if item.target != Span(int(key[item.id]["start"]), int(key[item.id]["end"]))}
    assert wrong == set()


# --- for any text -----------------------------------------------------------------------------------------------------

WORDS = [
    "it", "was", "heavy", "cup", "don't", "celui-ci", "l’eau", "megugat", "eltévedt", "ő", ".", ",", "what", "who", "?",
]  # fmt: skip
sentences = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@given(sentences, sentences, st.sampled_from(["en", "fr", "hu", "pt", "ru"]))
def test_a_zero_stands_at_a_word_boundary_where_blanks_part_words(text: str, question: str, lang: str) -> None:
    place = locate(text, question, ("cup",), question_table(lang))
    if isinstance(place, Place) and place.kind == "zero":
        assert place.span.start == place.span.end
        assert not re.fullmatch(r"[\w'’-]{2}", text[max(0, place.span.start - 1) : place.span.start + 1])


@given(
    st.text("他她它谁什么是，。？了的太沉 a[]{}\u200b\u202e😀", max_size=30),
    st.text("他她它谁什么是，。？了的太沉 a[]{}\u200b\u202e😀", max_size=12),
    st.lists(st.text("太沉a", max_size=2), max_size=2),
    st.sampled_from(["zh", "ja", "en", "hu"]),
)
def test_any_text_has_a_place_or_a_reason(text: str, question: str, candidates: list[str], lang: str) -> None:
    result = locate(text, question, candidates, question_table(lang))
    if isinstance(result, Undecided):
        assert result.reason
    else:
        assert 0 <= result.span.start <= result.span.end <= len(text)
        assert (result.kind == "zero") == (not result.span.of(text))
        if result.kind == "pronoun":
            assert question_table(lang).is_pronoun(result.span.of(text))


def test_a_long_text_is_searched_in_time() -> None:
    text = "积雪压断了枯枝，" * 200 + "因为它太沉了。"
    assert outcome(text, "什么太沉了？").endswith("因为【它】太沉了。")


# --- the tables -------------------------------------------------------------------------------------------------------


def test_every_language_of_the_readers_has_a_table() -> None:
    assert languages() == ["de", "en", "es", "fr", "he", "hu", "it", "ja", "pt", "ru", "zh"]
    for lang in languages():
        table = question_table(lang)
        assert table.lang == lang
        assert table.segmented is (lang not in {"zh", "ja"})
        assert all(table.is_pronoun(pronoun.upper()) for pronoun in table.pronouns)
        assert all(kind.answered_by <= table.pronouns for kind in table.question_words)
        assert table.by_gender == (frozenset({"er", "sie", "es"}) if lang == "de" else frozenset())


def test_pronouns_are_found_longest_first_and_not_within_words() -> None:
    def forms(text: str, lang: str) -> list[str]:
        return [span.of(text) for span in question_table(lang).anaphors(text)]

    assert forms("他们和她在其他城市弹吉他，它们不在。", "zh") == ["他们", "她", "它们"]
    assert forms("The others gave Her it. Hermit, their heir", "en") == ["Her", "it", "their"]
    assert forms("それはそれぞれ違う", "ja") == ["それ"]
    assert forms("", "zh") == []


@pytest.mark.parametrize("lang", ["xx", "", "ZH", "../zh", "zh.yaml"])
def test_an_unknown_language_is_refused(refused: Refused, lang: str) -> None:
    refused(lambda: question_table(lang), "", "lang")
