"""Which pronouns may stand for which candidates, who says a quotation, and which words stand twice by mistake."""

import pytest

from pipeline.core.model import Span
from pipeline.language.doubled_words import doubled_word
from pipeline.language.referents import gloss_misfit, misfit, speaker


@pytest.mark.parametrize(
    ("lang", "pronoun", "candidates", "text"),
    [
        ("zh", "它", "石匠 瓦匠", ""),
        ("zh", "它们", "王老师 李老师", ""),
        ("zh", "他", "周大妈 高山", ""),
        ("zh", "她", "二叔 二婶", ""),
        ("zh", "他们", "表哥 表弟", "表哥等表弟，他们来晚了。"),
        ("zh", "它们", "货车 轿车", "一辆货车追上轿车，它们停了。"),
        ("zh", "他", "孩子们 老师", ""),
        ("zh-Hant", "它", "媽媽 奶奶", ""),
        ("en", "he", "the sister|the brother", ""),
        ("en", "she", "Tom|Paul", ""),
        ("en", "his", "the girls|the boys", ""),
        ("en", "it", "the woman|her daughter", ""),
        ("de", "es", "der Bagger|die Schaufel", ""),
        ("de", "er", "die Schaufel|der Bagger", ""),
        ("de", "sie", "einen Bagger|die Schaufel", ""),
    ],
)
def test_a_pronoun_that_cannot_stand_for_its_candidate_is_told(
    lang: str, pronoun: str, candidates: str, text: str
) -> None:
    names = candidates.split("|" if "|" in candidates else " ")
    assert misfit(lang, pronoun, names, 0, text).startswith(f"found '{pronoun}' for ")


@pytest.mark.parametrize(
    ("lang", "pronoun", "candidates", "text"),
    [
        ("zh", "它", "八哥 画眉", ""),  # a bird, although it ends like a brother
        ("zh", "它", "黄狗 白狗", ""),
        ("zh", "它", "妹妹 书包", ""),  # the other one may be meant
        ("zh", "它", "妹妹的书包 姐姐的书包", ""),
        ("zh", "它", "机器人 服务员", ""),
        ("zh", "她", "母狐 母象", ""),
        ("zh", "他", "女婿 岳父", ""),
        ("zh", "他们", "兄弟 邻居", ""),
        ("zh", "她们", "妹妹 姐姐", "两个妹妹等姐姐，她们来晚了。"),
        ("zh", "他们", "高山和周海 老师", ""),
        ("zh", "", "妹妹 姐姐", ""),
        ("en", "they", "the sister|the brother", ""),
        ("en", "he", "Kelly|Tom", ""),  # may be a man
        ("en", "it", "the baby|the dog", ""),
        ("en", "she", "the brother's wife|the nurse", ""),
        ("de", "sie", "das Mädchen|der Vater", ""),
        ("de", "sie", "den Kindern|der Vater", ""),  # a plural
        ("de", "er", "dem Kind|der Vater", ""),
        ("fr", "il", "la soeur|le mur", ""),
    ],
)
def test_what_leaves_a_doubt_is_not_told(lang: str, pronoun: str, candidates: str, text: str) -> None:
    assert not misfit(lang, pronoun, candidates.split("|" if "|" in candidates else " "), 0, text)


def test_a_gloss_has_a_pronoun_that_translates_the_target() -> None:
    assert gloss_misfit("它", "The ox saw that he was late.") == "found 'he', expected one for 它"
    assert gloss_misfit("她们", "She left.") == "found 'she', expected one for 她们"
    assert not gloss_misfit("他", "He gave her it.")
    assert not gloss_misfit("他", "The men left.")
    people = ("彭莉", "韩敏")
    assert (
        gloss_misfit("她", "Peng Li said he left her.", "彭莉给韩敏打了钱，说她走了。", people)
        == "found 'he', expected one for 她"
    )
    assert not gloss_misfit("她", "The manager said he knew her.", "彭莉给韩敏打了钱，经理认得她。", people)
    for somebody in ("对方", "有人", "同桌", "陌生人", "男友", "小偷", "对手", "伴郎", "客户", "观众", "小狗"):
        text = f"彭莉跟韩敏说起{somebody}，因为她好奇。"
        assert not gloss_misfit("她", "Peng Li told Han Min of him, because she was curious.", text, people)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("高山对周海说：“他来了。”", "高山 周海", "高山"),
        ("高山看见周海，周海喊道：“他来了！”", "高山 周海", "周海"),
        ("“他来了。”周海说，高山没听见。", "高山 周海", "周海"),
        ("高山叫周海坐下，说：“他来了。”", "高山 周海", "高山"),
        ("周海听见老师说：“他来了。”", "高山 周海", ""),
        ("高山的妈妈说：“他来了。”", "高山 周海", ""),
        ("Ann told Mary, “他 is late.”", "Ann Mary", "Ann"),
        ("他 told Ann a “joke”.", "Ann Mary", ""),
    ],
)
def test_the_speaker_of_a_quotation_is_found(text: str, names: str, expected: str) -> None:
    start = text.index("他")
    assert speaker(text, Span(start, start + 1), names.split()) == expected


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("老冯被被小韦骂了。", "zh", "被被"),
        ("天黑了了，他走了。", "zh", "了了"),
        ("妹妹叫叫姐姐坐坐。", "zh", "叫叫"),
        ("到处都是是火焰。", "zh", "是是"),
        ("是是，我去问问，找找看。", "zh", ""),
        ("天黑以后，天黑以后，他走了。", "zh", "天黑以后，天黑以后，"),
        ("成都都下雪了，他说说笑笑，一切就就绪了，饭吃不了了。", "zh", ""),
        ("看着着火的房子，他还还不清钱，一把把门推开。", "zh", ""),
        ("Weil weil sie kam.", "de", "Weil weil"),
        ("Das Heer Heer zog ab.", "de", "Heer Heer"),
        ("Sie sah, dass sie sie mochte, die Frau, bei der der Mann wohnte, der der Hund gehört.", "de", ""),
        ("Le chat chat.", "fr", ""),
    ],
)
def test_only_a_stuttered_word_is_one_too_many(text: str, lang: str, expected: str) -> None:
    assert doubled_word(text, lang) == expected
