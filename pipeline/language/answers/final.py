"""What a model says in the end: without its thought, the frame of its format, and the turns after its own; and in plain letters."""

import json
import re
import unicodedata
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from .mentions import letter
from .words import phrases

_THINK = r"(?:(?!final|answer)[\w:.-]{0,30}(?:think|thought|reason|reflect)[\w:.-]{0,30}|analysis|scratchpad|inner_monologue)"
_SAY = r"(?:answer|final|final_?answer|output|response|solution|conclusion|result)"
#: What begins a thought in the formats of Qwen, DeepSeek, EXAONE, Seed, LongCat, Magistral, Kimi, OpenThinker, Command A, Apertus, Gemma,
#: gpt-oss, Granite and `ollama run`.
_OPEN = rf"""
    <{_THINK}(?:\s[^<>]*)?> | \[(?:THINK|THINKING|REASONING)\] | ◁think▷
  | <[|｜]begin[▁_]of[▁_]think(?:ing)?[|｜]>
  | <\|(?:begin_of_thought|START_THINKING|thought_begin|think_start|inner_prefix)\|> | <unused94>
  | <\|channel\|?>\s*(?:analysis|commentary|thought)(?:[^<>]*<\|message\|>)?
  | \A\s*analysis(?=[A-Z"“‘'(\u2e80-\uffef]) | \A\s*Here\ is\ my\ thought\ process:
  | \A\s*Thinking(?:\.\.\.|…)(?=\s*\n|.*done\ thinking\.)
"""
#: What ends it; the opening mark may be missing, where it belongs to the prompt.
_CLOSE = rf"""
    </{_THINK}> | \[/(?:THINK|THINKING|REASONING)\] | ◁/think▷
  | <[|｜]end[▁_]of[▁_]think(?:ing)?[|｜]>
  | <\|(?:end_of_thought|END_THINKING|thought_end|think_end|inner_suffix)\|> | <unused95> | <channel\|>
  | (?:<\|channel\|>|assistant)\s*final(?:<\|message\|>)? | \A\s*final<\|message\|> | ^Here\ is\ my\ response:
  | (?:\.\.\.|…)\s*done\ thinking\.
"""
_ANNOUNCED = r"(?:(?:最终|正确)?答案|(?:final\ )?answer)\**\s*[:：][^\n]{1,40}\Z"
#: A last line that announces the answer; after it, or after an answer in its tags, a thought may lack its closing mark.
_LAST_LINE = rf"^[^\w\n]*{_ANNOUNCED}"
_FLAGS = re.IGNORECASE | re.DOTALL | re.VERBOSE | re.MULTILINE
#: A thought as Open WebUI stores it, one in quoted lines, and one in brackets.
_ELEMENT = rf"""
    <details\b(?:[^<>]*\btype=["']?reasoning|[^<>]*>\s*<summary>[^<>]*(?:thought|thinking|reasoning)).*?(?:</details>|\Z)
  | \A\s*(?:>|&gt;)[^\w\n]*(?:reasoning|thinking|thoughts?|思考|推理)[^\n]*(?:\n(?!{_LAST_LINE})\s*(?:>|&gt;)[^\n]*)*
  | \A\s*[(（](?:reasoning|thinking|thoughts?|思考|推理)\s*[:：][^()（）]*[)）]
"""
_THOUGHT = re.compile(
    rf"(?:{_OPEN}).*?(?:{_CLOSE}|(?=<{_SAY}>[^<>]+</{_SAY}>\s*\Z)|(?={_LAST_LINE})|\Z)|{_ELEMENT}", _FLAGS
)
_THOUGHT_END = re.compile(_CLOSE, _FLAGS)
#: The part that a format sets apart as the answer; the first group that took part holds it.
_FINAL = re.compile(
    rf"""
    <{_SAY}(?:\s[^<>]*)?>(.*?)(?:</{_SAY}>|\Z)
  | <\|begin_of_(?:box|solution)\|>(.*?)(?:<\|end_of_(?:box|solution)\|>|\Z)
  | <\|START_(?:RESPONSE|ANSWER)\|>(.*?)(?:<\|END_(?:RESPONSE|ANSWER)\|>|\Z)
  | \\(?:boxed|fbox)\s*\{{((?:[^{{}}]|\{{[^{{}}]*\}})*)\}}
    """,
    _FLAGS,
)
#: A last sentence that announces the answer, which counts before a frame that it follows.
LAST_WORD = re.compile(rf"(?:^|[.!?。！？])[^\w\n]{{0,9}}{_ANNOUNCED}", _FLAGS)
#: Where somebody else's turn begins, which a model without a stop invents.
_OTHER_TURN = re.compile(
    r"<\|(?:im_start|start|start_header_id)\|>\s*(?:user|system)|<\|(?:user|system|USER_TOKEN)\|>|<start_of_turn>\s*user|\[INST\]|<｜User｜>",
    re.IGNORECASE,
)
_TURN_END = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|return|end_of_text|endoftext|END_OF_TURN_TOKEN)\|>|</s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\A\s*(?:<\|(?:im_start|start|start_header_id)\|>\s*assistant(?:<\|end_header_id\|>|<\|message\|>)?|<start_of_turn>\s*model"
    r"|<\|assistant\|>|\[/INST\]|<｜Assistant｜>|assistant\s*\n)",
    re.IGNORECASE,
)
_LINE_TAG = re.compile(r"</?(?:br|p|div|li|ul|ol|h\d)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>|<\|[^<>|]*\|>")
#: Keys of a JSON object that hold the answer, without case, blanks and underscores, the more telling first.
_KEYS = (
    "finalanswer", "correctanswer", "answer", "最终答案", "正确答案", "答案", "antwort", "lösung", "choice", "选择", "option", "选项",
    "selection", "selectedoption", "correctoption", "label", "letter", "referent", "antecedent", "result", "response", "output",
)  # fmt: skip
#: How many opening braces of a text are tried as the beginning of JSON.
_OBJECTS = 20
#: Maximum number of frames inside one another.
_FRAMES = 20


