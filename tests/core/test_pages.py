"""The kit of pages: text is no markup, what is undefined is n/a, marks stand where they belong, the front page is linked in a build."""

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.pages import page_environment, pieces, without_front_page, write_page
from tests.support.pages import Page

HOSTILE = """</title></style><script>alert("1")</script>'"&amp;<!--front page-->"""
PAGE = """{% extends "core/pages/base.html.j2" %}
{% from "core/pages/kit.html.j2" import balance, badge, bar, crumb, estimate, figure, folded, marked, notes %}
{% from "core/pages/kit.html.j2" import sections, table, words %}
{% block title %}{{ text }}{% endblock %}
{% block trail %}{{ crumb(text, text) }}{% endblock %}
{% block content %}
{{ sections({text: text}) }}
{{ table(text, [text, ">" ~ text], [[text, text], [none, 1]], class=text, sortable=true) }}
{{ balance(text, {text: 3, "B": 1}) }}{{ estimate(0.5, (0.25, 0.75)) }}{{ estimate(none) }}{{ bar(1, 0) }}
{{ figure(text, text, text) }}{{ words(text, text) }}
{{ badge(text, text) }}{{ notes([text]) }}
{% call folded(text, id=text) %}{{ text }}{% endcall %}
{{ marked(text, [(0, 3, "target", text), (2, 2, "zero", text)], text) }}
{% endblock %}
{% block script %}{{ script }}{% endblock %}"""


def page_of(text: str, template: str = PAGE, script: str = "") -> str:
    return page_environment().from_string(template).render(text=text, script=script)


def tags(html: str) -> list[str]:
    return [tag for tag, _ in Page(html).elements]


@settings(max_examples=30)
@given(st.text(min_size=3))
def test_text_of_a_page_is_no_markup(text: str) -> None:
    assert tags(page_of(text)) == tags(page_of("abc"))


def test_hostile_text_is_shown_and_does_not_stand_for_the_front_page(tmp_path: Path) -> None:
    (tmp_path / "build" / "zh" / ".asked").mkdir(parents=True)
    write_page(tmp_path / "build" / "page.html", page_of(HOSTILE))
    page = Page((tmp_path / "build" / "page.html").read_text(encoding="utf-8"))
    assert page.text.count(HOSTILE) == Page(page_of(HOSTILE)).text.count(HOSTILE) > 10
    assert [values["href"] for tag, values in page.elements if tag == "a"][:2] == ["#main", "index.html"]
    assert "script" not in tags(page_of(HOSTILE))


def test_a_script_is_admitted_by_its_sum_only() -> None:
    assert "script-src" not in Page(page_of("abc")).policy
    page = Page(page_of("abc", PAGE.replace("{{ script }}", "if (1 < 2) focus();")))
    assert page.scripts == ["if (1 < 2) focus();"]
    assert re.search(r"script-src 'sha256-[\w+/]{43}='; ", page.policy)


def test_whole_numbers_are_written_one_way() -> None:
    template = "{{ 999 }} {{ count }} {{ [count, 3]|map('shown')|join('/') }} {{ count|string }} {{ true }}"
    rendered = page_environment().from_string(template).render(count=12345)
    assert rendered == "999 12,345 12,345/3 12345 True"


def test_figures_that_are_undefined_are_said_to_be() -> None:
    text = Page(page_of("abc")).text
    assert "50.0 % (25.0 % to 75.0 %) n/a" in text
    assert "abc 3 75.0 % B 1 25.0 %" in text  # 3 / 4 and 1 / 4
    assert "abc abc n/a 1" in text


@given(st.data())
def test_pieces_are_the_text_with_each_span_in_its_kind(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet="甲乙丙", min_size=1, max_size=8))
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    spans = [(start, end, f"k{n}", "") for n, (start, end) in enumerate(data.draw(st.lists(ends, max_size=4)))]
    found = list(pieces(text, spans))
    assert "".join(piece.text for piece in found) == text
    for start, end, kind, _ in spans:
        inside = [piece for piece in found if kind in piece.kinds.split()]
        assert "".join(piece.text for piece in inside) == text[start:end]
        before = found[: found.index(inside[0])]
        assert len("".join(piece.text for piece in before)) == start


def test_a_page_leads_to_the_front_page_of_its_build_only(tmp_path: Path) -> None:
    html = page_of("abc")
    (tmp_path / "elsewhere" / "copied" / ".asked").mkdir(parents=True)  # a copy of a collection is not a build
    for folder, address in (("build/zh/audit", "../../index.html"), ("build", "index.html"), ("elsewhere/audit", None)):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "build" / "zh" / ".asked").mkdir(parents=True, exist_ok=True)
        write_page(tmp_path / folder / "page.html", html)
        written = (tmp_path / folder / "page.html").read_text(encoding="utf-8")
        assert Page(written).links - Page(html).links == ({address} if address else set())
        assert without_front_page(written) == html


def test_every_part_that_scrolls_has_a_name_and_takes_the_focus() -> None:
    parts = [values for tag, values in Page(page_of("abc")).elements if "scroll" in (values.get("class") or "").split()]
    assert len(parts) == 3
    assert all((part["role"], part["tabindex"]) == ("region", "0") for part in parts)
    assert sorted(str(part["aria-label"]) for part in parts) == ["abc", "abc", "items by abc"]
