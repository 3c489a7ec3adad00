"""The language variants of a wiki in Chinese: what MediaWiki shows of the mark ``-{…}-``.

Source: MediaWiki's ``ConverterRule`` and https://www.mediawiki.org/wiki/Writing_systems/Syntax.
"""

import re
from collections.abc import Mapping
from html.entities import html5

_FLAGS = re.compile(r"\s*+([A-Za-z-]*+(?:\s*+;\s*+[A-Za-z-]*+)*+)\s*+\|")
_ENTITY = re.compile(r"&(#?[a-zA-Z0-9]+;)")
#: Stands for the semicolon of an entity, which separates no rules.
_HELD = "\1"


def shown_variant(content: str, variants: Mapping[str, str]) -> str:
    """Return what a mark shows, by its content without marks in it; one that only sets a rule for other places shows nothing.

    Args:
        variants: the names of the variants by their code, the preferred one first.

    >>> names = {"zh-hans": "简体", "zh-hant": "繁体"}
    >>> [shown_variant(content, names) for content in ("zh-hant:手提箱;zh-hans:箱子", "zh-hant|奖杯", "H|头=>zh-hans:脑袋", "R|手")]
    ['箱子', '奖杯', '', '手']
    """
    flags: set[str] = set()
    if match := _FLAGS.match(content):
        flags = {flag.strip() for flag in match[1].split(";")} & {*"ATRDHN-", *variants}
        content = content[match.end() :]
    if "R" in flags:
        return content
    if "N" in flags:
        return variants.get(content.strip(), "")
    if "-" in flags or flags == {"T"} or ("H" in flags and "D" not in flags):
        return ""
    if flags & set(variants) and "H" not in flags:
        return content
    both_ways, one_way = _rules(content, variants)
    if not both_ways and not one_way:
        return "" if "T" in flags and "A" not in flags else content
    if "D" in flags:
        parts = [f"{variants[variant]}：{word}；" for variant, word in both_ways.items()]
        return "".join(
            parts + [f"{before}⇒{variants[variant]}：{word}；" for variant, (before, word) in one_way.items()]
        )
    words = both_ways or {variant: word for variant, (_, word) in one_way.items()}
    return next(words[variant] for variant in variants if variant in words)


def _rules(content: str, variants: Mapping[str, str]) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Return the words of the variants, and the replacements of one direction; none if a rule is malformed."""
    both_ways: dict[str, str] = {}
    one_way: dict[str, tuple[str, str]] = {}
    code = "(?:" + "|".join(sorted(variants, key=len, reverse=True)) + ")"
    separator = rf";\s*+(?={code}\s*:|[^;]*?(?:=>|=&gt{_HELD})\s*{code}\s*:|\s*$)"
    for rule in re.split(separator, _ENTITY.sub(_hold, content), flags=re.IGNORECASE):
        head, colon, word = rule.replace(_HELD, ";").replace("=&gt;", "=>").partition(":")
        if not colon:
            continue
        before, arrow, variant = head.rpartition("=>")
        variant = variant.strip().lower()
        if variant not in variants:
            return {}, {}
        if arrow:
            one_way.setdefault(variant, (before.strip(), word.strip()))
        else:
            both_ways[variant] = word.strip()
    return both_ways, one_way


def _hold(match: re.Match[str]) -> str:
    is_entity = match[1].startswith("#") or match[1] in html5
    return match[0].replace(";", _HELD) if is_entity else match[0]