def final_text(answer: str) -> str:
    r"""Return what an answer says in the end.

    That is what follows the last thought, or what stands around it if nothing follows; in it, the part that a tag, a box or a JSON object
    sets apart as the answer. A thought without an end leaves nothing, as the model was cut off before it answered,
    unless its last line announces the answer: then only the closing mark is missing.

    >>> final_text("A? No.</think>B"), final_text("B <think>A?</think>").strip(), final_text("<think>A?").strip()
    ('B', 'B', '')
    >>> final_text("analysisCould it be A?assistantfinalB"), final_text(r"So \boxed{\text{B}}."), final_text('{"answer": "B"}')
    ('B', '\\text{B}', 'B')
    """
    text = without_thought(answer)
    for _ in range(_FRAMES):
        if not (set_apart := _set_apart(text)):
            break
        text = set_apart
    text = next((part for part in _TURN_END.split(_ROLE.sub("", text)) if part.strip()), "")
    value = _json_answer(text)
    return value if value is not None else _TAG.sub(" ", _LINE_TAG.sub("\n", text))


def _set_apart(text: str) -> str:
    """Return what a text sets apart as its answer, empty without any.

    That is the last of several boxes, but all tags, which may contradict, since the last one that the text takes back.
    """
    matches = [match for match in _FINAL.finditer(text) if match[match.lastindex or 0].strip()]
    taken_back = [
        place
        for place, (one, two) in enumerate(pairwise(matches), 1)
        if phrases().withdrawal.match(text[one.end() : two.start()])
    ]
    parts = list(dict.fromkeys(match[match.lastindex or 0] for match in matches[max(taken_back, default=0) :]))
    return "\n".join(parts if "<" in text else parts[-1:])


