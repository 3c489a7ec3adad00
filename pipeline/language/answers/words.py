"""How models announce, deny and doubt an option, in Chinese, English and German."""

import re
from collections.abc import Iterator

#: How many words that begin a conclusion are tried.
_CONCLUSIONS = 20
#: Maximum length of a denial or an announcement with the blanks after it.
REACH = 40
_BEFORE_OPTION = (
    r"(?:\s*(?:the\s+|an?\s+|(?:answer\s+)?option\s+|choice\s+|answer\s+|die\s+|der\s+|das\s+|den\s+|dem\s+|zum\s+|zur\s+|vom\s+|im\s+|am\s+"
    r"|(?:的)?(?:选项|候选(?:人|项|词)?|答案)|[(\[:]))*"
)
#: What announces the answer. The last one counts: earlier ones repeat the prompt or an example.
MARKER = re.compile(
    r"(?:(?:正确|最终|最后的?|我的)?(?<!错误)(?<!错误的)(?:答案|选项|选择)(?:应该|应当|应|就|可能)?(?:改)?(?:是|为|选|:是)?\s*(?:[:是为]|(?<=[是为选])|\n)|(?:^|\s)答\s*:"
    r"|(?<!wrong )(?<!incorrect )\b(?:the\s+|my\s+)?(?:correct\s+|final\s+|best\s+|right\s+|most\s+likely\s+)*"
    r"(?:answer|option|choice|ans)\s*(?:(?:is|would\s+be|should\s+be|must\s+be|seems\s+to\s+be|appears\s+to\s+be)\b\s*:?|:|=|\n)"
    r"|\b(?:die\s+|meine\s+)?(?:richtige\s+|korrekte\s+|beste\s+|endgültige\s+)*(?:antwort|lösung|option)\s*(?:(?:ist|lautet|wäre)\b\s*:?|:|=)"
    r"|(?<!不)倾向于?(?:选择?)?|\bI(?:'d|\s+would)?\s+(?:go\s+with|choose|pick|lean\s+towards?)|정답은\s*:?"
    r")\s*",
    re.IGNORECASE,
)
#: What announces the letter after it as the answer, rather than as the first of repeated options.
ANNOUNCED = re.compile(
    r"(?:答案|选择?|应为|[是为]|\banswer|\bchoice|\bis|\bchoose|\bantwort|\bist)\s*:?\s*$", re.IGNORECASE
)
#: What says whom or what the pronoun or the zero stands for, before a name or a letter.
REFERENCE = re.compile(
    r"(?:(?<!不)(?:指的?(?:就)?是|指代的?(?:就)?是?|指向|代指|代表|回指|即|指(?!出))|(?:省略|零形式|零代词|空)\S{0,4}(?:对象|主语|先行词)(?:应该|应当|就|可能)*是"
    r"|省略的(?:成分|部分|词)?是|(?:应当|应该|应)?(?:理解(?:为|成)|补(?:出|上|为))|(?<!不)(?:我)?(?:更)?(?:倾向于?|选择?|只剩下?|剩下的是)(?:的是|了)?|帮助的对象是"
    r"|(?:Ø|∅|[他她它]们?|其|\bit|\bhe|\bshe|\bthey|\bher|\bhim|\bsie|\ber|\bes)\s*(?:=|->|→)"
    r"|(?<!not )(?<!n't )\b(?:refers?|referring|points?)\s+(?:back\s+)?to|\bstands\s+for|\bfavou?rs|\bgo\s+with"
    r"|\bI(?:'d|\s+would)?\s+(?:choose|pick|say)"
    r"|\b(?:bezieht|beziehen)\s+sich\s+(?:\w+\s+)?auf|\bmeint|\bsteht\s+für|\bhandelt\s+(?:es\s+)?sich\s+um)\s*:?\s*",
    re.IGNORECASE,
)
#: What says so weakly: it counts where the name ends its clause.
IDENTITY = re.compile(
    r"(?<![不还])(?:是|为)|\b(?:is|was|are|means|ist|sind|nur|only)\s+|'s\s+",
    re.IGNORECASE,
)
#: What begins the conclusion of a text.
CONCLUSION = re.compile(
    r"所以|因此|因而|故(?=选|答|为|Ø)|综上(?:所述)?|总之"
    r"|\b(?:therefore|thus|hence|so|in\s+conclusion|overall|daher|deshalb|folglich|somit|also)\b"
    r"|(?:^|\n)\s*(?:(?:final\s+)?conclusion|fazit|结论)\s*[:\n]|\bTL;?DR\b",
    re.IGNORECASE,
)
#: What begins what a text holds against what it says before, or goes on with.
_TURN = re.compile(
    r"但是?|不过|其实|实际上|(?<!all )(?<!one )(?<!thing )\bbut\b(?!\s+also\b)"
    r"|\b(?:actually|however|aber|doch)\b|\bmore\s+likely\b(?!\s+than)|[\n?]",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:(?:(?<!得)(?<!难)(?<!难道)(?<!岂)(?<!理由)(?<!不能)不|并非|绝非|而非|不太?可能|不大可能)(?:会|应该?|要|能|可能|太可能|大可能|能够)*(?:说?是|指的?是?|选|为|代表)|并非|而非|绝非|并不是|(?<![分个特])别选|勿选|没有?理由选|很?难(?:以)?说是|(?:怎么|哪|岂)(?:会|能|可能)是|排除(?:了|掉)?|去掉|淘汰|否定(?:了)?"
    r"|(?:\bnot|n't|\bcannot|\bnever)(?:\s+(?:be|refer\s+to|choose|pick|select|likely))?"
    r"|(?:\bnot|n't)\s+(?:think|believe|see\s+how)\s+(?:that\s+)?(?:it|he|she|this)(?:'s|\s+(?:is|was|can\s+be|could\s+be|refers\s+to))|\bno\s+way\s+(?:that\s+)?(?:it's|it\s+is)|\bcross(?:es|ed|ing)?\s+out|\bskip|\b(?:hardly|scarcely)|\bby\s+no\s+means"
    r"|\b(?:kaum|keinesfalls|keineswegs|auf\s+keinen\s+Fall|nicht,?\s+dass\s+(?:es|er|sie)(?:\s+sich\s+auf)?)|\b(?:neither|nor|weder)|\bunlikely\s+to\s+be|\brather\s+than|\binstead\s+of"
    r"|\brul(?:e|es|ed|ing)\s+out|\beliminat(?:e|es|ed|ing)|\bexclud(?:e|es|ed|ing)|\bdiscard(?:s|ed|ing)?|\breject(?:s|ed|ing)?|\bdismiss(?:es|ed|ing)?"
    r"|\b(?:eher|lieber|rather|more\s+(?:likely|plausibly))\b[^.!?\n]{1,30}\b(?:als|than)"
    r"|比起|相比(?:于)?|错误的?(?:答案|选项|选择)(?:是|为)?|\b(?:wrong|incorrect)\s+(?:answer|option|choice)\s+is|(?<![是除莫无东南西北])非|\bnon-|[¬≠]|!=|(?:^|[\s:])!|(?:^|[\n,;、。])\s*[❌✗×✘❎🚫👎]"
    rf"|\b(?:nicht|kein(?:e|en|er|em)?|statt|anstatt)(?:\s+auf)?){_BEFORE_OPTION}\s*$",
    re.IGNORECASE,
)
#: What excepts an option from what a sentence says of the others, and what a sentence says that affirms the one that it excepts.
_EXCEPTED = re.compile(
    rf"(?:\b(?:any|every|no)(?:\s*one|body|thing)\s+but|\ball\s+but|\bexcept(?:\s+for)?|\bother\s+than|\bapart\s+from|\baußer"
    rf"|(?<![排消删去剔清])除(?!非)(?:了|去)?){_BEFORE_OPTION}\s*$",
    re.IGNORECASE,
)
_AFFIRMS_EXCEPTED = re.compile(
    r"[不没无错]|排除|[也还又]|\b(?:no|not|none|nothing|nobody|cannot|wrong|incorrect|false|absurd|implausible|impossible|unlikely|odd|out|also|too"
    r"|nicht|nichts|niemand|kein\w*|falsch|aus|auch)\b|n't\b",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    rf"(?:排除(?:了|掉)?|去掉|淘汰|\brul(?:e|es|ed|ing)\s+out|\b(?:eliminat|exclud)(?:e|es|ed|ing)|\b(?:discard|reject|dismiss)(?:s|es|ed|ing)?)"
    rf"{_BEFORE_OPTION}\s*(?:[A-J]\s*,\s*)*$",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"(?:\b(?:although|though|while|obwohl)|虽然?|尽管|\b(?:though|although)\s+(?:it|he|she|this)\s+(?:could|might|may)\s+(?:also\s+)?be|(?:虽然|尽管|不排除)(?:也|还)?(?:有)?可能(?:是|为|指)?"
    rf"|是不是|是否(?:是|为|选|指)?|会不会是?|不一定是|\b(?:whether|if)\s+(?:it|he|she|this)(?:'s|\s+is|\s+was)?|\bob\s+(?:es|er|sie)){_BEFORE_OPTION}\s*$",
    re.IGNORECASE,
)
_WRONG_ZH = (
    r"(?:都|也|显然|明显|就|则|肯定|更|并)*(?:是?错|最差|是(?:一?个)?(?:干扰|迷惑)选?项|是(?:一?个)?陷阱|不(?:太|大)?(?:对|正确|合适|合理|可能|符合|行|成立|通|会|应该|能|适合|恰当|妥|合逻辑|是)"
    r"|说不通|讲不通|(?:可以|可|应该?|应当|就|均|都)*(?:被)?(?:排除|去掉|淘汰)|没有?道理|可能性(?:更|较|很|比较)?(?:小|低))"
)
#: A denial after a letter: A不对, A是错的, "A is wrong". 不是 before another letter denies that one: A不是B.
_WRONG = re.compile(
    rf"(?:\s*\([^()\n]{{1,30}}\))?[):\]\s]*(?:(?:项|选项)?(?!\s*不是\s*[A-J](?![A-Za-z])){_WRONG_ZH}|[?？,]\s*(?:不对|不,|no\b(?!\s+(?:doubt|question|need|matter))|nein\b)|[?？]\s*(?:不|I\s+doubt|hardly\b|(?:wohl\s+)?kaum\b)|[×✗✘❌❎≠]|!="
    r"|(?:is|was|are|were|seems?|looks?|sounds?|appears?|(?:can|could|should|must|would|has\s+to)\s+be)\s+(?:to\s+be\s+)?"
    r"(?:(?:both|all|also|clearly|therefore|thus|simply|just|very|highly|more|far|much|even|somewhat|probably|definitely|obviously)\s+)*"
    r"(?:not|wrong|incorrect|false|out|unlikely|implausible|impossible|illogical|ruled\s+out|eliminated|excluded|discarded|rejected|less|absurd|inconsistent)\b"
    r"|(?:is|was|does|did|do|would|could|can|should)(?:n't|\s+not)\b|cannot\b|(?:would\s+)?makes?\s+(?:no|little|less)\s+sense\b|fails\b|loses\b|contradicts\b|(?:is|was)\s+(?:the|an?)\s+(?:\w+\s+but\s+)?(?:distractor|trap|red\s+herring|wrong|incorrect)\b"
    r"|(?:ist|war|wäre)\s+(?:\w+\s+)?(?:falsch|nicht|unwahrscheinlich(?:er)?|weniger|unmöglich|ausgeschlossen|unlogisch)\b|scheide(?:t|n)\s+aus|aus(?=[,.;!]|$)|fällt\s+weg"
    r"|(?:(?:kann|passt|stimmt|trifft)\s+)?(?:es\s+)?(?:\w+\s+)?nicht(?:\s+zu)?(?=\s*[.,;!\n]|$)|(?:kann|passt|stimmt)\s+(?:es\s+)?(?:\w+\s+)?nicht\b|kommt\s+(?:nicht|kaum)\b|kann\s+ich\s+(?:mir\s+)?(?:nicht|kaum)\b|(?:ergibt|macht)\s+keinen\s+sinn)",
    re.IGNORECASE,
)
_CLAUSE_END = r"(?=\s*(?:[,.;!?。;、，\n)]|的|了|because|weil|since|$))"
#: A denial after a name, which must end its clause: what follows a name is as often what the sentence tells of it.
_WRONG_NAME = re.compile(
    rf"\s*(?:吗?[?]\s*(?:不|no\b|nein\b)|(?:怎么|哪)(?:会|能|可能)|(?:是?错误?|不对|不正确|不合理|不合适|不可能是?|不成立|说不通|讲不通|(?:可以|可|应该?|均|都)*被?排除|[都均皆](?:不(?:对|合适|合理|可能|正确|成立|符合)|错)){_CLAUSE_END}"
    rf"|(?:is|was|seems?|are|were)\s+(?:clearly\s+|also\s+|both\s+)?(?:not(?:\s+(?:right|correct|possible|plausible|likely))?|wrong|incorrect|unlikely|implausible|impossible|ruled\s+out|eliminated|excluded|discarded|rejected|out){_CLAUSE_END}"
    rf"|(?:isn't|cannot\s+be|can't\s+be)(?:\s+(?:it|right|correct|meant))?{_CLAUSE_END}|makes\s+(?:no|little)\s+sense{_CLAUSE_END}|:?\s*[×✗✘❌🚫👎]"
    rf"|(?:aus|kann\s+es\s+nicht\s+sein|kann\s+ausgeschlossen\s+werden|(?:können\s+wir|kann\s+man|ist)\s+aus(?:zu)?schließen|scheidet\s+aus|fällt\s+weg|passt\s+nicht|ist\s+falsch|ist\s+ausgeschlossen|kommt\s+nicht\s+in\s+frage){_CLAUSE_END})",
    re.IGNORECASE,
)
#: What follows the name of the one that is meant.
CONFIRMED = re.compile(
    r"\s*(?:比\S{1,8}?更(?:合适|合理|可能)|更(?:合适|合理|可能)|(?:是|为)(?:正确|对的)|的可能性(?:更|最|较)(?:大|高)"
    r"|(?:is|was|would\s+be)\s+(?:the\s+)?(?:correct|right|best|more\s+likely|more\s+plausible|one|meant(?!\s+to))|(?:ist|sind)\s+(?:hier\s+)?(?:gemeint|richtig|die\s+richtige))",
    re.IGNORECASE,
)
#: What turns from an option to another one, and what says then that the other one is meant: "A is tempting, but B is right".
_TURN_TO = re.compile(
    rf"(?:\b(?:but|yet|however|though|aber|jedoch|doch)\b|但是?|不过|然而)[,\s]*[^\s,.;!?。A-Z]{{0,8}}{_BEFORE_OPTION}\s*$",
    re.IGNORECASE,
)
PREFERRED = re.compile(
    rf"{CONFIRMED.pattern}|\s*(?:才(?:是|对)|最(?:合适|合理|可能|好))|\s+(?:(?:is|fits|works|sounds|makes|reads)\s+(?:much\s+|far\s+|clearly\s+)?(?:better|more)"
    r"|(?:ist|passt|klingt|wäre)\s+(?:\w+\s+)?(?:besser|plausibler|wahrscheinlicher|logischer))\b",
    re.IGNORECASE,
)
#: What takes back what an answer says before it.
CORRECTION = re.compile(
    r"\bI(?:'ll|\s+will|\s+must|\s+(?:have|need|want)\s+to)?\s+(?:now\s+)?(?:change|revise|switch|correct)\s+my\s+(?:answer|choice|mind|pick)\b[^.\n]{0,8}?(?:\bto\b|[:,.])"
    r"|\bich\s+(?:ändere|revidiere|korrigiere)\s+meine\s+(?:Antwort|Wahl)\b[^.\n]{0,8}?(?:\b(?:auf|zu|in)\b|[:,.])"
    r"|(?:更正|修正|纠正|订正|\bcorrection\b|\bKorrektur\b)\s*[:,]|(?<![A-Za-z])[A-J]\s*→\s*(?=[A-J](?![A-Za-z]))"
    r"|(?:\bno,?\s+wait|\bscratch\s+that|(?<=[.!?,])\s+actually|\bjust\s+kidding|\bwait,?\s+no(?!\s+one)|\bI\s+mean|\bon\s+(?:reflection|second\s+thoughts?|closer\s+(?:look|inspection|reading))|\bbei\s+(?:näherem|genauerem)\s+Hinsehen|(?:仔细|再|转念)(?:一想|想想)|后来(?:觉得|发现)(?:还)?|(?<=[,.!])\s*sorry|(?:\.\.\.|[-–—])\s*no,(?:\s*sorry\b)?|改(?:成|为|选)|不对,?(?=应))\s*[:,.]?(?=.{1,40}\Z)",
    re.IGNORECASE,
)
#: What takes back the first line of an answer, at the beginning of the next one.
WITHDRAWAL = re.compile(
    r"\s*(?:h+m+\b[,. …]*)?(?:[^.!?。\n]{1,40}\?\s*)?(?:on\s+reflection,?\s*)?"
    r"(?:(?:no|nope|nein|wait|hold\s+on|oops|sorry|halt|moment|quatsch|actually,?\s+no)\s*[.!,:;–—-](?!\s*\d)"
    r"|sorry\s+(?:for|about)\b|actually,?\s+(?=it\b|the\b|that\b)|(?:I|ich)\s+(?:made|was\s+(?:wrong|mistaken)|korrigiere|habe\s+mich\s+geirrt)\b"
    r"|(?:this|that|it|das|dies)\s*(?:'s|is|was|ist|war|stimmt|passt)\s+(?:not\s+(?:right|correct)|wrong|incorrect|a\s+mistake|falsch|nicht)(?=\s*(?:[.,;:!\n]|$))"
    r"|(?:corrected|revised|korrigierte|neue)\s+(?=answer|antwort)|(?:不对?|错了)(?=[,.。;:!])|等等|等一下|更正(?!确))",
    re.IGNORECASE,
)
#: Where a model without a stop begins with a question of its own.
NEXT_QUESTION = re.compile(
    r"^\s*(?:Q|Question|Sentence|Text|Options?|Frage|Satz|句子|问题|题目|选项|Human|User)\s*\d*\s*[:.]|^\s*\[[^\]\n]{2,}\]",
    re.IGNORECASE | re.MULTILINE,
)
#: The beginning of a thought aloud, and the end of a text that is cut off in the middle of a sentence.
_ALOUD = re.compile(
    r"(?:first|ok(?:ay)?|all?\s?right|hmm*|let\s+me|let's|let\s+us|we\s+(?:need|have|are)|the\s+user|zuerst|zunächst)\b[^\n]*[.!?。]\s*\w",
    re.IGNORECASE,
)
_HANGING = re.compile(
    r".*(?:\b(?:the|an|so|then|if|that|because|but|and|or|of|to|which|der|die|das|weil|dass|und|oder|wenn)|因为|如果|所以|那么|但是)\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
#: Signs by which a list says that an option is right or wrong, and what a line says of the option of which it has the letter or number.
RIGHT_SIGN, WRONG_SIGN = re.compile(r"[✅✓√☑⭕✔👍]|\[[xX]\]"), re.compile(r"[❌✗×✘❎🚫👎]|\[ \]")
RIGHT = re.compile(
    r"(?<!不)(?:正确|符合|通顺|合理|可能|可以|成立)|\A\s*是\s*\Z|\b(?:yes|correct|right|true|richtig|ja|fits)\b",
    re.IGNORECASE,
)
WRONG = re.compile(
    r"错误|\A\s*否\s*\Z|不(?:正确|对|符合|通顺?|合理|可能|可以|成立|行)|\b(?:no|not|wrong|incorrect|false|falsch|nein|nicht)\b",
    re.IGNORECASE,
)
NEITHER = re.compile(
    r"(?:判断|确定|分辨|区分|看)不了|都不(?:是|对|指)?|均不|皆非|以上皆非|(?:无法|不能|难以|不可)(?:确定|判断|得知|区分|判定)|不确定|不清楚|不明确|不好说|说不准"
    r"|没有(?:正确|合适)|\bneither\b|\bnone\b|\bunclear\b|\bambiguous\b|\bcannot be determined\b|\bcan(?:not|'t)? (?:determine|tell)\b"
    r"|\bnot sure\b|\bunsure\b"
    r"|\b(?:hard|impossible|difficult) to (?:say|tell|determine)\b"
    r"|\bkein(?:e|er|en)?s? (?:von|der) beiden\b|\bweder\b|\bunklar\b|\bmehrdeutig\b|\bnicht (?:eindeutig|bestimmbar|entscheidbar)\b",
    re.IGNORECASE,
)
BOTH = re.compile(
    r"两(?:者|个|人|项)?都|(?<!不)都(?:是|对|可以|有可能)|均可|皆可|二者皆|\bboth\b|\beither\b|\bbeide\b|\bsowohl\b",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"抱歉|对不起|(?:无法|不能|不便)(?:回答|提供|完成|协助)|作为(?:一个|一名)?(?:AI|人工智能|语言模型)"
    r"|\bsorry\b|\bas an? (?:AI|language model)\b|\bI (?:cannot|can't|am unable|'m unable|won't)\b|\bunable to\b"
    r"|\btut mir leid\b|\bals (?:KI|Sprachmodell)\b|\bich kann (?:diese Frage |das |die Frage )?nicht\b",
    re.IGNORECASE,
)
#: What may follow the article "A" in English, so that it is a letter after all.
AFTER_LETTER = re.compile(
    r"\s+(?!(?:it\s+is|(?:more|less)\s+\w+\s+than|than|(?:to|over)(?=\s+[B-J]\b)|or|nor|noch|and|but|yet|though|is|isn|wasn|as|because|since|refers|means|seems|was|were|has|had|then|can|cannot|could|does|doesn't|makes|fits|would|should|must"
    r"|looks|sounds|appears|with|are|both|beats|loses|wins|works|fails|falls|gives|leads|contradicts|violates|requires|oder|und|ist|sind|weil|passt|trifft|stimmt|scheidet|kann|aus|wäre|kommt|ergibt|macht|fällt|wirkt|klingt|führt|gemeint)\b)[a-zäöü]"
)


def is_denied(text: str, start: int, end: int, *, letter: bool) -> bool:
    """Return whether a text denies the letter or the name at a place, before it or after it."""
    before = text[max(0, start - REACH) : start]
    if before.endswith("非") and text.startswith(("莫属", "不可"), end):
        return False
    if _EXCEPTED.search(before):
        sentence = re.split(r"[.!。\n]", before)[-1] + re.split(r"[.!。\n]", text[end : end + REACH])[0]
        return not _AFFIRMS_EXCEPTED.search(sentence)
    return _DENIED.search(before) is not None or (_WRONG if letter else _WRONG_NAME).match(text, end) is not None


def are_ruled_out(text: str, start: int) -> bool:
    """Return whether a text begins a list of options that it rules out before the option at a place."""
    return _RULED_OUT.search(text[max(0, start - REACH) : start]) is not None


def turns_to(text: str, start: int) -> bool:
    """Return whether a text turns from another option to the one at a place."""
    return _TURN_TO.search(text[max(0, start - REACH) : start]) is not None


def is_cut_off(text: str) -> bool:
    """Tell whether a text of some length is a thought aloud without its end, or ends in a word that asks for more."""
    return len(text) > REACH and bool(re.search(r"[^\W\d_]\Z", text) and (_ALOUD.match(text) or _HANGING.match(text)))


def is_doubted(text: str, start: int) -> bool:
    """Return whether a text asks only whether an option is meant, or concedes it: although A."""
    return _DOUBTED.search(text[max(0, start - REACH) : start]) is not None


def conclusions(text: str, *, turns: bool = True) -> Iterator[str]:
    """Yield what follows each of the last words that begin a conclusion, the last first; with `turns`, those of but and however too."""
    words = [*CONCLUSION.finditer(text), *(_TURN.finditer(text) if turns else ())]
    for match in sorted(words, key=lambda match: -match.start())[:_CONCLUSIONS]:
        yield text[match.end() :].strip(" ,:，、\n")