def after_frame(answer: str) -> str:
    r"""Return what follows the last part that an answer sets apart, without its thought; empty without such a part.

    >>> after_frame(r"So \\boxed{x}. Answer: B"), after_frame("B")
    ('. Answer: B', '')
    """
    text = without_thought(answer)
    ends = [match.end() for match in _FINAL.finditer(text)]
    return _TAG.sub(" ", text[ends[-1] :]) if ends else ""


def without_thought(answer: str) -> str:
    """Return what an answer says after its last thought, or around it if nothing follows; the turns of others are left out.

    >>> without_thought("A? No.</think>B <user>"), without_thought("<think>A?").strip()
    ('B <user>', '')
    """
    own = next((part for part in _OTHER_TURN.split(answer) if part.strip()), answer)
    *_, rest = _THOUGHT_END.split(own)
    after = _THOUGHT.sub(" ", rest)
    if after.strip():
        return after
    *_, around = _THOUGHT_END.split(_THOUGHT.sub(" ", own))
    return around


def _json_answer(text: str) -> str | None:
    """Return the answer that the last JSON object of a text holds, None if no object has one."""
    found, place = None, 0
    decoder = json.JSONDecoder()
    for _ in range(_OBJECTS):
        place = text.find("{", place)
        if place < 0:
            break
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        held = _held(value)
        found = held if held is not None else found
    return found


def _held(value: object) -> str | None:
    """Return the answer in a JSON value: a text or number, or what a telling key of an object holds."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and len(value) == 1:
        return _held(value[0])
    if not isinstance(value, dict):
        return None
    by_key: Mapping[str, Any] = {re.sub(r"[\s_-]", "", key).casefold(): held for key, held in value.items()}
    return next((held for key in _KEYS if key in by_key and (held := _held(by_key[key])) is not None), None)


_APOSTROPHE = re.compile(r"(?<=[A-Za-z])’(?=[a-z])")
_MARKUP = re.compile(
    r"[*`_#>\"“”‘’「」『』《》【】{}$\ufe0f\u20e3]|(?<![A-Za-z])'|'(?![a-z])|\\(?:boxed|text(?:bf)?|mathrm|mathbf)\b"
)
_ARROW = re.compile(r"[-=]>")
#: Signs of preference between two options, which are kept as ≻ and ≺; elsewhere the sign is markup.
_PREFERENCE = re.compile(r"(?<=[\w)）])[ \t]*(?:([>≫≻])+|[<≪≺]+)[ \t]*(?=[\w\u2e80-\uffef])(?![^<>\w]*>)")
#: What is struck out in Markdown, and a joint of words in the name of a constant: ANSWER_B.
_STRUCK, _UNDERSCORE = re.compile(r"~~([^~\n]{1,80})~~"), re.compile(r"(?<=[A-Za-z])_(?=[A-Za-z])")
#: An answer that is none: N/A. Its last letter is no option.
_NOT_APPLICABLE = re.compile(r"(?<![A-Za-z])[Nn] ?[/.\\] ?[Aa](?![A-Za-z])\.?")
_BETWEEN_HANZI = re.compile(r"(?<=[\u3400-\u9fff])[ \t]+(?=[\u3400-\u9fff])")
#: Letters that Unicode does not take for letters (🅱, 🅑), and Cyrillic ones that look Latin.
_LOOKALIKES = {
    **{start + index: letter(index) for start in (0x1F170, 0x1F150) for index in range(10)},
    **dict(zip(map(ord, "АВС"), "ABC", strict=True)),
}


def plain(text: str) -> str:
    """Return a text with half-width letters and marks, single blanks, none between Chinese characters, without markup and quotes."""
    text = _ARROW.sub("→", unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)))
    text = _NOT_APPLICABLE.sub("none", text)
    text = _PREFERENCE.sub(lambda match: " ≻ " if match[1] else " ≺ ", text)
    text = _UNDERSCORE.sub(" ", _STRUCK.sub(r"❌ \1;", _APOSTROPHE.sub("'", text)))
    return _BETWEEN_HANZI.sub("", re.sub(r"[ \t\xa0]+", " ", _MARKUP.sub("", text))).strip()
